import { sql } from 'drizzle-orm'
import { nodes } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { invalidField } from '../endpoint/validate.ts'
import type { Db } from '../store/database.ts'
import { Reading, reading } from '../store/reading.ts'

/**
 * The node that an operation on a node's own things concerns: this one, or on a function host the one that
 * `?nodo=` names (it may be left out while there is only one).
 */
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

/**
 * The node as an SQL expression, for queries that run beside `nodeReading`, which refuses where the node is
 * ambiguous.
 */
export function concernedNode(services: Pick<Services, 'config'>, named: string | undefined) {
  return services.config.node ?? named ?? sql<string>`(select min(${nodes.name}) from ${nodes})`
}
