import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { RRset } from '../../lib/endpoint/node-port.ts'
import { desiredRRsets, difference } from '../../lib/mirror/difference.ts'
import { STEPS, type Step } from '../../lib/mirror/run.ts'
import { type Panel, startPanel } from '../support/providers/panel.ts'
import type { Fault } from '../support/providers/proxy.ts'
import { providerOf, WORLDS, type World } from '../support/providers/world.ts'
import { SMALL } from './records.ts'

const ZONE = 'ejemplo.es'
const MINUTE_MS = 60_000

class Killed extends Error {}

describe.each(Object.keys(WORLDS))('faults of a mirror at %s', (kind) => {
  let panel: Panel
  let world: World

  beforeEach(async () => {
    panel = await startPanel()
    const start = WORLDS[kind]
    if (!start) throw new Error(kind)
    world = await start(() => panel.clock.ms)
    await panel.addAccount(world)
    await panel.addZone(ZONE, SMALL)
  })
  afterEach(async () => {
    expect(world.deviations()).toEqual([])
    await world.stop()
    await panel.stop()
  })

  const remaining = async (rrsets: RRset[]) => {
    const provider = providerOf(world)
    const zone = await provider.findZone(ZONE)
    if (zone === null) return null
    const { rrsets: wanted } = desiredRRsets(rrsets, provider, zone)
    return difference(wanted, await provider.readZone(zone), { zone: ZONE, txtBounds: true })
  }
  /** Breaks the first request that fits, once. */
  const once = (fits: (call: { method: string; path: string }) => boolean, fault: Fault) => {
    let left = 1
    world.proxy.fault = (call) => (fits(call) && left-- > 0 ? fault : null)
  }
  const isWrite = ({ method }: { method: string }) => method !== 'GET'
  const answer = (status: number, headers: Record<string, string> = {}, body = '{}'): Fault => ({
    kind: 'answer',
    status,
    headers,
    body,
  })

  test('a kill before or after any step leaves one zone that becomes right', async () => {
    const visited = new Set<Step>()
    const removal: Step[] = ['delete_records', 'delete_zone']
    for (const step of STEPS) {
      for (const moment of ['before', 'after'] as const) {
        const zone = `${step.replace('_', '-')}-${moment}.es`
        await panel.addZone(zone, SMALL)
        await panel.addMirror(zone)
        if (removal.includes(step)) {
          await panel.run(world)
          await panel.setRow(zone, { state: 'retirando', nextAt: new Date(panel.clock.ms) })
        }
        const killed = panel.run(world, {
          step: async (name, run) => {
            if (name === step && moment === 'before') throw new Killed()
            const result = await run()
            visited.add(name)
            if (name === step) throw new Killed()
            return result
          },
        })
        await expect(killed).rejects.toThrow(Killed)
        panel.clock.ms += 2 * MINUTE_MS
        await panel.run(world)
        const row = await panel.row(zone)
        const expected = removal.includes(step) ? 'retirada' : 'al_dia'
        expect([zone, row.state, row.reason]).toEqual([zone, expected, null])
        expect((await world.dump(zone)) === null).toBe(removal.includes(step))
      }
    }
    expect([...visited].sort()).toEqual([...STEPS].sort())
  }, 60_000)

  test('a creation whose answer is lost is found again by its proof', async () => {
    await panel.addMirror(ZONE)
    once(isWrite, { kind: 'cut' })
    expect((await panel.run(world))?.outcome).toBe('fault')
    expect((await panel.row(ZONE)).state).toBe('error')
    panel.clock.ms += 2 * MINUTE_MS
    expect((await panel.run(world))?.outcome).toBe('synced')
    expect(await remaining(SMALL)).toEqual([])
  })

  test('a creation that never arrived, beside a zone by another hand, ends as a conflict', async () => {
    await panel.addMirror(ZONE)
    once(isWrite, { kind: 'drop' })
    await panel.run(world)
    panel.clock.ms += 2 * MINUTE_MS
    await world.plant(ZONE, [{ name: 'theirs', type: 'A', ttl: 3600, values: ['203.0.113.9'] }])
    const before = await world.dump(ZONE)
    world.proxy.calls.length = 0
    expect((await panel.run(world))?.outcome).toBe('conflict')
    expect(world.proxy.writes()).toEqual([])
    expect(await world.dump(ZONE)).toBe(before)
  })

  test('a write whose answer is lost is read back and not repeated', async () => {
    await panel.addMirror(ZONE)
    await panel.run(world)
    const next: RRset[] = [...SMALL, { name: 'new', type: 'A', ttl: 3600, values: ['192.0.2.10'] }]
    await panel.setRecords(ZONE, next)
    world.proxy.calls.length = 0
    once(isWrite, { kind: 'cut' })
    expect((await panel.run(world))?.outcome).toBe('synced')
    expect(world.proxy.writes().length).toBe(1)
    expect(await remaining(next)).toEqual([])
  })

  test('a write that times out after the server applied it is read back and not repeated', async () => {
    await panel.addMirror(ZONE)
    await panel.run(world)
    const next: RRset[] = [...SMALL, { name: 'new', type: 'A', ttl: 3600, values: ['192.0.2.10'] }]
    await panel.setRecords(ZONE, next)
    world.proxy.calls.length = 0
    once(isWrite, { kind: 'stall' })
    const open = async () => providerOf(world, { remainingMs: () => 1_050 })
    expect((await panel.run(world, { open }))?.outcome).toBe('synced')
    expect(world.proxy.writes().length).toBe(1)
    expect(await remaining(next)).toEqual([])
  })

  test('a refused credential stops the account, says so once, and a new one resumes', async () => {
    await panel.addMirror(ZONE)
    await panel.addZone('otra.es', SMALL)
    await panel.addMirror('otra.es')
    world.proxy.fault = () => answer(401)
    await panel.run(world)
    expect((await panel.account()).refusedAt).not.toBeNull()
    const asked = world.proxy.calls.length
    for (let minute = 0; minute < 5; minute++) {
      panel.clock.ms += MINUTE_MS
      expect(await panel.run(world)).toBeNull()
    }
    expect(world.proxy.calls.length).toBe(asked)
    expect(panel.notices).toEqual([{ kind: 'credencial_rechazada', provider: kind }])
    world.proxy.fault = null
    await panel.setAccount({ refusedAt: null, epoch: 2 })
    await panel.run(world)
    await panel.run(world)
    expect([(await panel.row(ZONE)).state, (await panel.row('otra.es')).state]).toEqual(['al_dia', 'al_dia'])
  })

  test('a 401 in the middle of the writes leaves what is whole, and ends the run', async () => {
    await panel.addMirror(ZONE)
    let writes = 0
    world.proxy.fault = (call) => (isWrite(call) && ++writes === 2 ? answer(401) : null)
    expect((await panel.run(world))?.outcome).toBe('fault')
    expect((await panel.account()).refusedAt).not.toBeNull()
    expect(writes).toBe(2)
  })

  test('a 403 for one zone only does not stop the account', async () => {
    await panel.addMirror(ZONE)
    await panel.run(world)
    await panel.setRecords(ZONE, SMALL.slice(0, 3))
    const name = (await panel.row(ZONE)).remoteId ?? ''
    const own = encodeURIComponent(name.split('|')[0] ?? '')
    world.proxy.fault = (call) => (isWrite(call) && call.path.includes(own) ? answer(403) : null)
    await panel.run(world)
    expect((await panel.row(ZONE)).error).toBe('{"codigo":"proveedor_zona_prohibida","datos":"HTTP 403"}')
    expect((await panel.account()).refusedAt).toBeNull()
  })

  test('429 pauses the account until Retry-After, and costs the zone no attempt', async () => {
    await panel.addMirror(ZONE)
    once(() => true, answer(429, { 'retry-after': '300' }))
    await panel.run(world)
    const row = await panel.row(ZONE)
    expect([row.state, row.attempts]).toEqual(['en_cola', 0])
    panel.clock.ms += 4 * MINUTE_MS
    expect(await panel.run(world)).toBeNull()
    panel.clock.ms += MINUTE_MS
    expect((await panel.run(world))?.outcome).toBe('synced')
  })

  test('five failures of the provider in a row rest the account for a quarter of an hour', async () => {
    for (let at = 0; at < 6; at++) {
      await panel.addZone(`zona${at}.es`, SMALL)
      await panel.addMirror(`zona${at}.es`)
    }
    world.proxy.fault = () => answer(503)
    for (let at = 0; at < 5; at++) expect(await panel.run(world)).not.toBeNull()
    const asked = world.proxy.calls.length
    expect(await panel.run(world)).toBeNull()
    expect(world.proxy.calls.length).toBe(asked)
    world.proxy.fault = null
    panel.clock.ms += 15 * MINUTE_MS
    expect((await panel.run(world))?.outcome).toBe('synced')
  })

  test('failures wait 1, 5, 15 minutes, 1, 6, 24 hours, a little apart by zone', async () => {
    await panel.addMirror(ZONE)
    const waits: number[] = []
    world.proxy.fault = () => answer(400, {}, 'no')
    for (let at = 0; at < 7; at++) {
      await panel.run(world)
      const { nextAt } = await panel.row(ZONE)
      const waitMs = (nextAt?.getTime() ?? 0) - panel.clock.ms
      waits.push(waitMs / MINUTE_MS)
      panel.clock.ms += waitMs
    }
    const steps = [1, 5, 15, 60, 360, 1440, 1440]
    for (const [at, step] of steps.entries()) {
      expect(waits[at] ?? 0).toBeGreaterThanOrEqual(step)
      expect(waits[at] ?? 0).toBeLessThanOrEqual(step * 1.2)
    }
  })

  test('one zone that fails does not keep the others', async () => {
    for (const zone of ['rota.es', 'sana.es']) {
      await panel.addZone(zone, SMALL)
      await panel.addMirror(zone)
    }
    world.proxy.fault = ({ path, body }) => ((path + body).includes('rota.es') ? answer(400, {}, 'no') : null)
    await panel.run(world)
    await panel.run(world)
    expect([(await panel.row('rota.es')).state, (await panel.row('sana.es')).state]).toEqual([
      'error',
      'al_dia',
    ])
  })

  test.each([
    ['HTML', answer(200, { 'content-type': 'text/html' }, '<html>Sorry</html>')],
    ['a redirect', answer(302, { location: 'https://elsewhere.test/' }, '')],
    ['an endless body', answer(200, {}, `"${'x'.repeat(50 * 1024 * 1024)}"`)],
    ['an empty list', answer(200, {}, '[]')],
    ['null', answer(200, {}, 'null')],
  ] as [string, Fault][])('%s instead of the records deletes and writes nothing', async (_, fault) => {
    await panel.addMirror(ZONE)
    await panel.run(world)
    const before = await world.dump(ZONE)
    await panel.setRecords(ZONE, SMALL.slice(0, 3))
    world.proxy.calls.length = 0
    const reads = kind === 'powerdns' ? /zones\/[^?]+$/ : /rrsets|dns_records/
    world.proxy.fault = ({ method, path }) => (method === 'GET' && reads.test(path) ? fault : null)
    expect((await panel.run(world))?.outcome).toBe('fault')
    expect((await panel.row(ZONE)).state).toBe('error')
    expect(world.proxy.writes()).toEqual([])
    expect(await world.dump(ZONE)).toBe(before)
  })

  test('a list that lost records on its way deletes nothing', async () => {
    await panel.addMirror(ZONE)
    await panel.run(world)
    const before = await world.dump(ZONE)
    const shorter = (text: string): string => {
      const json = JSON.parse(text)
      const list = Array.isArray(json) ? json : (json.result ?? json.rrsets)
      list.splice(0, list.length)
      return JSON.stringify(json)
    }
    panel.clock.ms += 86_400_000
    world.proxy.calls.length = 0
    const reads = kind === 'powerdns' ? /zones\/[^?]+$/ : /rrsets|dns_records/
    world.proxy.fault = ({ method, path }) =>
      method === 'GET' && reads.test(path) ? { kind: 'edit', edit: shorter } : null
    expect((await panel.run(world))?.outcome).toBe('fault')
    expect(world.proxy.writes()).toEqual([])
    expect(await world.dump(ZONE)).toBe(before)
  })

  test('a provider that hangs costs no more than the run’s time', async () => {
    await panel.addMirror(ZONE)
    world.proxy.fault = () => ({ kind: 'hang' })
    const startedAt = performance.now()
    expect(
      (await panel.run(world, { open: async () => providerOf(world, { remainingMs: () => 1_050 }) }))
        ?.outcome,
    ).toBe('fault')
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect((await panel.row(ZONE)).error).toBe('{"codigo":"proveedor_sin_respuesta"}')
  })

  test('a provider that echoes the credential puts it nowhere', async () => {
    await panel.addMirror(ZONE)
    const echo = JSON.stringify({
      errors: [{ code: 9005, message: world.credential }],
      error: { code: world.credential, message: world.credential },
      detail: world.credential,
    })
    for (const status of [400, 401, 403, 404, 409, 422, 429, 500]) {
      await panel.setAccount({ refusedAt: null, pausedUntil: null })
      await panel.setRow(ZONE, { nextAt: new Date(panel.clock.ms), state: 'en_cola', remoteId: null })
      world.proxy.fault = () => answer(status, {}, echo)
      await panel.run(world)
      const kept = JSON.stringify([await panel.row(ZONE), await panel.account(), panel.notices])
      expect(kept).not.toContain(world.credential)
    }
  })
})
