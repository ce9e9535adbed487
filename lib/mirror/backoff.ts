const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Architecture 6.5. */
const STEPS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS]
const JITTER = 0.2

/**
 * How long to wait after the given number of failures in a row (from 1). The jitter is the zone's own, so
 * that a provider that comes back is not met by all zones at once, and a test can tell the time.
 */
export function backoffMs(failures: number, zone: string): number {
  const step = STEPS_MS[Math.min(Math.max(failures, 1), STEPS_MS.length) - 1] ?? MINUTE_MS
  return Math.round(step * (1 + JITTER * spread(`${zone}#${failures}`)))
}

/** When in the next day a zone has its turn: a day from now, earlier or later by up to 20%. */
export function dailyMs(zone: string): number {
  return Math.round(24 * HOUR_MS * (1 - JITTER * spread(zone)))
}

/** A number in [0, 1) from a text (FNV-1a). */
function spread(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0) / 2 ** 32
}

/** When a zone is checked at the latest, should the daily handler miss it. */
export const CHECK_AT_LATEST_MS = 26 * HOUR_MS
