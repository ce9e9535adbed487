import { eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { backupDestinations, copies } from '../../../schema/tables.ts'
import type { Services } from '../../endpoint/context.ts'
import { AppError } from '../../endpoint/errors.ts'
import type { Destination, Repository } from '../../endpoint/ports/backups.ts'
import { destinationPlace } from '../../secrets/sealed.ts'
import { Secret } from '../../secrets/secret.ts'
import type { Db } from '../../store/database.ts'
import { type Reading, reading } from '../../store/reading.ts'

export type DestinationRow = typeof backupDestinations.$inferSelect

/** The repository of a node itself. */
export const NODE_REPOSITORY = 'nodo'

/** Where a node's copies go; undefined where nobody has said. */
export const destinationReading = (
  db: Db,
  node: string | SQL | SQLWrapper,
): Reading<DestinationRow | undefined> =>
  reading(db.select().from(backupDestinations).where(eq(backupDestinations.node, node)), ([row]) => row)

/** Where a node's copies lie, as it stands with each of them. */
export const addressOf = ({ kind, url }: Pick<DestinationRow, 'kind' | 'url'>) => `${kind} ${url}`

/** The copies that lie where a node's copies go now. */
export const isThere = sql`${copies.destination} = ${backupDestinations.kind} || ' ' || ${backupDestinations.url}`

/** The same, to be used. */
export async function openDestination(
  { keys }: Pick<Services, 'keys'>,
  row: Pick<DestinationRow, 'node' | 'kind' | 'url' | 'credential' | 'hostKey'>,
): Promise<Destination> {
  const { node, kind, url, credential, hostKey } = row
  const plain = credential && (await keys.open(destinationPlace(node, 'credential'), credential))
  return { kind, url, credential: plain === null ? null : new Secret(plain), hostKey }
}

/** The node's own repository, which its operator's password opens. */
export async function nodeRepository(
  services: Pick<Services, 'keys'>,
  row: DestinationRow,
): Promise<Repository> {
  const key = await services.keys.open(destinationPlace(row.node, 'password'), row.password)
  return { destination: await openDestination(services, row), name: NODE_REPOSITORY, key: new Secret(key) }
}

/** Where the copies of a node go; 409 `destino_no_existe` where that is nowhere. */
export async function destinationOf({ db }: Pick<Services, 'db'>, node: string): Promise<DestinationRow> {
  const its = eq(backupDestinations.node, node)
  const row = await db.read.select().from(backupDestinations).where(its).get()
  if (!row) throw new AppError('destino_no_existe', {}, { status: 409 })
  return row
}
