import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { enlace, named, told } from '../../lib/endpoint/fields.ts'
import { handler, ok, open } from '../../lib/endpoint/handler.ts'
import { findLink } from '../../lib/identity/links.ts'
import { LINK_PURPOSES } from '../../schema/states.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/enlace',
  access: open(),
  summary: 'Tell what a one-time link is for; consumes nothing',
  description:
    '`correo` is the address that the link confirms where it is for that, else that of the account.',
  body: v.strictObject({ enlace }),
  output: named(
    'Enlace',
    'What a one-time link is for.',
    v.strictObject({
      para: told(v.picklist(LINK_PURPOSES), 'Its purpose.', 'activar'),
      rol: told(v.picklist(['admin', 'client']), 'The role of its login.', 'client'),
      cliente: told(v.nullable(v.string()), "A customer's client.", 'acme'),
      correo: told(
        v.nullable(v.string()),
        'The address that it confirms where it is for that, else that of the account; null for the first admin.',
        'ana@ejemplo.es',
      ),
      caduca: told(v.nullable(v.string()), 'When it ends.', '2026-11-21T10:30:00.000Z'),
      segundo_factor: told(v.boolean(), 'Whether a second factor is enrolled already.', false),
    }),
  ),
  secret: true,
  errors: ['enlace_no_existe', 'enlace_gastado', 'enlace_caducado'],
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
