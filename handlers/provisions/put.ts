import * as v from 'valibot'
import { clientReading } from '../../lib/clients.ts'
import type { ReadCtx } from '../../lib/context.ts'
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
} from '../../lib/fields.ts'
import { allow, created, DryRun, handler, ok } from '../../lib/handler.ts'
import { loginReading } from '../../lib/logins.ts'
import { provision } from '../../lib/provision.ts'
import { both, mapped, readNow } from '../../lib/reading.ts'
import { provisionShape } from '../../lib/shapes.ts'
import { newSiteReading } from '../../lib/sites.ts'

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
    const { client, done } = await provision(ctx, {
      ...body,
      referencia: params.referencia,
      nodo: query.nodo,
    })
    Object.assign(ctx.audit, { client: client.name, target: body.domain, detail: { hecho: done } })
    const view = viewProvision(ctx, client.name, body.domain, done)
    if (query.simular === 'si') throw new DryRun(ok(await ctx.tx.rehearse(view)))
    return done.includes('cliente_creado') ? created(view, `/clientes/${client.name}`) : ok(view)
  },
  async settled(ctx, { body }, answer) {
    const { cliente, hecho } = answer.body
    return { ...answer, body: await readNow(ctx.tx, viewProvision(ctx, cliente.cliente, body.domain, hecho)) }
  },
})

function viewProvision(ctx: ReadCtx, name: string, domain: string, hecho: string[]) {
  const client = both(clientReading(ctx, name), newSiteReading(ctx, domain))
  const whole = both(client, loginReading(ctx.tx, name, ctx.now()))
  return mapped(whole, ([[cliente, sitio], acceso]) => ({ cliente, sitio, acceso, hecho }))
}
