import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { contrasena } from '../../lib/fields.ts'
import { handler, ok, open } from '../../lib/handler.ts'
import { findLink } from '../../lib/links.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/enlace',
  access: open(),
  summary: 'Tell what a one-time link is for; consumes nothing',
  description:
    '`correo` is the address that the link confirms where it is for that, else that of the account.',
  body: v.strictObject({ enlace: contrasena }),
  output: v.strictObject({
    para: v.picklist(['activar', 'restablecer', 'invitar', 'primero', 'correo']),
    rol: v.picklist(['admin', 'client']),
    cliente: v.nullable(v.string()),
    correo: v.nullable(v.string()),
    caduca: v.nullable(v.string()),
    segundo_factor: v.boolean(),
  }),
  secret: true,
  prepare: (services, { body }) => findLink(services, body.enlace),
  async run(ctx, _input, { link, person }) {
    const client = person.clientId
      ? await ctx.tx.select({ name: clients.name }).from(clients).where(eq(clients.id, person.clientId)).get()
      : undefined
    return ok({
      para: link.purpose,
      rol: person.role,
      cliente: client?.name ?? null,
      correo: link.email ?? person.email,
      caduca: link.expiresAt?.toISOString() ?? null,
      segundo_factor: person.totpSecret !== null,
    })
  },
})
