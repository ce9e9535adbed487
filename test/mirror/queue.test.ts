import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Resolver, ResolverAnswer } from '../../lib/endpoint/context.ts'
import type { RRset } from '../../lib/endpoint/node-port.ts'
import { accountReading } from '../../lib/mirror/account.ts'
import { claimNext, estimatedTurn, finish, mirrorWish } from '../../lib/mirror/queue.ts'
import { settle } from '../../lib/mirror/states.ts'
import { queueSweep, sweepDue } from '../../lib/mirror/sweep.ts'
import { mirrorView, selectMirrors } from '../../lib/mirror/view.ts'
import { runNext } from '../../lib/mirror/worker.ts'
import { readNow } from '../../lib/store/reading.ts'
import { mirrors, zones } from '../../schema/tables.ts'
import { NODE, OURS, type Panel, startPanel } from '../support/providers/panel.ts'
import { providerOf, WORLDS, type World } from '../support/providers/world.ts'
import { SMALL } from './records.ts'

const ZONE = 'ejemplo.es'
const MINUTE_MS = 60_000
let panel: Panel
let world: World

beforeEach(async () => {
  panel = await startPanel()
  world = await (WORLDS.desec as NonNullable<(typeof WORLDS)[string]>)(() => panel.clock.ms) // one of the four
  await panel.addAccount(world)
  await panel.addZone(ZONE, SMALL)
})
const sweep = () => panel.db.write(async (tx) => tx.later(...queueSweep(tx, now())))

afterEach(async () => {
  await world.stop()
  await panel.stop()
})

const now = () => new Date(panel.clock.ms)
const added: RRset = { name: 'new', type: 'A', ttl: 3600, values: ['192.0.2.10'] }

test('of ten workers on one slot, only one runs', async () => {
  await panel.addMirror(ZONE)
  await panel.addZone('otra.es', SMALL)
  await panel.addMirror('otra.es')
  const done = await Promise.all(Array.from({ length: 10 }, () => runNext(panel.deps(world))))
  expect(done.filter((one) => one !== null).length).toBe(1)
  expect(
    world.proxy.calls.filter(({ method, path }) => method === 'POST' && path === '/api/v1/domains/').length,
  ).toBe(1)
})

test('the queue gives one zone a minute, in the order of asking', async () => {
  for (const [at, zone] of ['c.es', 'a.es', 'b.es'].entries()) {
    await panel.addZone(zone, SMALL)
    await panel.addMirror(zone, { nextAt: new Date(panel.clock.ms - 1000 + at) })
  }
  const done: (string | undefined)[] = []
  for (let second = 0; second < 180; second += 30) {
    done.push((await runNext(panel.deps(world)))?.zone)
    panel.clock.ms += 30_000
  }
  expect(done).toEqual(['c.es', undefined, 'a.es', undefined, 'b.es', undefined])
})

test('wishes for one zone are one run, and its place is told', async () => {
  await panel.addMirror(ZONE)
  await panel.addZone('otra.es', SMALL)
  await panel.addMirror('otra.es', { state: 'al_dia', nextAt: new Date(panel.clock.ms + 1_000_000) })
  panel.clock.ms += 1000
  for (let at = 0; at < 5; at++) {
    await panel.db.write(async (tx) => tx.later(mirrorWish(tx, { zone: 'otra.es' }, now())))
  }
  const found = await selectMirrors(panel.db.read, now()).where(eq(mirrors.zone, 'otra.es')).get()
  expect(found && mirrorView(found, 'es').posicion).toBe(2)
  const account = await readNow(panel.db.read, accountReading(panel.db.read, NODE))
  expect(estimatedTurn(account, 2, now()).getTime()).toBe(panel.clock.ms + MINUTE_MS)
  await panel.run(world)
  await panel.run(world)
  expect(await panel.run(world)).toBeNull()
})

