import * as v from 'valibot'
import { contrasena } from '../../lib/fields.ts'
import { handler, ok, person } from '../../lib/handler.ts'
import { reauthenticate, wrongPassword } from '../../lib/reauthenticate.ts'
import { newRecoveryCodes } from '../../lib/recovery-codes.ts'
import { recoveryCodesShape } from '../../lib/shapes.ts'

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
    const wrong = await wrongPassword(ctx, identity)
    if (wrong) return wrong
    return ok({ codigos_recuperacion: await newRecoveryCodes(ctx, identity.personId) })
  },
})
