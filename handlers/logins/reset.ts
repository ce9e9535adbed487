import * as v from 'valibot'
import { clientToChange } from '../../lib/clients.ts'
import { maskedEmail } from '../../lib/email.ts'
import { AppError } from '../../lib/errors.ts'
import { cliente, named, timestamp, told } from '../../lib/fields.ts'
import { accepted, allow, handler } from '../../lib/handler.ts'
import { linkWaitSeconds } from '../../lib/link-requests.ts'
import { LINK_MS } from '../../lib/links.ts'
import { askForLogin, isActivated, loginOf, sendLink } from '../../lib/logins.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/acceso/restablecer',
  access: allow('token', 'admin'),
  summary: 'Mail a new link to the recovery address',
  description: 'An activation link while the login is pending, else one to choose a new password.',
  params: v.strictObject({ cliente }),
  output: named(
    'EnlaceEnviado',
    'A link that is on its way.',
    v.strictObject({
      enviado_a: told(v.string(), 'The address, mostly hidden.', 'a…@e….es'),
      caduca: told(timestamp, 'When the link ends if it is handed over now.', '2026-11-21T10:30:00.000Z'),
    }),
  ),
  statuses: [202],
  errors: ['cliente_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose', 'sin_acceso', 'sin_correo'],
  async run(ctx, { params }) {
    await askForLogin(ctx, params.cliente)
    const client = await clientToChange(ctx, params.cliente)
    const person = await loginOf(ctx.tx, client)
    if (!person) throw new AppError('sin_acceso')
    if (person.email === null) throw new AppError('sin_correo')
    const wait = await linkWaitSeconds(ctx.tx, person.id, ctx.now())
    if (wait > 0) throw new AppError('espera', { retryAfterSeconds: wait })
    const purpose = isActivated(person) ? 'restablecer' : 'activar'
    sendLink(
      ctx.tx,
      ctx,
      { id: person.id, email: person.email, language: person.language },
      purpose,
      client.name,
    )
    const caduca = new Date(ctx.now().getTime() + LINK_MS).toISOString()
    return accepted({ enviado_a: maskedEmail(person.email), caduca })
  },
})
