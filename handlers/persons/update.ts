import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { changesOf } from '../../lib/audit/changes.ts'
import { id, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { requireAdmin, requireAnotherAdmin } from '../../lib/identity/decide.ts'
import { allAdmins, startOver } from '../../lib/identity/invitations.ts'
import { endLinks } from '../../lib/identity/links.ts'
import { endSessions } from '../../lib/identity/logins.ts'
import { adminReading } from '../../lib/identity/persons.ts'
import { personShape } from '../../lib/identity/shapes.ts'
import { enqueueRevocation, revocationFacts } from '../../lib/identity/tokens.ts'
import { endSteps } from '../../lib/sign-in/sessions.ts'
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
    const [admins, revocation] = await Promise.all([
      allAdmins(ctx.tx),
      revocationFacts(ctx.tx, params.id, ctx.now()),
    ])
    const admin = requireAdmin(admins.find(({ id }) => id === params.id))
    ctx.audit.detail = { activa: body.activa, nombre: admin.email }
    ctx.audit.changes = changesOf({ activa: admin.active }, body)
    if (!body.activa) {
      if (admin.active) requireAnotherAdmin(admins, admin.id)
      endLinks(ctx.tx, ctx, { personId: admin.id, why: 'anulado' })
      endSteps(ctx.tx, admin.id)
      endSessions(ctx.tx, ctx, { personId: admin.id })
      enqueueRevocation(ctx, admin.id, { ...revocation, why: 'desactivado' })
    }
    ctx.tx.later(ctx.tx.update(persons).set({ active: body.activa }).where(eq(persons.id, admin.id)))
    if (body.activa && !admin.active) startOver(ctx, admin)
    return ok(adminReading(ctx.tx, admin.id))
  },
})
