import { and, eq, gte, lt, ne, sql } from 'drizzle-orm'
import { rrsets, zones } from '../../schema/tables.ts'
import type { Client } from '../clients.ts'
import type { WriteCtx } from '../context.ts'
import { AppError } from '../errors.ts'
import { URGENCY } from '../mirror/order.ts'
import { mirrorWish } from '../mirror/queue.ts'
import { childRange } from '../names.ts'
import type { RRset } from '../node.ts'
import { diffRrsets, isEmptyDiff, type ZoneDiff } from './diff.ts'
import { absoluteName, isInside, withDot } from './names.ts'
import { canonicalRrset, clashes, owner, RRsetError } from './rrset.ts'
import { nextSerial } from './serial.ts'
import { publishZone, recordsOf, refusedRecord, ruled, type StoredRrset, type Zone } from './zones.ts'

/** RRsets that a zone may hold; a zone is published, compared and exported as a whole. */
export const MAX_RRSETS = 10_000

type Target = { zone: Zone; client: Client }

/** Puts one RRset in the place of what had its name and type. Answers it as stored, and the zone's serial. */
export async function putRrset(
  ctx: WriteCtx,
  { zone, client }: Target,
  wanted: RRset,
): Promise<{ rrset: StoredRrset; serial: number }> {
  const rrset = ruled(ctx, () => canonicalRrset(zone.name, wanted))
  await askForRecords(ctx, zone)
  const before = await recordsOf(ctx.tx, zone.id)
  const old = before.find((one) => one.name === rrset.name && one.type === rrset.type)
  if (old && isEmptyDiff(diffRrsets(zone.name, [old], [rrset]))) return { rrset: old, serial: zone.serial }
  const after = [...before.filter((one) => one !== old), rrset]
  await requireSound(ctx, zone, after)
  const stored = { ...rrset, origin: 'usuario' as const }
  const diff = { created: old ? [] : [rrset], changed: old ? [rrset] : [], deleted: [] }
  return { rrset: stored, serial: applyDiff(ctx, { zone, client }, diff) }
}

/** Takes one RRset out; 404 `registro_no_existe` when it is not there. The apex NS stay. */
export async function deleteRrset(
  ctx: WriteCtx,
  { zone, client }: Target,
  at: { name: string; type: string },
): Promise<{ rrset: StoredRrset; serial: number }> {
  const name = ruled(ctx, () => owner(zone.name, at.name))
  await askForRecords(ctx, zone)
  const before = await recordsOf(ctx.tx, zone.id)
  const old = before.find((one) => one.name === name && one.type === at.type)
  if (!old) throw new AppError('registro_no_existe')
  if (isApexNs(old)) throw refusedRecord(ctx, APEX_NS)
  await requireSound(
    ctx,
    zone,
    before.filter((one) => one !== old),
  )
  return {
    rrset: old,
    serial: applyDiff(ctx, { zone, client }, { created: [], changed: [], deleted: [old] }),
  }
}

/** Asks at once for all that a change of records looks at. */
export function askForRecords(ctx: Pick<WriteCtx, 'tx'>, zone: Zone): Promise<void> {
  return ctx.tx.ahead(
    () => recordsOf(ctx.tx, zone.id),
    () => zonesBelow(ctx, zone),
  )
}

/** What makes `wanted` the content of a zone, its apex NS aside, which stay as they are. */
export async function replacementOf(
  ctx: Pick<WriteCtx, 'tx'>,
  zone: Zone,
  wanted: RRset[],
): Promise<ZoneDiff> {
  const before = await recordsOf(ctx.tx, zone.id)
  const kept = before.filter(isApexNs)
  return diffRrsets(zone.name, before, [...kept, ...wanted.filter((one) => !isApexNs(one))])
}

