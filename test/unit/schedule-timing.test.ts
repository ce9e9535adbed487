import { expect, test } from 'bun:test'
import { offsetOf, otherOffset, patternOf, timingOf } from '../../web/screens/sites/schedules/timing.ts'

const MADRID_SUMMER = 120
const CALCUTTA = 330
const NEW_YORK = -300

test.each([
  [{ every: 'minutes', minutes: 5 }, MADRID_SUMMER, '*/5 * * * *'],
  [{ every: 'hour', minute: 15 }, MADRID_SUMMER, '15 * * * *'],
  [{ every: 'hour', minute: 15 }, CALCUTTA, '45 * * * *'],
  [{ every: 'day', hour: 3, minute: 0 }, MADRID_SUMMER, '0 1 * * *'],
  [{ every: 'day', hour: 1, minute: 30 }, MADRID_SUMMER, '30 23 * * *'],
  [{ every: 'day', hour: 3, minute: 0 }, CALCUTTA, '30 21 * * *'],
  [{ every: 'week', weekday: 0, hour: 1, minute: 0 }, MADRID_SUMMER, '0 23 * * 6'],
  [{ every: 'week', weekday: 6, hour: 22, minute: 0 }, NEW_YORK, '0 3 * * 0'],
] as const)('%j, %d minutes ahead of UTC, is %s, and reads as the same', (timing, offset, pattern) => {
  expect(patternOf(timing, offset)).toBe(pattern)
  expect(timingOf(pattern, offset)).toEqual(timing)
})

test('the task that WordPress gets reads as every five minutes', () => {
  expect(timingOf('2-59/5 * * * *', MADRID_SUMMER)).toEqual({ every: 'minutes', minutes: 5 })
})

test.each(['0 3 1 * *', '0 3,15 * * *', '0 3 * 6 *', '0 3 * * 1-5', 'nonsense'])(
  '%s is left to who writes patterns',
  (pattern) => expect(timingOf(pattern, 0)).toBeNull(),
)

test('a zone that changes its clocks has another distance in the other half of the year', () => {
  const [winter, summer] = [new Date('2026-01-15T12:00:00Z'), new Date('2026-07-15T12:00:00Z')]
  expect([offsetOf('Europe/Madrid', winter), offsetOf('Europe/Madrid', summer)]).toEqual([60, 120])
  expect([otherOffset('Europe/Madrid', winter), otherOffset('Europe/Madrid', summer)]).toEqual([120, 60])
  expect([offsetOf('Asia/Calcutta', summer), otherOffset('Asia/Calcutta', summer)]).toEqual([330, 330])
})
