import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { countFailure, enrolFactor, requireUnlocked } from '../../lib/factors.ts'
import { codigo, stepToken } from '../../lib/fields.ts'
import { handler, ok, person, refused } from '../../lib/handler.ts'
import { endSessions, sessionIdOf } from '../../lib/logins.ts'
import { endSteps, findStep } from '../../lib/sessions.ts'
import { recoveryCodesShape } from '../../lib/shapes.ts'
import { activeAdmins, revokeTokensOf, tokensDying } from '../../lib/tokens.ts'

export default handler({
  method: 'POST',
  path: '/yo/segundo-factor/confirmar',
  access: person('admin', 'client'),
  summary: 'Put the new second factor in force',
  description: "Ends the other sessions; an admin's tokens are revoked in the same transaction.",
  body: v.strictObject({ paso_token: stepToken, codigo }),
  output: recoveryCodesShape,
  secret: true,
  errors: ['paso_invalido', 'codigo_incorrecto'],
  async run(ctx, { body }) {
    const { actor } = ctx
    if (actor.kind === 'session') {
      await ctx.tx.ahead(
        () => findStep(ctx, body.paso_token, ['cambiar_factor']),
        () => tokensDying(ctx.tx, ctx, [actor.personId]),
        () => activeAdmins(ctx.tx),
      )
    }
    const person = await findStep(ctx, body.paso_token, ['cambiar_factor'])
    if (ctx.actor.kind !== 'session' || ctx.actor.personId !== person.id) throw new AppError('paso_invalido')
    requireUnlocked(person, ctx.now())
    const codes = await enrolFactor(ctx, person, body.codigo)
    if (!codes) {
      countFailure(ctx.tx, person, ctx.now())
      return refused(new AppError('codigo_incorrecto'))
    }
    endSteps(ctx.tx, person.id)
    endSessions(ctx.tx, ctx, [person.id], sessionIdOf(ctx.actor) ?? '')
    await revokeTokensOf(ctx.tx, ctx, [person.id], 'segundo_factor')
    return ok({ codigos_recuperacion: codes })
  },
})
