import { and, asc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import { URGENCY } from '../../schema/states.ts'
import { clients, siteNames, zones } from '../../schema/tables.ts'
import { clientSubject } from '../clients/clients.ts'
import type { Services } from '../endpoint/context.ts'

import { mirrorWish } from '../mirror/queue.ts'
import type { Tx } from '../store/database.ts'
import { both, mapped, type Query, reading, readNow } from '../store/reading.ts'
import { enqueue } from '../work/jobs.ts'
import { decideFollow } from './decide-follow.ts'
import type { RecordChange } from './decide-records.ts'
import { rrsetChanges, zonesBelowReading } from './records.ts'
import { recordsReading } from './zones.ts'

const PAGE = 100

/**
 * Updates the system's records in this node's zones to its present addresses and name servers; what the customer
 * changed or deleted stays. Publishes only zones that differ, with a new serial. Returns how many.
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
        for (const zone of page) if (await followZone(tx, services, zone)) count++
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
    .select({ id: zones.id, name: zones.name })
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

async function followZone(tx: Tx, services: Services, page: { id: number; name: string }): Promise<boolean> {
  const facts = await readNow(tx, followFacts(tx, page))
  if (!facts) return false
  const { config } = services
  const settings = {
    addresses: config.addresses,
    nameServers: config.nameServers,
    found: config.derived?.addresses ?? false,
  }
  const { made, change } = decideFollow(facts, settings, services.now())
  tx.later(tx.update(zones).set({ followed: made }).where(eq(zones.id, page.id)))
  if (!change) return false
  tx.later(...queueFollowed(tx, services, { id: page.id, ...change }))
  const { client } = facts
  const job = { kind: 'zona.publicar', node: client.node, subject: clientSubject(client) }
  enqueue(tx, services, { ...job, target: page.name, client: client.name })
  return true
}

/** The facts that a zone's records depend on; null if the zone is gone meanwhile. */
function followFacts(tx: Tx, { id, name }: { id: number; name: string }) {
  const found = tx
    .select({ zone: zones, client: clients })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .where(and(eq(zones.id, id), eq(zones.state, 'activa')))
  const owner = tx.select({ id: zones.clientId }).from(zones).where(eq(zones.id, id))
  const www = tx
    .select({ name: siteNames.name })
    .from(siteNames)
    .where(and(eq(siteNames.name, `www.${name}`), inArray(siteNames.clientId, owner)))
  const whole = both(
    both(
      reading(found, ([row]) => row),
      reading(www, (rows) => rows.length > 0),
    ),
    both(recordsReading(tx, id), zonesBelowReading(tx, name)),
  )
  return mapped(whole, ([[row, servesWww], [records, below]]) => {
    if (!row) return null
    const { zone, client } = row
    return { zone, client, records, below, www: servesWww, last: zone.followed, ofSite: zone.siteId !== null }
  })
}

function queueFollowed(
  tx: Tx,
  services: Services,
  { id, diff, serial }: RecordChange & { id: number },
): Query[] {
  const now = services.now()
  return [
    ...rrsetChanges(tx, id, { ...diff, origin: 'sistema' }),
    tx.update(zones).set({ serial, updatedAt: now }).where(eq(zones.id, id)),
    // A new address changes all zones of a node, and no person's own change should have to wait behind them.
    mirrorWish(tx, { zoneId: id }, now, URGENCY.dropped),
  ]
}
