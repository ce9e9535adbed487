import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { clients, persons, plans, siteNames, sites, zones } from '../../schema/tables.ts'
import { recordAudit } from '../audit.ts'
import { clientSubject } from '../clients.ts'
import type { Services } from '../context.ts'
import type { Db, Tx } from '../database.ts'
import { enqueue, type Job } from '../jobs.ts'
import type { DesiredClient, NodeDriver, SelfSigned, Step } from '../node.ts'
import { isOutOfSpace } from '../root-message.ts'
import { requireDriver } from './driver.ts'
import { type JobKind, nothingMore } from './kind.ts'

/** Makes the node hold a client as the database describes it: user, pools, limits, state of its sites. */
export const applyClient: JobKind = {
  kind: 'cliente.aplicar',
  async run(services, job, step) {
    const driver = requireDriver(services)
    const client = await desiredClient(services.db.read, clientIdOf(job))
    if (!client) return nothingMore
    await driver.applyClient(client, step)
    const rows = await services.db.read
      .select({ id: sites.id })
      .from(sites)
      .where(and(eq(sites.clientId, client.clientId), ne(sites.state, 'eliminando')))
    const served: Served[] = []
    for (const { id } of rows) served.push(...(await serveSite(services, driver, id, step)))
    return async (tx) => markServed(tx, client, served)
  },
}

/** New limits of a plan: each of its clients on this node is applied anew. */
export const applyPlan: JobKind = {
  kind: 'plan.aplicar',
  async run(services, job) {
    const rows = await services.db.read
      .select()
      .from(clients)
      .where(
        and(
          eq(clients.planId, Number(job.payload.plan)),
          eq(clients.node, job.target),
          ne(clients.state, 'eliminando'),
        ),
      )
    return async (tx) => {
      for (const { id, node, name } of rows) {
        enqueue(tx, services, { kind: 'cliente.aplicar', node, subject: clientSubject({ id }), client: name })
      }
    }
  },
}

/** Makes the node serve one site as the database describes it. */
export const applySite: JobKind = {
  kind: 'sitio.aplicar',
  async run(services, job, step) {
    const driver = requireDriver(services)
    const site = await services.db.read.select().from(sites).where(eq(sites.domain, job.target)).get()
    const client = site && (await desiredClient(services.db.read, site.clientId))
    if (!site || !client || site.state === 'eliminando') return nothingMore
    try {
      await driver.applyClient(client, step)
      const served = await serveSite(services, driver, site.id, step)
      return async (tx) => markServed(tx, client, served)
    } catch (error) {
      // A site that was never served and has no room is undone, so that nothing half made is left.
      if (!isOutOfSpace(error) || site.state !== 'preparando') throw error
      const hosts = await hostsOf(services.db.read, site.id)
      await driver.removeSite({ siteId: site.id, clientId: site.clientId, hosts, domain: site.domain }, step)
      return async (tx) => undoSite(tx, services, { site, client: client.name, node: job.node })
    }
  },
  async failed(tx, _services, job, reason) {
    tx.later(
      tx
        .update(sites)
        .set({ state: 'error', error: reason })
        .where(and(eq(sites.domain, job.target), inArray(sites.state, ['preparando', 'error']))),
    )
  },
}

/** Takes back a site that could not be made: its rows, and the zone that came with it. */
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

/** Ends one site; its row goes last, so that its names stay taken until nothing of it is served. */
export const removeSite: JobKind = {
  kind: 'sitio.eliminar',
  async run(services, job, step) {
    const driver = requireDriver(services)
    const site = await services.db.read.select().from(sites).where(eq(sites.domain, job.target)).get()
    if (site?.state !== 'eliminando') return nothingMore
    const hosts = await hostsOf(services.db.read, site.id)
    await driver.removeSite({ siteId: site.id, clientId: site.clientId, hosts, domain: site.domain }, step)
    return async (tx) => {
      tx.later(
        tx.delete(siteNames).where(eq(siteNames.siteId, site.id)),
        tx.delete(sites).where(eq(sites.id, site.id)),
      )
    }
  },
}

