import { and, eq, inArray } from 'drizzle-orm'
import { clients, type GroupCounters, type HeavyClient, usage } from '../../schema/tables.ts'
import type { Busy, GroupUse } from '../endpoint/node-port.ts'
import type { Db } from '../store/database.ts'
import { compared } from './groups.ts'

export type Machine = { processors: number; memoryBytes: number }

/** A client that takes more than this part of a node's processors or memory is named to the operator. */
const FAIR_PART = 0.25
/** A client is named at this part of its process limit or, without a limit, at this many processes. */
const MANY_PROCESSES = { part: 0.9, unlimited: 1000 }
/** A client is named if its programs had to wait at least this many seconds for a processor. */
const LONG_WAIT_SECONDS = 10
const MOST_NAMED = 10

/** The largest part of any of the node's resources that a client takes; 1 or more is above a fair share. */
export function weight(
  { cpuPercent, memoryBytes, processes, processLimit }: Taken,
  machine: Machine,
): number {
  const most = processLimit === null ? MANY_PROCESSES.unlimited : processLimit * MANY_PROCESSES.part
  return Math.max(
    (cpuPercent ?? 0) / (machine.processors * 100 * FAIR_PART),
    (memoryBytes ?? 0) / (machine.memoryBytes * FAIR_PART),
    (processes ?? 0) / most,
  )
}
type Taken = Pick<GroupUse, 'memoryBytes' | 'processes' | 'processLimit'> & { cpuPercent: number | null }

/** Whether a client's group has ever refused anything; the database knows how much of that is new. */
export const hasRefused = ({ memory, processes, throttledMicros }: GroupCounters): boolean =>
  (memory ?? 0) > 0 || (processes ?? 0) > 0 || (throttledMicros ?? 0) >= LONG_WAIT_SECONDS * 1_000_000

/** The clients that stand out by name, with what was refused since their use was last measured. */
export async function namedHeavy(
  db: Db,
  busy: Busy[],
  about: { now: Date; node: string },
): Promise<HeavyClient[]> {
  if (busy.length === 0) return []
  const ids = busy.map(({ clientId }) => clientId)
  const rows = await db
    .select({ id: clients.id, name: clients.name, measuredAt: usage.measuredAt, groups: usage.groups })
    .from(clients)
    .leftJoin(usage, eq(usage.clientId, clients.id))
    .where(and(eq(clients.node, about.node), inArray(clients.id, ids)))
  const known = new Map(rows.map((row) => [row.id, row]))
  const heavy = busy.flatMap((one) => {
    const row = known.get(one.clientId)
    if (!row) return []
    const since = row.groups === null ? null : (row.measuredAt?.getTime() ?? null)
    const refused =
      row.groups === null || since === null
        ? null
        : compared(row.groups.counters, one.counters, Math.max(1, about.now.getTime() - since))
    const { memory = null, processes = null, cpuSeconds = null } = refused ?? {}
    const { counters: _, clientId: __, ...use } = one
    const told = since === null ? null : { since, memory, processes, cpuSeconds }
    return [{ client: row.name, ...use, refused: told }]
  })
  return heavy
    .filter(({ weight, refused }) => weight >= 1 || refusedLately(refused))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_NAMED)
}

const refusedLately = (refused: HeavyClient['refused']) =>
  refused !== null &&
  ((refused.memory ?? 0) > 0 ||
    (refused.processes ?? 0) > 0 ||
    (refused.cpuSeconds ?? 0) >= LONG_WAIT_SECONDS)
