import { and, eq, inArray, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import { dnsAccounts, lostNodes, mirrors, zones } from '../../schema/tables.ts'
import type { Db, Tx } from '../database.ts'
import { URGENCY } from './order.ts'

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

/** Copies that are older than the panel's zone, and whose change nobody queued. */
const outdated = and(eq(mirrors.state, 'al_dia'), olderThanZone)

/** Comparisons that are tried again, of zones that somebody has changed since. */
const overtaken = and(
  inArray(mirrors.state, ['en_cola', 'error']),
  eq(mirrors.urgency, URGENCY.daily),
  olderThanZone,
)

/** Nobody can give a lost node's account another credential: its copies stay where they are. */
const ofLostNode = sql`${mirrors.node} in (select ${lostNodes.name} from ${lostNodes})`

/** Whether `sweep` would change anything. */
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
 * Brings the mirrors in line with the panel's own tables: the copy of a deleted zone is retired, a changed
 * zone is queued, an account that has lost its last copy goes. It holds whatever path changed the tables,
 * so that no path can forget the mirror.
 */
export async function sweep(tx: Tx, now: Date): Promise<void> {
  await retire(tx, orphaned, 'zona_eliminada', now)
  await tx
    .update(mirrors)
    .set({
      state: 'en_cola',
      nextAt: now,
      urgency: URGENCY.person,
      generation: sql`${mirrors.generation} + 1`,
      updatedAt: now,
    })
    .where(outdated)
  await tx.update(mirrors).set({ urgency: URGENCY.person, updatedAt: now }).where(overtaken)
  const leaving = await tx.select().from(dnsAccounts).where(eq(dnsAccounts.removing, true))
  for (const { node, refusedAt } of leaving) {
    if (refusedAt !== null) tx.later(tx.delete(mirrors).where(and(eq(mirrors.node, node), ofLostNode)))
    await dropEmptyAccount(tx, node)
  }
}

/**
 * Begins the removal of standing mirrors at the provider, and ends at once those of which nothing is there.
 * Answers how many of these are still to be removed.
 */
export async function retire(
  tx: Db,
  which: ReturnType<typeof and>,
  reason: string,
  now: Date,
): Promise<number> {
  const absent = and(isNull(mirrors.remoteId), isNull(mirrors.intentAt), ne(mirrors.state, 'sincronizando'))
  const rest = { nextCheckAt: null, negativeAt: null, updatedAt: now, attempts: 0 }
  const changed = { ...rest, reason, urgency: URGENCY.person }
  const begun = await tx
    .update(mirrors)
    .set({
      ...changed,
      state: sql`case when ${absent} then 'retirada' else 'retirando' end`,
      nextAt: sql`case when ${absent} then null else ${now.getTime()} end`,
      generation: sql`${mirrors.generation} + 1`,
    })
    .where(and(which, standing))
    .returning({ zone: mirrors.zone, zoneId: mirrors.zoneId, state: mirrors.state })
  const gone = begun
    .filter(({ state, zoneId }) => state === 'retirada' && zoneId === null)
    .map(({ zone }) => zone)
  if (gone.length > 0) await tx.delete(mirrors).where(inArray(mirrors.zone, gone))
  return begun.filter(({ state }) => state === 'retirando').length
}

/** Deletes an account once no copy of ours is left there; answers whether it did. */
export async function dropEmptyAccount(tx: Db, node: string): Promise<boolean> {
  const left = await tx
    .select({ zone: mirrors.zone })
    .from(mirrors)
    .where(and(eq(mirrors.node, node), ne(mirrors.state, 'retirada')))
    .limit(1)
    .get()
  if (left) return false
  await tx.delete(dnsAccounts).where(eq(dnsAccounts.node, node))
  return true
}
