import type { NodeService } from '../../schema/tables.ts'
import type { Db } from '../store/database.ts'
import { deadlyJobs } from '../work/jobs.ts'

const NAMED = 5

/**
 * A service state that names the jobs set aside because they ended the node's panel at each attempt; null if there
 * are none.
 */
export async function deadlyState(db: Db, node: string): Promise<NodeService | null> {
  const found = await deadlyJobs(db, node)
  if (found.length === 0) return null
  const named = found.slice(0, NAMED).map(({ id, kind, client }) => `${kind} ${client ?? ''} ${id}`)
  const list = named.map((one) => one.replace(/\s+/g, ' ')).join(', ')
  const more = found.length - named.length
  return {
    name: 'tareas',
    running: false,
    version: null,
    advice: {
      es: `El panel terminó cada vez que hacía: ${list}${more > 0 ? ` y ${more} más` : ''}. Mire su registro y, cuando esté arreglado, reinténtelo en Tareas.`,
      en: `The panel ended each time that it did: ${list}${more > 0 ? ` and ${more} more` : ''}. See its log and, once that is mended, try it again under Jobs.`,
    },
  }
}
