import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { ResolverAnswer } from '../../lib/endpoint/context.ts'
import { accountView } from '../../lib/mirror/account.ts'
import { type CheckDeps, runChecks } from '../../lib/mirror/checks.ts'
import { claimNext, estimatedTurn, finish, jobStore, mirrorWish, workDue } from '../../lib/mirror/queue.ts'
import { refreshQuotas } from '../../lib/mirror/refresh.ts'
import type { Outcome } from '../../lib/mirror/run.ts'
import { type MirrorRow, settle } from '../../lib/mirror/states.ts'
import { mirrorView, selectMirrors } from '../../lib/mirror/view.ts'
import { ProviderFault } from '../../lib/providers/types.ts'
import { dnsAccounts, mirrors } from '../../schema/tables.ts'
import { BACK, back, DAY_MS, HOUR_MS, MINUTE_MS, move, services, storeForEachTest } from './queues-clock.ts'

storeForEachTest()

describe('a mirrored zone', () => {
  const ZONE = 'uno.es'
  let says: ResolverAnswer
  beforeEach(async () => {
    says = { kind: 'nxdomain', ttlSeconds: 300 }
    const at = services.now()
    const account = { node: 'nodo1', kind: 'desec', credential: 'sealed', epoch: 1, fence: 0 }
    const row = { zone: ZONE, node: 'nodo1', clientName: 'acme', kind: 'desec' }
    await services.db.write(async (tx) => {
      await tx.insert(dnsAccounts).values({ ...account, nextSlotAt: at, checkedAt: at, createdAt: at })
      await tx.insert(mirrors).values({ ...row, state: 'en_cola', nextAt: at, createdAt: at, updatedAt: at })
    })
  })
  const set = (values: Partial<MirrorRow>) =>
    services.db.write((tx) => tx.update(mirrors).set(values).where(eq(mirrors.zone, ZONE)))
  const row = async () => {
    const found = await services.db.read.select().from(mirrors).get()
    if (!found) throw new Error('no mirror')
    return found
  }
  const account = async () => {
    const found = await services.db.read.select().from(dnsAccounts).get()
    if (!found) throw new Error('no account')
    return found
  }
  const take = () => claimNext(services.db, services.now(), 150_000)
  /** One run to its end; false where there was nothing to do. */
  async function turn(outcome: Outcome): Promise<boolean> {
    const due = await workDue(services.db.read, services.now())
    const taken = await take()
    // The look that stands before the lock sees what the claim sees.
    expect(taken !== null).toBe(due)
    if (!taken) return false
    const settlement = settle(taken.row, taken.account, outcome, services.now())
    return finish(services.db, taken, settlement, services.now(), async () => {})
  }
  /** The longest delay is one of 28.8 hours. */
  async function hasItsTurn(): Promise<void> {
    const runs = [await turn(synced)]
    for (let hours = 0; hours < 29; hours++) {
      move(HOUR_MS)
      runs.push(await turn(synced))
    }
    expect(runs).toContain(true)
  }
  const change = { created: 0, changed: 0, deleted: 0 }
  const synced: Outcome = {
    kind: 'synced',
    zone: {
      id: 'r',
      name: ZONE,
      servers: [],
      createdMs: null,
      minimumTtlSeconds: 1,
      marker: null,
      warning: null,
    },
    serial: 1,
    change,
    omitted: [],
  }
  const fault = (kind: 'server' | 'throttled', retryAfterSeconds = 3600): Outcome => ({
    kind: 'fault',
    fault: new ProviderFault(kind, 'apply', { retryAfterSeconds }),
  })
  const checks = (): CheckDeps => ({
    db: services.db,
    now: services.now,
    resolvers: [{ label: 'r', query: async () => says }],
    addressesOf: async () => ['192.0.2.1'],
    dropped: async () => {},
  })

  test.each(BACK)(
    'that a person changed has its turn at once when the clock is set back by %s',
    async (_, ms) => {
      back(ms)
      expect(await turn(synced)).toBe(true)
    },
  )

  test.each(BACK)(
    'has its turn though the last slot was given before the clock was set back by %s',
    async (_, ms) => {
      expect(await turn(synced)).toBe(true)
      back(ms)
      await services.db.write(async (tx) => tx.later(mirrorWish(tx, { zone: ZONE }, services.now())))
      expect(estimatedTurn(await account(), 1, services.now())).toEqual(services.now())
      expect(await turn(synced)).toBe(true)
    },
  )

  test.each(BACK)('whose worker died is taken over when the clock is set back by %s', async (_, ms) => {
    expect(await take()).not.toBeNull()
    back(ms)
    expect(await turn(synced)).toBe(true)
  })

  test.each(BACK)(
    'that failed waits no longer than the longest delay when it is set back by %s',
    async (_, ms) => {
      for (let failures = 0; failures < 4; failures++) {
        expect(await turn(fault('server'))).toBe(true)
        move(26 * HOUR_MS)
      }
      expect(await turn(fault('server'))).toBe(true)
      back(ms)
      await hasItsTurn()
    },
  )

  test.each(BACK)(
    'of an account that rests waits no longer than the longest delay when it is set back by %s',
    async (_, ms) => {
      expect(await turn(fault('throttled'))).toBe(true)
      back(ms)
      const state = accountView(await account(), services.now(), 'en').estado
      expect(state).toBe(ms < DAY_MS ? 'en_pausa' : 'bien')
      await hasItsTurn()
    },
  )

  test.each(BACK)('stands first in its line, and is told so, when it is set back by %s', async (_, ms) => {
    back(ms)
    const at = services.now()
    const later = {
      zone: 'b.es',
      node: 'nodo1',
      clientName: 'acme',
      kind: 'desec',
      state: 'en_cola' as const,
    }
    await services.db.write((tx) =>
      tx.insert(mirrors).values({ ...later, nextAt: at, createdAt: at, updatedAt: at }),
    )
    const rows = await selectMirrors(services.db.read, at)
    const places = rows.map((one) => [one.row.zone, mirrorView(one, 'en').posicion])
    expect(Object.fromEntries(places)).toEqual({ [ZONE]: 1, 'b.es': 2 })
    expect((await take())?.row.zone).toBe(ZONE)
  })

  test.each(BACK)('is checked again within a day and a bit when it is set back by %s', async (_, ms) => {
    says = { kind: 'answer', values: ['192.0.2.1'], ttlSeconds: 300 }
    await set({ state: 'al_dia', nextCheckAt: new Date(services.now().getTime() + 26 * HOUR_MS) })
    back(ms)
    let checked = await runChecks(checks(), 'due')
    for (let hours = 0; hours < 25; hours++) {
      move(HOUR_MS)
      checked += await runChecks(checks(), 'due')
    }
    expect(checked).toBe(1)
  })

  test.each(BACK)(
    'in doubt is looked at again soon, and not dropped by that alone, when it is set back by %s',
    async (_, ms) => {
      await set({ state: 'al_dia', nextCheckAt: services.now() })
      await runChecks(checks(), 'due')
      expect((await row()).negativeAt).toEqual(services.now())
      back(ms)
      expect(await workDue(services.db.read, services.now())).toBe(true)
      expect(await runChecks(checks(), 'due')).toBe(1)
      // Hardly any time need have passed since the first look: this one is the first again.
      expect(await row()).toMatchObject({ negativeAt: services.now() })
      expect((await row()).state).not.toBe('retirando')
      move(HOUR_MS)
      await runChecks(checks(), 'due')
      expect((await row()).state).toBe('retirando')
    },
  )

  test('compared daily is compared once when the clock is set forward by a month', async () => {
    expect(await turn(synced)).toBe(true)
    move(30 * DAY_MS)
    const runs: boolean[] = []
    for (let minutes = 0; minutes < 60; minutes++) {
      runs.push(await turn(synced))
      move(MINUTE_MS)
    }
    expect(runs.filter(Boolean)).toHaveLength(1)
  })

  test.each([-30 * DAY_MS, 30 * DAY_MS])(
    'whose worker was overtaken after the clock moved by %p is finished by one of them',
    async (ms) => {
      const slow = await take()
      move(ms)
      expect(await turn(synced)).toBe(true)
      if (!slow) throw new Error('nothing claimed')
      const late = settle(slow.row, slow.account, { kind: 'lost' }, services.now())
      expect(await finish(services.db, slow, late, services.now(), async () => {})).toBe(false)
      expect((await row()).state).toBe('al_dia')
    },
  )

  test.each(BACK)(
    'of a worker that lives is not taken from it after the clock was set back by %s',
    async (_, ms) => {
      const taken = await take()
      if (!taken) throw new Error('nothing claimed')
      back(ms)
      expect(await jobStore(services.db, taken, services.now).renew()).toBe(true)
      expect(await workDue(services.db.read, services.now())).toBe(false)
      expect(await take()).toBeNull()
    },
  )

  test.each(BACK)(
    'has the room of its account asked for though it was last asked ahead of a clock set back by %s',
    async (_, ms) => {
      back(ms)
      expect(await refreshQuotas(services)).toBe(1)
    },
  )
})
