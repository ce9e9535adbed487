import * as v from 'valibot'
import { contrasena, id } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { requireAdmin } from '../../lib/identity/decide.ts'
import { findPerson } from '../../lib/identity/logins.ts'
import { adminReading } from '../../lib/identity/persons.ts'
import { personShape } from '../../lib/identity/shapes.ts'
import { enqueueRevocation, revocationFacts } from '../../lib/identity/tokens.ts'
import { wrongPassword } from '../../lib/sign-in/decide.ts'
import { enqueueNoFactor } from '../../lib/sign-in/factors.ts'
import { callerFacts, reauthenticate } from '../../lib/sign-in/reauthenticate.ts'

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
    const [caller, found, revocation] = await Promise.all([
      callerFacts(ctx),
      findPerson(ctx.tx, params.id),
      revocationFacts(ctx.tx, params.id, ctx.now()),
    ])
    const wrong = wrongPassword(identity, caller)
    if (wrong) return wrong
    const admin = requireAdmin(found)
    ctx.audit.detail = { nombre: admin.email }
    enqueueNoFactor(ctx, admin.id)
    enqueueRevocation(ctx, admin.id, { ...revocation, why: 'segundo_factor' })
    return ok(adminReading(ctx.tx, admin.id))
  },
})
