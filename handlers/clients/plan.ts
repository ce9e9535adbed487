import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { applyClient, clientToChange } from '../../lib/clients.ts'
import { cliente, plan } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { consumptionOf, excessesOf, findPlan, limitsOf } from '../../lib/plans.ts'
import { limitsShape } from '../../lib/shapes.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/plan',
  access: allow('token', 'admin'),
  summary: 'Assign a plan, or none',
  description: '`excesos` lists what the client already has above the new limits; nothing of it is removed.',
  params: v.strictObject({ cliente }),
  body: v.strictObject({ plan: v.nullable(plan) }),
  output: v.strictObject({
    cliente: v.string(),
    plan: v.nullable(v.string()),
    limites: limitsShape,
    excesos: v.array(v.strictObject({ recurso: v.string(), usado: v.number(), limite: v.number() })),
  }),
  async run(ctx, { params, body }) {
    await ctx.tx.ahead(
      () => clientToChange(ctx, params.cliente),
      () => findPlan(ctx.tx, body.plan ?? '', 409),
    )
    const client = await clientToChange(ctx, params.cliente)
    const chosen = body.plan === null ? null : await findPlan(ctx.tx, body.plan, 409)
    const consumed = await consumptionOf(ctx.tx, client.id, ctx.now().toISOString().slice(0, 10))
    ctx.tx.later(
      ctx.tx
        .update(clients)
        .set({ planId: chosen?.id ?? null, updatedAt: ctx.now() })
        .where(eq(clients.id, client.id)),
    )
    ctx.audit.detail = { plan: chosen?.name ?? null }
    applyClient(ctx, client)
    const limites = limitsOf(chosen)
    return ok({
      cliente: client.name,
      plan: chosen?.name ?? null,
      limites,
      excesos: excessesOf(consumed, limites),
    })
  },
  settled: async (_ctx, _input, answer) => answer,
})
