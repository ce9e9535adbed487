import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
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
