import { and, eq, inArray, ne, type SQL } from 'drizzle-orm'
import { clients, databases, plans } from '../../schema/tables.ts'
import { databasesSync } from '../clients/clients.ts'
import type { Services } from '../endpoint/context.ts'
import type { DatabaseServer } from '../endpoint/ports/databases.ts'
import { enqueue } from '../work/jobs.ts'
import { isOver, type MeasuredDatabase } from './decide.ts'

/**
 * Measures all databases of this node. Those of a client that went over the bytes of its plan, or came back below, are
 * told to the server. Answers how many were measured: none where it does not run.
 */
export async function measureDatabases(services: Services): Promise<number> {
  const { driver, config } = services
  if (!driver?.databases || config.node === null) return 0
  const held = await datadatabasesOf(services, config.node)
  if (held.length === 0) return 0
  const sizes = await sizesOf(driver.databases, held)
  if (sizes === null) return 0
  await store(services, held, sizes)
  return held.length
}

/**
 * Measures the databases of those clients whose files have grown much since, and holds those over their plan. One that is
 * over it only by the room that deleted rows left in its files is left to the measurement of all, which gives that back:
 * here it would take minutes, in which everybody else grows.
 */
export async function measureGrown(services: Services): Promise<number> {
  const { driver, config } = services
  const server = driver?.databases
  const clientIds = server?.takeGrown() ?? []
  if (!server || config.node === null || clientIds.length === 0) return 0
  const held = await datadatabasesOf(services, config.node, inArray(clients.id, clientIds))
  const sizes = await server.sizes(held.map(({ name }) => name))
  const told: Held = []
  for (const theirs of byClient(held)) {
    const found = measured(theirs, sizes)
    if (isOver(found) && !isOver(found, await server.free(theirs.map(({ name }) => name)))) continue
    told.push(...theirs)
  }
  if (told.length > 0) await store(services, told, sizes)
  return told.length
}

type Held = Awaited<ReturnType<typeof datadatabasesOf>>

const datadatabasesOf = ({ db }: Services, node: string, which?: SQL) =>
  db.read
    .select({
      id: databases.id,
      name: databases.name,
      bytes: databases.bytes,
      restricted: databases.restricted,
      limit: plans.databaseBytes,
      client: { id: clients.id, name: clients.name, node: clients.node },
    })
    .from(databases)
    .innerJoin(clients, eq(clients.id, databases.clientId))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .where(and(eq(clients.node, node), ne(clients.state, 'eliminando'), which))

/** Rows that were deleted leave their room in the files: of a client that is over, it is given back and measured anew. */
async function sizesOf(server: DatabaseServer, held: Held): Promise<Map<string, number> | null> {
  const sizes = await server.measure()
  if (sizes === null) return null
  const over = byClient(held).filter((theirs) => isOver(measured(theirs, sizes)))
  for (const theirs of over) await server.reclaim(theirs.map(({ name }) => name))
  return over.length === 0 ? sizes : server.measure()
}

async function store(services: Services, held: Held, sizes: Map<string, number>): Promise<void> {
  const measuredAt = services.now()
  await services.db.write(async (tx) => {
    for (const theirs of byClient(held)) {
      const found = measured(theirs, sizes)
      for (const { id, bytes } of found) {
        tx.later(tx.update(databases).set({ bytes, measuredAt }).where(eq(databases.id, id)))
      }
      const [first] = theirs
      if (!first || theirs.every(({ restricted }) => restricted === isOver(found))) continue
      enqueue(tx, services, databasesSync(first.client))
    }
  })
  services.work.wake()
}

const byClient = (held: Held): Held[] =>
  Object.values(Object.groupBy(held, ({ client }) => client.id)).map((theirs) => theirs ?? [])

const measured = (held: Held, sizes: Map<string, number>): (MeasuredDatabase & { id: number })[] =>
  held.map(({ id, name, limit }) => ({ id, bytes: sizes.get(name) ?? 0, limit }))
