import { isCaged, type ProcessId, threadsOf } from '../services/process.ts'

/** How long the threads of a service have run on a processor, and waited for one, until that moment. */
export type Sample = { at: number; threads: Map<number, { ranMs: number; waitedMs: number; wants: boolean }> }

/** A thread lacks a processor if it waited for one for this share of the time, and got so little of it. */
const WAITED = 0.5
const RAN = 0.1
/** The panel counts as held up if it could not run for this share of the time. */
const HELD_UP = 0.5

/** A sample of these processes without customers' processes, which lack what their limits withhold. */
export function sampleOf(processes: ProcessId[]): Sample {
  const own = processes.filter((one) => !isCaged(one))
  return { at: performance.now(), threads: new Map(own.flatMap(({ pid }) => threadsOf(pid))) }
}

/**
 * Whether one of the threads could have run for most of the time in between and did not get to: the service then
 * answers late for lack of a processor, and a restart would not help. A thread that hangs waits, or runs, for ever.
 */
export function wasShort(before: Sample, after: Sample): boolean {
  const betweenMs = after.at - before.at
  return [...after.threads].some(([id, now]) => {
    const was = before.threads.get(id) ?? { ranMs: 0, waitedMs: 0 }
    // The time that a thread still waits is added only when it runs, which may be never.
    const waited = now.wants || now.waitedMs - was.waitedMs > betweenMs * WAITED
    return waited && now.ranMs - was.ranMs < betweenMs * RAN
  })
}

/** Tells afterwards whether this process was held up itself, and so may have read an answer too late. */
export function watchOwnTime(everyMs = 20): { wasHeldUp(): boolean } {
  const from = performance.now()
  let [last, longest] = [from, 0]
  const look = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  const timer = setInterval(look, everyMs)
  return {
    wasHeldUp() {
      clearInterval(timer)
      look()
      return longest > (last - from) * HELD_UP && longest > 5 * everyMs
    },
  }
}
