import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { clients, plans, sftpAccounts, usage, usageDays } from '../../schema/tables.ts'
import { clientSync } from '../clients/clients.ts'
import type { Services } from '../endpoint/context.ts'
import type { DiskUse, GroupUse, NodeDriver } from '../endpoint/node-port.ts'
import { isFull } from '../plans/full.ts'
import type { Tx } from '../store/database.ts'
import { enqueue } from '../work/jobs.ts'
import { measuredGroups } from './groups.ts'
import { warnClients } from './notify.ts'

/** How many clients are measured and stored at a time: a killed run loses at most these. */
const BATCH = 200

/** Measures disk, inodes and running programs of all clients of a node, and warns; returns how many were measured. */
export async function recordDisk(services: Services, driver: NodeDriver, node: string): Promise<number> {
  let measured = 0
  for (let ids = await nextIds(services, node, 0); ids.length > 0; ) {
    measured += await recordUse(services, driver, ids)
    ids = await nextIds(services, node, ids.at(-1) ?? 0)
  }
  return measured
}

/**
 * Measures the clients whose files have been changed through the panel lately: between two measurements of all, each
 * could fill the disk far beyond its plan, or be refused for what it has deleted. Returns how many were measured.
 */
export async function measureChanged(services: Services): Promise<number> {
  const { driver } = services
  const ids = driver?.files?.takeChanged() ?? []
  return driver === null || ids.length === 0 ? 0 : recordUse(services, driver, ids)
}

async function recordUse(services: Services, driver: NodeDriver, ids: number[]): Promise<number> {
  const uses = await driver.measure(ids)
  const groups = await driver.measureGroups(ids)
  await services.db.write(async (tx) => {
    await store(tx, services, { uses, groups })
    // Clients whose disk could not be measured are included, since traffic is warned about too.
    await warnClients(tx, services, ids)
  })
  return uses.length
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

/** A client must not seem to use less by hiding some of its files from the measurement. */
const atLeast = (found: Sizes, before: { diskBytes: number | null; inodes: number | null }): Sizes => ({
  diskBytes: Math.max(found.diskBytes, before.diskBytes ?? 0),
  inodes: Math.max(found.inodes, before.inodes ?? 0),
})

const KNOWN = {
  id: clients.id,
  measuredAt: usage.measuredAt,
  groups: usage.groups,
  diskBytes: usage.diskBytes,
  inodes: usage.inodes,
  client: { id: clients.id, name: clients.name, node: clients.node },
  limits: { diskBytes: plans.diskBytes, inodes: plans.inodes },
  hasSftp: sql<number>`exists (select 1 from ${sftpAccounts} where ${eq(sftpAccounts.clientId, clients.id)})`,
}

const selectKnown = (tx: Tx) =>
  tx
    .select(KNOWN)
    .from(clients)
    .leftJoin(usage, eq(usage.clientId, clients.id))
    .leftJoin(plans, eq(plans.id, clients.planId))

type Known = Awaited<ReturnType<ReturnType<typeof selectKnown>['all']>>[number]

/** Makes SFTP read only once a client's space is used up, and writable again below that. */
function closeOrOpenSftp(
  tx: Tx,
  services: Services,
  { before, found }: { before: Known; found: Sizes },
): void {
  const { client, limits, hasSftp } = before
  if (hasSftp && isFull(limits, before) !== isFull(limits, found)) enqueue(tx, services, clientSync(client))
}

type Sizes = Pick<DiskUse, 'diskBytes' | 'inodes'>
type Measured = { uses: DiskUse[]; groups: GroupUse[] }

async function store(tx: Tx, services: Services, { uses, groups }: Measured): Promise<void> {
  const measuredAt = services.now()
  const day = measuredAt.toISOString().slice(0, 10)
  const ids = uses.map(({ clientId }) => clientId)
  const rows = await selectKnown(tx).where(inArray(clients.id, ids))
  const present = new Map(rows.map((row) => [row.id, row]))
  const runs = new Map(groups.map((use) => [use.clientId, use]))
  for (const { clientId, source, partial, ...found } of uses) {
    const before = present.get(clientId)
    // The client was deleted while it was being measured.
    if (!before) continue
    const now = runs.get(clientId)
    const { diskBytes, inodes } = partial ? atLeast(found, before) : found
    const measured = {
      measuredAt,
      source,
      diskBytes,
      inodes,
      groups: now ? measuredGroups(before, now, measuredAt) : null,
    }
    closeOrOpenSftp(tx, services, { before, found: measured })
    tx.later(
      tx
        .insert(usage)
        .values({ clientId, ...measured, warned: {} })
        .onConflictDoUpdate({ target: usage.clientId, set: measured }),
      tx
        .insert(usageDays)
        .values({ clientId, day, diskBytes, inodes })
        .onConflictDoUpdate({
          target: [usageDays.clientId, usageDays.day],
          set: { diskBytes: sql`excluded.disk_bytes`, inodes: sql`excluded.inodes` },
        }),
    )
  }
}