test('an old fence changes nothing when it finishes', async () => {
  await panel.addMirror(ZONE)
  const slow = await claimNext(panel.db, now(), MINUTE_MS)
  if (!slow) throw new Error('nothing claimed')
  panel.clock.ms += 2 * MINUTE_MS
  expect((await panel.run(world))?.outcome).toBe('synced')
  const before = await panel.row(ZONE)
  const late = settle(slow.row, slow.account, { kind: 'conflict', reason: 'ya_existe' }, now())
  expect(await finish(panel.db, slow, late, now(), async () => {})).toBe(false)
  expect(await panel.row(ZONE)).toEqual(before)
})

test('a worker that was overtaken stops before its next call', async () => {
  await panel.addMirror(ZONE)
  let overtaken = false
  const slow = runNext(
    panel.deps(world, {
      // A clock that stands still for this worker alone: only the fence can stop it.
      open: async () => providerOf(world),
      step: async (name, run) => {
        if (name === 'apply') throw new Error('the fence was not asked for')
        const result = await run()
        if (name === 'store_id' && !overtaken) {
          overtaken = true
          panel.clock.ms += 5 * MINUTE_MS
          await runNext(panel.deps(world))
          await world.tamper(ZONE, added)
          world.proxy.calls.length = 0
        }
        return result
      },
    }),
  )
  expect((await slow)?.outcome).toBe('stale')
  expect(world.proxy.writes()).toEqual([])
  expect((await panel.row(ZONE)).state).toBe('al_dia')
})

test('a change during a run is not lost: it is queued again', async () => {
  await panel.addMirror(ZONE)
  world.proxy.before = async ({ method }) => {
    if (method !== 'PATCH') return
    world.proxy.before = null
    await panel.setRecords(ZONE, [...SMALL, added])
  }
  await panel.run(world)
  expect((await panel.row(ZONE)).state).toBe('en_cola')
  await panel.run(world)
  expect((await panel.row(ZONE)).state).toBe('al_dia')
  expect(await world.dump(ZONE)).toContain('"new"')
})

test('a removal during a run is not lost', async () => {
  await panel.addMirror(ZONE)
  world.proxy.before = async ({ method }) => {
    if (method !== 'PATCH') return
    world.proxy.before = null
    const { generation } = await panel.row(ZONE)
    await panel.setRow(ZONE, { state: 'retirando', reason: 'desactivada', generation: generation + 1 })
  }
  await panel.run(world)
  expect((await panel.row(ZONE)).state).toBe('retirando')
  await panel.run(world)
  const row = await panel.row(ZONE)
  expect([row.state, row.reason, await world.dump(ZONE)]).toEqual(['retirada', 'desactivada', null])
})

test('work that the time was not enough for goes on where it stopped', async () => {
  const many: RRset[] = [
    ...SMALL,
    ...Array.from({ length: 1200 }, (_, at) => ({ ...added, name: `host${at}` })),
  ]
  await panel.setRecords(ZONE, many)
  await panel.addMirror(ZONE)
  const startMs = panel.clock.ms
  // Time passes with each batch, so that the budget ends between two of them.
  const step = async <T>(name: string, run: () => Promise<T>) => {
    if (name === 'apply') panel.clock.ms += 40_000
    return run()
  }
  expect((await panel.run(world, { step }))?.outcome).toBe('partial')
  expect(panel.clock.ms).toBeGreaterThan(startMs)
  expect((await panel.row(ZONE)).state).toBe('en_cola')
  expect((await panel.run(world))?.outcome).toBe('synced')
})

