import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { clients, mirrors, rrsets, zones } from '../../schema/tables.ts'
import { type Client, clientSubject, requireHere, visibleTo } from '../clients.ts'
import type { Actor, Ctx, WriteCtx } from '../context.ts'
import type { Db } from '../database.ts'
import { AppError } from '../errors.ts'
import { storedFaultText } from '../faults.ts'
import { enqueueAndWait } from '../jobs.ts'
import { placeColumn } from '../mirror/order.ts'
import { mirrorView } from '../mirror/view.ts'
import type { DesiredZone, RRset } from '../node.ts'
import { both, mapped, type Reading, reading } from '../reading.ts'
import { RRsetError } from './rrset.ts'
import type { RRsetView, ZoneView } from './shapes.ts'
import { soaOf } from './template.ts'

export type Zone = typeof zones.$inferSelect
export type StoredRrset = RRset & { origin: 'sistema' | 'usuario' }

/** A zone by name, as far as the actor may know of it; else 404 `zona_no_existe`. */
export async function findZone(db: Db, actor: Actor, name: string): Promise<{ zone: Zone; client: Client }> {
  const row = await db
    .select({ zone: zones, client: clients })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .where(and(eq(zones.name, name), eq(zones.state, 'activa'), visibleTo(actor)))
    .get()
  if (!row) throw new AppError('zona_no_existe')
  return row
}

/** The same, to be changed here: not of a client on another node, or on its way out. */
export async function zoneToChange(ctx: WriteCtx, name: string): Promise<{ zone: Zone; client: Client }> {
  ctx.audit.target = name
  const found = await findZone(ctx.tx, ctx.actor, name)
  ctx.audit.client = found.client.name
  requireHere(ctx, found.client)
  return found
}

/** All that a view of zones is selected from. */
export function selectZones(db: Db, now: Date) {
  return db
    .select({
      zone: zones,
      client: clients.name,
      mirror: mirrors,
      place: placeColumn(now),
      records: sql<number>`(select coalesce(sum(json_array_length(${rrsets.values})), 0) from ${rrsets} where ${rrsets.zoneId} = ${zones.id})`,
    })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .leftJoin(mirrors, eq(mirrors.zoneId, zones.id))
}

type ZoneRow = Awaited<ReturnType<ReturnType<typeof selectZones>['all']>>[number]

/** The zone as it is returned (contract section 2). */
export function zoneView({ zone, client, records, mirror, place }: ZoneRow, language: 'es' | 'en'): ZoneView {
  return {
    zona: zone.name,
    cliente: client,
    serie: zone.serial,
    publicada: zone.publishedSerial === zone.serial,
    error: storedFaultText(zone.error, language),
    registros: records,
    dnssec: { activo: zone.dnssec, ds: zone.dnssec ? zone.ds : [] },
    espejo: mirror && mirrorView({ row: mirror, place }, language),
  }
}

/** The view of one zone by name, as far as the actor may know of it; else 404 `zona_no_existe`. */
export function zoneReading(
  { tx, actor, now, request }: Pick<Ctx, 'tx' | 'actor' | 'now' | 'request'>,
  name: string,
): Reading<ZoneView> {
  const which = and(eq(zones.name, name), eq(zones.state, 'activa'), visibleTo(actor))
  return reading(selectZones(tx, now()).where(which), ([row]) => {
    if (!row) throw new AppError('zona_no_existe')
    return zoneView(row, request.language)
  })
}

/** A zone with its records, in one round trip; 404 `zona_no_existe`. */
export function zoneWithRecords(
  { tx, actor }: Pick<Ctx, 'tx' | 'actor'>,
  name: string,
): Reading<{ zone: Zone; records: StoredRrset[] }> {
  const which = and(eq(zones.name, name), eq(zones.state, 'activa'), visibleTo(actor))
  const found = tx
    .select({ zone: zones })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .where(which)
  const ids = tx.select({ id: zones.id }).from(zones).where(eq(zones.name, name))
  return mapped(
    both(
      reading(found, ([row]) => row?.zone),
      reading(
        selectRecords(tx)
          .where(inArray(rrsets.zoneId, ids))
          .orderBy(...RECORD_ORDER),
        (rows) => rows,
      ),
    ),
    ([zone, records]) => {
      if (!zone) throw new AppError('zona_no_existe')
      return { zone, records }
    },
  )
}

