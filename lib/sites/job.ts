import { and, eq, inArray } from 'drizzle-orm'
import { siteNames, sites, zones } from '../../schema/tables.ts'
import { recordAudit } from '../audit/audit.ts'
import { clientSubject } from '../clients/clients.ts'
import { settingsToKeep } from '../clients/kept.ts'
import { desiredClient, hostsOf, markServed, serveSite } from '../clients/serve.ts'
import type { Services } from '../endpoint/context.ts'
import type { Tx } from '../store/database.ts'
import { isOutOfSpace } from '../text/root-message.ts'
import { requireDriver } from '../work/driver.ts'
import { enqueue } from '../work/jobs.ts'
import { type JobKind, nothingMore } from '../work/kind.ts'

/** Makes the node serve one site as the database describes it. */
export const syncSiteJob: JobKind = {
  kind: 'sitio.aplicar',
  async run(services, job, step) {
    const driver = requireDriver(services)
    const site = await services.db.read.select().from(sites).where(eq(sites.domain, job.target)).get()
    const client = site && (await desiredClient(services, site.clientId))
    if (!site || !client || site.state === 'eliminando') return nothingMore
    try {
      await driver.syncClient(client, step)
      const served = await serveSite(services, driver, { id: site.id, step })
      return async (tx) => markServed(tx, services, { client, served })
    } catch (error) {
      // A site that was never served is removed again if the disk is full, so that nothing half made is left.
      if (!isOutOfSpace(error) || site.state !== 'preparando') throw error
      const hosts = await hostsOf(services.db.read, site.id)
      await driver.removeSite({ siteId: site.id, clientId: site.clientId, hosts, domain: site.domain }, step)
      return async (tx) => undoSite(tx, services, { site, client: client.name, node: job.node })
    }
  },
  async failed(tx, _services, job) {
    tx.later(
      tx
        .update(sites)
        .set({ state: 'error', error: job.reason })
        .where(and(eq(sites.domain, job.target), inArray(sites.state, ['preparando', 'error']))),
    )
  },
}

/** Removes a site that could not be created: its rows, and the zone that came with it. */
async function undoSite(
  tx: Tx,
  services: Services,
  {
    site,
    client,
    node,
  }: { site: { id: number; clientId: number; domain: string }; client: string; node: string | null },
): Promise<void> {
  const own = and(eq(zones.siteId, site.id), eq(zones.customised, false))
  const brought = await tx.select({ name: zones.name }).from(zones).where(own)
  for (const { name } of brought) {
    const subject = clientSubject({ id: site.clientId })
    enqueue(tx, services, { kind: 'zona.eliminar', node, subject, target: name, client })
  }
  tx.later(
    tx.update(zones).set({ state: 'eliminando' }).where(own),
    tx.delete(siteNames).where(eq(siteNames.siteId, site.id)),
    tx.delete(sites).where(eq(sites.id, site.id)),
  )
  recordAudit(tx, services, {
    actor: { kind: 'system' },
    operation: 'sitio.aplicar',
    outcome: 'sin_espacio',
    requestId: null,
    note: { client, target: site.domain },
  })
}

/** Empties a site's page cache. */
export const emptySiteJob: JobKind = {
  kind: 'sitio.vaciar',
  async run(services, job, step) {
    const site = await services.db.read.select().from(sites).where(eq(sites.domain, job.target)).get()
    if (site) await requireDriver(services).emptyPages({ siteId: site.id, clientId: site.clientId }, step)
    return nothingMore
  },
}

/** Removes one site. Its row goes last, so that its names stay taken until nothing of it is served. */
export const removeSiteJob: JobKind = {
  kind: 'sitio.eliminar',
  async run(services, job, step) {
    const driver = requireDriver(services)
    const site = await services.db.read.select().from(sites).where(eq(sites.domain, job.target)).get()
    if (site?.state !== 'eliminando') return nothingMore
    const { id: siteId, clientId, domain } = site
    const hosts = await hostsOf(services.db.read, siteId)
    const kept = await settingsToKeep(services.db.read, eq(sites.id, siteId))
    await driver.removeSite({ siteId, clientId, hosts, domain, kept }, step)
    return async (tx) => {
      tx.later(
        tx.delete(siteNames).where(eq(siteNames.siteId, site.id)),
        tx.delete(sites).where(eq(sites.id, site.id)),
      )
    }
  },
}
