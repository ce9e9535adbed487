import { nodes } from '../../schema/tables.ts'
import type { Services } from '../context.ts'
import type { Db } from '../database.ts'
import { AppError } from '../errors.ts'
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
  const own = services.config.node
  if (own !== null) {
    if (named !== undefined && named !== own) throw new AppError('nodo_no_existe')
    return own
  }
  const known = (await db.select({ name: nodes.name }).from(nodes)).map(({ name }) => name)
  const [only] = known
  if (named === undefined && only !== undefined && known.length === 1) return only
  if (named !== undefined && known.includes(named)) return named
  if (named !== undefined) throw new AppError('nodo_no_existe')
  throw invalidField('nodo', 'obligatorio', language)
}
