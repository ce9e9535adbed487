import { expect, test } from 'bun:test'
import { isLate } from '../../lib/backups/decide-retention.ts'

test.each([
  [55, false],
  [57, true],
  // Dated ahead: the clock was set back since, and nothing is known of its age.
  [-1, true],
])('a copy of %d hours ago is late: %p', (hours, late) => {
  const now = new Date('2026-11-26T02:00:00Z')
  expect(isLate(new Date(now.getTime() - hours * 3_600_000), now)).toBe(late)
})
