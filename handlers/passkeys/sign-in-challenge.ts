import { AppError } from '../../lib/endpoint/errors.ts'
import { handler, ok, open } from '../../lib/endpoint/handler.ts'
import { storeChallenge } from '../../lib/passkeys/facts.ts'
import { signInChallengeShape } from '../../lib/passkeys/shapes.ts'
import { relyingHost, requestOptions } from '../../lib/passkeys/webauthn.ts'

export default handler({
  method: 'POST',
  path: '/llave-de-acceso/reto',
  access: open(),
  summary: 'Begin a sign-in with a passkey',
  description:
    'No address is needed: the browser lets its owner choose the passkey, and that says whose it is.',
  output: signInChallengeShape,
  secret: true,
  routine: true,
  errors: ['llaves_no_disponibles'],
  async run(ctx) {
    const host = relyingHost(ctx.config)
    if (host === null) throw new AppError('llaves_no_disponibles')
    const opciones = await requestOptions(ctx.random(32), host)
    storeChallenge(ctx, opciones.challenge, null)
    return ok({ opciones: { ...opciones } })
  },
})
