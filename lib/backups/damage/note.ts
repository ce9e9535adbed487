import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { backupRepositories, clients, copies } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Db, Tx } from '../../store/database.ts'
import { addressOf, destinationOf } from '../destination/destination.ts'
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
    setFault(tx, services, { id: client.id, fault: isWhole ? null : damaged() })
  })
}

/** Records that a destination has nothing of a client any more. */
export const noteLost = (services: Services, client: Pick<Client, 'id'>): Promise<void> =>
  services.db.write(async (tx) => setFault(tx, services, { id: client.id, fault: gone() }))

type Noted = { id: Client['id']; fault: string | null }

function setFault(tx: Tx, { now }: Pick<Services, 'now'>, { id, fault }: Noted): void {
  const faultAt = fault === null ? null : sql`coalesce(${backupRepositories.faultAt}, ${now().getTime()})`
  tx.later(tx.update(backupRepositories).set({ fault, faultAt }).where(eq(backupRepositories.clientId, id)))
}

/** Forgets that a repository was lost: it is there again, or made anew. */
export async function noteThere({ db }: Pick<Services, 'db'>, { id }: Pick<Client, 'id'>): Promise<void> {
  const lost = and(eq(backupRepositories.clientId, id), eq(backupRepositories.fault, gone()))
  const row = await db.read
    .select({ name: backupRepositories.name })
    .from(backupRepositories)
    .where(lost)
    .get()
  if (!row) return
  await db.write(async (tx) => {
    tx.later(tx.update(backupRepositories).set({ fault: null, faultAt: null }).where(lost))
  })
}

/** Since when a client's repository is known to be damaged; null where it is not. */
export async function damagedSince(db: Db, { id }: Pick<Client, 'id'>): Promise<Date | null> {
  const its = and(eq(backupRepositories.clientId, id), eq(backupRepositories.fault, damaged()))
  const row = await db.select({ at: backupRepositories.faultAt }).from(backupRepositories).where(its).get()
  return row?.at ?? null
}

/** The clients of a node whose repository is damaged or lost, with the stored fault. */
export const selectDamaged = (db: Db, node: string | null) =>
  db
    .select({ client: clients.name, node: clients.node, fault: sql<string>`${backupRepositories.fault}` })
    .from(backupRepositories)
    .innerJoin(clients, eq(clients.id, backupRepositories.clientId))
    .where(and(isNotNull(backupRepositories.fault), node === null ? undefined : eq(clients.node, node)))
    .orderBy(clients.name)
