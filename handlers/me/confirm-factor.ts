import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { codigo, stepToken } from '../../lib/endpoint/fields.ts'
import { handler, ok, person, refused } from '../../lib/endpoint/handler.ts'
import { endSessions } from '../../lib/identity/logins.ts'
import { recoveryCodesShape } from '../../lib/identity/shapes.ts'
import { enqueueRevocation, revocationFacts } from '../../lib/identity/tokens.ts'
import { requireStep } from '../../lib/sign-in/decide.ts'
import { countFailure, enrolFactor, requireUnlocked } from '../../lib/sign-in/factors.ts'
import { endSteps, stepFacts } from '../../lib/sign-in/sessions.ts'

export default handler({
  method: 'POST',
  path: '/yo/segundo-factor/confirmar',
  access: person('admin', 'client'),
  summary: 'Put the new second factor in force',
  description: "Ends the other sessions; an admin's tokens are revoked in the same transaction.",
  body: v.strictObject({ paso_token: stepToken, codigo }),
  output: recoveryCodesShape,
  secret: true,
  errors: ['paso_invalido', 'codigo_incorrecto', 'clave_ausente'],
  async run(ctx, { body }) {
    const { actor } = ctx
    if (actor.kind !== 'session') throw new AppError('paso_invalido')
    const [facts, revocation] = await Promise.all([
      stepFacts(ctx.tx, body.paso_token),
      revocationFacts(ctx.tx, actor.personId, ctx.now()),
    ])
    const { person } = requireStep(facts, 'cambiar_factor', ctx.now())
    if (actor.personId !== person.id) throw new AppError('paso_invalido')
    requireUnlocked(person, ctx.now())
    const codes = await enrolFactor(ctx, person, body.codigo)
    if (!codes) {
      countFailure(ctx.tx, person, ctx.now())
      return refused(new AppError('codigo_incorrecto'))
    }
    endSteps(ctx.tx, person.id)
    endSessions(ctx.tx, ctx, { personId: person.id, except: actor.id })
    enqueueRevocation(ctx, person.id, { ...revocation, why: 'segundo_factor' })
    return ok({ codigos_recuperacion: codes })
  },
})
