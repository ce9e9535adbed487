import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { changesOf } from '../../lib/audit/changes.ts'
import { clientNamed, enqueueClientSync, idOfClient } from '../../lib/clients/clients.ts'
import { requireChangeable } from '../../lib/clients/decide.ts'
import { cliente, named, plan, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { excessesOf, requirePlan } from '../../lib/plans/decide.ts'
import { consumptionOf, planNamed } from '../../lib/plans/plans.ts'
import { clientsPlan } from '../../lib/plans/room.ts'
import { limitsShape } from '../../lib/plans/shapes.ts'
import { limitsOf } from '../../lib/plans/view.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/plan',
  access: allow('token', 'admin'),
  summary: 'Assign a plan, or none',
  description: '`excesos` lists what the client already has above the new limits; nothing of it is removed.',
  params: v.strictObject({ cliente }),
  body: v.strictObject({ plan: told(v.nullable(plan), 'The exact name of a plan; null is none.', 'basico') }),
  output: named(
    'PlanAsignado',
    'The plan that a client has now.',
    v.strictObject({
      cliente: told(v.string(), 'The client.', 'acme'),
      plan: told(v.nullable(v.string()), 'Its plan; null is none.', 'basico'),
      limites: limitsShape,
      excesos: told(
        v.array(
          v.strictObject({
            recurso: told(v.string(), 'Of what.', 'sitios'),
            usado: told(v.number(), 'What it has.', 2),
            limite: told(v.number(), 'What the plan allows.', 1),
          }),
        ),
        'What it has above the new limits.',
      ),
    }),
  ),
  errors: ['cliente_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose', 'plan_no_existe:409'],
  async run(ctx, { params, body }) {
    const [found, plan, former, consumed] = await Promise.all([
      clientNamed(ctx, params.cliente),
      body.plan === null ? undefined : planNamed(ctx.tx, body.plan),
      clientsPlan(ctx.tx, idOfClient(ctx.tx, params.cliente)),
      consumptionOf(ctx.tx, idOfClient(ctx.tx, params.cliente), ctx.now()),
    ])
    const client = requireChangeable(found, ctx.config.node)
    const chosen = body.plan === null ? null : requirePlan(plan, body.plan, 409)
    ctx.tx.later(
      ctx.tx
        .update(clients)
        .set({ planId: chosen?.id ?? null, updatedAt: ctx.now() })
        .where(eq(clients.id, client.id)),
    )
    ctx.audit.detail = { plan: body.plan }
    ctx.audit.changes = changesOf({ plan: former?.name ?? null }, body)
    enqueueClientSync(ctx, client)
    const limites = limitsOf(chosen)
    return ok({ cliente: client.name, plan: body.plan, limites, excesos: excessesOf(consumed, limites) })
  },
  settled: async (_ctx, _input, answer) => answer,
})
