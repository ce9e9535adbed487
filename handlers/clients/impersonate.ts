import * as v from 'valibot'
import { clientToChange } from '../../lib/clients.ts'
import { AppError } from '../../lib/errors.ts'
import { cliente, motivo } from '../../lib/fields.ts'
import { created, handler, person } from '../../lib/handler.ts'
import { sha256 } from '../../lib/hash.ts'
import { ulid } from '../../lib/ids.ts'
import { askForLogin, loginOf } from '../../lib/logins.ts'
import { BEARER_MS, newSessionBearer } from '../../lib/sessions.ts'
import { impersonationShape } from '../../lib/shapes.ts'
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
    await askForLogin(ctx, params.cliente)
    const client = await clientToChange(ctx, params.cliente)
    const login = await loginOf(ctx.tx, client)
    if (!login) throw new AppError('sin_acceso')
    if (ctx.actor.kind !== 'session') throw new AppError('prohibido')
    ctx.audit.detail = { motivo: body.motivo }
    const now = ctx.now()
    const id = `ses_${ulid(now, ctx.random)}`
    await ctx.tx.insert(sessions).values({
      id,
      personId: login.id,
      // No cookie is given out for it: nobody holds what this is the hash of.
      renewalHash: sha256(ctx.random(32)),
      createdAt: now,
      renewedAt: now,
      expiresAt: new Date(now.getTime() + BEARER_MS),
      address: ctx.request.address,
      agent: ctx.request.agent,
      impersonatorId: ctx.actor.personId,
      impersonatorEmail: ctx.actor.email,
      impersonationReason: body.motivo,
    })
    const bearer = await newSessionBearer(ctx.tx, ctx, id)
    const persona = { correo: login.email, rol: login.role, cliente: client.name }
    return created({ ...bearer, persona }, `/clientes/${client.name}`)
  },
})
