import * as v from 'valibot'
import { creation } from '../../lib/clients/create.ts'
import { clientReading } from '../../lib/clients/view.ts'
import type { RunCtx } from '../../lib/endpoint/context.ts'
import {
  aliases,
  cliente,
  correo,
  domain,
  idioma,
  nodo,
  nombre,
  plan,
  referencia,
  si,
  told,
} from '../../lib/endpoint/fields.ts'
import { allow, created, DryRun, handler, ok } from '../../lib/endpoint/handler.ts'
import { loginReading } from '../../lib/identity/logins.ts'
import { unasked } from '../../lib/proof/decide-proven.ts'
import { enqueueProvision } from '../../lib/provisions/commands.ts'
import { decideProvision } from '../../lib/provisions/decide.ts'
import { provisionFacts } from '../../lib/provisions/facts.ts'
import { provisionShape } from '../../lib/provisions/shapes.ts'
import { newSiteReading } from '../../lib/sites/view.ts'
import { both, mapped, readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'PUT',
  path: '/altas/:referencia',
  access: allow('token', 'admin'),
  summary: 'Provision a client, its site, plan and login in one transaction',
  description:
    'Repeated, it converges: one client, one site with at least these aliases, one mail. Where `aliases` is left out, a new site has `www.<domain>` if it is free and the plan has room; `[]` is none. `simular=si` changes nothing and tells what would happen.',
  params: v.strictObject({ referencia }),
  /** `nodo` is for a function host, which has no node of its own. */
  query: v.strictObject({ simular: v.optional(si), nodo: v.optional(nodo) }),
  body: v.strictObject({
    cliente: v.optional(cliente),
    nombre: v.optional(v.nullable(nombre)),
    correo,
    domain,
    aliases: v.optional(aliases),
    plan: v.optional(v.nullable(plan)),
    idioma: v.optional(idioma),
    enviar: v.optional(
      told(v.boolean(), '`false` makes no login yet: for migrations, whose customers are told later.', true),
    ),
  }),
  output: provisionShape,
  statuses: [200, 201],
  errors: [
    'nodo_ausente',
    'plan_no_existe:409',
    'nodo_no_existe:409',
    'cliente_eliminandose',
    'cliente_en_otro_nodo',
    'referencia_en_conflicto',
    'ya_existe',
    'correo_distinto',
    'solo_cuentas_de_token',
    'dominio_ocupado',
    'limite_del_plan',
  ],
  async run(ctx, { params, query, body }) {
    const { domain, aliases } = body
    const site = {
      domain,
      aliases,
      force: false,
      proof: unasked(ctx.keys, false),
      language: ctx.request.language,
    }
    const wanted = {
      reference: params.referencia,
      name: body.cliente,
      displayName: body.nombre,
      email: body.correo,
      language: body.idioma,
      plan: body.plan,
      node: query.nodo,
      site,
      withLogin: body.enviar !== false,
    }
    const change = decideProvision(await provisionFacts(ctx, wanted), wanted, creation(ctx))
    enqueueProvision(ctx, change, wanted)
    const { client, done } = change
    Object.assign(ctx.audit, { client: client.name, target: domain, detail: { hecho: done } })
    const view = provisionReading(ctx, { client: client.name, domain, done })
    if (query.simular === 'si') throw new DryRun(ok(await ctx.tx.discard(view)))
    return done.includes('cliente_creado') ? created(view, `/clientes/${client.name}`) : ok(view)
  },
  async settled(ctx, { body }, answer) {
    const { cliente, hecho } = answer.body
    const about = { client: cliente.cliente, domain: body.domain, done: hecho }
    return { ...answer, body: await readNow(ctx.tx, provisionReading(ctx, about)) }
  },
})

function provisionReading(
  ctx: RunCtx,
  { client, domain, done }: { client: string; domain: string; done: string[] },
) {
  const owner = both(clientReading(ctx, client), newSiteReading(ctx, { domain, client }))
  const whole = both(owner, loginReading(ctx.tx, client, ctx.now()))
  return mapped(whole, ([[cliente, sitio], acceso]) => ({ cliente, sitio, acceso, hecho: done }))
}
