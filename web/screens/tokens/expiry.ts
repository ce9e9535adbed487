/** The days between which a token may expire, both included, as `YYYY-MM-DD` in UTC. */
export type ExpiryRange = { first: string; last: string }

/**
 * From tomorrow to the same date next year (specification 5.1.2); 29 February ends on the 28th. The API
 * decides by its own clock: this keeps the field from offering what would be refused.
 */
export function expiryRange(now: Date): ExpiryRange {
  const [year, month, day] = [now.getUTCFullYear() + 1, now.getUTCMonth(), now.getUTCDate()]
  const sameDay = new Date(Date.UTC(year, month, day))
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0))
  return { first: daysFrom(now, 1), last: isoDay(sameDay < lastOfMonth ? sameDay : lastOfMonth) }
}

/** The day this many days after `now`, kept inside the range. */
export function expiryIn(now: Date, days: number): string {
  const { first, last } = expiryRange(now)
  const wanted = daysFrom(now, days)
  // Dates written like this sort as they follow one another.
  return [first, wanted, last].sort()[1] ?? last
}

/** Whether a field's value is a day of the range. */
export const isInRange = (value: string, { first, last }: ExpiryRange): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) && value >= first && value <= last

const daysFrom = (now: Date, days: number) => isoDay(new Date(now.getTime() + days * 86_400_000))
const isoDay = (date: Date) => date.toISOString().slice(0, 10)
