import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { id, told } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { startOver } from '../../lib/invitations.ts'
import { endLinks } from '../../lib/links.ts'
import { endSessions } from '../../lib/logins.ts'
import { adminReading, findAdmin, requireAnotherAdmin } from '../../lib/persons.ts'
import { endSteps } from '../../lib/sessions.ts'
import { personShape } from '../../lib/shapes.ts'
import { activeAdmins, revokeTokensOf, tokensDying } from '../../lib/tokens.ts'
import { persons } from '../../schema/tables.ts'

export default handler({
  method: 'PATCH',
  path: '/personas/:id',
  access: allow('token', 'admin'),
  whenFull: true,
  summary: 'Disable or enable an admin',
  description:
    "Disabling ends sessions and links and revokes the admin's tokens. The last active admin stays. One who is " +
    'enabled again comes in by a new link, which is mailed: the old password and factor are gone.',
  params: v.strictObject({ id }),
  body: v.strictObject({ activa: told(v.boolean(), 'Whether the admin can sign in.', false) }),
  output: personShape,
  errors: ['persona_no_existe', 'ultimo_administrador'],
  async run(ctx, { params, body }) {
    ctx.audit.target = params.id
    ctx.audit.detail = { activa: body.activa }
    await ctx.tx.ahead(
      () => findAdmin(ctx.tx, params.id),
      () => requireAnotherAdmin(ctx.tx, params.id),
      () => tokensDying(ctx.tx, ctx, [params.id]),
      () => activeAdmins(ctx.tx),
    )
    const admin = await findAdmin(ctx.tx, params.id)
    if (!body.activa) {
      if (admin.active) await requireAnotherAdmin(ctx.tx, admin.id)
      endLinks(ctx.tx, ctx, [admin.id], 'anulado')
      endSteps(ctx.tx, admin.id)
      endSessions(ctx.tx, ctx, [admin.id])
      await revokeTokensOf(ctx.tx, ctx, [admin.id], 'desactivado')
    }
    await ctx.tx.update(persons).set({ active: body.activa }).where(eq(persons.id, admin.id))
    if (body.activa && !admin.active) startOver(ctx, admin)
    return ok(adminReading(ctx.tx, admin.id))
  },
})
