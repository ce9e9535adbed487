import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { codigo, stepToken } from '../../lib/endpoint/fields.ts'
import { handler, open, refused, withCookies } from '../../lib/endpoint/handler.ts'
import { signedInShape } from '../../lib/identity/shapes.ts'
import { requireStep } from '../../lib/sign-in/decide.ts'
import { completeSignIn, countFailure, enrolFactor, requireUnlocked } from '../../lib/sign-in/factors.ts'
import { auditAccount, stepFacts } from '../../lib/sign-in/sessions.ts'

export default handler({
  method: 'POST',
  path: '/segundo-factor/inscribir',
  access: open(),
  summary: 'Enrol the second factor and complete the sign-in',
  description: 'The ten recovery codes are shown in this answer and nowhere else.',
  body: v.strictObject({ paso_token: stepToken, codigo }),
  output: signedInShape,
  secret: true,
  errors: ['paso_invalido', 'codigo_incorrecto', 'clave_ausente'],
  async run(ctx, { body }) {
    const facts = await stepFacts(ctx.tx, body.paso_token)
    const account = requireStep(facts, 'inscribir', ctx.now())
    const { person } = account
    auditAccount(ctx, account)
    requireUnlocked(person, ctx.now())
    const codigos_recuperacion = await enrolFactor(ctx, person, body.codigo)
    if (!codigos_recuperacion) {
      countFailure(ctx.tx, person, ctx.now())
      return refused(new AppError('codigo_incorrecto'))
    }
    const { body: answer, cookies } = completeSignIn(ctx, account)
    return withCookies({ ...answer, codigos_recuperacion }, cookies)
  },
})
