import { and, eq, inArray } from 'drizzle-orm'
import { clients, type GroupCounters, type HeavyClient, usage } from '../../schema/tables.ts'
import type { Busy, GroupUse } from '../endpoint/node-port.ts'
import type { Db } from '../store/database.ts'
import { compared } from './groups.ts'

export type Machine = { processors: number; memoryBytes: number }

/** What one client may take of a node's processors or memory before it is named to its operator. */
const FAIR_PART = 0.25
/** The part of its process limit at which a client is named; without a limit, this many processes. */
const MANY_PROCESSES = { part: 0.9, unlimited: 1000 }
/** Seconds that programs were kept from a processor, below which nobody is named for that. */
const LONG_WAIT_SECONDS = 10
const MOST_NAMED = 10

/** The largest part of a resource of the node that a client takes; from 1 on it is more than a fair part. */
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

/** Whether a client's group has ever refused anything: how much of it is new is asked of the database. */
export const hasRefused = ({ memory, processes, throttledMicros }: GroupCounters): boolean =>
  (memory ?? 0) > 0 || (processes ?? 0) > 0 || (throttledMicros ?? 0) >= LONG_WAIT_SECONDS * 1_000_000

/** The names of clients that stand out, and what was refused them since their use was last measured. */
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
