import { eq } from 'drizzle-orm'
import { backupDestinations, backupRepositories } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { Tx } from '../store/database.ts'
import type { KeyRing } from './keys.ts'
import { destinationPlace, repositoryPlace } from './sealed.ts'

type Row = typeof backupDestinations.$inferSelect

export type SealedDestination = Pick<Row, 'credential' | 'password'>

/** Seals what a destination is opened with, for the row of that node. */
export async function sealDestination(
  ring: KeyRing,
  node: string,
  {
    credential,
    password,
    random,
  }: { credential: string | null; password: string; random: Services['random'] },
): Promise<SealedDestination> {
  return {
    credential: credential && (await ring.seal(destinationPlace(node, 'credential'), credential, random)),
    password: await ring.seal(destinationPlace(node, 'password'), password, random),
  }
}

type Resealing = { old: KeyRing; ring: KeyRing; random: Services['random'] }

/** Seals every destination's secrets anew, for another ring or under another name of their node. */
export async function resealDestinations(
  tx: Tx,
  { old, ring, random }: Resealing,
  renamed: (node: string) => string = (node) => node,
): Promise<number> {
  const rows = await tx.select().from(backupDestinations)
  for (const row of rows) {
    const open = (what: 'credential' | 'password', text: string) =>
      old.open(destinationPlace(row.node, what), text)
    const to = renamed(row.node)
    const sealed = await sealDestination(ring, to, {
      credential: row.credential && (await open('credential', row.credential)),
      password: await open('password', row.password),
      random,
    })
    tx.later(
      tx
        .update(backupDestinations)
        .set({ node: to, ...sealed })
        .where(eq(backupDestinations.node, row.node)),
    )
  }
  return rows.length
}

/** Seals the keys of all clients' copies anew. */
export async function resealRepositories(tx: Tx, { old, ring, random }: Resealing): Promise<number> {
  const rows = await tx.select().from(backupRepositories)
  for (const { name, key } of rows) {
    const sealed = await ring.seal(repositoryPlace(name), await old.open(repositoryPlace(name), key), random)
    tx.later(tx.update(backupRepositories).set({ key: sealed }).where(eq(backupRepositories.name, name)))
  }
  return rows.length
}
