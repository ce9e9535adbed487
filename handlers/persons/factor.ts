import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { contrasena, id } from '../../lib/fields.ts'
import { handler, ok, person } from '../../lib/handler.ts'
import { endSessions } from '../../lib/logins.ts'
import { adminReading, findAdmin } from '../../lib/persons.ts'
import { callerNow, reauthenticate, wrongPassword } from '../../lib/reauthenticate.ts'
import { endSteps } from '../../lib/sessions.ts'
import { personShape } from '../../lib/shapes.ts'
import { activeAdmins, revokeTokensOf, tokensDying } from '../../lib/tokens.ts'
import { persons, recoveryCodes } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/personas/:id/segundo-factor',
  access: person('admin'),
  summary: "Remove an admin's second factor",
  description: "`contrasena` is the caller's own. The admin's tokens are revoked and its sessions end.",
  params: v.strictObject({ id }),
  body: v.strictObject({ contrasena }),
  output: personShape,
  errors: ['persona_no_existe', 'contrasena_incorrecta'],
  prepare: (_services, { body }, ctx) => reauthenticate(ctx, body.contrasena),
  async run(ctx, { params }, identity) {
    ctx.audit.target = params.id
    await ctx.tx.ahead(
      () => callerNow(ctx),
      () => findAdmin(ctx.tx, params.id),
      () => tokensDying(ctx.tx, ctx, [params.id]),
      () => activeAdmins(ctx.tx),
    )
    const wrong = await wrongPassword(ctx, identity)
    if (wrong) return wrong
    const admin = await findAdmin(ctx.tx, params.id)
    await ctx.tx.update(persons).set({ totpSecret: null, totpPending: null }).where(eq(persons.id, admin.id))
    ctx.tx.later(ctx.tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, admin.id)))
    endSteps(ctx.tx, admin.id)
    endSessions(ctx.tx, ctx, [admin.id])
    await revokeTokensOf(ctx.tx, ctx, [admin.id], 'segundo_factor')
    return ok(adminReading(ctx.tx, admin.id))
  },
})
