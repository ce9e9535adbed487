import * as v from 'valibot'
import { changeableWithLogin } from '../../lib/clients/decide.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { cliente, motivo } from '../../lib/endpoint/fields.ts'
import { created, handler, person } from '../../lib/endpoint/handler.ts'
import { requireLogin } from '../../lib/identity/decide.ts'
import { clientWithLogin } from '../../lib/identity/logins.ts'
import { impersonationShape } from '../../lib/identity/shapes.ts'
import { accountView } from '../../lib/identity/ways-view.ts'
import { sha256 } from '../../lib/secrets/hash.ts'
import { BEARER_MS, enqueueSessionBearer } from '../../lib/sign-in/sessions.ts'
import { ulid } from '../../lib/store/ids.ts'
import { sessions } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/suplantar',
  access: person('admin'),
  summary: "Open a session on the customer's account",
  description: 'Lives fifteen minutes, is told in the audit trail and cannot touch credentials.',
  params: v.strictObject({ cliente }),
  body: v.strictObject({ motivo }),
  output: impersonationShape,
  statuses: [201],
  secret: true,
  errors: ['cliente_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose', 'sin_acceso'],
  async run(ctx, { params, body }) {
    const found = await clientWithLogin(ctx, params.cliente)
    const known = changeableWithLogin(found, ctx.config.node)
    const { client } = known
    const login = requireLogin(known.login)
    if (ctx.actor.kind !== 'session') throw new AppError('prohibido')
    ctx.audit.detail = { motivo: body.motivo }
    const now = ctx.now()
    const id = `ses_${ulid(now, ctx.random)}`
    ctx.tx.later(
      ctx.tx.insert(sessions).values({
        id,
        personId: login.id,
        // The session gets no renewal cookie, so nobody holds the value behind this hash.
        renewalHash: sha256(ctx.random(32)),
        createdAt: now,
        renewedAt: now,
        expiresAt: new Date(now.getTime() + BEARER_MS),
        address: ctx.request.address,
        agent: ctx.request.agent,
        impersonatorId: ctx.actor.personId,
        impersonatorEmail: ctx.actor.email,
        impersonationReason: body.motivo,
      }),
    )
    const bearer = enqueueSessionBearer(ctx.tx, ctx, id)
    return created({ ...bearer, ...accountView(login, client.name) }, `/clientes/${client.name}`)
  },
})
