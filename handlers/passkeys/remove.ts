import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { contrasena, id } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { endSessions, personIdOf, sessionIdOf } from '../../lib/identity/logins.ts'
import { enqueueRevocation, revocationFacts } from '../../lib/identity/tokens.ts'
import { requireOwn } from '../../lib/passkeys/decide.ts'
import { ownPasskey } from '../../lib/passkeys/facts.ts'
import { passkeyShape } from '../../lib/passkeys/shapes.ts'
import { passkeyView } from '../../lib/passkeys/view.ts'
import { wrongPassword } from '../../lib/sign-in/decide.ts'
import { callerFacts, reauthenticate } from '../../lib/sign-in/reauthenticate.ts'
import { passkeys } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/yo/llaves-de-acceso/:id',
  access: person('admin', 'client'),
  summary: 'Remove a passkey of the own account',
  description:
    "Whoever holds it may have used it, so the other sessions end, and an admin's tokens are revoked in the same " +
    'transaction. Answers the passkey as it was.',
  params: v.strictObject({ id }),
  body: v.strictObject({ contrasena }),
  output: passkeyShape,
  errors: ['contrasena_incorrecta', 'llave_no_existe'],
  prepare: (_services, { body }, ctx) => reauthenticate(ctx, body.contrasena),
  async run(ctx, { params }, identity) {
    ctx.audit.target = params.id
    const personId = personIdOf(ctx.actor)
    const [caller, found, revocation] = await Promise.all([
      callerFacts(ctx),
      ownPasskey(ctx.tx, personId, params.id),
      revocationFacts(ctx.tx, personId, ctx.now()),
    ])
    const wrong = wrongPassword(identity, caller)
    if (wrong) return wrong
    const passkey = requireOwn(found)
    ctx.audit.detail = { nombre: passkey.name }
    ctx.tx.later(ctx.tx.delete(passkeys).where(eq(passkeys.id, passkey.id)))
    endSessions(ctx.tx, ctx, { personId, except: sessionIdOf(ctx.actor) })
    enqueueRevocation(ctx, personId, { ...revocation, why: 'segundo_factor' })
    return ok(passkeyView(passkey))
  },
})
