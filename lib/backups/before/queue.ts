import type { CopyPart } from '../../../schema/tables.ts'
import { isCustomer } from '../../endpoint/access.ts'
import type { WriteCtx } from '../../endpoint/context.ts'
import type { Query } from '../../store/reading.ts'
import { type NewJob, queueJob } from '../../work/jobs.ts'
import { type CopyBefore, decideCopyBefore, type RemovalFacts } from '../decide.ts'
import { chargeRemoval } from '../facts.ts'
import { copiesSubject, newCopyId } from '../job.ts'

export const BEFORE_KIND = 'copia.antes'

/** How long a removal waits for the copy before it, and goes on without one. */
export const BEFORE_MS = 600_000

/** What is to go, and the job that takes it. */
export type Removal = { wanted: Pick<CopyPart, 'kind' | 'name'> & { siteId?: number }; job: NewJob }

/**
 * A removal, after a copy of what it takes where this node's copies go anywhere. The removal is queued for when it has
 * waited long enough, and the end of the copy brings it forward: no destination that is away keeps anything from going.
 * What is leaving already waits for the copy of the first time, whose answer told of it.
 */
export function queueRemovalCopied(
  ctx: WriteCtx,
  facts: RemovalFacts | undefined,
  { wanted, job, isLeaving }: Removal & { isLeaving: boolean },
): { queries: Query[]; copied: CopyBefore | null } {
  const decided = decideCopyBefore(facts, { here: ctx.config.node, actor: ctx.actor })
  const copied = isLeaving ? null : decided
  if (!facts || decided === 'ninguna' || copied === 'limite') return { queries: [queueJob(ctx, job)], copied }
  const { client } = facts
  const until = new Date(ctx.now().getTime() + BEFORE_MS)
  const removal = queueJob(ctx, { ...job, notBefore: until })
  if (isLeaving) return { queries: [removal], copied }
  const copy: NewJob = {
    kind: BEFORE_KIND,
    node: client.node,
    subject: copiesSubject(client),
    target: newCopyId(ctx),
    client: client.name,
    payload: { client: client.id, wanted, until: until.getTime(), removal: job },
    cancellable: true,
  }
  const charged = isCustomer(ctx.actor) ? [chargeRemoval(ctx, client)] : []
  return { queries: [removal, queueJob(ctx, copy), ...charged], copied }
}
