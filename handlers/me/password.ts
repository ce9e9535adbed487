import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { clearFailures } from '../../lib/factors.ts'
import { contrasena, named, newPassword, told } from '../../lib/fields.ts'
import { handler, ok, person } from '../../lib/handler.ts'
import { endLinks } from '../../lib/links.ts'
import { endSessions, sessionIdOf } from '../../lib/logins.ts'
import { hashNewPassword } from '../../lib/passwords.ts'
import { callerNow, reauthenticate, wrongPassword } from '../../lib/reauthenticate.ts'
import { endSteps } from '../../lib/sessions.ts'
import { revokeTokensOf, tokensDying } from '../../lib/tokens.ts'
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
  async run(ctx, _input, { identity, hash }) {
    const { personId } = identity
    await ctx.tx.ahead(
      () => callerNow(ctx),
      () => tokensDying(ctx.tx, ctx, [personId]),
    )
    const wrong = await wrongPassword(ctx, identity)
    if (wrong) return wrong
    ctx.tx.later(ctx.tx.update(persons).set({ passwordHash: hash }).where(eq(persons.id, personId)))
    clearFailures(ctx.tx, personId)
    endSteps(ctx.tx, personId)
    endLinks(ctx.tx, ctx, [personId], 'anulado')
    endSessions(ctx.tx, ctx, [personId], sessionIdOf(ctx.actor) ?? '')
    await revokeTokensOf(ctx.tx, ctx, [personId], 'contrasena')
    return ok({ cambiada: true as const })
  },
})
