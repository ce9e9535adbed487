import { sql } from 'drizzle-orm'
import { nodes } from '../../schema/tables.ts'
import type { Services } from '../context.ts'
import type { Db } from '../database.ts'
import { AppError } from '../errors.ts'
import { Reading, reading, readNow } from '../reading.ts'
import { invalidField } from '../validate.ts'

/**
 * The node that an operation on a node's own things concerns: this one, or on a function host the one that
 * `?nodo=` names (it may be left out while there is only one).
 */
export async function nodeConcerned(
  services: Pick<Services, 'config'>,
  db: Db,
  named: string | undefined,
  language: 'es' | 'en',
): Promise<string> {
  return readNow(db, nodeReading(services, db, named, language))
}

/** The same as an expression, for queries beside `nodeReading`, which refuses where it would be a guess. */
export function concernedNode(services: Pick<Services, 'config'>, named: string | undefined) {
  return services.config.node ?? named ?? sql<string>`(select min(${nodes.name}) from ${nodes})`
}

/** The same, to be read with something else. */
export function nodeReading(
  services: Pick<Services, 'config'>,
  db: Db,
  named: string | undefined,
  language: 'es' | 'en',
): Reading<string> {
  const own = services.config.node
  if (own !== null) {
    if (named !== undefined && named !== own) throw new AppError('nodo_no_existe')
    return new Reading([], () => own)
  }
  return reading(db.select({ name: nodes.name }).from(nodes), (rows) => {
    const known = rows.map(({ name }) => name)
    const [only] = known
    if (named === undefined && only !== undefined && known.length === 1) return only
    if (named !== undefined && known.includes(named)) return named
    if (named !== undefined) throw new AppError('nodo_no_existe')
    throw invalidField('nodo', 'obligatorio', language)
  })
}
