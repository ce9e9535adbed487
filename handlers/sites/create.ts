import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { clientNamedInBody, clientWhere } from '../../lib/clients/clients.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { aliases, cliente, domain, told } from '../../lib/endpoint/fields.ts'
import { allow, created, handler, ok } from '../../lib/endpoint/handler.ts'
import { askProof } from '../../lib/proof/claim.ts'
import { queueNewSite } from '../../lib/sites/commands.ts'
import { decideSite } from '../../lib/sites/decide.ts'
import { newSiteFacts } from '../../lib/sites/facts.ts'
import { siteShape } from '../../lib/sites/shapes.ts'
import { newSiteReading } from '../../lib/sites/view.ts'
import { readNow } from '../../lib/store/reading.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/sitios',
  access: allow('token', 'admin', 'client'),
  summary: 'Create a site',
  description:
    'The same site of the same client again answers 200. Where `aliases` is left out, `www.<domain>` is one if it is free and the plan has room; `[]` is none. A customer proves a name that does not lie below one of its own: it leads to this server already, with all of its addresses, or the TXT record that `dominio_sin_probar` names is set; at most 20 such names at once. `forzar` is for a signed-in admin only.',
  body: v.strictObject({
    cliente,
    domain,
    aliases: v.optional(aliases),
    forzar: v.optional(
      told(v.boolean(), 'Takes a name above or below one of another client; for a signed-in admin.'),
    ),
  }),
  output: siteShape,
  statuses: [200, 201],
  errors: [
    'nodo_ausente',
    'cliente_no_existe:409',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'dominio_ocupado',
    'dominio_sin_probar',
    'limite_del_plan',
  ],
  prepare: (services, { body }, ctx) =>
    askProof(services, ctx, { names: [body.domain, ...(body.aliases ?? [])] }),
  async run(ctx, { body }, proof) {
    const force = body.forzar === true
    if (force && !(ctx.actor.kind === 'session' && ctx.actor.role === 'admin'))
      throw new AppError('prohibido')
    ctx.audit.target = body.domain
    if (force) ctx.audit.detail = { forzar: true }
    const wanted = { ...body, aliases: body.aliases, force, proof, language: ctx.request.language }
    const [client, facts] = await Promise.all([
      clientNamedInBody(ctx, body.cliente),
      newSiteFacts(ctx, clientWhere(ctx.tx, eq(clients.name, body.cliente)), wanted),
    ])
    const site = decideSite(facts, client, wanted)
    const view = newSiteReading(ctx, placeOf(body))
    if (site === null) return ok(view)
    ctx.tx.later(...queueNewSite(ctx, client, site))
    return created(view, `/sitios/${body.domain}`)
  },
  async settled(ctx, { body }, answer) {
    return { ...answer, body: await readNow(ctx.tx, newSiteReading(ctx, placeOf(body))) }
  },
})

const placeOf = ({ domain, cliente: client }: { domain: string; cliente: string }) => ({ domain, client })
