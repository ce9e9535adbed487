import { expect, test } from 'bun:test'
import { lateOf, tooLarge, tooMany } from '../../deploy/node/databases/watching/excess.ts'

const LIMITS = { connections: 2, statementSeconds: 60, sessionMemoryBytes: 100, temporaryBytes: 1 }
const session = (
  id: number,
  owner: string,
  more: { bytes?: number; ms?: number; isBusy?: boolean } = {},
) => ({
  ...{ id, owner, isBusy: true, isKilled: false, thread: id, ms: 0, bytes: 0 },
  ...more,
})
const holding = (owner: string, ...bytes: number[]) =>
  bytes.map((one, at) => session(at + 1, owner, { bytes: one }))

test.each<[string, number[], number | null, number[]]>([
  ['a session that holds more than one may ends', [101, 5], null, [1]],
  ['sessions within the bound of one and of all go on', [90, 60, 50], null, []],
  ['the largest ends where all hold too much', [60, 90, 70], null, [2]],
  ['as many end as it takes', [99, 98, 97, 96, 95], null, [1, 2, 3]],
  ['a plan with less memory bounds all of them', [60, 70], 120, [2]],
  ['one session may hold its own whatever the plan', [90], 20, []],
  ['a plan with more changes nothing', [90, 60, 60], 1000, [1]],
])('%s', (_, bytes, plan, ends) => {
  expect(tooLarge(holding('ana', ...bytes), LIMITS, () => plan)).toEqual(ends)
})

test('what one client holds ends nothing of another', () => {
  const both = [...holding('ana', 90, 90, 90), session(9, 'bea', { bytes: 80 })]
  expect(tooLarge(both, LIMITS, () => null)).toEqual([1])
})

test('the latest sessions of a client beyond its number end', () => {
  const all = [session(1, 'ana'), session(2, 'bea'), session(3, 'ana'), session(4, 'ana')]
  expect(tooMany(all, LIMITS)).toEqual([4])
})

test.each<[string, ReturnType<typeof session>, boolean]>([
  ['a statement of a minute ends', session(1, 'ana', { ms: 60_000 }), true],
  ['one of less goes on', session(1, 'ana', { ms: 59_999 }), false],
  ['a session that sleeps has none', session(1, 'ana', { ms: 90_000, isBusy: false }), false],
  ['a load has ten minutes', session(1, 'LOADING_7', { ms: 599_000 }), false],
  ['and no more', session(1, 'LOADING_7', { ms: 600_000 }), true],
])('%s', (_, one, ends) => {
  expect(lateOf([one], LIMITS)).toEqual(ends ? [1] : [])
})
