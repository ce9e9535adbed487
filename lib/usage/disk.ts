import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { clients, usage, usageDays } from '../../schema/tables.ts'
import type { Services } from '../context.ts'
import type { Tx } from '../database.ts'
import type { DiskUse, NodeDriver } from '../node.ts'
import { warnClients } from './notify.ts'

/** Clients measured and stored at a time: a killed run loses at most these. */
const BATCH = 200

/** Measures disk and inodes of all clients of a node, and warns; answers how many were measured. */
export async function recordDisk(services: Services, driver: NodeDriver, node: string): Promise<number> {
  let measured = 0
  for (let ids = await nextIds(services, node, 0); ids.length > 0; ) {
    const uses = await driver.measure(ids)
    measured += uses.length
    await services.db.write(async (tx) => {
      await store(tx, services, uses)
      // Traffic is warned about too, so those whose disk could not be measured are looked at as well.
      await warnClients(tx, services, ids)
    })
    ids = await nextIds(services, node, ids.at(-1) ?? 0)
  }
  return measured
}

async function nextIds(services: Services, node: string, after: number): Promise<number[]> {
  const rows = await services.db.read
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.node, node), gt(clients.id, after), ne(clients.state, 'eliminando')))
    .orderBy(asc(clients.id))
    .limit(BATCH)
  return rows.map(({ id }) => id)
}

async function store(tx: Tx, services: Services, uses: DiskUse[]): Promise<void> {
  const measuredAt = services.now()
  const day = measuredAt.toISOString().slice(0, 10)
  const ids = uses.map(({ clientId }) => clientId)
  const rows = await tx.select({ id: clients.id }).from(clients).where(inArray(clients.id, ids))
  const present = new Set(rows.map(({ id }) => id))
  for (const { clientId, diskBytes, inodes, source } of uses) {
    // Deleted while it was being measured.
    if (!present.has(clientId)) continue
    await tx
      .insert(usage)
      .values({ clientId, measuredAt, source, diskBytes, inodes, warned: {} })
      .onConflictDoUpdate({ target: usage.clientId, set: { measuredAt, source, diskBytes, inodes } })
    await tx
      .insert(usageDays)
      .values({ clientId, day, diskBytes, inodes })
      .onConflictDoUpdate({
        target: [usageDays.clientId, usageDays.day],
        set: { diskBytes: sql`excluded.disk_bytes`, inodes: sql`excluded.inodes` },
      })
  }
}
