import { and, eq, ne } from 'drizzle-orm'
import {
  backupDestinations,
  backupRepositories,
  clients,
  databases,
  goneRepositories,
  persons,
  siteNames,
  sites,
  zones,
} from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import { requireDriver } from '../work/driver.ts'
import { enqueue } from '../work/jobs.ts'
import { type JobKind, nothingMore } from '../work/kind.ts'
import { clientIdOf, clientSync } from './clients.ts'
import { enqueueDatabases, removeDatabases } from './databases.ts'
import type { Client } from './decide.ts'
import { settingsToKeep } from './kept.ts'
import { desiredClient, markServed, type Served, serveSite } from './serve.ts'
import { markApplied } from './sftp.ts'

/** Makes the node's user, pools, limits and sites of a client match the database. */
export const syncClientJob: JobKind = {
  kind: 'cliente.aplicar',
  async run(services, job, step) {
    const driver = requireDriver(services)
    const client = await desiredClient(services, clientIdOf(job))
    if (!client) return nothingMore
    await driver.syncClient(client, step)
    const rows = await services.db.read
      .select({ id: sites.id })
      .from(sites)
      .where(and(eq(sites.clientId, client.clientId), ne(sites.state, 'eliminando')))
    const served: Served[] = []
    const leavesLost = job.payload.leavesLost === true
    for (const { id } of rows) served.push(...(await serveSite(services, driver, { id, step, leavesLost })))
    return async (tx) => {
      await markServed(tx, services, { client, served })
      await enqueueDatabases(tx, services, client)
      if (driver.sftp() !== null) markApplied(tx, services, client.sftp ?? [])
    }
  },
}

/** Applies a changed plan to each of its clients on this node. */
export const syncPlanJob: JobKind = {
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
        enqueue(tx, services, clientSync({ id, node, name }))
      }
    }
  },
}

/** Removes everything of a client from its node, zones and databases included, then deletes its rows. */
export const removeClientJob: JobKind = {
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
    const kept = await settingsToKeep(services.db.read, eq(sites.clientId, client.id))
    await driver.removeClient({ clientId: client.id, hosts, name: client.name, kept }, step)
    await removeDatabases(services, driver, { client, step })
    const held = await services.db.read
      .select({ name: zones.name })
      .from(zones)
      .where(eq(zones.clientId, client.id))
    for (const { name } of held) await driver.removeZone(name, step)
    const gone = await repositoryOf(services, client)
    return async (tx) => {
      if (gone) tx.later(tx.insert(goneRepositories).values(gone).onConflictDoNothing())
      tx.later(
        tx.delete(databases).where(eq(databases.clientId, client.id)),
        tx.delete(zones).where(eq(zones.clientId, client.id)),
        tx.delete(siteNames).where(eq(siteNames.clientId, client.id)),
        tx.delete(sites).where(eq(sites.clientId, client.id)),
        tx.delete(persons).where(eq(persons.clientId, client.id)),
        tx.delete(clients).where(eq(clients.id, client.id)),
      )
    }
  },
}

/** What the destination keeps of a client whose key goes; undefined where it has nothing, or its store is not known. */
async function repositoryOf({ db, now }: Services, { id, name, node }: Client) {
  const row = await db.read
    .select({ name: backupRepositories.name, store: backupDestinations.store })
    .from(backupRepositories)
    .innerJoin(backupDestinations, eq(backupDestinations.node, node))
    .where(eq(backupRepositories.clientId, id))
    .get()
  if (!row || row.store === null) return undefined
  return { name: row.name, client: name, node, store: row.store, goneAt: now() }
}
