import { and, eq, inArray, isNotNull, isNull, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { URGENCY } from '../../schema/states.ts'
import { dnsAccounts, lostNodes, mirrors, zones } from '../../schema/tables.ts'
import type { Db } from '../store/database.ts'
import type { Query } from '../store/reading.ts'

/** Mirrors whose removal is neither under way nor over. */
const standing = notInArray(mirrors.state, ['retirando', 'retirada'])

/** Mirrors whose zone the panel no longer has, or is about to lose. */
const orphaned = and(
  standing,
  or(
    isNull(mirrors.zoneId),
    sql`${mirrors.zoneId} in (select ${zones.id} from ${zones} where ${zones.state} <> 'activa')`,
  ),
)

const olderThanZone = sql`${mirrors.serial} is not (select ${zones.serial} from ${zones} where ${zones.id} = ${mirrors.zoneId})`

/** Mirrors whose copy is older than the panel's zone, although the change was not queued. */
const outdated = and(eq(mirrors.state, 'al_dia'), olderThanZone)

/** Failed comparisons that wait for a retry, of zones that have changed since. */
const overtaken = and(
  inArray(mirrors.state, ['en_cola', 'error']),
  eq(mirrors.urgency, URGENCY.daily),
  olderThanZone,
)

/** Mirrors of lost nodes: nobody can enter another credential there, so their copies stay. */
const ofLostNode = sql`${mirrors.node} in (select ${lostNodes.name} from ${lostNodes})`

/** Whether `queueSweep` would change anything. */
export async function sweepDue(db: Db): Promise<boolean> {
  const found = await db
    .select({ zone: mirrors.zone })
    .from(mirrors)
    .where(or(orphaned, outdated, overtaken))
    .limit(1)
    .get()
  if (found) return true
  return (
    (await db.select().from(dnsAccounts).where(eq(dnsAccounts.removing, true)).limit(1).get()) !== undefined
  )
}

/**
 * Brings the mirrors in line with the panel's own tables: queues the removal of copies of deleted zones, queues
 * changed zones, and deletes an account that has lost its last copy. So no code that changes those tables needs to
 * know about the mirror.
 */
export function queueSweep(tx: Db, now: Date): Query[] {
  const leaving = eq(dnsAccounts.removing, true)
  const refused = tx
    .select({ node: dnsAccounts.node })
    .from(dnsAccounts)
    .where(and(leaving, isNotNull(dnsAccounts.refusedAt)))
  const holding = tx.select({ node: mirrors.node }).from(mirrors).where(ne(mirrors.state, 'retirada'))
  const wish = { nextAt: now, urgency: URGENCY.person, generation: sql`${mirrors.generation} + 1` }
  return [
    ...queueRetire(tx, orphaned, { reason: 'zona_eliminada', now }),
    tx
      .update(mirrors)
      .set({ state: 'en_cola', ...wish, updatedAt: now })
      .where(outdated),
    tx.update(mirrors).set({ urgency: URGENCY.person, updatedAt: now }).where(overtaken),
    tx.delete(mirrors).where(and(inArray(mirrors.node, refused), ofLostNode)),
    tx.delete(dnsAccounts).where(and(leaving, notInArray(dnsAccounts.node, holding))),
  ]
}

/** Mirrors of which nothing is at the provider. */
const absent = and(isNull(mirrors.remoteId), isNull(mirrors.intentAt), ne(mirrors.state, 'sincronizando'))

const present = or(
  isNotNull(mirrors.remoteId),
  isNotNull(mirrors.intentAt),
  eq(mirrors.state, 'sincronizando'),
)

/** Mirrors whose copy is still to be removed at the provider once they are retired. */
export const toRemove = or(eq(mirrors.state, 'retirando'), and(standing, present))

/**
 * Begins the removal of mirrors at the provider. Those without a copy there end at once, and their rows are deleted
 * if the panel no longer has the zone.
 */
export function queueRetire(tx: Db, which: SQL | undefined, why: { reason: string; now: Date }): Query[] {
  const { reason, now } = why
  const rest = { nextCheckAt: null, negativeAt: null, updatedAt: now, attempts: 0 }
  return [
    tx.delete(mirrors).where(and(which, standing, absent, isNull(mirrors.zoneId))),
    tx
      .update(mirrors)
      .set({
        ...rest,
        reason,
        urgency: URGENCY.person,
        state: sql`case when ${absent} then 'retirada' else 'retirando' end`,
        nextAt: sql`case when ${absent} then null else ${now.getTime()} end`,
        generation: sql`${mirrors.generation} + 1`,
      })
      .where(and(which, standing)),
  ]
}
