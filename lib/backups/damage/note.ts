import { and, eq, sql } from 'drizzle-orm'
import { backupRepositories, copies } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Db, Tx } from '../../store/database.ts'
import { addressOf, destinationOf } from '../destination/destination.ts'
import { showCopies } from '../destination/fault.ts'
import { damaged, gone } from '../errors.ts'
import { decideDamage, type Found } from './decide-damage.ts'

type Owner = Pick<Client, 'id' | 'node'>

/** Records which of a client's copies do not read back, and that its repository is to be looked at. */
export async function noteDamage(services: Services, client: Owner, found: Found): Promise<void> {
  const destination = addressOf(await destinationOf(services, client.node))
  const its = and(eq(copies.clientId, client.id), eq(copies.destination, destination))
  await services.db.write(async (tx) => {
    for (const copy of await tx.select().from(copies).where(its)) {
      const now = decideDamage(copy, found)
      if (now) tx.later(tx.update(copies).set(now).where(eq(copies.id, copy.id)))
    }
    const isWhole = found.all && found.broken.length === 0
    await setFault(tx, services, { client, fault: isWhole ? null : damaged() })
  })
}

/** Records that a destination has nothing of a client any more. */
export const noteLost = (services: Services, client: Owner): Promise<void> =>
  services.db.write((tx) => setFault(tx, services, { client, fault: gone() }))

type Noted = { client: Owner; fault: string | null }

async function setFault(tx: Tx, clock: Pick<Services, 'now'>, { client, fault }: Noted): Promise<void> {
  const since = sql`coalesce(${backupRepositories.faultAt}, ${clock.now().getTime()})`
  const set = { fault, faultAt: fault === null ? null : since }
  await tx.update(backupRepositories).set(set).where(eq(backupRepositories.clientId, client.id))
  await showCopies(tx, clock, client.node)
}

/** Forgets that a repository was lost: it is there again, or made anew. */
export async function noteThere(services: Services, { id, node }: Owner): Promise<void> {
  const { db } = services
  const lost = and(eq(backupRepositories.clientId, id), eq(backupRepositories.fault, gone()))
  const row = await db.read
    .select({ name: backupRepositories.name })
    .from(backupRepositories)
    .where(lost)
    .get()
  if (!row) return
  await db.write(async (tx) => {
    await tx.update(backupRepositories).set({ fault: null, faultAt: null }).where(lost)
    await showCopies(tx, services, node)
  })
}

/** Since when a client's repository is known to be damaged; null where it is not. */
export async function damagedSince(db: Db, { id }: Pick<Client, 'id'>): Promise<Date | null> {
  const its = and(eq(backupRepositories.clientId, id), eq(backupRepositories.fault, damaged()))
  const row = await db.select({ at: backupRepositories.faultAt }).from(backupRepositories).where(its).get()
  return row?.at ?? null
}