/** Ends everything of one client on its node, then its rows. Its zones were queued for removal apart. */
export const removeClient: JobKind = {
  kind: 'cliente.eliminar',
  async run(services, job, step) {
    const driver = requireDriver(services)
    const client = await services.db.read
      .select()
      .from(clients)
      .where(eq(clients.id, clientIdOf(job)))
      .get()
    if (client?.state !== 'eliminando') return nothingMore
    const names = await services.db.read
      .select({ name: siteNames.name })
      .from(siteNames)
      .where(eq(siteNames.clientId, client.id))
    const hosts = names.map(({ name }) => name)
    await driver.removeClient({ clientId: client.id, hosts, name: client.name }, step)
    const held = await services.db.read
      .select({ name: zones.name })
      .from(zones)
      .where(eq(zones.clientId, client.id))
    for (const { name } of held) await driver.removeZone(name, step)
    return async (tx) => {
      tx.later(
        tx.delete(zones).where(eq(zones.clientId, client.id)),
        tx.delete(siteNames).where(eq(siteNames.clientId, client.id)),
        tx.delete(sites).where(eq(sites.clientId, client.id)),
        tx.delete(persons).where(eq(persons.clientId, client.id)),
        tx.delete(clients).where(eq(clients.id, client.id)),
      )
    }
  },
}

/** The subject of a client's jobs holds its id. */
const clientIdOf = (job: Job) => Number(job.subject.split(':')[1])

/** The state that the node should bring about for a client; null when its row is gone or going. */
async function desiredClient(db: Db, id: number): Promise<DesiredClient | null> {
  const row = await db
    .select({ client: clients, plan: plans })
    .from(clients)
    .leftJoin(plans, eq(plans.id, clients.planId))
    .where(eq(clients.id, id))
    .get()
  if (!row || row.client.state === 'eliminando') return null
  const { client, plan } = row
  const versions = await db.select({ php: sites.php }).from(sites).where(eq(sites.clientId, id))
  const php = !plan || plan.functions.includes('php') ? versions.flatMap((site) => site.php ?? []) : []
  return {
    clientId: client.id,
    name: client.name,
    suspended: client.state === 'suspendido',
    php: [...new Set(php)],
    diskBytes: plan?.diskBytes ?? null,
    inodes: plan?.inodes ?? null,
  }
}

/** A site that is served, and its self-signed certificate where the database does not tell of that. */
type Served = { id: number; certificate: SelfSigned | null }

/** Serves a site; answers nothing where it is gone or nothing is served here. */
async function serveSite(services: Services, driver: NodeDriver, id: number, step: Step): Promise<Served[]> {
  const db = services.db.read
  const row = await db
    .select({ site: sites, client: clients, plan: plans })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .where(eq(sites.id, id))
    .get()
  if (!row) return []
  const { site, client, plan } = row
  const hosts = await hostsOf(db, id)
  const certificate = await driver.applySite(
    {
      siteId: site.id,
      clientId: client.id,
      domain: site.domain,
      aliases: hosts.filter((name) => name !== site.domain),
      suspended: client.state === 'suspendido',
      // Before that, all visitors would meet their browser's warning.
      httpsOnly: site.httpsOnly && site.certificateState === 'activo',
      uncovered: hosts.filter((name) => !site.certificateNames.includes(name)),
      php: !plan || plan.functions.includes('php') ? site.php : null,
    },
    step,
  )
  if (!driver.servesSites) return []
  return [{ id, certificate: certificate && tellsOf(site, certificate) ? null : certificate }]
}

const tellsOf = (site: typeof sites.$inferSelect, { names, expiresAt }: SelfSigned) =>
  site.certificateNames.join() === names.join() &&
  site.certificateExpiresAt?.getTime() === expiresAt.getTime()

async function hostsOf(db: Db, siteId: number): Promise<string[]> {
  const rows = await db.select({ name: siteNames.name }).from(siteNames).where(eq(siteNames.siteId, siteId))
  return rows.map(({ name }) => name)
}

/** A site is `activo` or `suspendido` once the node has served it so; what changed meanwhile has its own job. */
async function markServed(tx: Tx, client: DesiredClient, served: Served[]): Promise<void> {
  if (served.length === 0) return
  const ids = served.map(({ id }) => id)
  tx.later(
    tx
      .update(sites)
      .set({ state: client.suspended ? 'suspendido' : 'activo', error: null })
      .where(and(inArray(sites.id, ids), ne(sites.state, 'eliminando'))),
  )
  for (const { id, certificate } of served) {
    if (certificate === null) continue
    const { names, expiresAt } = certificate
    // What an authority gave, also meanwhile, is what is told.
    const none = and(eq(sites.id, id), isNull(sites.certificateIssuer))
    tx.later(tx.update(sites).set({ certificateNames: names, certificateExpiresAt: expiresAt }).where(none))
  }
}
