/** How long a queue waits after a failure before it tries again. */
export type BackOff = {
  /** After the first failure in a row, the second and so on; the last wait repeats. */
  waitsMs: readonly [number, ...number[]]
  /** By which share of itself a wait may grow, so that what failed together is not tried together. */
  spread: number
}

/** The wait after so many failures in a row (from 1); `place`, in [0, 1), is where in the spread it lies. */
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
