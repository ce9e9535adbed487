import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import { mirrors } from '../../schema/mirror.ts'
import type { Tx } from '../database.ts'
import { observe } from './eligibility.ts'
import { URGENCY } from './order.ts'
import { enqueueMirror } from './queue.ts'
import { type Rechecked, recheck } from './recheck.ts'
import type { MirrorRow } from './states.ts'
import type { WorkerDeps } from './worker.ts'

/** States in which there is, or will be, a copy of ours that answers for the zone. */
export const CHECKED_STATES = ['en_cola', 'sincronizando', 'al_dia', 'error', 'sin_cuota'] as const

const AT_ONCE = 8

export type CheckDeps = Pick<WorkerDeps, 'db' | 'now' | 'resolvers' | 'addressesOf'> & {
  /** Audit row and mail of a zone that is dropped, in the transaction that drops it. */
  dropped: (tx: Tx, row: MirrorRow) => Promise<void>
}

/**
 * Asks the resolvers for the mirrored zones: `all` of them, as the daily handler does, or only those that
 * are `due` (in doubt since a first negative, or missed by the daily handler). A doubt is never confirmed
 * before its time. Answers how many were checked. Concurrent workers are harmless: a check counts only if
 * the row still waits for that very check.
 */
export async function runChecks(deps: CheckDeps, which: 'all' | 'due'): Promise<number> {
  const ripe = lte(mirrors.nextCheckAt, deps.now())
  const due = await deps.db.read
    .select()
    .from(mirrors)
    .where(
      and(
        inArray(mirrors.state, [...CHECKED_STATES]),
        which === 'all' ? or(isNull(mirrors.negativeAt), ripe) : ripe,
      ),
    )
  for (let at = 0; at < due.length; at += AT_ONCE) {
    await Promise.all(due.slice(at, at + AT_ONCE).map((row) => checkZone(deps, row)))
  }
  return due.length
}

async function checkZone(deps: CheckDeps, seen: MirrorRow): Promise<void> {
  const observations = await observe(deps.resolvers, seen.zone, await deps.addressesOf(seen.node))
  await deps.db.write(async (tx) => {
    const [row] = await tx.select().from(mirrors).where(eq(mirrors.zone, seen.zone))
    if (row === undefined || row.nextCheckAt?.getTime() !== seen.nextCheckAt?.getTime()) return
    if (!CHECKED_STATES.some((state) => state === row.state)) return
    await apply(deps, tx, row, recheck(row, observations, deps.now()))
  })
}

async function apply(deps: CheckDeps, tx: Tx, row: MirrorRow, { patch, event }: Rechecked): Promise<void> {
  await tx.update(mirrors).set(patch).where(eq(mirrors.zone, row.zone))
  // A foreign answer may be drift at the provider, if the delegation is the provider's: repair it before
  // the second look. Where it is not, the run reads and changes nothing.
  if (event === 'doubt') await enqueueMirror(tx, { zone: row.zone }, deps.now(), URGENCY.dropped)
  if (event === 'drop') await deps.dropped(tx, { ...row, ...patch })
}
