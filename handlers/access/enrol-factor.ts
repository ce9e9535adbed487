import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { clearFailures, countFailure, enrolFactor, requireUnlocked } from '../../lib/factors.ts'
import { codigo, stepToken } from '../../lib/fields.ts'
import { handler, open, refused, withCookies } from '../../lib/handler.ts'
import { endSteps, findStep, openSession } from '../../lib/sessions.ts'
import { signedInShape } from '../../lib/shapes.ts'

export default handler({
  method: 'POST',
  path: '/segundo-factor/inscribir',
  access: open(),
  summary: 'Enrol the second factor and complete the sign-in',
  description: 'The ten recovery codes are shown in this answer and nowhere else.',
  body: v.strictObject({ paso_token: stepToken, codigo }),
  output: signedInShape,
  secret: true,
  errors: ['paso_invalido', 'codigo_incorrecto'],
  async run(ctx, { body }) {
    const person = await findStep(ctx, body.paso_token, ['inscribir'])
    requireUnlocked(person, ctx.now())
    const codigos_recuperacion = await enrolFactor(ctx, person, body.codigo)
    if (!codigos_recuperacion) {
      countFailure(ctx.tx, person, ctx.now())
      return refused(new AppError('codigo_incorrecto'))
    }
    ctx.audit.target = person.id
    clearFailures(ctx.tx, person.id)
    endSteps(ctx.tx, person.id)
    const { body: answer, cookies } = await openSession(ctx, person)
    return withCookies({ ...answer, codigos_recuperacion }, cookies)
  },
})
