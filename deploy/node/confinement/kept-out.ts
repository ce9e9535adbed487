const LONGEST_MS = 3_600_000

/** A client that takes what all need is kept out for a minute, and each time that it does so again for twice as long. */
export function keptOut(firstMs = 60_000) {
  const kept = new Map<number, { until: number; waitMs: number }>()
  return {
    /** Keeps a client out from now on; answers for how long, in milliseconds. */
    keep(clientId: number): number {
      const before = kept.get(clientId)
      const waitMs = before ? Math.min(before.waitMs * 2, LONGEST_MS) : firstMs
      kept.set(clientId, { until: performance.now() + waitMs, waitMs })
      return waitMs
    },

    /** Those who are kept out now. One that behaved for as long as it was kept out is as any other. */
    clients(): number[] {
      const now = performance.now()
      for (const [client, { until, waitMs }] of kept) if (now > until + waitMs) kept.delete(client)
      return [...kept].filter(([, { until }]) => until > now).map(([client]) => client)
    },
  }
}
