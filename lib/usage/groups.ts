import type { GroupCounters, MeasuredGroups, Refused } from '../../schema/tables.ts'
import type { GroupUse } from '../endpoint/node-port.ts'

type Before = { measuredAt: Date | null; groups: MeasuredGroups | null }

/** Measured control groups in their stored form, compared with the previous measurement. */
export function measuredGroups(before: Before, { memoryBytes, processes, counters }: GroupUse, at: Date) {
  const since = before.measuredAt?.getTime() ?? null
  const elapsedMs = since === null ? 0 : at.getTime() - since
  const lately =
    since === null || before.groups === null || elapsedMs <= 0
      ? null
      : { since, ...compared(before.groups.counters, counters, elapsedMs) }
  return { memoryBytes, processes, lately, counters } satisfies MeasuredGroups
}

/** Average processor use (100 is one processor) and refusals between two readings. */
export function compared(before: GroupCounters, now: GroupCounters, elapsedMs: number) {
  const more = (name: keyof GroupCounters) => grown(before[name], now[name])
  const micros = more('cpuMicros')
  const throttled = more('throttledMicros')
  const refused: Refused = {
    memory: more('memory'),
    processes: more('processes'),
    cpuSeconds: throttled === null ? null : tenths(throttled / 1_000_000),
  }
  return { cpuPercent: micros === null ? null : tenths(micros / 10 / elapsedMs), ...refused }
}

/** A counter's growth; a group that was created anew counts from zero. */
function grown(before: number | null, now: number | null): number | null {
  if (now === null) return null
  return before === null || now < before ? now : now - before
}

const tenths = (value: number) => Math.round(value * 10) / 10
