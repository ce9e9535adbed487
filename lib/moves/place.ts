import { and, count, eq, inArray, ne } from 'drizzle-orm'
import {
  type Belongings,
  type CopyPart,
  clients,
  copies,
  databases,
  jobs,
  moves,
  sites,
} from '../../schema/tables.ts'
import type { Copy } from '../backups/decide.ts'
import { requireBackups } from '../backups/make.ts'
import { clientRepository } from '../backups/repository.ts'
import { desiredClient, desiredSites } from '../clients/serve.ts'
import { desiredDatabases } from '../databases/job.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Repository } from '../endpoint/ports/backups.ts'
import { requireDriver } from '../work/driver.ts'
import { joined } from './belongings.ts'
import type { Leg } from './leg.ts'

const QUIET_MS = 30_000
const LOOK_MS = 200

/** Waits until nothing else is done for the client, and does not begin where that takes long. */
export async function requireQuiet({ services, job, client }: Leg): Promise<void> {
  const others = and(eq(jobs.clientName, client.name), eq(jobs.node, client.node), ne(jobs.id, job.id))
  for (let left = QUIET_MS; ; left -= LOOK_MS) {
    const [row] = await services.db.read
      .select({ all: count() })
      .from(jobs)
      .where(and(others, eq(jobs.state, 'en_curso')))
    if (row?.all === 0) return
    job.signal.throwIfAborted()
    if (left <= 0) throw new AppError('no_disponible', { retryAfterSeconds: 60 })
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** A client's sites as they are while it is served by neither node. */
const heldSites = async ({ services, client }: Leg) => {
  const own = and(eq(clients.id, client.id), ne(sites.state, 'eliminando'))
  const all = await desiredSites(services.db.read, own)
  return all.map(({ desired }) => ({ ...desired, suspended: true, held: true as const }))
}

/**
 * Closes the client on the node that it leaves: visitors are told to come back, and whatever ran for it has ended. Programs of the
 * panel can read its files.
 */
export async function hold(leg: Leg): Promise<void> {
  const { services, client, step } = leg
  const driver = requireDriver(services)
  const desired = await desiredClient(services, client.id, true)
  if (!desired) throw new AppError('cliente_no_existe', {}, { status: 409 })
  for (const site of await heldSites(leg)) await driver.syncSite(site, step)
  await driver.syncClient({ ...desired, suspended: true, sftp: [] }, step)
  const held = await desiredDatabases(services.db.read, client.id, true)
  if (held && held.databases.length > 0) await driver.databases?.sync({ ...held, locked: true }, step)
  await driver.syncClient({ ...desired, suspended: false, php: [], sftp: [] }, step)
}

/**
 * Makes the user, the directories and the databases of the client on its new node, where nothing of it is served. What
 * will be there is noted before, so that it can be removed when the client deletes it meanwhile.
 */
export async function enterFiles(leg: Leg): Promise<void> {
  const { services, client, step } = leg
  const driver = requireDriver(services)
  const desired = await desiredClient(services, client.id, client.moving)
  if (!desired) throw new AppError('cliente_no_existe', {}, { status: 409 })
  const sites = await heldSites(leg)
  const held = await desiredDatabases(services.db.read, client.id, client.moving)
  await noteMade(leg, {
    ...{ hosts: [], zones: [], held: held?.databases ?? [] },
    sites: sites.map(({ siteId, domain }) => ({ siteId, domain })),
  })
  await driver.syncClient({ ...desired, suspended: false, php: [], sftp: [] }, step)
  for (const site of sites) await driver.syncSite(site, step)
  if (!held || held.databases.length === 0) return
  if (!driver.databases) throw new AppError('bases_no_disponible')
  const made = held.databases.map((base) => ({ ...base, isNew: true }))
  await driver.databases.sync({ ...held, databases: made, locked: false }, step)
}

async function noteMade({ services, client, move }: Leg, made: Belongings): Promise<void> {
  const held = made.held.map(({ databaseId, name }) => ({ databaseId, name }))
  const own = and(eq(moves.clientId, client.id), eq(moves.job, move.job))
  await services.db.write(async (tx) => {
    const now = await tx.select({ kept: moves.kept }).from(moves).where(own).get()
    if (now)
      tx.later(
        tx
          .update(moves)
          .set({ kept: joined({ ...made, held }, now.kept) })
          .where(own),
      )
  })
}

/** Restores all that a copy holds in the place of what is there. */
export async function restoreAll(leg: Leg, copyId: string): Promise<void> {
  const { services, job, client, step } = leg
  const copy = await services.db.read.select().from(copies).where(eq(copies.id, copyId)).get()
  if (!copy) throw new AppError('copia_no_existe', {}, { status: 409 })
  const repository = await clientRepository(services, client)
  for (const part of copy.parts) {
    job.signal.throwIfAborted()
    if (part.kind === 'sitio') await step('move.site', () => restoreSite(leg, { repository, copy, part }))
    if (part.kind === 'base') await restoreBase(leg, { repository, copy, part })
  }
}

type Kept = { repository: Repository; copy: Copy; part: CopyPart }

/** A site or database that was deleted since is not restored. */
async function restoreSite({ services, job, client }: Leg, { repository, copy, part }: Kept) {
  const own = and(eq(sites.domain, part.name), eq(sites.clientId, client.id), ne(sites.state, 'eliminando'))
  const site = await services.db.read.select().from(sites).where(own).get()
  if (!site || part.snapshot === null) return
  await requireBackups(services).restoreSite({
    ...{ repository, snapshot: part.snapshot, index: part.index ?? '' },
    site: { clientId: client.id, siteId: site.id, domain: site.domain },
    ...{ path: '/', beside: null, id: copy.id, room: null, signal: job.signal },
  })
}

async function restoreBase({ services, job, client, step }: Leg, { repository, copy, part }: Kept) {
  const own = and(inArray(databases.name, [part.name]), eq(databases.clientId, client.id))
  const base = await services.db.read.select().from(databases).where(own).get()
  const { snapshot, bytes, name } = part
  if (!base || base.state === 'eliminando' || snapshot === null) return
  const { databases: server } = requireDriver(services)
  if (!server) throw new AppError('bases_no_disponible')
  const load = {
    // A load that has ended is not done again under its id, and each copy is another load.
    ...{ id: copy.id, packing: 'none' as const, room: null, signal: job.signal },
    base: { databaseId: base.id, clientId: client.id, name },
    async open() {
      const content = await requireBackups(services).read(repository, snapshot)
      return { bytes, content, close: () => content.cancel().catch(() => {}) }
    },
    reached: () => {},
  }
  await server.load(load, step)
}
