import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { clients, nodes, usageDays } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { NodeDriver, Traffic } from '../endpoint/node-port.ts'
import type { Tx } from '../store/database.ts'
import { addToHour } from './node-hours.ts'

/**
 * Adds the traffic that the web server has logged since the last run. Sums and log position are written in one
 * transaction, which fails if another run has moved the position: a byte is counted once, however often a run is
 * killed or run twice.
 */
export async function recordTraffic(services: Services, driver: NodeDriver, node: string): Promise<void> {
  for (;;) {
    const before = await cursorOf(services, node)
    if (before === undefined) return
    const { cursor, traffic } = await driver.readTraffic(before)
    if (cursor === before) return
    const now = services.now()
    const moved = await services.db.write((tx) => store(tx, node, { before, cursor, traffic, now }))
    if (!moved) return
  }
}

/** The position up to which the log has been read; undefined for a node without a row. */
async function cursorOf(services: Services, node: string): Promise<string | null | undefined> {
  const row = await services.db.read
    .select({ cursor: nodes.trafficCursor })
    .from(nodes)
    .where(eq(nodes.name, node))
    .get()
  return row?.cursor
}

async function store(
  tx: Tx,
  node: string,
  read: { before: string | null; cursor: string; traffic: Traffic[]; now: Date },
): Promise<boolean> {
  const { before, cursor, traffic, now } = read
  const unmoved = before === null ? isNull(nodes.trafficCursor) : eq(nodes.trafficCursor, before)
  const rows = await tx
    .update(nodes)
    .set({ trafficCursor: cursor })
    .where(and(eq(nodes.name, node), unmoved))
    .returning({ name: nodes.name })
  if (rows.length === 0) return false
  const sum = (of: 'bytesIn' | 'bytesOut') => traffic.reduce((all, one) => all + one[of], 0)
  tx.later(addToHour(tx, { node, now }, { trafficIn: sum('bytesIn'), trafficOut: sum('bytesOut') }))
  const ours = await clientsOf(tx, node, traffic)
  for (const { clientId, day, bytesIn, bytesOut } of traffic) {
    // A client that was deleted meanwhile has no row to add to.
    if (!ours.has(clientId)) continue
    tx.later(
      tx
        .insert(usageDays)
        .values({ clientId, day, trafficIn: bytesIn, trafficOut: bytesOut })
        .onConflictDoUpdate({
          target: [usageDays.clientId, usageDays.day],
          set: {
            trafficIn: sql`${usageDays.trafficIn} + ${bytesIn}`,
            trafficOut: sql`${usageDays.trafficOut} + ${bytesOut}`,
          },
        }),
    )
  }
  return true
}

async function clientsOf(tx: Tx, node: string, traffic: Traffic[]): Promise<Set<number>> {
  const ids = [...new Set(traffic.map(({ clientId }) => clientId))]
  const ours = new Set<number>()
  for (let from = 0; from < ids.length; from += 500) {
    const rows = await tx
      .select({ id: clients.id })
      .from(clients)
      .where(and(eq(clients.node, node), inArray(clients.id, ids.slice(from, from + 500))))
    for (const { id } of rows) ours.add(id)
  }
  return ours
}
