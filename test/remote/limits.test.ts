import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remoteClient } from '../../deploy/database/remote/database.ts'
import {
  chargeOne,
  type Limits,
  memoryLimits,
  sharedLimits,
  usedOf,
  waitFor,
} from '../../lib/store/counters.ts'
import { createDatabase } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts'

let folder: string
let server: LibsqlServer
/** Two processes on one database. */
let one: Limits
let other: Limits

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limits-'))
  server = await startLibsqlServer({ path: join(folder, 'server.db') })
  await migrate(open(), new Date(), async () => {})
  one = sharedLimits(createDatabase(open()), memoryLimits())
  other = sharedLimits(createDatabase(open()), memoryLimits())
})

afterEach(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const open = () => remoteClient({ url: server.url, token: server.token })
/** Not at the start of a minute, so that the tests depend on no clock's minute. */
const at = (seconds: number) => new Date(1_795_235_037_000 + 1000 * seconds)

async function strike(times: number, seconds: number): Promise<void> {
  for (let i = 0; i < times; i++) await (i % 2 ? one : other).strike([{ name: 'a', limit: 6 }], at(seconds))
}
const both = async (seconds: number) => [
  await one.lockedSeconds(['a'], at(seconds)),
  await other.lockedSeconds(['a'], at(seconds)),
]

test('guesses at several hosts lock their address out at all of them, for the time that each tells', async () => {
  await strike(5, 0)
  expect(await both(0)).toEqual([0, 0])
  await strike(1, 0)
  expect(await both(0)).toEqual([60, 60])
  expect(await both(59)).toEqual([1, 1])
  expect(await both(60)).toEqual([0, 0])
  expect(await one.lockedSeconds(['b'], at(0))).toBe(0)
})

test('guesses within sixty seconds count together, wherever in a clock’s minute they begin', async () => {
  for (const seconds of [0, 15, 30, 45, 59]) await strike(1, seconds)
  expect(await both(59)).toEqual([0, 0])
  // The first is a minute old; without it these are the fifth and the sixth.
  await strike(1, 60)
  expect(await both(60)).toEqual([0, 0])
  await strike(1, 74)
  expect(await both(74)).toEqual([60, 60])
})

test('each lock-out is twice as long as the one before, up to fifteen minutes, whichever host it began at', async () => {
  const lengths: number[] = []
  let seconds = 0
  for (let round = 0; round < 6; round++) {
    await strike(6, seconds)
    const [length = 0, there] = await both(seconds)
    expect(there).toBe(length)
    lengths.push(length)
    seconds += length
    expect(await both(seconds)).toEqual([0, 0])
  }
  expect(lengths).toEqual([60, 120, 240, 480, 900, 900])
  await strike(6, seconds + 3700)
  expect(await both(seconds + 3700)).toEqual([60, 60])
})

test('guesses that were in progress when the lock-out began do not lengthen it', async () => {
  await Promise.all(
    Array.from({ length: 11 }, (_, i) => (i % 2 ? one : other).strike([{ name: 'a', limit: 6 }], at(0))),
  )
  expect(await both(0)).toEqual([60, 60])
  await strike(6, 60)
  expect(await both(60)).toEqual([120, 120])
})

test('a lock-out does not survive a clock set back', async () => {
  await strike(6, 400 * 86_400)
  expect(await both(0)).toEqual([0, 0])
})

test('a guess is counted in one round trip, and a host that knows of the lock asks no more', async () => {
  await strike(5, 0)
  const before = server.roundTrips()
  await strike(1, 0)
  expect(server.roundTrips() - before).toBe(1)
  await both(0)
  const known = server.roundTrips()
  await both(30)
  expect(server.roundTrips() - known).toBe(0)
})

test('a budget shared by all hosts does not double when the clock’s hour ends', async () => {
  const hosts = [createDatabase(open()), createDatabase(open())]
  const edge = 1_795_233_600
  const budget = { name: 'https:uno.es', limit: 4, windowSeconds: 3600 }
  const ask = (seconds: number, host = 0) =>
    hosts[host]?.write(async (tx) => {
      const now = new Date(1000 * (edge + seconds))
      const wait = waitFor(budget, await usedOf(tx, budget, now), now)
      if (wait === 0) tx.later(chargeOne(tx, budget, now))
      return wait
    })
  expect([await ask(-60), await ask(-30, 1), await ask(-30), await ask(-10, 1)]).toEqual([0, 0, 0, 0])
  expect([await ask(-1), await ask(1, 1)]).toEqual([3541, 3539])
  // Each place is free again when its own hour is over, wherever it was taken.
  expect([await ask(3539), await ask(3540), await ask(3541, 1)]).toEqual([1, 0, 29])
  expect([await ask(3570), await ask(3570, 1), await ask(3571)]).toEqual([0, 0, 19])
  expect(await ask(-400 * 86_400)).toBe(0)
})
