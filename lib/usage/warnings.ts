/** The measured resources that clients are warned about, by their names on the wire. */
export type WarnedResource = 'disco_bytes' | 'inodos' | 'trafico_bytes'

export type Warning = { resource: WarnedResource; threshold: 80 | 100; used: number; limit: number }

/**
 * The highest threshold that was warned about for each resource; the key of traffic includes the month, since it
 * starts anew.
 */
export type Warned = Record<string, number>

/** Below this share of its limit a warning is forgotten, so that renewed growth is warned about again. */
const FORGET_BELOW = 0.7

/**
 * Decides which warnings to send now, and what to record so that each is sent once. A jump past both thresholds sends
 * only the higher. A use that swings around a threshold is warned about once, since the warning is forgotten only
 * below 70%.
 */
export function dueWarnings(
  use: Record<WarnedResource, { used: number; limit: number | null }>,
  about: { warned: Warned; month: string },
): { send: Warning[]; warned: Warned } {
  const send: Warning[] = []
  const warned: Warned = {}
  for (const resource of ['disco_bytes', 'inodos', 'trafico_bytes'] as const) {
    const key = resource === 'trafico_bytes' ? `${resource}:${about.month}` : resource
    const told = about.warned[key] ?? 0
    const { used, limit } = use[resource]
    if (limit === null) continue
    const reached = thresholdOf(used, limit)
    if (reached > told) send.push({ resource, threshold: reached === 100 ? 100 : 80, used, limit })
    const kept = used < limit * FORGET_BELOW ? 0 : Math.max(told, reached)
    if (kept > 0) warned[key] = kept
  }
  return { send, warned }
}

function thresholdOf(used: number, limit: number): 0 | 80 | 100 {
  if (used >= limit && used > 0) return 100
  return limit > 0 && used >= limit * 0.8 ? 80 : 0
}
