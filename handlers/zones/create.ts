import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { clientNamedInBody, clientWhere } from '../../lib/clients/clients.ts'
import { decideNewZone } from '../../lib/dns/decide-zone.ts'
import { newZoneFacts, queueNewZone } from '../../lib/dns/new-zone.ts'
import { zoneShape } from '../../lib/dns/shapes.ts'
import { zoneReading } from '../../lib/dns/zones.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { cliente, domain, told } from '../../lib/endpoint/fields.ts'
import { allow, created, handler } from '../../lib/endpoint/handler.ts'
import { askProof } from '../../lib/proof/claim.ts'
import { readNow } from '../../lib/store/reading.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/zonas',
  access: allow('token', 'admin', 'client'),
  summary: 'Create a DNS zone',
  description:
    'From a template: `sitio` (the default, also `true`) holds the addresses of this server at the apex, and at `www` where a site of the client has that name; `vacia` (also `false`) holds only the NS. A customer proves a name that does not lie below one of its own, as in `POST /sitios`. `forzar` is for a signed-in admin only.',
  body: v.strictObject({
    cliente,
    zona: domain,
    plantilla: v.optional(
      told(
        v.union([v.picklist(['sitio', 'vacia'], 'valor_no_admitido'), v.boolean()]),
        'What it holds at first.',
        'sitio',
      ),
      'sitio',
    ),
    forzar: v.optional(
      told(v.boolean(), 'Takes a name above or below one of another client; for a signed-in admin.'),
    ),
  }),
  output: zoneShape,
  statuses: [201],
  errors: [
    'cliente_no_existe:409',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'ya_existe',
    'dominio_ocupado',
    'dominio_sin_probar',
    'limite_del_plan',
  ],
  prepare: (services, { body }, ctx) => askProof(services, ctx, { names: [body.zona] }),
  async run(ctx, { body }, proof) {
    const force = body.forzar === true
    if (force && !(ctx.actor.kind === 'session' && ctx.actor.role === 'admin'))
      throw new AppError('prohibido')
    ctx.audit.target = body.zona
    if (force) ctx.audit.detail = { forzar: true }
    const bare = body.plantilla === 'vacia' || body.plantilla === false
    const template = bare ? ('vacia' as const) : ('sitio' as const)
    const wanted = { name: body.zona, template, force, proof, language: ctx.request.language }
    const [client, facts] = await Promise.all([
      clientNamedInBody(ctx, body.cliente),
      newZoneFacts(ctx, clientWhere(ctx.tx, eq(clients.name, body.cliente)), wanted),
    ])
    ctx.tx.later(...queueNewZone(ctx, client, decideNewZone(facts, client, wanted)))
    return created(zoneReading(ctx, body.zona), `/zonas/${body.zona}`)
  },
  async settled(ctx, { body }, answer) {
    return { ...answer, body: await readNow(ctx.tx, zoneReading(ctx, body.zona)) }
  },
})
