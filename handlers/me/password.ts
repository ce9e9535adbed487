import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { contrasena, named, newPassword, told } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { endLinks } from '../../lib/identity/links.ts'
import { endSessions, sessionIdOf } from '../../lib/identity/logins.ts'
import { enqueueRevocation, revocationFacts } from '../../lib/identity/tokens.ts'
import { wrongPassword } from '../../lib/sign-in/decide.ts'
import { clearFailures } from '../../lib/sign-in/factors.ts'
import {
  accountNames,
  hashNewPassword,
  requireNoOwnName,
  tellOfPassword,
} from '../../lib/sign-in/passwords.ts'
import { callerFacts, reauthenticate } from '../../lib/sign-in/reauthenticate.ts'
import { endSteps } from '../../lib/sign-in/sessions.ts'
import { persons } from '../../schema/tables.ts'

export default handler({
  method: 'PUT',
  path: '/yo/contrasena',
  access: person('admin', 'client'),
  summary: 'Change the own password',
  description: "Ends the other sessions; an admin's tokens are revoked in the same transaction.",
  body: v.strictObject({ actual: contrasena, nueva: newPassword }),
  output: named(
    'ContrasenaCambiada',
    'The new password is in force.',
    v.strictObject({ cambiada: told(v.literal(true), 'Other sessions have ended.', true) }),
  ),
  secret: true,
  errors: ['contrasena_incorrecta'],
  async prepare(services, { body }, ctx) {
    const identity = await reauthenticate(ctx, body.actual)
    const hash = identity.right ? await hashNewPassword(services, ctx, 'nueva', body.nueva) : ''
    return { identity, hash }
  },
  async run(ctx, { body }, { identity, hash }) {
    const { personId } = identity
    const [caller, revocation, names] = await Promise.all([
      callerFacts(ctx),
      revocationFacts(ctx.tx, personId, ctx.now()),
      accountNames(ctx.tx, personId),
    ])
    const wrong = wrongPassword(identity, caller)
    if (wrong) return wrong
    requireNoOwnName(ctx, { field: 'nueva', password: body.nueva }, names)
    ctx.tx.later(ctx.tx.update(persons).set({ passwordHash: hash }).where(eq(persons.id, personId)))
    clearFailures(ctx.tx, personId)
    endSteps(ctx.tx, personId)
    endLinks(ctx.tx, ctx, { personId, why: 'anulado' })
    endSessions(ctx.tx, ctx, { personId, except: sessionIdOf(ctx.actor) })
    tellOfPassword(ctx, names)
    enqueueRevocation(ctx, personId, { ...revocation, why: 'contrasena' })
    return ok({ cambiada: true as const })
  },
})
