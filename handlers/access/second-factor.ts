import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { codigo, stepToken } from '../../lib/endpoint/fields.ts'
import { handler, open, refused, withCookies } from '../../lib/endpoint/handler.ts'
import { signedInShape } from '../../lib/identity/shapes.ts'
import { requireStep } from '../../lib/sign-in/decide.ts'
import { completeSignIn, countFailure, requireUnlocked, spendFactor } from '../../lib/sign-in/factors.ts'
import { auditAccount, stepFacts } from '../../lib/sign-in/sessions.ts'

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
  errors: ['paso_invalido', 'codigo_incorrecto', 'clave_ausente'],
  async run(ctx, { body }) {
    const facts = await stepFacts(ctx.tx, body.paso_token)
    const account = requireStep(facts, 'segundo_factor', ctx.now())
    const { person } = account
    auditAccount(ctx, account)
    requireUnlocked(person, ctx.now())
    if (!(await spendFactor(ctx, { person, codes: facts.codes }, body.codigo))) {
      countFailure(ctx.tx, person, ctx.now())
      return refused(new AppError('codigo_incorrecto'))
    }
    const { body: answer, cookies } = completeSignIn(ctx, account)
    return withCookies(answer, cookies)
  },
})
