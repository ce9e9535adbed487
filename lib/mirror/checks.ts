import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { mirrors } from '../../schema/mirror.ts'
import { URGENCY } from '../../schema/states.ts'
import type { Tx } from '../store/database.ts'
import { observe } from './eligibility.ts'
import { checkIsDue } from './order.ts'
import { mirrorWish } from './queue.ts'
import { type Rechecked, recheck } from './recheck.ts'
import type { MirrorRow } from './states.ts'
import type { WorkerDeps } from './worker.ts'

/** States of a zone that has, or will have, a copy at the provider. */
const CHECKED_STATES = ['en_cola', 'sincronizando', 'al_dia', 'error', 'sin_cuota'] as const

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
  const ripe = checkIsDue(deps.now())
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
  tx.later(tx.update(mirrors).set(patch).where(eq(mirrors.zone, row.zone)))
  // The answer may come from a copy that was changed at the provider, if the zone is delegated there: repair the copy
  // before the second look. If it is not delegated there, the run changes nothing.
  if (event === 'doubt') tx.later(mirrorWish(tx, { zone: row.zone }, deps.now(), URGENCY.dropped))
  if (event === 'drop') await deps.dropped(tx, { ...row, ...patch })
}
