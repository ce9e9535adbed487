import { isCaged, type ProcessId, threadsOf } from '../services/process.ts'

/** What the threads of a service have had of the processors, and waited for, until that moment. */
export type Sample = { at: number; threads: Map<number, { ranMs: number; waitedMs: number; wants: boolean }> }

/** Shares of the time: a thread is short of a processor that waited so long for one, and had so little of it. */
const WAITED = 0.5
const RAN = 0.1
/** The panel was held up that could do nothing for so much of the time. */
const HELD_UP = 0.5

/** Of these processes without those of customers, which are short of what their limits take from them. */
export function sampleOf(processes: ProcessId[]): Sample {
  const own = processes.filter((one) => !isCaged(one))
  return { at: performance.now(), threads: new Map(own.flatMap(({ pid }) => threadsOf(pid))) }
}

/**
 * Whether one of them could have run for most of the time between, and did not get to: it answers late for want of a
 * processor, and would not answer sooner if it were started again. One that hangs waits, or runs, for ever.
 */
export function wasShort(before: Sample, after: Sample): boolean {
  const betweenMs = after.at - before.at
  return [...after.threads].some(([id, now]) => {
    const was = before.threads.get(id) ?? { ranMs: 0, waitedMs: 0 }
    // What a thread still waits is added when it runs, which may be never.
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
