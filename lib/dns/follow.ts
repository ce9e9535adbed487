import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { clients, type FollowedDefaults, rrsets, siteNames, zones } from '../../schema/tables.ts'
import { clientSubject } from '../clients.ts'
import type { Services } from '../context.ts'
import type { Tx } from '../database.ts'
import { enqueue } from '../jobs.ts'
import { URGENCY } from '../mirror/order.ts'
import { mirrorWish } from '../mirror/queue.ts'
import { isPublicAddress } from '../providers/address.ts'
import { diffRrsets, isEmptyDiff } from './diff.ts'
import { followed } from './followed.ts'
import { hiddenBy, storeRrsets, zonesBelow } from './records.ts'
import { nextSerial } from './serial.ts'
import type { ZoneDefaults } from './template.ts'
import { recordsOf, type Zone } from './zones.ts'

const PAGE = 100

/**
 * Brings the system's records in this node's zones to its present addresses and name servers; what the
 * customer changed or deleted stays. Publishes, with a new serial, only what differs. Answers how many.
 */
export async function followNode(services: Services): Promise<number> {
  const { node } = services.config
  if (node === null) return 0
  let changed = 0
  for (let after = 0; ; ) {
    const page = await behind(services, node, after)
    if (page.length > 0) {
      changed += await services.db.write(async (tx) => {
        let count = 0
        for (const { id } of page) if (await followZone(tx, services, id)) count++
        return count
      })
    }
    after = page.at(-1)?.id ?? after
    if (page.length < PAGE) break
  }
  if (changed > 0) services.work.wake()
  return changed
}

/** Zones of the node whose records were last made from other settings. */
function behind({ db, config }: Services, node: string, after: number) {
  const differs = (field: 'addresses' | 'nameServers') =>
    sql`json_extract(${zones.followed}, ${`$.${field}`}) is not ${JSON.stringify(config[field])}`
  return db.read
    .select({ id: zones.id })
    .from(zones)
    .where(
      and(
        eq(zones.node, node),
        eq(zones.state, 'activa'),
        gt(zones.id, after),
        or(isNull(zones.followed), differs('addresses'), differs('nameServers')),
      ),
    )
    .orderBy(asc(zones.id))
    .limit(PAGE)
}

async function followZone(tx: Tx, services: Services, id: number): Promise<boolean> {
  const row = await tx
    .select({ zone: zones, client: clients })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .where(and(eq(zones.id, id), eq(zones.state, 'activa')))
    .get()
  if (!row) return false
  const { zone, client } = row
  const before = await recordsOf(tx, id)
  const last = zone.followed ?? lastOf(zone, before)
  const now = presentOf(services, last)
  const www = await servesWww(tx, zone)
  const hidden = hiddenBy(await zonesBelow({ tx }, zone), zone.name)
  const wanted = followed(before, { zone: zone.name, www, last, now })
  const diff = diffRrsets(zone.name, before, wanted)
  const created = diff.created.filter((rrset) => !hidden(rrset))
  tx.later(
    tx
      .update(zones)
      .set({ followed: { ...now, apex: last.apex } })
      .where(eq(zones.id, id)),
  )
  if (isEmptyDiff({ ...diff, created })) return false
  for (const { name, type } of diff.deleted) {
    const which = and(eq(rrsets.zoneId, id), eq(rrsets.name, name), eq(rrsets.type, type))
    tx.later(tx.delete(rrsets).where(which))
  }
  const written = [...created, ...diff.changed].map((one) => ({ ...one, origin: 'sistema' as const }))
  storeRrsets({ tx }, id, written)
  const serial = nextSerial(zone.serial, services.now())
  tx.later(tx.update(zones).set({ serial, updatedAt: services.now() }).where(eq(zones.id, id)))
  const job = { kind: 'zona.publicar', node: client.node, subject: clientSubject(client) }
  enqueue(tx, services, { ...job, target: zone.name, client: client.name })
  // A new address changes all of a node's zones: nobody's own change is to wait for that.
  tx.later(mirrorWish(tx, { zoneId: id }, services.now(), URGENCY.dropped))
  return true
}

/**
 * The node's settings. Addresses that were only found on its interfaces replace those of their family, and
 * never just take them away: at the start of a machine an interface may not be up yet.
 */
function presentOf({ config }: Services, last: FollowedDefaults): ZoneDefaults {
  const { addresses, nameServers } = config
  if (!config.derived?.addresses) return { addresses, nameServers }
  const isV6 = (address: string) => address.includes(':')
  const kept = last.addresses.filter(
    (old) => isPublicAddress(old) && !addresses.some((address) => isV6(address) === isV6(old)),
  )
  return { addresses: [...addresses, ...kept], nameServers }
}

/** What a zone of an earlier version was made from, as far as it still shows. */
function lastOf(zone: Zone, records: Awaited<ReturnType<typeof recordsOf>>): FollowedDefaults {
  const own = records.filter(({ origin }) => origin === 'sistema')
  const addresses = own.filter(({ type }) => type === 'A' || type === 'AAAA').flatMap(({ values }) => values)
  const ns = own.find(({ name, type }) => name === '@' && type === 'NS')?.values ?? []
  return {
    // A zone without any had some, which its customer deleted.
    addresses: addresses.length > 0 ? [...new Set(addresses)] : ['0.0.0.0', '::'],
    nameServers: ns.map((name) => name.replace(/\.$/, '')),
    apex: zone.siteId !== null || own.some(({ name, type }) => name === '@' && type !== 'NS'),
  }
}

/** Whether the client is served under the `www` of its zone. */
async function servesWww(tx: Tx, zone: Zone): Promise<boolean> {
  const names = await tx
    .select({ name: siteNames.name })
    .from(siteNames)
    .where(and(eq(siteNames.name, `www.${zone.name}`), eq(siteNames.clientId, zone.clientId)))
  return names.length > 0
}
