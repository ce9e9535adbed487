import { Cron } from 'croner'

/** Minute, hour, day of the month, month, day of the week: five fields, so never more often than once a minute. */
const FIELDS = /^[0-9A-Za-z*,/-]+(?: [0-9A-Za-z*,/-]+){4}$/

/** When a pattern (UTC) comes next after a moment; null for what is no pattern, and for one that never comes. */
export function nextOf(pattern: string, after: Date): Date | null {
  if (pattern.length > 100 || !FIELDS.test(pattern)) return null
  try {
    return new Cron(pattern, { timezone: 'UTC', paused: true }).nextRun(after)
  } catch {
    return null
  }
}
