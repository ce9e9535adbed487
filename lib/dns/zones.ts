import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { clients, mirrors, nodes, rrsets, zones } from '../../schema/tables.ts'
import { clientSubject, visibleTo } from '../clients/clients.ts'
import { type Client, requireChangeable } from '../clients/decide.ts'
import type { Ctx, WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { DesiredZone, RRset } from '../endpoint/node-port.ts'
import { placeColumn } from '../mirror/order.ts'
import { mirrorView } from '../mirror/view.ts'
import { zoneProof } from '../proof/view.ts'
import type { Db } from '../store/database.ts'
import { both, mapped, type Query, type Reading, reading, readNow } from '../store/reading.ts'
import { storedFaultText } from '../text/stored-faults.ts'
import { queueJob } from '../work/jobs.ts'
import { RRsetError } from './rrset.ts'
import type { RRsetView, ZoneView } from './shapes.ts'
import { soaOf } from './template.ts'

export type Zone = typeof zones.$inferSelect
export type StoredRrset = RRset & { origin: 'sistema' | 'usuario' }

/** A zone by name, as far as the actor may know of it (else 404 `zona_no_existe`), to be changed here. */
export async function zoneToChange(ctx: WriteCtx, name: string): Promise<{ zone: Zone; client: Client }> {
  ctx.audit.target = name
  const found = await ctx.tx
    .select({ zone: zones, client: clients })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .where(and(eq(zones.name, name), eq(zones.state, 'activa'), visibleTo(ctx.actor)))
    .get()
  if (!found) throw new AppError('zona_no_existe')
  ctx.audit.client = found.client.name
  requireChangeable(found.client, ctx.config.node)
  return found
}

/** All that a view of zones is selected from; `sort` is what a listing is ordered by. */
export function selectZones(db: Db, now: Date, sort: SQL<string | number> = sql`0`) {
  return db
    .select({
      sort,
      zone: zones,
      client: clients.name,
      mirror: mirrors,
      nameServers: sql<
        string | null
      >`(select ${nodes.nameServers} from ${nodes} where ${nodes.name} = ${zones.node})`,
      place: placeColumn(now),
      records: sql<number>`(select coalesce(sum(json_array_length(${rrsets.values})), 0) from ${rrsets} where ${rrsets.zoneId} = ${zones.id})`,
    })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .leftJoin(mirrors, eq(mirrors.zoneId, zones.id))
}

type ZoneRow = Awaited<ReturnType<ReturnType<typeof selectZones>['all']>>[number]

/** The zone as it is returned. */
export function zoneView(row: ZoneRow, language: 'es' | 'en'): ZoneView {
  const { zone, client, records, mirror, place } = row
  const nameServers: string[] = row.nameServers === null ? [] : JSON.parse(row.nameServers)
  return {
    zona: zone.name,
    cliente: client,
    serie: zone.serial,
    publicada: zone.publishedSerial === zone.serial,
    error: storedFaultText(zone.error, language),
    registros: records,
    dnssec: { activo: zone.dnssec, ds: zone.dnssec ? zone.ds : [] },
    ...zoneProof({ zone, nameServers, mirrors: mirror?.servers ?? [] }),
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

/** A zone with its owner and its records, in one round trip; 404 `zona_no_existe`. */
export function zoneWithRecords(
  { tx, actor }: Pick<Ctx, 'tx' | 'actor'>,
  name: string,
): Reading<{ zone: Zone; client: Client; records: StoredRrset[] }> {
  const which = and(eq(zones.name, name), eq(zones.state, 'activa'), visibleTo(actor))
  const owned = eq(clients.id, zones.clientId)
  const found = tx.select({ zone: zones, client: clients }).from(zones).innerJoin(clients, owned).where(which)
  const ids = tx.select({ id: zones.id }).from(zones).innerJoin(clients, owned).where(which)
  const records = selectRecords(tx)
    .where(inArray(rrsets.zoneId, ids))
    .orderBy(...RECORD_ORDER)
  return mapped(
    both(
      reading(found, ([row]) => row),
      reading(records, (rows) => rows),
    ),
    ([row, rows]) => {
      if (!row) throw new AppError('zona_no_existe')
      return { ...row, records: rows }
    },
  )
}

/** The records of a zone, apex first, then by name and type. */
export function recordsOf(db: Db, zoneId: number): Promise<StoredRrset[]> {
  return readNow(db, recordsReading(db, zoneId))
}

/** `recordsOf` as a reading. */
export function recordsReading(db: Db, zoneId: number): Reading<StoredRrset[]> {
  const query = selectRecords(db)
    .where(eq(rrsets.zoneId, zoneId))
    .orderBy(...RECORD_ORDER)
  return reading(query, (rows) => rows)
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

/** The ETag of a zone's records; a zone that was created again never has the ETag of the old one. */
export function etagOf(zone: Pick<Zone, 'id' | 'serial'>): string {
  return `"${zone.id}-${zone.serial}"`
}

/** 412 if the request names another state than the present one (RFC 9110 section 13.1.1). */
export function requireMatch(ctx: WriteCtx, zone: Zone): void {
  const wanted = ctx.request.headers.get('if-match')
  if (wanted === null || wanted.trim() === '*') return
  const tags = wanted.split(',').map((tag) => tag.trim())
  if (!tags.includes(etagOf(zone))) throw new AppError('version_distinta')
}

/** The work that makes the node serve a zone as the database describes it. */
export function publishJob(ctx: WriteCtx, client: Client, name: string): Query {
  return zoneJob(ctx, client, { kind: 'zona.publicar', name })
}

/** Signs a zone, or ends that. */
export function queueSigning(
  ctx: WriteCtx,
  { zone, client }: { zone: Zone; client: Client },
  active: boolean,
): Query[] {
  return [
    ctx.tx.update(zones).set({ dnssec: active, updatedAt: ctx.now() }).where(eq(zones.id, zone.id)),
    zoneJob(ctx, client, { kind: 'zona.firmar', name: zone.name }),
  ]
}

/** Begins the deletion of a zone; its row is deleted once it is no longer served. */
export function retireZone(ctx: WriteCtx, client: Client, zone: Pick<Zone, 'id' | 'name'>): void {
  ctx.tx.later(
    ctx.tx.update(zones).set({ state: 'eliminando', updatedAt: ctx.now() }).where(eq(zones.id, zone.id)),
    zoneJob(ctx, client, { kind: 'zona.eliminar', name: zone.name }),
  )
}

/** A client's zone jobs run in order with its other jobs, so that none outlives the client. */
function zoneJob(ctx: WriteCtx, client: Client, { kind, name }: { kind: string; name: string }): Query {
  return queueJob(ctx, {
    kind,
    node: client.node,
    subject: clientSubject(client),
    target: name,
    client: client.name,
  })
}

/** Runs a rule of records; its refusal becomes 422 naming the field, in the reader's language. */
export function ruled<T>(ctx: Pick<WriteCtx, 'request'>, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RRsetError)) throw error
    const { campo, codigo, mensaje } = error
    throw new AppError('datos_invalidos', {
      campos: [{ campo, codigo, mensaje: mensaje[ctx.request.language] }],
    })
  }
}
