import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type DnsDriver, powerDnsDriver } from '../../deploy/node/dns/driver.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { call, kindOf, NS, run, set, zone } from './desired.ts'
import { dig, type RunningPdns, startPdns } from './pdns.ts'
import { type CountingProxy, countingProxy } from './proxy.ts'

let server: RunningPdns
let proxy: CountingProxy
let driver: DnsDriver

beforeAll(async () => {
  server = await startPdns()
  proxy = countingProxy(server.service.apiUrl())
  const persist = () => server.service.persist()
  driver = powerDnsDriver({ url: () => proxy.url, apiKey: () => server.apiKey, timeoutMs: 3000, persist })
})
afterAll(async () => {
  proxy?.stop()
  await server?.stop()
})
beforeEach(() => {
  proxy.writes = []
  proxy.fault = 'pass'
})

describe('faults', () => {
  const wanted = () => zone('fault.es', 1, set('a', 'A', '192.0.2.1'))
  const hasty = () => powerDnsDriver({ url: () => proxy.url, apiKey: () => server.apiKey, timeoutMs: 300 })

  test('each kind of failure is recognised, and no message contains the key', async () => {
    const stranger = powerDnsDriver({
      url: () => proxy.url,
      apiKey: () => new Secret('wrong-key'),
      timeoutMs: 3000,
    })
    expect(await kindOf(stranger.publishZone(wanted(), run))).toBe('clave')
    const nobody = powerDnsDriver({
      url: () => 'http://127.0.0.1:1',
      apiKey: () => server.apiKey,
      timeoutMs: 300,
    })
    expect(await kindOf(nobody.publishZone(wanted(), run))).toBe('sin_respuesta')
    for (const [fault, kind] of [
      ['hang', 'sin_respuesta'],
      ['locked', 'fallo'],
      ['html', 'fallo'],
    ] as const) {
      proxy.fault = fault
      expect(await kindOf(hasty().publishZone(wanted(), run))).toBe(kind)
    }
    const clash = { ...wanted(), rrsets: [NS, set('a', 'A', '192.0.2.1'), set('a', 'CNAME', 'b.')] }
    proxy.fault = 'pass'
    const error = await driver.publishZone(clash, run).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('Conflicts')
    expect(String(error)).not.toContain(server.apiKey.reveal())
  })

  test('a write that was applied but never answered converges when repeated', async () => {
    proxy.fault = 'apply_then_hang'
    expect(await kindOf(hasty().publishZone(wanted(), run))).toBe('sin_respuesta')
    proxy.fault = 'pass'
    proxy.writes = []
    expect(await driver.publishZone(wanted(), run)).toEqual({ serial: 1 })
    expect(proxy.writes).toEqual([])
  })

  test('one failed write does not stop the next', async () => {
    proxy.fault = 'locked'
    const failed = kindOf(driver.publishZone(zone('next.es', 1), run))
    const refused = await failed
    proxy.fault = 'pass'
    expect([refused, await driver.publishZone(zone('next.es', 1), run)]).toEqual(['fallo', { serial: 1 }])
  })
})

describe('an audit', () => {
  test('writes nothing where nothing differs, repairs what does, leaves foreign zones alone', async () => {
    const auditor = await startPdns()
    const counted = countingProxy(auditor.service.apiUrl())
    try {
      const other = powerDnsDriver({ url: () => counted.url, apiKey: () => auditor.apiKey, timeoutMs: 3000 })
      const zones = Array.from({ length: 30 }, (_, at) =>
        zone(`audit${at}.es`, 5, set('a', 'A', '192.0.2.1')),
      )
      for (const one of zones) await other.publishZone(one, run)
      await other.publishZone(zone('orphan.es', 1), run)
      await call(auditor, 'POST', '/zones', { name: 'foreign.es.', kind: 'Native', nameservers: [] })
      counted.writes = []
      expect(await other.auditZones(zones, { mayRemove: async () => false })).toEqual({
        compared: 30,
        repaired: [],
        removed: [],
        foreign: ['foreign.es'],
        failed: [],
      })
      expect(counted.writes).toEqual([])
      await call(auditor, 'DELETE', '/zones/audit1.es.')
      await call(auditor, 'PATCH', '/zones/audit2.es.', {
        rrsets: [
          {
            name: 'x.audit2.es.',
            type: 'A',
            ttl: 60,
            changetype: 'REPLACE',
            records: [{ content: '203.0.113.5', disabled: false }],
          },
        ],
      })
      const newer = zone('audit3.es', 9, set('a', 'A', '192.0.2.77'))
      const stale = zone('audit3.es', 8, set('a', 'A', '192.0.2.66'))
      const report = await other.auditZones([...zones.filter((one) => one.name !== 'audit3.es'), stale], {
        mayRemove: async (name) => name === 'orphan.es',
        reload: async (name) =>
          name === 'audit3.es' ? newer : (zones.find((one) => one.name === name) ?? null),
      })
      expect({ ...report, repaired: report.repaired.map(({ zone }) => zone).sort() }).toEqual({
        compared: 30,
        repaired: ['audit1.es', 'audit2.es', 'audit3.es'],
        removed: ['orphan.es'],
        foreign: ['foreign.es'],
        failed: [],
      })
      expect(await dig(auditor, '+short', 'a.audit1.es', 'A')).toEqual(['192.0.2.1'])
      expect(await dig(auditor, '+short', 'x.audit2.es', 'A')).toEqual([])
      expect(await dig(auditor, '+short', 'a.audit3.es', 'A')).toEqual(['192.0.2.77'])
      expect((await dig(auditor, 'orphan.es', 'SOA')).join()).toContain('REFUSED')
    } finally {
      counted.stop()
      await auditor.stop()
    }
  })
})
