import { asc, type SQL, sql } from 'drizzle-orm'
import { mirrors } from '../../schema/mirror.ts'

/** Whose run goes first: people wait for the first, nobody for the last. */
export const URGENCY = { person: 0, dropped: 1, daily: 2 } as const

/** After this many turns in a row for others, one goes to a daily comparison: else they could starve. */
export const URGENT_TURNS = 9

/** The order in which rows that are due have their turn. */
export const TURN_ORDER = [asc(mirrors.urgency), asc(mirrors.nextAt), asc(mirrors.zone)]

/**
 * Where a row stands in the order in which the queue of its node will come to it, from 1. Rows that are not
 * due yet follow those that are, by their time. Names are written out, since a query on one table drops
 * them from columns.
 */
export function placeColumn(now: Date): SQL<number | null> {
  const at = now.getTime()
  const turns = sql`coalesce((select urgent_turns from dns_accounts where dns_accounts.node = mirrors.node), 0)`
  const due = sql`other.next_at <= ${at}`
  const isDaily = sql`other.urgency = ${URGENCY.daily}`
  const before = sql`(other.urgency, other.next_at, other.zone) < (mirrors.urgency, mirrors.next_at, mirrors.zone)`
  const count = (...all: SQL[]) => sql`count(*) filter (where ${sql.join(all, sql` and `)})`
  const urgentBefore = count(due, sql`not ${isDaily}`, before)
  const dailyBefore = count(due, isDaily, before)
  // Bound as a number it would be a fraction to SQLite.
  const span = sql.raw(String(URGENT_TURNS))
  // Every so many turns one of the daily ones goes between.
  const between = sql`min(${count(due, isDaily)}, (${turns} + ${urgentBefore}) / ${span})`
  const ahead = sql`max(0, ${span} * (${dailyBefore} + 1) - ${turns})`
  return sql`(
    select 1 + case
      when mirrors.next_at > ${at}
        then ${count(sql`(${due} or (other.next_at, other.zone) < (mirrors.next_at, mirrors.zone))`)}
      when mirrors.urgency < ${URGENCY.daily} then ${urgentBefore} + ${between}
      else ${dailyBefore} + min(${count(due, sql`not ${isDaily}`)}, ${ahead})
    end
    from mirrors as other
    where other.node = mirrors.node and other.next_at is not null and other.zone <> mirrors.zone
  )`
}
