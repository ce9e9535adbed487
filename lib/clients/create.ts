import { eq, or } from 'drizzle-orm'
import { clients } from '../../schema/tables.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { nodeFacts } from '../nodes/facts.ts'
import { planNamed } from '../plans/plans.ts'
import type { NewClient, NewClientFacts } from './decide.ts'

/** The facts for `decideNewClient`. */
export async function newClientFacts(ctx: WriteCtx, wanted: NewClient): Promise<NewClientFacts> {
  const sameReference = wanted.referencia ? eq(clients.reference, wanted.referencia) : undefined
  const [clashes, plan, { nodes }] = await Promise.all([
    ctx.tx
      .select()
      .from(clients)
      .where(or(eq(clients.name, wanted.cliente), sameReference)),
    wanted.plan ? planNamed(ctx.tx, wanted.plan) : undefined,
    nodeFacts(ctx),
  ])
  return { clashes, plan, nodes }
}

/** Where, when and by whom a client is made. */
export const creation = ({ actor, config, now }: WriteCtx) => ({
  here: config.node,
  now: now(),
  createdBy: actor.kind === 'token' ? ('token' as const) : ('persona' as const),
})
