import { deadProcesses, type ProcessId } from '../services/process.ts'

const PAUSE_MS = 1_000
const FIRST = 1

/**
 * Whether a process that has ended and lost its parent stays in the list of processes: the first process, which gets it
 * then, is to collect it at once. Asked twice only where there is one.
 */
export async function areUncollected(find = orphaned, pauseMs = PAUSE_MS): Promise<boolean> {
  const before = find()
  if (before.length === 0) return false
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  return find().some((one) => before.some((other) => isSame(one, other)))
}

const orphaned = (): ProcessId[] => deadProcesses(({ parent }) => parent === FIRST)

const isSame = (one: ProcessId, other: ProcessId) =>
  one.pid === other.pid && one.startTicks === other.startTicks
