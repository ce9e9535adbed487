import { and, eq, ne } from 'drizzle-orm'
import { clients, databases } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { NodeDriver, Step } from '../endpoint/node-port.ts'
import type { Tx } from '../store/database.ts'
import { enqueue } from '../work/jobs.ts'
import { databasesSync } from './clients.ts'

/** Queues the job that applies a client's new state or plan to its databases, if it has any. */
export async function enqueueDatabases(
  tx: Tx,
  services: Services,
  client: { clientId: number },
): Promise<void> {
  const row = await tx
    .select({ name: clients.name, node: clients.node, id: clients.id })
    .from(databases)
    .innerJoin(clients, eq(clients.id, databases.clientId))
    .where(and(eq(databases.clientId, client.clientId), ne(databases.state, 'eliminando')))
    .get()
  if (!row) return
  enqueue(tx, services, databasesSync(row))
}

/** Dumps all bases of a client into the bin and ends its account. */
export async function removeDatabases(
  { db }: Services,
  driver: NodeDriver,
  { client, step }: { client: { id: number; name: string }; step: Step },
): Promise<void> {
  const held = await db.read
    .select({ databaseId: databases.id, clientId: databases.clientId, name: databases.name })
    .from(databases)
    .where(eq(databases.clientId, client.id))
  if (held.length === 0) return
  if (driver.databases === null) throw new Error('this node has no databases')
  for (const base of held) await driver.databases.remove({ ...base, client: client.name }, step)
  await driver.databases.removeAccount(client.id, step)
}
