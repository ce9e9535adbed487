import { and, eq, gte, lt, ne, sql } from 'drizzle-orm'
import { URGENCY } from '../../schema/states.ts'
import { rrsets, zoneChanges, zones } from '../../schema/tables.ts'
import { actorColumns } from '../audit/audit.ts'
import { type Client, requireChangeable } from '../clients/decide.ts'
import type { WriteCtx } from '../endpoint/context.ts'

import { mirrorWish } from '../mirror/queue.ts'
import type { Db } from '../store/database.ts'
import { both, type Query, type Reading, reading, readNow } from '../store/reading.ts'
import { childRange } from '../text/host-names.ts'
import type { RecordChange, RecordFacts } from './decide-records.ts'
import { isEmptyDiff, type ZoneDiff } from './diff.ts'
import { nextSerial } from './serial.ts'
import { publishJob, requireMatch, type StoredRrset, type Zone, zoneWithRecords } from './zones.ts'

/** A zone whose records may be changed here, if it is in the state that `If-Match` names. */
export async function recordFacts(
  ctx: WriteCtx,
  name: string,
): Promise<RecordFacts & { zone: Zone; client: Client }> {
  ctx.audit.target = name
  const whole = both(zoneWithRecords(ctx, name), zonesBelowReading(ctx.tx, name))
  const [{ zone, client, records }, below] = await readNow(ctx.tx, whole)
  ctx.audit.client = client.name
  requireChangeable(client, ctx.config.node)
  requireMatch(ctx, zone)
  return { zone, client, records, below }
}

/** The statements of a change, and of the publication that the answer waits for; none if nothing changes. */
export function queueRecords(
  ctx: WriteCtx,
  { zone, client }: { zone: Zone; client: Client },
  { diff, serial }: RecordChange,
): Query[] {
  if (isEmptyDiff(diff)) return []
  const { tx } = ctx
  const now = ctx.now()
  const change = { serial, customised: true, updatedAt: now }
  const { actorKind, actorName, impersonator } = actorColumns(ctx.actor)
  return [
    ...rrsetChanges(tx, zone.id, { ...diff, origin: 'usuario' }),
    // A trigger of the table makes the entry of the history with the new serial.
    tx.update(zones).set(change).where(eq(zones.id, zone.id)),
    tx
      .update(zoneChanges)
      .set({ actorKind, actorName, impersonator })
      .where(and(eq(zoneChanges.zoneId, zone.id), eq(zoneChanges.serial, serial))),
    mirrorWish(tx, { zoneId: zone.id }, now, URGENCY.person),
    publishJob(ctx, client, zone.name),
  ]
}

/** The same for the panel's own records; the zone then still counts as not changed by its customer. */
export function queueOwnRecords(
  ctx: WriteCtx,
  { zone, client }: { zone: Zone; client: Client },
  { created, gone }: { created: StoredRrset[]; gone: { name: string; type: string }[] },
): Query[] {
  const { tx } = ctx
  const now = ctx.now()
  const own = and(eq(rrsets.zoneId, zone.id), eq(rrsets.origin, 'sistema'))
  return [
    ...gone.map(({ name, type }) =>
      tx.delete(rrsets).where(and(own, eq(rrsets.name, name), eq(rrsets.type, type))),
    ),
    ...insertRrsets(tx, zone.id, created),
    tx
      .update(zones)
      .set({ serial: nextSerial(zone.serial, now), updatedAt: now })
      .where(eq(zones.id, zone.id)),
    mirrorWish(tx, { zoneId: zone.id }, now, URGENCY.person),
    publishJob(ctx, client, zone.name),
  ]
}

/** Statements that delete and write RRsets, recording whether each is the panel's or the customer's. */
export function rrsetChanges(
  tx: Db,
  zoneId: number,
  { created, changed, deleted, origin }: ZoneDiff & Pick<StoredRrset, 'origin'>,
): Query[] {
  const deletions = deleted.map(({ name, type }) =>
    tx.delete(rrsets).where(and(eq(rrsets.zoneId, zoneId), eq(rrsets.name, name), eq(rrsets.type, type))),
  )
  const written = [...created, ...changed].map((rrset) => ({ ...rrset, origin }))
  return [...deletions, ...insertRrsets(tx, zoneId, written)]
}

/** Writes RRsets, in statements of a size that every SQLite takes. */
export function insertRrsets(tx: Db, zoneId: number, list: StoredRrset[]): Query[] {
  const rows = list.map(({ name, type, ttl, values, origin }) => ({
    zoneId,
    name,
    type,
    ttl,
    values,
    origin,
  }))
  const pages = Array.from({ length: Math.ceil(rows.length / PAGE) }, (_, at) =>
    rows.slice(at * PAGE, (at + 1) * PAGE),
  )
  return pages.map((page) =>
    tx
      .insert(rrsets)
      .values(page)
      .onConflictDoUpdate({
        target: [rrsets.zoneId, rrsets.name, rrsets.type],
        set: { ttl: sql`excluded.ttl`, values: sql`excluded."values"`, origin: sql`excluded.origin` },
      }),
  )
}

const PAGE = 500

/** The zones of this server that lie below a zone: they answer for their names, not the zone above. */
export function zonesBelow(ctx: Pick<WriteCtx, 'tx'>, zone: { name: string }): Promise<string[]> {
  return readNow(ctx.tx, zonesBelowReading(ctx.tx, zone.name))
}

/** `zonesBelow` as a reading. */
export function zonesBelowReading(db: Db, name: string): Reading<string[]> {
  const { from, to } = childRange(name)
  const query = db
    .select({ name: zones.name })
    .from(zones)
    .where(and(gte(zones.reversed, from), lt(zones.reversed, to), ne(zones.state, 'eliminando')))
  return reading(query, (rows) => rows.map((row) => row.name))
}
