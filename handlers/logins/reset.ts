import * as v from 'valibot'
import { clientToChange } from '../../lib/clients.ts'
import { maskedEmail } from '../../lib/email.ts'
import { AppError } from '../../lib/errors.ts'
import { cliente, timestamp } from '../../lib/fields.ts'
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
  output: v.strictObject({ enviado_a: v.string(), caduca: timestamp }),
  statuses: [202],
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
