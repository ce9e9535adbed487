import { and, eq, inArray, ne } from 'drizzle-orm'
import { clients, databaseAccounts, databases, plans } from '../../schema/tables.ts'
import { clientIdOf } from '../clients/clients.ts'
import type { Services } from '../endpoint/context.ts'
import type { DatabaseServer, DesiredDatabases } from '../endpoint/ports/databases.ts'
import { giveUpAwaited } from '../sites/lost/awaited.ts'
import type { Db } from '../store/database.ts'
import { requireDriver } from '../work/driver.ts'
import { type JobKind, nothingMore } from '../work/kind.ts'
import { isOver } from './decide.ts'

/** Makes the node hold a client's databases and accounts as the database describes them. */
export const syncDatabasesJob: JobKind = {
  kind: 'bases.aplicar',
  async run(services, job, step) {
    const wanted = await desiredDatabases(services.db.read, clientIdOf(job))
    if (wanted === null) return nothingMore
    await requireDatabases(services).sync(wanted, step)
    const made = wanted.databases.flatMap(({ name, isNew }) => (isNew ? [name] : []))
    return async (tx) => {
      const theirs = eq(databases.clientId, wanted.clientId)
      tx.later(tx.update(databases).set({ restricted: wanted.restricted }).where(theirs))
      if (made.length === 0) return
      tx.later(
        tx
          .update(databases)
          .set({ state: 'activa', error: null })
          .where(and(inArray(databases.name, made), eq(databases.state, 'preparando'))),
      )
    }
  },
  async failed(tx, _services, job) {
    const waiting = and(eq(databases.clientId, clientIdOf(job)), eq(databases.state, 'preparando'))
    tx.later(tx.update(databases).set({ error: job.reason }).where(waiting))
  },
}

/** Dumps one base into the bin, ends it on its node, then forgets it. */
export const removeDatabaseJob: JobKind = {
  kind: 'base.eliminar',
  async run(services, job, step) {
    const row = await services.db.read
      .select({ database: databases, client: clients })
      .from(databases)
      .innerJoin(clients, eq(clients.id, databases.clientId))
      .where(eq(databases.name, job.target))
      .get()
    if (row?.database.state !== 'eliminando') return nothingMore
    const { id, clientId, name } = row.database
    await requireDatabases(services).remove({ databaseId: id, clientId, client: row.client.name, name }, step)
    return async (tx) => {
      tx.later(tx.delete(databases).where(eq(databases.id, id)))
      await giveUpAwaited(tx, services, { client: row.client, part: { site: null, base: name } })
    }
  },
  async failed(tx, _services, job) {
    tx.later(tx.update(databases).set({ error: job.reason }).where(eq(databases.name, job.target)))
  },
}

function requireDatabases(services: Services): DatabaseServer {
  const { databases: server } = requireDriver(services)
  if (server === null) throw new Error('this node has no databases')
  return server
}

/** What a client is to have on its node; null when its row is gone or going, and as for `desiredClient`. */
export async function desiredDatabases(db: Db, id: number, moving = false): Promise<DesiredDatabases | null> {
  const [client, held, accounts] = await Promise.all([
    db
      .select({ state: clients.state, moving: clients.moving, limit: plans.databaseBytes })
      .from(clients)
      .leftJoin(plans, eq(plans.id, clients.planId))
      .where(eq(clients.id, id))
      .get(),
    db
      .select()
      .from(databases)
      .where(and(eq(databases.clientId, id), ne(databases.state, 'eliminando'))),
    db
      .select({ account: databaseAccounts, database: databases.name })
      .from(databaseAccounts)
      .innerJoin(databases, eq(databases.id, databaseAccounts.databaseId))
      .where(and(eq(databases.clientId, id), ne(databases.state, 'eliminando'))),
  ])
  if (!client || client.state === 'eliminando' || client.moving !== moving) return null
  return {
    clientId: id,
    locked: client.state === 'suspendido',
    restricted: isOver(held.map(({ bytes }) => ({ bytes, limit: client.limit }))),
    databases: held.map(({ id, name, state }) => ({ databaseId: id, name, isNew: state === 'preparando' })),
    accounts: accounts.map(({ account, database }) => ({
      name: account.name,
      hash: account.hash,
      readOnly: account.readOnly,
      database,
    })),
  }
}
