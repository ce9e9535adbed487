import { and, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { clients, type SetContent, zoneChangeSets, zoneChanges, zones } from '../../../schema/tables.ts'
import { visibleTo } from '../../clients/clients.ts'
import type { Actor, Ctx } from '../../endpoint/context.ts'
import type { Db } from '../../store/database.ts'
import { both, mapped, type Reading, reading } from '../../store/reading.ts'
import type { StoredRrset } from '../zones.ts'

/** Record sets of one change that a listing tells. */
const MOST_SETS = 20
/** How large those may be together: a page has many changes. */
export const MOST_BYTES = 64 * 1024

export type Change = typeof zoneChanges.$inferSelect
export type ChangedSet = { changeId: number | null; sets: string; all: number }
type Place = { before: number | undefined; limit: number }

/** The id of a zone by name, as far as the actor may know of it. */
const zoneIds = (db: Db, actor: Actor, name: string) =>
  db
    .select({ id: zones.id })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .where(and(eq(zones.name, name), eq(zones.state, 'activa'), visibleTo(actor)))

/** The changes of a zone, newest first, and whether there is such a zone. */
export function changesReading(
  { tx, actor }: Pick<Ctx, 'tx' | 'actor'>,
  name: string,
  { before, limit }: Place,
): Reading<{ exists: boolean; changes: Change[]; sets: ChangedSet[] }> {
  const which = and(
    inArray(zoneChanges.zoneId, zoneIds(tx, actor, name)),
    before === undefined ? undefined : lt(zoneChanges.id, before),
  )
  const changes = tx.select().from(zoneChanges).where(which).orderBy(desc(zoneChanges.id)).limit(limit)
  const shown = tx
    .select({ id: zoneChanges.id })
    .from(zoneChanges)
    .where(which)
    .orderBy(desc(zoneChanges.id))
    .limit(limit)
  const { changeId } = zoneChangeSets
  const sets = tx
    .select({ changeId, sets: firstSets, all: sql<number>`count(*)` })
    .from(zoneChangeSets)
    .where(inArray(changeId, shown))
    .groupBy(changeId)
  const all = both(
    reading(zoneIds(tx, actor, name), (rows) => rows.length > 0),
    both(
      reading(changes, (rows) => rows),
      reading(sets, (rows) => rows),
    ),
  )
  return mapped(all, ([exists, [changes, sets]]) => ({ exists, changes, sets }))
}

/** The sizes are told by the database, which does not hand out what is left out. */
const firstSets = sql<string>`(select json_group_array(json_object('name', s.name, 'type', s.type, 'before', json(s.before), 'after', json(s.after)))
  from (select *, sum(length(coalesce(before, '')) + length(coalesce(after, ''))) over (order by id) as bytes
    from (select * from zone_change_sets as all_sets where all_sets.change_id = zone_change_sets.change_id
      order by all_sets.id limit ${sql.raw(String(MOST_SETS))})) as s where s.bytes <= ${sql.raw(String(MOST_BYTES))})`

/** The record sets that were changed after a change of a zone, newest first; null if it has no such change. */
export function setsSinceReading(
  { tx, actor }: Pick<Ctx, 'tx' | 'actor'>,
  name: string,
  change: number,
): Reading<(typeof zoneChangeSets.$inferSelect)[] | null> {
  const ids = zoneIds(tx, actor, name)
  const known = tx
    .select({ id: zoneChanges.id })
    .from(zoneChanges)
    .where(and(eq(zoneChanges.id, change), inArray(zoneChanges.zoneId, ids)))
  const sets = tx
    .select()
    .from(zoneChangeSets)
    .where(and(gt(zoneChangeSets.changeId, change), inArray(zoneChangeSets.zoneId, zoneIds(tx, actor, name))))
    .orderBy(desc(zoneChangeSets.id))
  const all = both(
    reading(known, (rows) => rows.length > 0),
    reading(sets, (rows) => rows),
  )
  return mapped(all, ([exists, rows]) => (exists ? rows : null))
}

/** The records as they were before these sets were changed, newest first. */
export function recordsBefore(
  records: StoredRrset[],
  changed: { name: string; type: string; before: SetContent | null }[],
): StoredRrset[] {
  const sets = new Map(records.map((one) => [`${one.name} ${one.type}`, one]))
  for (const { name, type, before } of changed) {
    if (before === null) sets.delete(`${name} ${type}`)
    else sets.set(`${name} ${type}`, { name, type, ...before, origin: 'usuario' })
  }
  return [...sets.values()]
}
