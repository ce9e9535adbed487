import * as v from 'valibot'
import { contrasena } from '../../lib/fields.ts'
import { handler, ok, person } from '../../lib/handler.ts'
import { personOf } from '../../lib/logins.ts'
import { reauthenticate, wrongPassword } from '../../lib/reauthenticate.ts'
import { createStep, offerFactor } from '../../lib/sessions.ts'
import { newFactorShape } from '../../lib/shapes.ts'

export default handler({
  method: 'POST',
  path: '/yo/segundo-factor',
  access: person('admin', 'client'),
  summary: 'Begin to replace the own second factor',
  description: 'The old factor stays in force until `confirmar` has seen a code of the new one.',
  body: v.strictObject({ contrasena }),
  output: newFactorShape,
  secret: true,
  errors: ['contrasena_incorrecta'],
  prepare: (_services, { body }, ctx) => reauthenticate(ctx, body.contrasena),
  async run(ctx, _input, identity) {
    const wrong = await wrongPassword(ctx, identity)
    if (wrong) return wrong
    const person = await personOf(ctx)
    const paso_token = createStep(ctx, person.id, 'cambiar_factor')
    return ok({ paso_token, totp: await offerFactor(ctx, person) })
  },
})
