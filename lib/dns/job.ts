import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { clients, jobs, rrsets, zones } from '../../schema/tables.ts'
import { clientSubject } from '../clients/clients.ts'
import type { Services } from '../endpoint/context.ts'
import type { DesiredZone, ZoneAuditReport } from '../endpoint/node-port.ts'
import type { Db, Tx } from '../store/database.ts'
import { rootMessage } from '../text/root-message.ts'
import { faultOf, storedFault } from '../text/stored-faults.ts'
import { requireDriver } from '../work/driver.ts'
import { enqueue, isTakenUp } from '../work/jobs.ts'
import { type FailedJob, type JobKind, nothingMore } from '../work/kind.ts'
import { isSerialAhead } from './serial.ts'
import { desiredZone, recordsOf, type Zone } from './zones.ts'

/** Makes the DNS server serve a zone as the database describes it, signed where it should be. */
const publishZoneJob: JobKind = {
  kind: 'zona.publicar',
  async run(services, job, step) {
    const driver = requireDriver(services)
    const zone = await zoneOf(services.db.read, job.target)
    if (!zone) return nothingMore
    const { serial } = await driver.publishZone(await loadZone(services.db.read, zone), step)
    const signed = zone.dnssec ? await driver.setDnssec(zone.name, true, step) : null
    return async (tx) => {
      await markPublished(tx, zone, serial)
      if (signed) tx.later(tx.update(zones).set({ ds: signed.ds }).where(eq(zones.id, zone.id)))
    }
  },
  failed: markFailed,
}

/** Turns signing on or off as the database says, and stores the DS records that the customer needs. */
const signZoneJob: JobKind = {
  kind: 'zona.firmar',
  async run(services, job, step) {
    const driver = requireDriver(services)
    const zone = await zoneOf(services.db.read, job.target)
    if (!zone) return nothingMore
    const { ds } = await driver.setDnssec(zone.name, zone.dnssec, step)
    // The server and its key were lost: names do not resolve until the registrar has the new DS.
    if (zone.dnssec && zone.ds.length > 0 && ds.join() !== zone.ds.join()) {
      services.log('warn', 'zone signed with a new key', { zone: zone.name, ds })
    }
    return async (tx) => {
      tx.later(tx.update(zones).set({ ds, error: null }).where(eq(zones.id, zone.id)))
    }
  },
  failed: markFailed,
}

/** Removes a zone. Its row is deleted last, so that nobody else gets the name while the zone is still answered. */
const removeZoneJob: JobKind = {
  kind: 'zona.eliminar',
  async run(services, job, step) {
    const driver = requireDriver(services)
    const zone = await services.db.read.select().from(zones).where(eq(zones.name, job.target)).get()
    if (zone?.state !== 'eliminando') return nothingMore
    await driver.removeZone(zone.name, step)
    return async (tx) => {
      // The client may have added the zone again meanwhile: then its publication is queued behind this job.
      const gone = and(eq(zones.id, zone.id), eq(zones.state, 'eliminando'))
      const [row] = await tx.delete(zones).where(gone).returning({ id: zones.id })
      if (row) tx.later(tx.delete(rrsets).where(eq(rrsets.zoneId, row.id)))
    }
  },
  failed: markFailed,
}

/** Compares all zones of the node with those on its DNS server, and repairs differences. */
export const auditZonesJob: JobKind = {
  kind: 'zonas.auditar',
  async run(services, job, step) {
    const driver = requireDriver(services)
    const db = services.db.read
    const node = job.target
    let report: ZoneAuditReport | null = null
    await step('dns.auditar', async () => {
      report = await driver.auditZones(zonesOfNode(db, node), {
        reload: async (name) => {
          const zone = await zoneOf(db, name)
          return zone && loadZone(db, zone)
        },
        mayRemove: async (name) => !(await db.select().from(zones).where(eq(zones.name, name)).get()),
      })
    })
    return (tx) => settleAudit(tx, services, node, report)
  },
}

