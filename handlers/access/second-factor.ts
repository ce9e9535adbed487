import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { clearFailures, countFailure, requireUnlocked, spendFactor } from '../../lib/factors.ts'
import { codigo, stepToken } from '../../lib/fields.ts'
import { handler, open, refused, withCookies } from '../../lib/handler.ts'
import { endSteps, findStep, openSession } from '../../lib/sessions.ts'
import { signedInShape } from '../../lib/shapes.ts'

export default handler({
  method: 'POST',
  path: '/segundo-factor',
  access: open(),
  summary: 'Complete a sign-in with a TOTP or recovery code',
  description:
    'Sets the renewal cookie, and one by which this browser is known. A used code is never accepted again.',
  body: v.strictObject({ paso_token: stepToken, codigo }),
  output: signedInShape,
  secret: true,
  errors: ['paso_invalido', 'codigo_incorrecto'],
  async run(ctx, { body }) {
    const person = await findStep(ctx, body.paso_token, ['segundo_factor'])
    requireUnlocked(person, ctx.now())
    if (!(await spendFactor(ctx, person, body.codigo))) {
      countFailure(ctx.tx, person, ctx.now())
      return refused(new AppError('codigo_incorrecto'))
    }
    ctx.audit.target = person.id
    clearFailures(ctx.tx, person.id)
    endSteps(ctx.tx, person.id)
    const { body: answer, cookies } = await openSession(ctx, person)
    return withCookies(answer, cookies)
  },
})
