import { afterEach, describe, expect, test } from 'bun:test'
import type { RRset } from '../../lib/endpoint/node-port.ts'
import { retryAfter } from '../../lib/providers/http.ts'
import { PROVIDERS } from '../../lib/providers/index.ts'
import type { Provider } from '../../lib/providers/types.ts'
import { startCloudflare } from '../support/providers/cloudflare.ts'
import { startDesec } from '../support/providers/desec.ts'
import { startHetzner } from '../support/providers/hetzner.ts'
import { startFaultProxy } from '../support/providers/proxy.ts'
import { providerOf, WORLDS, type World } from '../support/providers/world.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const NOW = Date.parse('2026-11-21T10:00:00Z')

/** An adapter on a fake that the test can turn itself. */
function on(
  kind: string,
  fake: { origin: string; token: string; stop: () => Promise<void> },
  account: string | null = null,
): Provider {
  const proxy = startFaultProxy(fake.origin)
  stops.push(proxy.stop, fake.stop)
  const world = { kind, proxy, credential: fake.token, account } as World // the rest is for the suite
  return providerOf(world)
}
const record = (name: string, value = '192.0.2.1'): RRset => ({ name, type: 'A', ttl: 3600, values: [value] })
const adding = (rrset: RRset) => ({ name: rrset.name, type: rrset.type, before: null, after: rrset })

test('every provider is listed once, and the suite runs over all of them', () => {
  expect(PROVIDERS.map(({ kind }) => kind).sort()).toEqual(Object.keys(WORLDS).sort())
})

describe('deSEC', () => {
  test('asks to wait at its own write rates, and says how long', async () => {
    const fake = startDesec(() => NOW)
    const provider = on('desec', fake)
    const zone = await provider.createZone('ejemplo.es', { marker: 'm', nameservers: [] })
    let nowMs = NOW
    fake.clock = () => nowMs
    for (let at = 0; at < 15; at++) {
      await provider.apply(zone, [adding(record(`h${at}`))])
      nowMs += 1_000
    }
    await expect(provider.apply(zone, [adding(record('late'))])).rejects.toMatchObject({
      kind: 'throttled',
      retryAfterSeconds: 45,
    })
    nowMs += 45_000
    await provider.apply(zone, [adding(record('late'))])
    expect(fake.deviations).toEqual([])
  })

  test('a token that may not read the account still gives the number of zones', async () => {
    const fake = startDesec(() => NOW)
    const provider = on('desec', fake)
    for (let at = 0; at < 3; at++) await provider.createZone(`z${at}.es`, { marker: 'm', nameservers: [] })
    expect(await provider.quota()).toEqual({ used: 3, limit: 15 })
    fake.accountReadable = false
    expect(await provider.quota()).toEqual({ used: 3, limit: null })
    expect(await provider.verify()).toEqual({ account: null })
  })

  test('a name that another account holds is refused as existing', async () => {
    const fake = startDesec(() => NOW)
    fake.taken.add('ejemplo.es')
    const provider = on('desec', fake)
    expect(await provider.findZone('ejemplo.es')).toBeNull()
    await expect(provider.createZone('ejemplo.es', { marker: 'm', nameservers: [] })).rejects.toMatchObject({
      kind: 'exists',
    })
  })

  test('a lower minimum TTL of a domain is used', async () => {
    const fake = startDesec(() => NOW)
    fake.minimumTtl = 60
    const provider = on('desec', fake)
    const zone = await provider.createZone('ejemplo.es', { marker: 'm', nameservers: [] })
    expect(zone.minimumTtlSeconds).toBe(60)
  })
})

