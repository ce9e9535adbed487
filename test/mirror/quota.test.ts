import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { quotaPatch } from '../../lib/mirror/account.ts'
import { levelOf, quotaOf, warningOf } from '../../lib/mirror/quota.ts'
import type { AccountRow } from '../../lib/mirror/states.ts'
import { type Panel, startPanel } from '../support/providers/panel.ts'
import { providerOf, WORLDS, type World } from '../support/providers/world.ts'
import { SMALL } from './records.ts'

describe.each(['cloudflare', 'desec', 'hetzner'])('the quota of an account at %s', (kind) => {
  let panel: Panel
  let world: World
  beforeEach(async () => {
    panel = await startPanel()
    const start = WORLDS[kind]
    if (!start) throw new Error(kind)
    world = await start(() => panel.clock.ms)
    await panel.addAccount(world)
  })
  afterEach(async () => {
    await world.stop()
    await panel.stop()
  })

  test('is learned from a refusal, the zone waits, and nothing is left behind', async () => {
    world.setLimit?.(1)
    await world.plant('otra.es', [{ name: '@', type: 'A', ttl: 3600, values: ['203.0.113.9'] }])
    await panel.addZone('ejemplo.es', SMALL)
    await panel.addMirror('ejemplo.es')
    await panel.run(world)
    const row = await panel.row('ejemplo.es')
    expect([row.state, row.reason, row.intentAt]).toEqual(['sin_cuota', 'cuota_de_zonas', null])
    expect((await panel.account()).learnedLimit).toBe(1)
    expect(await world.dump('ejemplo.es')).toBeNull()
    world.setLimit?.(2)
    panel.clock.ms += 86_400_000
    await panel.run(world)
    expect((await panel.row('ejemplo.es')).state).toBe('al_dia')
  })

  test('counts the zones of the account', async () => {
    await world.plant('otra.es', [{ name: '@', type: 'A', ttl: 3600, values: ['203.0.113.9'] }])
    expect((await providerOf(world).quota()).used).toBe(1)
  })
})

test('the account’s own limit counts first, then the lower of a typed and a learned one', () => {
  const facts = { used: 8, apiLimit: null, adminLimit: null, learnedLimit: null }
  expect(quotaOf(facts)).toEqual({ used: 8, limit: null, source: null, level: 'desconocido' })
  expect(quotaOf({ ...facts, learnedLimit: 8 })).toMatchObject({
    limit: 8,
    source: 'aprendida',
    level: 'lleno',
  })
  expect(quotaOf({ ...facts, learnedLimit: 8, adminLimit: 10 })).toMatchObject({
    limit: 8,
    source: 'aprendida',
  })
  expect(quotaOf({ ...facts, learnedLimit: 12, adminLimit: 10 })).toMatchObject({
    limit: 10,
    source: 'admin',
  })
  expect(quotaOf({ ...facts, adminLimit: 10, apiLimit: 100 })).toMatchObject({ source: 'api', level: 'bien' })
})

test('warnings come at 80 and 95 percent', () => {
  const levels = [79, 80, 94, 95, 100].map((used) => levelOf(used, 100))
  expect(levels).toEqual(['bien', 'aviso', 'aviso', 'critico', 'lleno'])
  expect(levels.map(warningOf)).toEqual([0, 80, 80, 95, 95])
})

test('each warning goes out once on the way up', () => {
  const account = { kind: 'desec', warned: 0, adminLimit: 100, learnedLimit: null } as AccountRow // all that is read
  const at = (used: number, warned: number) => quotaPatch({ ...account, warned }, { used, limit: null })
  expect(at(79, 0).notices).toEqual([])
  expect(at(80, 0).notices).toEqual([{ kind: 'cuota', provider: 'desec', percent: 80, used: 80, limit: 100 }])
  expect(at(90, 80)).toEqual({
    patch: { used: 90, apiLimit: null, learnedLimit: null, warned: 80 },
    notices: [],
  })
  expect(at(95, 80).notices).toMatchObject([{ percent: 95 }])
  expect(at(50, 95).patch.warned).toBe(0)
})

test('an account that holds more than was learned has been given room', () => {
  const account = { kind: 'desec', warned: 0, adminLimit: null, learnedLimit: 15 } as AccountRow // all that is read
  expect(quotaPatch(account, { used: 16, limit: null }).patch.learnedLimit).toBeNull()
  expect(quotaPatch(account, { used: 15, limit: null }).patch.learnedLimit).toBe(15)
})
