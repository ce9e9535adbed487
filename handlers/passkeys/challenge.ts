import * as v from 'valibot'
import { contrasena } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { personIdOf } from '../../lib/identity/logins.ts'
import { requireRoom } from '../../lib/passkeys/decide.ts'
import { passkeysOf, storeChallenge } from '../../lib/passkeys/facts.ts'
import { newChallengeShape } from '../../lib/passkeys/shapes.ts'
import { accountName } from '../../lib/passkeys/view.ts'
import { creationOptions, relyingHost } from '../../lib/passkeys/webauthn.ts'
import { requireCaller, wrongPassword } from '../../lib/sign-in/decide.ts'
import { callerFacts, reauthenticate } from '../../lib/sign-in/reauthenticate.ts'

export default handler({
  method: 'POST',
  path: '/yo/llaves-de-acceso/reto',
  access: person('admin', 'client'),
  summary: 'Begin to add a passkey to the own account',
  description:
    'At most 20. The browser makes it with these options; `POST /yo/llaves-de-acceso` then adds it.',
  body: v.strictObject({ contrasena }),
  output: newChallengeShape,
  secret: true,
  errors: ['contrasena_incorrecta', 'demasiadas_llaves', 'llaves_no_disponibles'],
  prepare: (_services, { body }, ctx) => reauthenticate(ctx, body.contrasena),
  async run(ctx, _input, identity) {
    const [facts, known] = await Promise.all([callerFacts(ctx), passkeysOf(ctx.tx, personIdOf(ctx.actor))])
    const wrong = wrongPassword(identity, facts)
    if (wrong) return wrong
    const { id, email } = requireCaller(facts)
    const host = requireRoom({ count: known.length, host: relyingHost(ctx.config) })
    const name = accountName(ctx.actor, email ?? id)
    const opciones = await creationOptions(ctx.random(32), { host, owner: { id, name }, known })
    storeChallenge(ctx, opciones.challenge, id)
    return ok({ opciones: { ...opciones } })
  },
})
