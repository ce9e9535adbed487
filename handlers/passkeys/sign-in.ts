import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { handler, open, refused, withCookies } from '../../lib/endpoint/handler.ts'
import { signedInShape } from '../../lib/identity/shapes.ts'
import { requireChallenge, signsIn } from '../../lib/passkeys/decide.ts'
import { assertionFacts, spendChallenge } from '../../lib/passkeys/facts.ts'
import { assertedCredential } from '../../lib/passkeys/shapes.ts'
import { challengeIn, verifyAsserted } from '../../lib/passkeys/webauthn.ts'
import { auditAccount, chargeSignIn, endSteps, openSession } from '../../lib/sign-in/sessions.ts'
import { passkeys } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/llave-de-acceso',
  access: open(),
  summary: 'Sign in with a passkey',
  description:
    'It stands for the password and the second factor: its authenticator must have verified its owner. A challenge is ' +
    'used up by whatever is sent for it. One answer for a passkey that is unknown, removed, of somebody disabled, for ' +
    'another panel, or whose signature or counter is wrong.',
  body: v.strictObject({ credencial: assertedCredential }),
  output: signedInShape,
  secret: true,
  errors: ['paso_invalido', 'llave_incorrecta'],
  prepare: (_services, { body }) => challengeIn(body.credencial),
  async run(ctx, { body }, challenge) {
    if (challenge === null) throw new AppError('paso_invalido')
    const { stored, found } = await assertionFacts(ctx.tx, challenge, body.credencial)
    requireChallenge(stored, null, ctx.now())
    spendChallenge(ctx, challenge)
    if (found) auditAccount(ctx, found)
    const asserted =
      found && (await verifyAsserted(ctx.config, body.credencial, { passkey: found.passkey, challenge }))
    if (!asserted || !signsIn(found, asserted)) {
      ctx.log('warn', 'sign-in refused', { address: ctx.request.address })
      return refused(new AppError('llave_incorrecta'))
    }
    chargeSignIn(ctx, found.person)
    ctx.tx.later(
      ctx.tx
        .update(passkeys)
        .set({ ...asserted, lastUsedAt: ctx.now() })
        .where(eq(passkeys.id, found.passkey.id)),
    )
    // A passkey cannot be guessed: who guesses codes goes on being locked out, and does not lock out its holder.
    endSteps(ctx.tx, found.person.id)
    const { body: answer, cookies } = openSession(ctx, found)
    return withCookies(answer, cookies)
  },
})
