import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { claimNext, finish, mirrorWish } from '../../lib/mirror/queue.ts'
import type { Outcome } from '../../lib/mirror/run.ts'
import { settle } from '../../lib/mirror/states.ts'
import { queueRetire, queueSweep } from '../../lib/mirror/sweep.ts'
import { mirrorView, selectMirrors } from '../../lib/mirror/view.ts'
import { reversedName } from '../../lib/text/host-names.ts'
import { dnsAccounts, mirrors, zones } from '../../schema/tables.ts'
import { NODE, type Panel, startPanel } from '../support/providers/panel.ts'

const ZONES = 1000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const SERIAL = 2026112101
let panel: Panel

beforeEach(async () => {
  panel = await startPanel()
  const now = new Date(panel.clock.ms)
  const account = { node: NODE, kind: 'desec', credential: 'sealed', epoch: 1, fence: 0 }
  await panel.db.write(async (tx) => {
    await tx.insert(dnsAccounts).values({ ...account, nextSlotAt: now, checkedAt: now, createdAt: now })
  })
})
afterEach(() => panel.stop())

const name = (at: number) => `z${String(at).padStart(4, '0')}.es`

/** So many zones, compared through the last day, whose provider then was away for a whole one. */
async function afterOutage(count: number): Promise<void> {
  const started = panel.clock.ms
  await panel.db.write(async (tx) => {
    for (let at = 0; at < count; at++) {
      const zone = name(at)
      const times = { createdAt: new Date(started), updatedAt: new Date(started) }
      const place = { name: zone, reversed: reversedName(zone), node: NODE, serial: SERIAL }
      tx.later(
        tx.insert(zones).values({ id: at + 1, clientId: 1, ...place, ...times }),
        tx.insert(mirrors).values({
          zone,
          zoneId: at + 1,
          node: NODE,
          clientName: 'acme',
          kind: 'desec',
          state: 'al_dia',
          serial: SERIAL,
          remoteId: `r${at}`,
          nextAt: new Date(started + at * MINUTE_MS),
          urgency: 2,
          ...times,
        }),
      )
    }
  })
  panel.clock.ms = started + 2 * DAY_MS
}

/** The next slot: whose turn it was, once that has come out well. */
async function turn(): Promise<string | null> {
  panel.clock.ms += MINUTE_MS
  const now = new Date(panel.clock.ms)
  const claim = await claimNext(panel.db, now, 30_000)
  if (claim === null) return null
  const zone = { id: claim.row.remoteId ?? '', name: claim.row.zone, servers: [], marker: null }
  const remote = { ...zone, createdMs: null, warning: null, minimumTtlSeconds: null }
  const change = { created: 0, changed: 0, deleted: 0 }
  const current = await panel.db.read.select().from(zones).where(eq(zones.name, claim.row.zone)).get()
  const outcome: Outcome =
    claim.row.state === 'retirando'
      ? { kind: 'removed' }
      : { kind: 'synced', zone: remote, serial: current?.serial ?? 0, change, omitted: [] }
  const settlement = settle(claim.row, claim.account, outcome, now)
  await finish(panel.db, claim, settlement, now, async () => {})
  return claim.row.zone
}

async function turns(count: number): Promise<(string | null)[]> {
  const seen: (string | null)[] = []
  for (let at = 0; at < count; at++) seen.push(await turn())
  return seen
}

async function placeOf(zone: string): Promise<number | null> {
  const now = new Date(panel.clock.ms)
  const row = await selectMirrors(panel.db.read, now).where(eq(mirrors.zone, zone)).get()
  if (!row) throw new Error(zone)
  return mirrorView({ ...row, row: { ...row.row, state: 'en_cola' } }, 'es').posicion
}

const change = (zone: string) =>
  panel.db.write(async (tx) => tx.later(mirrorWish(tx, { zone }, new Date(panel.clock.ms))))

test('with 1,000 zones after a day without the provider, what people ask for goes next', async () => {
  await afterOutage(ZONES)
  expect(await turns(2)).toEqual([name(0), name(1)])
  await change(name(700))
  panel.clock.ms += 1000
  const why = { reason: 'desactivada', now: new Date(panel.clock.ms) }
  await panel.db.write(async (tx) => tx.later(...queueRetire(tx, eq(mirrors.zone, name(900)), why)))
  expect([await placeOf(name(700)), await placeOf(name(900)), await placeOf(name(2))]).toEqual([1, 2, 3])
  expect(await turns(3)).toEqual([name(700), name(900), name(2)])
})

test('a zone that was dropped comes after what people ask for and before the daily comparisons', async () => {
  await afterOutage(20)
  const dropped = { state: 'retirando', urgency: 1, nextAt: new Date(panel.clock.ms) } as const
  await panel.setRow(name(7), dropped)
  panel.clock.ms += 1000
  await change(name(12))
  expect([await placeOf(name(12)), await placeOf(name(7)), await placeOf(name(0))]).toEqual([1, 2, 3])
  expect(await turns(3)).toEqual([name(12), name(7), name(0)])
})

test('a change past the queue, of a zone that waits for its comparison to be tried again, goes next too', async () => {
  await afterOutage(20)
  const later = new Date(panel.clock.ms - 1000)
  await panel.setRow(name(9), { state: 'error', nextAt: later })
  await panel.db.write((tx) =>
    tx
      .update(zones)
      .set({ serial: SERIAL + 1 })
      .where(eq(zones.name, name(9))),
  )
  await panel.db.write(async (tx) => tx.later(...queueSweep(tx, new Date(panel.clock.ms))))
  expect(await turn()).toBe(name(9))
})

test('while people ask for something every minute, each tenth turn is a daily comparison, as the places tell', async () => {
  await afterOutage(40)
  for (let at = 20; at < 40; at++) {
    await change(name(at))
    panel.clock.ms += 1
  }
  const places: [number | null, string][] = []
  for (let at = 0; at < 40; at++) places.push([await placeOf(name(at)), name(at)])
  const told = places.toSorted(([one], [other]) => (one ?? 0) - (other ?? 0)).map(([, zone]) => zone)
  expect(places.map(([place]) => place).sort((one, other) => (one ?? 0) - (other ?? 0))).toEqual(
    Array.from({ length: 40 }, (_, at) => at + 1),
  )
  const seen = await turns(40)
  expect(seen).toEqual(told)
  expect([seen[9], seen[19], seen[22]]).toEqual([name(0), name(1), name(2)])
})

test('with more zones than minutes in a day each has its turn, and there is one row a zone', async () => {
  const many = 1500
  await afterOutage(many)
  const seen = new Set(await turns(many))
  expect(seen.size).toBe(many)
  expect((await panel.db.read.select({ zone: mirrors.zone }).from(mirrors)).length).toBe(many)
}, 120_000)
