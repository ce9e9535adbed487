import { Cron } from 'croner'

/** Minute, hour, day of the month, month, day of the week: five fields, so never more often than once a minute. */
const FIELDS = /^[0-9A-Za-z*,/-]+(?: [0-9A-Za-z*,/-]+){4}$/

/** The next time (UTC) of a pattern after a moment; null if it is no pattern or never matches. */
export function nextOf(pattern: string, after: Date): Date | null {
  if (pattern.length > 100 || !FIELDS.test(pattern)) return null
  try {
    return new Cron(pattern, { timezone: 'UTC', paused: true }).nextRun(after)
  } catch {
    return null
  }
}
