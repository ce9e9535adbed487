import { expect, test } from 'bun:test'
import {
  type Claims,
  claimed,
  holderOf,
  NO_CLAIMS,
} from '../../deploy/node/databases/watching/temporary-tables.ts'

type Writes = { id: number; changed?: number; locked?: number }

const SESSIONS = [
  { id: 1, owner: 'ana' },
  { id: 2, owner: 'bea' },
  { id: 3, owner: 'bea' },
].map((one) => ({ ...one, isBusy: true, thread: one.id, ms: 0, bytes: 0 }))
const of = (...ids: number[]) => SESSIONS.filter(({ id }) => ids.includes(id))

/** What is held after looks, each with the growth since the look before and who was writing. */
const after = (...looks: [grown: number, writers: Writes[], sessions?: typeof SESSIONS][]): Claims =>
  looks.reduce<Claims>(
    (claims, [grown, writers, sessions = SESSIONS]) =>
      claimed(claims, grown, {
        sessions,
        transactions: writers.map(({ id, changed = 1, locked = 0 }) => ({
          ...{ session: id, seconds: 0, changed, locked },
        })),
      }),
    NO_CLAIMS,
  )

test.each<[string, Claims, string | null]>([
  ['who sleeps on what it wrote holds it', after([900, [{ id: 1 }]], [100, [{ id: 2 }]]), 'ana'],
  [
    'sessions of one client count together',
    after([50, [{ id: 1 }]], [30, [{ id: 2 }]], [30, [{ id: 3 }]]),
    'bea',
  ],
  ['who holds tables writes into these', after([900, [{ id: 1, locked: 1 }, { id: 2 }]]), 'bea'],
  ['who holds tables is named where nobody else writes', after([900, [{ id: 1, locked: 1 }]]), 'ana'],
  ['who reads alone is not named', after([900, [{ id: 1, changed: 0 }]]), null],
  ['what grew before anybody was seen is of who writes next', after([900, []], [8, [{ id: 2 }]]), 'bea'],
  ['who has gone holds nothing', after([900, [{ id: 1 }]], [8, [{ id: 2 }], of(2, 3)]), 'bea'],
])('%s', (_, claims, owner) => {
  expect(holderOf(claims, SESSIONS)).toBe(owner)
})