/** The kinds of work that zones need. */
export const ZONE_JOB_KINDS: JobKind[] = [publishZoneJob, signZoneJob, removeZoneJob, auditZonesJob]

/** Queues the audit of this node's zones; at every start and daily. */
export async function enqueueAudit(services: Services): Promise<void> {
  const { node } = services.config
  if (node === null) return
  const audit = { kind: 'zonas.auditar', node, subject: `nodo:${node}`, target: node }
  await services.db.write(async (tx) => {
    const same = and(isTakenUp(audit.kind), eq(jobs.target, node))
    if (!(await tx.select({ id: jobs.id }).from(jobs).where(same).get())) enqueue(tx, services, audit)
  })
  services.work.wake()
}

async function zoneOf(db: Db, name: string): Promise<Zone | null> {
  const which = and(eq(zones.name, name), eq(zones.state, 'activa'))
  return (await db.select().from(zones).where(which).get()) ?? null
}

async function loadZone(db: Db, zone: Zone): Promise<DesiredZone> {
  return desiredZone(zone, await recordsOf(db, zone.id))
}

/** Takes over the server's serial if it is ahead: after a repair, or after the panel was restored. */
async function markPublished(tx: Tx, zone: { name: string }, served: number): Promise<void> {
  const row = await tx.select().from(zones).where(eq(zones.name, zone.name)).get()
  if (!row) return
  const serial = isSerialAhead(served, row.serial) ? served : row.serial
  tx.later(tx.update(zones).set({ publishedSerial: served, serial, error: null }).where(eq(zones.id, row.id)))
}

async function markFailed(tx: Tx, _services: Services, job: FailedJob): Promise<void> {
  tx.later(tx.update(zones).set({ error: job.reason }).where(eq(zones.name, job.target)))
}

const PAGE = 200

/** All zones of a node in the order of their ids, a page at a time. */
async function* zonesOfNode(db: Db, node: string): AsyncGenerator<DesiredZone> {
  for (let after = 0; ; ) {
    const page = await db
      .select()
      .from(zones)
      .where(and(eq(zones.node, node), eq(zones.state, 'activa'), gt(zones.id, after)))
      .orderBy(asc(zones.id))
      .limit(PAGE)
    const ids = page.map(({ id }) => id)
    const records = ids.length > 0 ? await db.select().from(rrsets).where(inArray(rrsets.zoneId, ids)) : []
    const byZone = Map.groupBy(records, ({ zoneId }) => zoneId)
    for (const zone of page) yield desiredZone(zone, byZone.get(zone.id) ?? [])
    after = ids.at(-1) ?? after
    if (page.length < PAGE) return
  }
}

/** Records what the audit found; a repaired zone that should be signed may have lost its key with its records. */
async function settleAudit(
  tx: Tx,
  services: Services,
  node: string,
  report: ZoneAuditReport | null,
): Promise<void> {
  if (!report) return
  for (const { zone, serial } of report.repaired) await markPublished(tx, { name: zone }, serial)
  for (const { zone, error } of report.failed) {
    services.log('warn', 'zone not repaired', { zone, reason: rootMessage(error) })
    const stored = storedFault(faultOf(error, zone))
    tx.later(tx.update(zones).set({ error: stored }).where(eq(zones.name, zone)))
  }
  const signed = await tx
    .select({ name: zones.name, client: clients })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .where(and(eq(zones.node, node), eq(zones.dnssec, true), eq(zones.state, 'activa')))
  for (const { name, client } of signed) {
    enqueue(tx, services, {
      kind: 'zona.firmar',
      node,
      subject: clientSubject(client),
      target: name,
      client: client.name,
    })
  }
  const { repaired, removed, foreign, failed } = report
  const zonesRepaired = repaired.map(({ zone }) => zone)
  services.driver?.reality?.tellZones({ at: services.now(), repaired: zonesRepaired, removed, foreign })
  services.log(failed.length > 0 ? 'warn' : 'info', 'zones compared', {
    node,
    repaired: repaired.length,
    failed: failed.length,
  })
}