/** Writes a difference and queues the zone's publication; without one, nothing. Answers the serial. */
export function applyDiff(ctx: WriteCtx, { zone, client }: Target, diff: ZoneDiff): number {
  if (isEmptyDiff(diff)) return zone.serial
  const serial = nextSerial(zone.serial, ctx.now())
  for (const { name, type } of diff.deleted) {
    const which = and(eq(rrsets.zoneId, zone.id), eq(rrsets.name, name), eq(rrsets.type, type))
    ctx.tx.later(ctx.tx.delete(rrsets).where(which))
  }
  const written = [...diff.created, ...diff.changed].map((rrset) => ({
    ...rrset,
    origin: 'usuario' as const,
  }))
  storeRrsets(ctx, zone.id, written)
  const change = { serial, customised: true, updatedAt: ctx.now() }
  ctx.tx.later(ctx.tx.update(zones).set(change).where(eq(zones.id, zone.id)))
  ctx.tx.later(mirrorWish(ctx.tx, { zoneId: zone.id }, ctx.now(), URGENCY.person))
  publishZone(ctx, client, zone.name)
  return serial
}

/** Writes RRsets, in statements of a size that every SQLite takes. */
export function storeRrsets(ctx: Pick<WriteCtx, 'tx'>, zoneId: number, list: StoredRrset[]): void {
  for (let at = 0; at < list.length; at += 500) {
    const rows = list
      .slice(at, at + 500)
      .map(({ name, type, ttl, values, origin }) => ({ zoneId, name, type, ttl, values, origin }))
    ctx.tx.later(
      ctx.tx
        .insert(rrsets)
        .values(rows)
        .onConflictDoUpdate({
          target: [rrsets.zoneId, rrsets.name, rrsets.type],
          set: { ttl: sql`excluded.ttl`, values: sql`excluded."values"`, origin: sql`excluded.origin` },
        }),
    )
  }
}

/** 422 when the RRsets cannot stand together, hide behind another zone of this server, or are too many. */
export async function requireSound(ctx: WriteCtx, zone: Zone, after: RRset[]): Promise<void> {
  const [clash] = clashes(zone.name, after)
  if (clash) throw refusedRecord(ctx, clash.error)
  if (after.length > MAX_RRSETS) throw refusedRecord(ctx, TOO_MANY)
  const hidden = after.find(hiddenBy(await zonesBelow(ctx, zone), zone.name))
  if (hidden) throw refusedRecord(ctx, HIDDEN)
}

/** The zones of this server that lie below a zone: they answer for their names, not the zone above. */
export async function zonesBelow(ctx: Pick<WriteCtx, 'tx'>, zone: { name: string }): Promise<string[]> {
  const { from, to } = childRange(zone.name)
  const rows = await ctx.tx
    .select({ name: zones.name })
    .from(zones)
    .where(and(gte(zones.reversed, from), lt(zones.reversed, to), ne(zones.state, 'eliminando')))
  return rows.map((row) => row.name)
}

/** Whether an RRset of `zone` is not answered, since a zone below answers for its name. */
export function hiddenBy(below: string[], zone: string): (rrset: RRset) => boolean {
  if (below.length === 0) return () => false
  const cuts = below.map(withDot)
  return ({ name, type }) => {
    const absolute = absoluteName(name, zone)
    if (!cuts.some((cut) => isInside(absolute, cut))) return false
    // The parent's side of a delegation (RFC 1034 section 4.2.1) may stand: it is the same servers.
    return !(type === 'DS' || type === 'NS') || !cuts.includes(absolute)
  }
}

export function isApexNs({ name, type }: Pick<RRset, 'name' | 'type'>): boolean {
  return name === '@' && type === 'NS'
}

const APEX_NS = new RRsetError('tipo', 'ns_de_la_raiz', {
  en: 'A zone keeps its own NS; they can be changed, not deleted.',
  es: 'Una zona conserva sus propios NS; se pueden cambiar, no borrar.',
})
const TOO_MANY = new RRsetError('nombre', 'demasiados_registros', {
  en: `A zone holds at most ${MAX_RRSETS} record sets.`,
  es: `Una zona admite como máximo ${MAX_RRSETS} conjuntos de registros.`,
})
const HIDDEN = new RRsetError('nombre', 'nombre_en_otra_zona', {
  en: 'The name belongs to another zone of this server, which would answer instead.',
  es: 'El nombre pertenece a otra zona de este servidor, que respondería en su lugar.',
})
