import { and, eq, gte, inArray, lt, ne } from 'drizzle-orm'
import { rrsets, siteNames, sites, zoneChangeSets, zoneChanges, zones } from '../../schema/tables.ts'
import type { ClientId } from '../clients/clients.ts'
import type { Client } from '../clients/decide.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { roomFacts } from '../plans/room.ts'
import { nameFacts } from '../sites/names.ts'
import type { Db, Tx } from '../store/database.ts'
import type { Query } from '../store/reading.ts'
import { nextId } from '../store/row-id.ts'
import { childRange, parentNames, reversedName } from '../text/host-names.ts'
import type { BroughtZone, NewZone, NewZoneFacts, ZonePlace } from './decide-zone.ts'
import { insertRrsets, zonesBelow } from './records.ts'
import { nextSerial } from './serial.ts'
import { publishJob } from './zones.ts'

/** The facts for adding a zone to a client. */
export async function newZoneFacts(
  ctx: WriteCtx,
  client: ClientId,
  { name, force }: { name: string; force: boolean },
): Promise<NewZoneFacts> {
  const [names, room, place, served] = await Promise.all([
    nameFacts(ctx, client, { names: [name], force }),
    roomFacts(ctx, client),
    zonePlace(ctx.tx, name),
    servedBelow(ctx.tx, client, name),
  ])
  return { names, room, place, served }
}

/** The names below one under which a client's sites are served. */
export async function servedBelow(db: Db, client: ClientId, name: string): Promise<string[]> {
  const { from, to } = childRange(name)
  const rows = await db
    .select({ name: siteNames.name })
    .from(siteNames)
    .where(and(gte(siteNames.reversed, from), lt(siteNames.reversed, to), eq(siteNames.clientId, client)))
  return rows.map((row) => row.name)
}

export async function zonePlace(tx: Tx, name: string): Promise<ZonePlace> {
  const parents = parentNames(name)
  const [around, above, below, id] = await Promise.all([
    tx
      .select()
      .from(zones)
      .where(inArray(zones.name, [name, ...parents])),
    tx
      .select({ zone: zones.name, rrset: rrsets })
      .from(zones)
      .innerJoin(rrsets, eq(rrsets.zoneId, zones.id))
      .where(inArray(zones.name, parents)),
    zonesBelow({ tx }, { name }),
    nextId(tx, 'zones'),
  ])
  const old = around.find((zone) => zone.name === name)
  return { old, covered: around.some(({ state }) => state === 'activa'), above, below, nextId: id }
}

/** Writes a zone and queues its publication. A removal that is still queued finds the zone wanted again. */
export function queueNewZone(ctx: WriteCtx, client: Client, zone: NewZone): Query[] {
  const { tx } = ctx
  const { id, old, name, siteId, followed, proven, records } = zone
  const now = ctx.now()
  const row = {
    siteId,
    followed,
    provenAt: proven ? now : null,
    delegation: null,
    nextLookAt: null,
    serial: nextSerial(old?.serial ?? null, now),
    updatedAt: now,
  }
  const again = { state: 'activa' as const, customised: false, dnssec: false, ds: [], error: null }
  const first = { id, clientId: client.id, name, reversed: reversedName(name), node: client.node }
  const written: Query[] = old
    ? [
        tx.delete(rrsets).where(eq(rrsets.zoneId, id)),
        tx
          .update(zones)
          .set({ ...row, ...again })
          .where(eq(zones.id, id)),
      ]
    : [tx.insert(zones).values({ ...first, ...row, createdAt: now })]
  const stored = records.map((rrset) => ({ ...rrset, origin: 'sistema' as const }))
  return [
    ...written,
    ...insertRrsets(tx, id, stored),
    // Its history begins with the first change of what it was made with.
    tx.delete(zoneChanges).where(eq(zoneChanges.zoneId, id)),
    tx.delete(zoneChangeSets).where(eq(zoneChangeSets.zoneId, id)),
    publishJob(ctx, client, name),
  ]
}

/** The zone that came with the site of a domain, unless its customer changed it. */
export async function broughtZone(db: Db, domain: string): Promise<BroughtZone> {
  const site = db.select({ id: sites.id }).from(sites).where(eq(sites.domain, domain))
  const client = db.select({ id: sites.clientId }).from(sites).where(eq(sites.domain, domain))
  const [zone, others] = await Promise.all([
    db
      .select()
      .from(zones)
      .where(and(eq(zones.siteId, site), eq(zones.customised, false), eq(zones.state, 'activa')))
      .get(),
    db
      .select({ name: siteNames.name })
      .from(siteNames)
      .innerJoin(sites, eq(sites.id, siteNames.siteId))
      .where(and(eq(siteNames.clientId, client), ne(sites.domain, domain), ne(sites.state, 'eliminando'))),
  ])
  return { zone, others: others.map(({ name }) => name) }
}
