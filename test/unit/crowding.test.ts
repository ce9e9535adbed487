import { expect, test } from 'bun:test'
import { type Held, surplus } from '../../deploy/node/exchange/crowding.ts'

const of = (from: string, ranks: Held['rank'][]): Held[] => ranks.map((rank, fd) => ({ fd, from, rank }))
const times = (count: number, rank: Held['rank']) => Array.from({ length: count }, () => rank)
const counts = (held: Held[]) =>
  Object.fromEntries([...Map.groupBy(held, ({ from }) => from)].map(([from, those]) => [from, those.length]))

test.each([
  [{ a: 10 }, 10, {}],
  [{ a: 11 }, 10, { a: 1 }],
  [{ a: 100, b: 2 }, 10, { a: 92 }],
  [{ a: 100, b: 2, c: 50 }, 10, { a: 96, c: 46 }],
  [{ a: 1, b: 1, c: 1 }, 2, { a: 1 }],
])('of %o with room for %i these are ended: %o', (given: Record<string, number>, most, ended) => {
  const held = Object.entries(given).flatMap(([from, count]) => of(from, times(count, 1)))
  expect(counts(surplus(held, most))).toEqual(ended)
})

test('of an address those are ended last that have come to the end of their handshake, and first the oldest', () => {
  const held = of('a', [0, 1, 2, 0, 2, 1])
  expect(surplus(held, 3).map(({ fd }) => fd)).toEqual([5, 0, 3])
  expect(surplus(held, 1).map(({ rank }) => rank)).toEqual([2, 1, 1, 0, 0])
})
