import { and, eq, lt, sql } from 'drizzle-orm'
import { nodeHours } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { NodeDriver } from '../endpoint/node-port.ts'
import type { Tx } from '../store/database.ts'

const KEPT_MS = 400 * 86_400_000

type Hour = typeof nodeHours.$inferInsert
/** What is added to an hour: sums, and the most that was used. */
type Added = Partial<Omit<Hour, 'node' | 'hour'>>

const hourOf = (at: Date) => at.toISOString().slice(0, 13)

/** The statement that adds this to a node's present hour. */
export function addToHour(tx: Tx, { node, now }: { node: string; now: Date }, added: Added) {
  const { trafficIn = 0, trafficOut = 0, busySeconds = 0, idleSeconds = 0 } = added
  const { memoryBytes = null, diskBytes = null } = added
  return tx
    .insert(nodeHours)
    .values({ node, hour: hourOf(now), ...added })
    .onConflictDoUpdate({
      target: [nodeHours.node, nodeHours.hour],
      set: {
        trafficIn: sql`${nodeHours.trafficIn} + ${trafficIn}`,
        trafficOut: sql`${nodeHours.trafficOut} + ${trafficOut}`,
        busySeconds: sql`${nodeHours.busySeconds} + ${busySeconds}`,
        idleSeconds: sql`${nodeHours.idleSeconds} + ${idleSeconds}`,
        memoryBytes: mostOf(nodeHours.memoryBytes, memoryBytes),
        diskBytes: mostOf(nodeHours.diskBytes, diskBytes),
      },
    })
}

/** In SQLite the larger of a number and null is null. */
const mostOf = (column: typeof nodeHours.memoryBytes | typeof nodeHours.diskBytes, value: number | null) =>
  sql`max(coalesce(${column}, ${value}), coalesce(${value}, ${column}))`

/** Adds what this node's machine does to its hour, and forgets hours that nobody can ask for. */
export async function recordLoad(services: Services, driver: NodeDriver, node: string): Promise<void> {
  const { cpuSeconds, memoryBytes, diskBytes } = await driver.readLoad()
  const now = services.now()
  const processor = cpuSeconds ? { busySeconds: cpuSeconds.busy, idleSeconds: cpuSeconds.idle } : {}
  await services.db.write(async (tx) => {
    tx.later(
      addToHour(tx, { node, now }, { ...processor, memoryBytes, diskBytes }),
      tx
        .delete(nodeHours)
        .where(and(eq(nodeHours.node, node), lt(nodeHours.hour, hourOf(new Date(now.getTime() - KEPT_MS))))),
    )
  })
}
