import { type SQL, sql } from 'drizzle-orm'
import { type BackOff, longestMs, waitMs } from '../work/back-off.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SPREAD = 0.2
/** Architecture 6.5. */
const BACK_OFF: BackOff = {
  waitsMs: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS],
  spread: SPREAD,
}

/**
 * How long to wait after this many failures in a row (from 1). The place within the spread depends on the zone's
 * name, so that not all zones return to a provider at once and a test can predict the time.
 */
export function backoffMs(failures: number, zone: string): number {
  return waitMs(BACK_OFF, failures, spread(`${zone}#${failures}`))
}

/** How long one run may take on a node, whose process lives long. */
export const NODE_BUDGET_MS = 120_000
/** A lease lasts this much longer than the run's own budget. */
export const LEASE_MARGIN_MS = 30_000
/** The longest lease of a run, on any host. */
export const LONGEST_LEASE_MS = NODE_BUDGET_MS + LEASE_MARGIN_MS

/**
 * How far ahead the next run of a zone can be. A zone without a failure is due at once, or at the end of its lease.
 * Column names are written out, since drizzle drops the table from columns in a query on one table.
 */
export function longestWait(table: 'mirrors' | 'other'): SQL {
  const of = sql.raw(table)
  const untried = sql`${of}.state <> 'al_dia' and ${of}.attempts = 0 and ${of}.error is null`
  return sql`case when ${untried} then ${LONGEST_LEASE_MS} else ${longestMs(BACK_OFF)} end`
}

/** When a zone's turn comes in the next day: a day from now, plus or minus up to 20%. */
export function dailyMs(zone: string): number {
  return Math.round(24 * HOUR_MS * (1 - SPREAD * spread(zone)))
}

/** A number in [0, 1) from a text (FNV-1a). */
function spread(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0) / 2 ** 32
}

/** When a zone is checked at the latest, should the daily handler miss it. */
export const CHECK_AT_LATEST_MS = 26 * HOUR_MS
/** When a zone in doubt is looked at again at the latest. */
export const DOUBT_AT_LATEST_MS = HOUR_MS
/** For how long at most an account pauses because its provider asked for it. */
export const LONGEST_PAUSE_MS = 24 * HOUR_MS
