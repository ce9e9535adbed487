/** How long a queue waits after a failure before it tries again. */
export type BackOff = {
  /** The waits after the first failure in a row, the second and so on; the last one repeats. */
  waitsMs: readonly [number, ...number[]]
  /** The share by which a wait may grow, so that what failed together is not retried together. */
  spread: number
}

/** The wait after this many failures in a row (from 1); `place`, in [0, 1), selects a point within the spread. */
export function waitMs({ waitsMs, spread }: BackOff, failures: number, place = 0): number {
  const wait = waitsMs[Math.min(Math.max(failures, 1), waitsMs.length) - 1] ?? waitsMs[0]
  return Math.round(wait * (1 + spread * place))
}

/** When to try again. */
export function nextTry(now: Date, backOff: BackOff, failures: number): Date {
  return later(now, waitMs(backOff, failures))
}

/** The longest wait: a due time further ahead was not written by this clock. */
export function longestMs({ waitsMs, spread }: BackOff): number {
  return Math.max(...waitsMs) * (1 + spread)
}

export const later = (now: Date, ms: number) => new Date(now.getTime() + ms)
