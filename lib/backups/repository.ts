import { eq } from 'drizzle-orm'
import { backupRepositories } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { Services } from '../endpoint/context.ts'
import type { Repository } from '../endpoint/ports/backups.ts'
import { repositoryPlace } from '../secrets/sealed.ts'
import { Secret } from '../secrets/secret.ts'
import { destinationOf, openDestination } from './destination/destination.ts'

const KEY_BYTES = 32
const MARK_BYTES = 5

/** A client's repository, with a key of its own that is made the first time. */
export async function clientRepository(
  services: Services,
  client: Pick<Client, 'id' | 'node'>,
): Promise<Repository> {
  const { keys } = services
  const destination = await destinationOf(services, client.node)
  const { name, key } = (await heldBy(services, client.id)) ?? (await newRepository(services, client.id))
  return {
    destination: await openDestination(services, destination),
    name,
    key: new Secret(await keys.open(repositoryPlace(name), key)),
  }
}

const heldBy = ({ db }: Pick<Services, 'db'>, clientId: number) =>
  db.read.select().from(backupRepositories).where(eq(backupRepositories.clientId, clientId)).get()

/** A number may come back in a database that was restored: the name tells the repositories of both apart. */
async function newRepository(services: Services, clientId: number) {
  const { db, keys, random } = services
  const name = `c${clientId}-${hex(random(MARK_BYTES))}`
  const key = await keys.seal(repositoryPlace(name), hex(random(KEY_BYTES)), random)
  await db.write(async (tx) => {
    tx.later(tx.insert(backupRepositories).values({ clientId, name, key }).onConflictDoNothing())
  })
  return (await heldBy(services, clientId)) ?? { name, key }
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