/** The records of a zone, apex first, then by name and type. */
export function recordsOf(db: Db, zoneId: number): Promise<StoredRrset[]> {
  return selectRecords(db)
    .where(eq(rrsets.zoneId, zoneId))
    .orderBy(...RECORD_ORDER)
}

const RECORD_ORDER = [sql`${rrsets.name} <> '@'`, asc(rrsets.name), asc(rrsets.type)]

function selectRecords(db: Db) {
  return db
    .select({
      name: rrsets.name,
      type: rrsets.type,
      ttl: rrsets.ttl,
      values: rrsets.values,
      origin: rrsets.origin,
    })
    .from(rrsets)
}

export function rrsetView({ name, type, ttl, values, origin }: StoredRrset): RRsetView {
  return { nombre: name, tipo: type, ttl, valores: values, origen: origin }
}

/** The zone as a node publishes it and as it is exported; the SOA follows from its own name servers. */
export function desiredZone(zone: Pick<Zone, 'name' | 'serial'>, records: RRset[]): DesiredZone {
  const ns = records.find((one) => one.name === '@' && one.type === 'NS')
  return {
    name: zone.name,
    serial: zone.serial,
    soa: soaOf(zone.name, ns?.values ?? []),
    rrsets: records.map(({ name, type, ttl, values }) => ({ name, type, ttl, values })),
  }
}

/** The state of a zone's records as HTTP knows it; a zone made again is never taken for the old one. */
export function etagOf(zone: Pick<Zone, 'id' | 'serial'>): string {
  return `"${zone.id}-${zone.serial}"`
}

/** 412 when the request asks for a state that is not the present one (RFC 9110 section 13.1.1). */
export function requireMatch(ctx: WriteCtx, zone: Zone): void {
  const wanted = ctx.request.headers.get('if-match')
  if (wanted === null || wanted.trim() === '*') return
  const tags = wanted.split(',').map((tag) => tag.trim())
  if (!tags.includes(etagOf(zone))) throw new AppError('version_distinta')
}

/** Queues the work that makes the node serve a zone as the database describes it. */
export function publishZone(ctx: WriteCtx, client: Client, name: string): void {
  queueZoneJob(ctx, client, { kind: 'zona.publicar', name })
}

/** Queues signing or its end. */
export function signZone(ctx: WriteCtx, client: Client, name: string): void {
  queueZoneJob(ctx, client, { kind: 'zona.firmar', name })
}

/** Takes a zone out of the panel; its row goes when it is not served any more. */
export function retireZone(ctx: WriteCtx, client: Client, zone: Pick<Zone, 'id' | 'name'>): void {
  ctx.tx.later(
    ctx.tx.update(zones).set({ state: 'eliminando', updatedAt: ctx.now() }).where(eq(zones.id, zone.id)),
  )
  queueZoneJob(ctx, client, { kind: 'zona.eliminar', name: zone.name })
}

/** The jobs of a client's zones run in order with its others, so that none outlives the client. */
function queueZoneJob(ctx: WriteCtx, client: Client, { kind, name }: { kind: string; name: string }): void {
  enqueueAndWait(ctx, {
    kind,
    node: client.node,
    subject: clientSubject(client),
    target: name,
    client: client.name,
  })
}

/** Runs a rule of records; what it refuses becomes 422 naming the field, in the reader's language. */
export function ruled<T>(ctx: Pick<WriteCtx, 'request'>, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RRsetError)) throw error
    throw refusedRecord(ctx, error)
  }
}

/** 422 for a record that cannot stand in its zone. */
export function refusedRecord(ctx: Pick<WriteCtx, 'request'>, error: RRsetError): AppError {
  const { campo, codigo, mensaje } = error
  return new AppError('datos_invalidos', {
    campos: [{ campo, codigo, mensaje: mensaje[ctx.request.language] }],
  })
}
