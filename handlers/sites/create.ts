import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { clientNamedInBody, foreseenOwner } from '../../lib/clients.ts'
import { AppError } from '../../lib/errors.ts'
import { aliases, cliente, domain, told } from '../../lib/fields.ts'
import { allow, created, handler, ok } from '../../lib/handler.ts'
import { askForSite, createSite } from '../../lib/new-site.ts'
import { readNow } from '../../lib/reading.ts'
import { siteShape } from '../../lib/shapes.ts'
import { newSiteReading } from '../../lib/sites.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/sitios',
  access: allow('token', 'admin', 'client'),
  summary: 'Create a site',
  description:
    'The same site of the same client again answers 200. Where `aliases` is left out, `www.<domain>` is one if it is free and the plan has room; `[]` is none. `forzar` is for a signed-in admin only.',
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
    'limite_del_plan',
  ],
  async run(ctx, { body }) {
    const force = body.forzar === true
    if (force && !(ctx.actor.kind === 'session' && ctx.actor.role === 'admin'))
      throw new AppError('prohibido')
    ctx.audit.target = body.domain
    if (force) ctx.audit.detail = { forzar: true }
    const wanted = { domain: body.domain, aliases: body.aliases, force }
    const owner = foreseenOwner(ctx, eq(clients.name, body.cliente))
    await ctx.tx.ahead(
      () => clientNamedInBody(ctx, body.cliente),
      () => askForSite(ctx, owner, wanted),
    )
    const client = await clientNamedInBody(ctx, body.cliente)
    const { isNew } = await createSite(ctx, client, wanted)
    const view = newSiteReading(ctx, body.domain)
    return isNew ? created(view, `/sitios/${body.domain}`) : ok(view)
  },
  async settled(ctx, { body }, answer) {
    return { ...answer, body: await readNow(ctx.tx, newSiteReading(ctx, body.domain)) }
  },
})
