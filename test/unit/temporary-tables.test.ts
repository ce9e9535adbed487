import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Claims,
  claimed,
  type Filler,
  fillerOf,
  NO_CLAIMS,
  temporaryTables,
} from '../../deploy/node/databases/watching/temporary-tables.ts'

/** Without `locked` it writes temporary tables alone; `seconds` is how long its transaction is open. */
type Writes = { id: number; changed?: number; locked?: number; seconds?: number }

const SESSIONS = [
  { id: 1, owner: 'ana' },
  { id: 2, owner: 'bea' },
  { id: 3, owner: 'bea' },
  { id: 4, owner: 'bea' },
].map((one) => ({ ...one, isBusy: true, isKilled: false, thread: one.id, ms: 0, bytes: 0 }))
const of = (...ids: number[]) => SESSIONS.filter(({ id }) => ids.includes(id))
const asleep = (...ids: number[]) => SESSIONS.map((one) => ({ ...one, isBusy: !ids.includes(one.id) }))

/** What is held after looks, each with the growth since the look before and who was writing. */
const after = (...looks: [grown: number, writers: Writes[], sessions?: typeof SESSIONS][]): Claims =>
  looks.reduce<Claims>(
    (claims, [grown, writers, sessions = SESSIONS]) =>
      claimed(claims, grown, {
        sessions,
        transactions: writers.map(({ id, changed = 1, locked = 0, seconds = 0 }) => ({
          ...{ session: id, seconds, changed, locked },
        })),
      }),
    NO_CLAIMS,
  )

const all = (owner: string): Filler => ({ owner, session: null })
const one = (owner: string, session: number): Filler => ({ owner, session })
/** What three writing transactions of a shop have changed of its own tables. */
const shop = (changed: number) => [2, 3, 4].map((id) => ({ id, changed, locked: 1, seconds: 9 }))

test.each<[string, Claims, Filler | null]>([
  ['who sleeps on what it wrote holds it', after([900, [{ id: 1 }]], [100, [{ id: 2 }]]), all('ana')],
  [
    'sessions of one client count together',
    after([50, [{ id: 1 }]], [30, [{ id: 2 }]], [30, [{ id: 3 }]]),
    all('bea'),
  ],
  ['who holds tables writes into these', after([900, [{ id: 1, locked: 1 }, { id: 2 }]]), all('bea')],
  [
    'who writes temporary tables alone is not sure to be it where another changes more rows',
    after([900, [{ id: 1, changed: 90, locked: 1 }, { id: 2 }]]),
    one('bea', 2),
  ],
  [
    'who holds tables is named by its session where nobody else writes',
    after([900, [{ id: 1, locked: 1 }]]),
    one('ana', 1),
  ],
  [
    'a locked row puts nothing down to those who have several transactions open',
    after(
      [0, [{ id: 1, locked: 1, seconds: 9 }, ...shop(50)]],
      [900, [{ id: 1, changed: 8000, locked: 1, seconds: 9 }, ...shop(50)]],
    ),
    one('ana', 1),
  ],
  [
    'nor where these change some rows',
    after(
      [0, [{ id: 1, locked: 1, seconds: 9 }, ...shop(50)]],
      [900, [{ id: 1, changed: 8000, locked: 1, seconds: 9 }, ...shop(60)]],
    ),
    one('ana', 1),
  ],
  [
    'nor where the sessions of these hold more together than its one',
    after([900, [{ id: 1, changed: 40, locked: 1 }, ...shop(30).map((row) => ({ ...row, seconds: 0 }))]]),
    one('ana', 1),
  ],
  [
    'rows that were changed before the first look count for nothing',
    after([900, [{ id: 1, locked: 1 }, ...shop(5000)]]),
    one('ana', 1),
  ],
  [
    'fewer rows than before are those of another transaction',
    after([0, [{ id: 1, changed: 500, locked: 1 }]], [900, [{ id: 1, changed: 20, locked: 1 }, ...shop(9)]]),
    one('ana', 1),
  ],
  ['a row that takes long is of who is writing it', after([0, [{ id: 1 }]], [900, [{ id: 1 }]]), all('ana')],
  [
    'and not surely where somebody else’s statement runs in a transaction',
    after([0, [{ id: 1 }]], [900, [{ id: 1 }, { id: 2, changed: 0 }]]),
    one('ana', 1),
  ],
  [
    'nor of who sleeps in its transaction beside one who does not',
    after([0, [{ id: 1 }, { id: 2 }]], [900, [{ id: 1 }, { id: 2 }], asleep(1)]),
    all('bea'),
  ],
  ['who reads alone is not named', after([900, [{ id: 1, changed: 0 }]]), null],
  [
    'what grew before anybody was seen is not surely of who writes next',
    after([900, []], [8, [{ id: 2 }]]),
    one('bea', 2),
  ],
  ['who has gone holds nothing', after([900, [{ id: 1 }]], [8, [{ id: 2 }], of(2, 3)]), all('bea')],
])('%s', (_, claims, filler) => {
  expect(fillerOf(claims, SESSIONS)).toEqual(filler)
})

test('rows that are changed while the file keeps its size put nothing down to their session', () => {
  const directory = mkdtempSync(join(tmpdir(), 'temporary-'))
  const file = join(directory, 'ibtmp1')
  writeFileSync(file, '')
  const tables = temporaryTables(file, 100)
  const look = (bytes: number, ana: number, shopped: number) => {
    truncateSync(file, bytes)
    const rows = [{ id: 1, changed: ana, locked: 1, seconds: 9 }, ...shop(shopped)]
    const transactions = rows.map(({ id, ...rest }) => ({ session: id, ...rest }))
    if (tables.hasChanged()) return tables.filler(SESSIONS, transactions)
    tables.quiet(transactions)
    return null
  }
  expect(look(50, 1, 50)).toBe(null)
  expect(look(50, 1, 4000)).toBe(null)
  expect(look(900, 800, 4001)).toEqual(one('ana', 1))
  rmSync(directory, { recursive: true })
})
