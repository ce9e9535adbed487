import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { type BackOff, longestMs, nextTry, waitMs } from '../../lib/work/back-off.ts'
import { isDue, isFree, SKEW_MS, turnAt, waitsUntil } from '../../lib/work/clock.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const HOUR_MS = 3_600_000
const db = new Database(':memory:')

/** What SQLite makes of an expression. */
function resultOf(expression: SQL): unknown {
  const query = new SQLiteSyncDialect().sqlToQuery(sql`select ${expression} as value`)
  // Bound values here are numbers and null alone.
  return (db.query(query.sql).get(...(query.params as (number | null)[])) as { value: unknown }).value
}

const at = (ms: number | null) => (ms === null ? sql`null` : sql`${NOW.getTime() + ms}`)

/** Milliseconds from now; at most an hour ahead can have been written, and a minute for other hosts' clocks. */
const MOMENTS: [string, number | null, 'over' | 'ahead' | 'stray' | 'none'][] = [
  ['none', null, 'none'],
  ['long ago', -400 * 24 * HOUR_MS, 'over'],
  ['this very moment', 0, 'over'],
  ['a millisecond ahead', 1, 'ahead'],
  ['the longest wait ahead', HOUR_MS, 'ahead'],
  ['that of a host whose clock is a minute ahead', HOUR_MS + SKEW_MS, 'ahead'],
  ['further than anybody can have meant', HOUR_MS + SKEW_MS + 1, 'stray'],
  ['a year ahead', 365 * 24 * HOUR_MS, 'stray'],
]

describe.each(MOMENTS)('a moment: %s', (_, ms, is) => {
  const past = is === 'over' || is === 'stray'

  test('is due or waited for, however the longest wait is told', () => {
    for (const atMost of [HOUR_MS, sql`case when 1 then ${HOUR_MS} else 0 end`]) {
      expect(resultOf(isDue(at(ms), NOW, atMost))).toBe(is === 'none' ? null : Number(past))
    }
  })

  test('leaves a lease free or held', () => {
    expect(resultOf(isFree(at(ms), NOW, HOUR_MS))).toBe(Number(past || is === 'none'))
  })

  test('has its place in the order', () => {
    const place = ms === null ? null : is === 'stray' ? 0 : NOW.getTime() + ms
    expect(resultOf(turnAt(at(ms), NOW, HOUR_MS))).toBe(place)
  })

  test('means the same outside of the database', () => {
    const moment = ms === null ? null : new Date(NOW.getTime() + ms)
    expect(waitsUntil(moment, NOW, HOUR_MS)).toEqual(is === 'ahead' ? moment : null)
  })
})

const STEPS: BackOff = { waitsMs: [1000, 5000, 60_000], spread: 0.2 }

test.each([
  [0, 0, 1000],
  [1, 0, 1000],
  [2, 0, 5000],
  [3, 0, 60_000],
  [50, 0, 60_000],
  [2, 0.5, 5500],
  [3, 0.999, 71_988],
])('after %p failures, at %p of the spread, it is %p ms until the next try', (failures, place, ms) => {
  expect(waitMs(STEPS, failures, place)).toBe(ms)
})

test('no wait is longer than the longest, and the next try is that far from now', () => {
  expect(longestMs(STEPS)).toBe(72_000)
  expect(nextTry(NOW, STEPS, 2).getTime() - NOW.getTime()).toBe(5000)
})
