import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { clientNamedInBody, foreseenOwner } from '../../lib/clients.ts'
import { askForNewZone, createZone } from '../../lib/dns/new-zone.ts'
import { zoneShape } from '../../lib/dns/shapes.ts'
import { zoneReading } from '../../lib/dns/zones.ts'
import { AppError } from '../../lib/errors.ts'
import { cliente, domain, told } from '../../lib/fields.ts'
import { allow, created, handler } from '../../lib/handler.ts'
import { readNow } from '../../lib/reading.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/zonas',
  access: allow('token', 'admin', 'client'),
  summary: 'Create a DNS zone',
  description:
    'From a template: `sitio` (the default, also `true`) holds the addresses of this server at the apex, and at `www` where a site of the client has that name; `vacia` (also `false`) holds only the NS. `forzar` is for a signed-in admin only.',
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
    'limite_del_plan',
  ],
  async run(ctx, { body }) {
    const force = body.forzar === true
    if (force && !(ctx.actor.kind === 'session' && ctx.actor.role === 'admin'))
      throw new AppError('prohibido')
    ctx.audit.target = body.zona
    if (force) ctx.audit.detail = { forzar: true }
    const bare = body.plantilla === 'vacia' || body.plantilla === false
    const wanted = { name: body.zona, template: bare ? ('vacia' as const) : ('sitio' as const), force }
    const owner = foreseenOwner(ctx, eq(clients.name, body.cliente))
    await ctx.tx.ahead(
      () => clientNamedInBody(ctx, body.cliente),
      () => askForNewZone(ctx, owner, wanted),
    )
    const client = await clientNamedInBody(ctx, body.cliente)
    await createZone(ctx, client, wanted)
    return created(zoneReading(ctx, body.zona), `/zonas/${body.zona}`)
  },
  async settled(ctx, { body }, answer) {
    return { ...answer, body: await readNow(ctx.tx, zoneReading(ctx, body.zona)) }
  },
})