describe('Cloudflare', () => {
  const start = () => {
    const fake = startCloudflare(() => NOW)
    return { fake, provider: on('cloudflare', fake, fake.account) }
  }

  test('tells the limit of an enterprise account', async () => {
    const { fake, provider } = start()
    fake.toldLimit = 40
    await provider.createZone('ejemplo.es', { marker: 'm', nameservers: [] })
    expect(await provider.quota()).toEqual({ used: 1, limit: 40 })
  })

  test('finds its only account by itself', async () => {
    const fake = startCloudflare(() => NOW)
    expect(await on('cloudflare', fake).verify()).toEqual({ account: fake.account })
  })

  test('a proxied record is drift, and is written without the proxy', async () => {
    const { fake, provider } = start()
    const zone = await provider.createZone('ejemplo.es', { marker: 'm', nameservers: [] })
    const held = fake.zones.get(zone.id)
    if (!held) throw new Error('no zone')
    fake.plantRecord(held, { name: 'www.ejemplo.es', type: 'A', ttl: 1, content: '192.0.2.1', proxied: true })
    const [before] = await provider.readZone(zone)
    expect(before?.ttl).toBe(-1)
    if (before) await provider.apply(zone, [{ name: 'www', type: 'A', before, after: record('www') }])
    expect(await provider.readZone(zone)).toMatchObject([{ name: 'www', ttl: 3600, values: ['192.0.2.1'] }])
  })

  test('a record that the provider keeps is neither read nor deleted', async () => {
    const { fake, provider } = start()
    const zone = await provider.createZone('ejemplo.es', { marker: 'm', nameservers: [] })
    const held = fake.zones.get(zone.id)
    if (!held) throw new Error('no zone')
    fake.plantRecord(held, { name: 'mx.ejemplo.es', type: 'A', ttl: 3600, content: '192.0.2.1' }, true)
    fake.plantRecord(held, { name: 'ejemplo.es', type: 'NS', ttl: 3600, content: 'bob.ns.cloudflare.com' })
    expect(await provider.readZone(zone)).toEqual([])
  })

  test('a zone that waits for its delegation is told', async () => {
    const { fake, provider } = start()
    fake.status = 'pending'
    expect((await provider.createZone('ejemplo.es', { marker: 'm', nameservers: [] })).warning).toBe(
      'pending',
    )
  })

  test('asks to wait after 1,200 requests in five minutes', async () => {
    const { fake, provider } = start()
    fake.clock = () => NOW
    for (let at = 0; at < 1_200; at++) await fetch(`${fake.origin}/client/v4/zones`)
    await expect(provider.quota()).rejects.toMatchObject({ kind: 'throttled', retryAfterSeconds: 300 })
  })
})

describe('Hetzner', () => {
  test('a token without write permission is a refused credential at the first write', async () => {
    const fake = startHetzner(() => NOW)
    fake.readonly = true
    const provider = on('hetzner', fake)
    await provider.verify()
    await expect(provider.createZone('ejemplo.es', { marker: 'm', nameservers: [] })).rejects.toMatchObject({
      kind: 'credential',
      code: 'token_readonly',
    })
  })

  test('the marker is a label of the zone', async () => {
    const fake = startHetzner(() => NOW)
    const provider = on('hetzner', fake)
    const { id } = await provider.createZone('ejemplo.es', { marker: 'cp-00ff', nameservers: [] })
    expect((await provider.getZone(id, 'ejemplo.es'))?.marker).toBe('cp-00ff')
    expect((await provider.findZone('ejemplo.es'))?.marker).toBe('cp-00ff')
  })

  test('a write is done when its action is', async () => {
    const fake = startHetzner(() => NOW)
    fake.pending = 3
    const provider = on('hetzner', fake)
    const zone = await provider.createZone('ejemplo.es', { marker: 'm', nameservers: [] })
    await provider.apply(zone, [adding(record('www'))])
    expect((await provider.readZone(zone)).length).toBe(1)
    fake.pending = 1_000
    await expect(provider.apply(zone, [adding(record('slow'))])).rejects.toMatchObject({ kind: 'timeout' })
  })
})

test('Retry-After is read as seconds or as a date, within bounds', () => {
  const of = (value: string, date = '') =>
    retryAfter(new Headers({ 'retry-after': value, ...(date ? { date } : {}) }))
  expect([of('30'), of('0'), of('999999'), of('soon')]).toEqual([30, 1, 86_400, 60])
  expect(of('Sat, 21 Nov 2026 10:01:30 GMT', 'Sat, 21 Nov 2026 10:00:00 GMT')).toBe(90)
  const reset = new Headers({ 'ratelimit-reset': '1795255800', date: 'Sat, 21 Nov 2026 10:00:00 GMT' })
  expect(retryAfter(reset)).toBe(600)
  expect(retryAfter(new Headers())).toBe(60)
})
