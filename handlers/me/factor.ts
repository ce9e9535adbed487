import * as v from 'valibot'
import { contrasena } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { newFactorShape } from '../../lib/identity/shapes.ts'
import { requireCaller, wrongPassword } from '../../lib/sign-in/decide.ts'
import { callerFacts, reauthenticate } from '../../lib/sign-in/reauthenticate.ts'
import { createStep, offerFactor } from '../../lib/sign-in/sessions.ts'

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
    const facts = await callerFacts(ctx)
    const wrong = wrongPassword(identity, facts)
    if (wrong) return wrong
    const person = requireCaller(facts)
    const paso_token = createStep(ctx, person.id, 'cambiar_factor')
    return ok({ paso_token, totp: await offerFactor(ctx, person) })
  },
})