test('a kill between two batches is made good by the next run', async () => {
  const many: RRset[] = [
    ...SMALL,
    ...Array.from({ length: 1200 }, (_, at) => ({ ...added, name: `host${at}` })),
  ]
  await panel.setRecords(ZONE, many)
  await panel.addMirror(ZONE)
  let batches = 0
  const killed = panel.run(world, {
    step: async (name, run) => {
      const result = await run()
      if (name === 'apply' && ++batches === 2) throw new Error('killed')
      return result
    },
  })
  await expect(killed).rejects.toThrow('killed')
  // The others do not wait behind a zone whose worker died.
  await panel.addZone('otra.es', SMALL)
  await panel.addMirror('otra.es')
  panel.clock.ms += 2 * MINUTE_MS
  world.proxy.calls.length = 0
  expect((await panel.run(world))?.zone).toBe('otra.es')
  expect(await panel.run(world)).toEqual({ zone: ZONE, outcome: 'synced' })
  expect(world.proxy.writes().filter(({ path }) => path.includes(ZONE)).length).toBe(1)
})

test('a copy of a signed zone says that it is not signed', async () => {
  await panel.db.write((tx) => tx.update(zones).set({ dnssec: true }).where(eq(zones.name, ZONE)))
  await panel.addMirror(ZONE)
  await panel.run(world)
  expect((await panel.row(ZONE)).omitted).toEqual([{ name: '@', type: 'RRSIG', reason: 'firma_no_copiada' }])
})

describe('the check that a request could not wait for', () => {
  const says = (answer: ResolverAnswer): Resolver => ({
    label: 'udp://192.0.2.53:53',
    query: async () => answer,
  })
  const checked = async (answer: ResolverAnswer) => {
    await panel.addMirror(ZONE, { state: 'comprobando' })
    await panel.run(world, { resolvers: [says(answer)] })
    return panel.row(ZONE)
  }

  test('goes on to the mirror when the zone leads here', async () => {
    const row = await checked({ kind: 'answer', values: [OURS], ttlSeconds: 60 })
    expect([row.state, row.answers[0]?.resultado, row.nextCheckAt !== null]).toEqual(['al_dia', 'aqui', true])
  })

  test('ends when it leads elsewhere, with nothing asked of the provider', async () => {
    const row = await checked({ kind: 'answer', values: ['203.0.113.80'], ttlSeconds: 60 })
    expect([row.state, row.reason, row.nextAt]).toEqual(['retirada', 'no_resuelve_aqui', null])
    expect(world.proxy.calls).toEqual([])
  })

  test('is tried again while nobody knows', async () => {
    const row = await checked({ kind: 'failure', reason: 'timeout' })
    expect([row.state, row.reason, row.attempts]).toEqual(['comprobando', 'no_concluyente', 1])
    expect(row.nextAt?.getTime()).toBeGreaterThan(panel.clock.ms)
    expect(world.proxy.calls).toEqual([])
  })
})

test('a zone that the panel changed past the queue is found and queued', async () => {
  await panel.addMirror(ZONE)
  await panel.run(world)
  expect(await sweepDue(panel.db.read)).toBe(false)
  await panel.db.write((tx) => tx.update(zones).set({ serial: 2026112199 }).where(eq(zones.name, ZONE)))
  expect(await sweepDue(panel.db.read)).toBe(true)
  await sweep()
  expect((await panel.row(ZONE)).state).toBe('en_cola')
})

test('the copy of a deleted zone is removed, and its row goes with it', async () => {
  await panel.addMirror(ZONE)
  await panel.run(world)
  await panel.db.write((tx) => tx.delete(zones).where(eq(zones.name, ZONE)))
  await sweep()
  expect((await panel.row(ZONE)).reason).toBe('zona_eliminada')
  expect((await panel.run(world))?.outcome).toBe('removed')
  expect(await world.dump(ZONE)).toBeNull()
  await expect(panel.row(ZONE)).rejects.toThrow()
})

test('an account on its way out goes with its last zone', async () => {
  await panel.addMirror(ZONE)
  await panel.run(world)
  await panel.setAccount({ removing: true })
  await panel.setRow(ZONE, { state: 'retirando', nextAt: now() })
  await sweep()
  expect((await panel.account()).node).toBe(NODE)
  await panel.run(world)
  await sweep()
  await expect(panel.account()).rejects.toThrow()
})
