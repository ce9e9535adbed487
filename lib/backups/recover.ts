import { and, eq, inArray } from 'drizzle-orm'
import { backupDestinations, clients, copies, databases } from '../../schema/tables.ts'
import { clientSync, databasesSync } from '../clients/clients.ts'
import type { Client } from '../clients/decide.ts'
import type { Services } from '../endpoint/context.ts'
import type { Database, Tx } from '../store/database.ts'
import { enqueue } from '../work/jobs.ts'
import { type Copy, latestWhole } from './decide.ts'
import { isThere } from './destination/destination.ts'
import { bareRestore } from './restore-job.ts'

export type Recovered = {
  node: string
  clients: number
  /** Sites and databases that will be restored. */
  parts: number
  without: string[]
  suspended: string[]
}

type Clock = Pick<Services, 'now' | 'random'>

/**
 * Has a database that a node was lost with bring everything back at its next start: users and directories, then what
 * the latest copies hold. `simulated` changes nothing.
 */
export async function recoverClients(db: Database, clock: Clock, simulated: boolean): Promise<Recovered> {
  const destination = await db.read.select().from(backupDestinations).get()
  const node = destination?.node ?? ''
  const all = await db.read.select().from(clients).where(eq(clients.node, node))
  const rows = await db.read.select({ copy: copies }).from(copies).innerJoin(backupDestinations, isThere)
  const found: Recovered = { node, clients: all.length, parts: 0, without: [], suspended: [] }
  await db.write(async (tx) => {
    for (const client of all) {
      const copy = latestWhole(rows.flatMap(({ copy }) => (copy.clientId === client.id ? [copy] : [])))
      if (!copy) found.without.push(client.name)
      else if (client.state === 'suspendido') found.suspended.push(client.name)
      if (!simulated) enqueue(tx, clock, clientSync(client))
      if (!copy || client.state !== 'activo') continue
      found.parts += queueParts(tx, clock, { client, copy, simulated })
    }
  })
  return found
}

type Parts = { client: Client; copy: Copy; simulated: boolean }

/** How many sites and databases of a client are restored. */
function queueParts(tx: Tx, clock: Clock, { client, copy, simulated }: Parts): number {
  const kept = copy.parts.filter(({ kind, snapshot }) => kind !== 'ajustes' && snapshot !== null)
  if (simulated) return kept.length
  const held = kept.flatMap(({ kind, name }) => (kind === 'base' ? [name] : []))
  // Only what is new is made: the server of databases is empty.
  tx.later(
    tx
      .update(databases)
      .set({ state: 'preparando' })
      .where(
        and(inArray(databases.name, held), eq(databases.clientId, client.id), eq(databases.state, 'activa')),
      ),
  )
  enqueue(tx, clock, databasesSync(client))
  for (const part of kept) enqueue(tx, clock, bareRestore(clock, { client, copy, part }))
  return kept.length
}
