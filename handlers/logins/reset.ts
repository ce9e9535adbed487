import * as v from 'valibot'
import { changeableWithLogin } from '../../lib/clients/decide.ts'
import { cliente, named, timestamp, told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { decideReset, purposeFor } from '../../lib/identity/decide.ts'
import { recentLinks, timesOf } from '../../lib/identity/link-requests.ts'
import { clientWithLogin, loginIdsOf, sendLink } from '../../lib/identity/logins.ts'
import { LINK_MS } from '../../lib/secrets/links.ts'
import { maskedEmail } from '../../lib/text/email-address.ts'

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
    const logins = loginIdsOf(ctx.tx, params.cliente)
    const [found, recent] = await Promise.all([
      clientWithLogin(ctx, params.cliente),
      recentLinks(ctx.tx, logins, { what: 'operator', now: ctx.now() }),
    ])
    const { client, login } = changeableWithLogin(found, ctx.config.node)
    const person = decideReset(login, timesOf(recent), ctx.now())
    sendLink(ctx.tx, ctx, { person, purpose: purposeFor(person), client: client.name })
    const caduca = new Date(ctx.now().getTime() + LINK_MS).toISOString()
    return accepted({ enviado_a: maskedEmail(person.email), caduca })
  },
})
