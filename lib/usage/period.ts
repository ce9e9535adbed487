/** The UTC day of an instant, `YYYY-MM-DD`. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

/** Whether a text is a day of the calendar. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && dayOf(at) === text
}

/**
 * Age of a measurement in seconds, and whether it is overdue: older than twice the interval at which it
 * should be made, so that a single slow run is no alarm. A clock that went back gives an age of zero.
 */
export function ageOf(
  measuredAt: Date,
  now: Date,
  intervalSeconds: number,
): { seconds: number; overdue: boolean } {
  const seconds = Math.max(0, Math.floor((now.getTime() - measuredAt.getTime()) / 1000))
  return { seconds, overdue: seconds > 2 * intervalSeconds }
}
