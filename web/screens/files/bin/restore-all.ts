import { call } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'
import type { ItemOf } from '../../../api/operations.ts'
import { workOver } from '../../../ui/transfers/work.ts'
import { OPERATE } from '../operations/existing.tsx'

export const BIN = 'GET /api/sitios/:domain/archivos/papelera'
export type Entry = ItemOf<typeof BIN>
/** What stays in the bin, and why. */
export type Left = { entry: Entry; why: string }

/** As many as one operation takes. */
const MOST = 1000
/** About what is asked for; any other refusal is about the panel, and would come again for each. */
const ABOUT_ENTRIES = [403, 409, 422]

/**
 * Brings entries of a bin back to where they were, and tells how many have been gone through. The panel does an operation
 * whole or not at all: where something is in the way, the halves are tried, until only that is left.
 */
export async function restoreAll(
  domain: string,
  entries: Entry[],
  reached: (done: number) => void,
): Promise<Left[]> {
  const left: Left[] = []
  let done = 0
  const some = async (part: Entry[]): Promise<void> => {
    const [first] = part
    if (first === undefined) return
    const why = await refusalOf(domain, part)
    if (why !== null && part.length > 1) {
      const half = Math.ceil(part.length / 2)
      await some(part.slice(0, half))
      return some(part.slice(half))
    }
    if (why !== null) left.push({ entry: first, why })
    done += part.length
    reached(done)
  }
  for (let at = 0; at < entries.length; at += MOST) await some(entries.slice(at, at + MOST))
  return left
}

async function refusalOf(domain: string, entries: Entry[]): Promise<string | null> {
  const body = { operacion: 'restaurar', borrados: entries.map(({ id }) => id) } as const
  try {
    const answer = await call(OPERATE, { params: { domain }, body })
    return 'tarea' in answer ? await workOver(answer.tarea.id) : null
  } catch (thrown) {
    if (thrown instanceof ApiError && ABOUT_ENTRIES.includes(thrown.status)) return thrown.detail
    throw thrown
  }
}
