import * as v from 'valibot'
import { contrasena } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { recoveryCodesShape } from '../../lib/identity/shapes.ts'
import { wrongPassword } from '../../lib/sign-in/decide.ts'
import { callerFacts, reauthenticate } from '../../lib/sign-in/reauthenticate.ts'
import { newRecoveryCodes } from '../../lib/sign-in/recovery-codes.ts'

export default handler({
  method: 'POST',
  path: '/yo/codigos-recuperacion',
  access: person('admin', 'client'),
  summary: 'Make ten new recovery codes; the older ones stop working',
  body: v.strictObject({ contrasena }),
  output: recoveryCodesShape,
  secret: true,
  errors: ['contrasena_incorrecta'],
  prepare: (_services, { body }, ctx) => reauthenticate(ctx, body.contrasena),
  async run(ctx, _input, identity) {
    const wrong = wrongPassword(identity, await callerFacts(ctx))
    if (wrong) return wrong
    return ok({ codigos_recuperacion: await newRecoveryCodes(ctx, identity.personId) })
  },
})
