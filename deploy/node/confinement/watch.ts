import { availableParallelism, totalmem } from 'node:os'
import type { Busy, GroupUse } from '../../../lib/endpoint/node-port.ts'
import { compared } from '../../../lib/usage/groups.ts'
import { hasRefused, type Machine, weight } from '../../../lib/usage/heaviest.ts'
import { clientGroups, groupUse, watchedClients } from './use.ts'

/** Shares of a processor over a shorter time than this are meaningless. */
const LEAST_MS = 500

/**
 * Looks at the running programs of all clients. Each look returns the clients that stand out since the look before;
 * the first one knows no processor use yet. Null if the node has no control groups.
 */
export function createWatch(runDirectory: string, machine: Machine = thisMachine()): () => Busy[] | null {
  let before: { at: number; uses: Map<number, GroupUse> } | null = null
  let last: Busy[] = []
  return () => {
    const groups = clientGroups(runDirectory)
    if (groups === null) return null
    const at = performance.now()
    const earlier = before
    const elapsedMs = earlier === null ? 0 : at - earlier.at
    if (earlier !== null && elapsedMs < LEAST_MS) return last
    const uses = watchedClients(groups).map((id) => groupUse(groups, id))
    last = uses.flatMap((use) => {
      const was = earlier?.uses.get(use.clientId)
      const cpuPercent = was ? compared(was.counters, use.counters, elapsedMs).cpuPercent : null
      const busy = { ...use, cpuPercent, weight: weight({ ...use, cpuPercent }, machine) }
      return busy.weight >= 1 || hasRefused(use.counters) ? [busy] : []
    })
    before = { at, uses: new Map(uses.map((use) => [use.clientId, use])) }
    return last
  }
}

const thisMachine = (): Machine => ({ processors: availableParallelism(), memoryBytes: totalmem() })
