import { asc, type SQL, sql } from 'drizzle-orm'
import { mirrors } from '../../schema/mirror.ts'
import { URGENCY } from '../../schema/states.ts'
import { isDue, turnAt } from '../work/clock.ts'
import { CHECK_AT_LATEST_MS, DOUBT_AT_LATEST_MS, longestWait } from './backoff.ts'

/** After this many urgent turns in a row, a daily comparison gets one, which would never have a turn otherwise. */
export const URGENT_TURNS = 9

const longestRun = longestWait('mirrors')
const longestCheck = sql`case when ${mirrors.negativeAt} is null then ${CHECK_AT_LATEST_MS} else ${DOUBT_AT_LATEST_MS} end`

/** Rows whose next run, or next check, has come. */
export const runIsDue = (now: Date) => isDue(mirrors.nextAt, now, longestRun)
export const checkIsDue = (now: Date) => isDue(mirrors.nextCheckAt, now, longestCheck)

/** The order in which rows that are due have their turn. */
export const turnOrder = (now: Date) => [
  asc(mirrors.urgency),
  asc(turnAt(mirrors.nextAt, now, longestRun)),
  asc(mirrors.zone),
]

/**
 * The place of a row in the queue of its node, from 1. Rows that are not due yet follow by their time; null for those
 * that are only compared daily. Column names are written out, since drizzle drops the table from columns in a query
 * on one table.
 */
export function placeColumn(now: Date): SQL<number | null> {
  const of = (table: 'mirrors' | 'other') => [sql.raw(`${table}.next_at`), now, longestWait(table)] as const
  const due = isDue(...of('other'))
  const others = sql`from mirrors as other where other.node = mirrors.node and other.zone <> mirrors.zone`
  const sooner = sql`(other.next_at, other.zone) < (mirrors.next_at, mirrors.zone)`
  const turns = sql`coalesce((select urgent_turns from dns_accounts where dns_accounts.node = mirrors.node), 0)`
  const isDaily = sql`other.urgency = ${URGENCY.daily}`
  const before = sql`(other.urgency, ${turnAt(...of('other'))}, other.zone) < (mirrors.urgency, ${turnAt(...of('mirrors'))}, mirrors.zone)`
  const count = (...all: SQL[]) => sql`count(*) filter (where ${sql.join(all, sql` and `)})`
  const urgentBefore = count(sql`not ${isDaily}`, before)
  const dailyBefore = count(isDaily, before)
  // A bound number would make SQLite divide as with fractions.
  const span = sql.raw(String(URGENT_TURNS))
  // The daily turns that go between the urgent ones.
  const between = sql`min(${count(isDaily)}, (${turns} + ${urgentBefore}) / ${span})`
  const ahead = sql`max(0, ${span} * (${dailyBefore} + 1) - ${turns})`
  return sql`case
    when not ${isDue(...of('mirrors'))} then case
      when mirrors.state <> 'al_dia' then (select 1 + count(*) ${others} and (${sooner} or ${due}))
    end
    when mirrors.urgency < ${URGENCY.daily} then (select 1 + ${urgentBefore} + ${between} ${others} and ${due})
    else (select 1 + ${dailyBefore} + min(${count(sql`not ${isDaily}`)}, ${ahead}) ${others} and ${due})
  end`
}
