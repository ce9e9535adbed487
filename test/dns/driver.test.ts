import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type DnsDriver, powerDnsDriver } from '../../deploy/node/dns/driver.ts'
import { canonicalRdata, servedTypes } from '../../lib/dns/rdata.ts'
import { canonicalRrset } from '../../lib/dns/rrset.ts'
import { call, kindOf, NS, run, set, zone } from './desired.ts'
import { dig, type RunningPdns, startPdns, wireAnswers } from './pdns.ts'
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

const serialServed = async (name: string) =>
  Number((await dig(server, '+short', name, 'SOA'))[0]?.split(' ')[2])

const SHAPES: [string, string[]][] = [
  ['A', ['192.0.2.1', '192.0.2.200']],
  ['AAAA', ['2001:db8::1', '::ffff:192.0.2.1', '::']],
  ['CAA', ['0 issue "ca.example.net; a=b"', '128 iodef ""', '0 issuewild "q\\"\\\\\\009"']],
  ['CNAME', ['*.Target.example.org.']],
  ['DS', [`60485 13 2 ${'AB'.repeat(32)}`]],
  [
    'HTTPS',
    [
      '1 . alpn=h2,h3 no-default-alpn port=8443 ipv4hint=192.0.2.1 ech=AAEC ipv6hint=2001:db8::1 key667="a\\"b,\\255"',
    ],
  ],
  ['MX', ['10 mail', '0 .']],
  ['NAPTR', ['100 10 "U" "E2U+sip" "!^.*$!sip:info@example.com!" .']],
  ['NS', ['ns1.other.net.']],
  ['PTR', ['Host_Name']],
  ['SRV', ['1 2 65535 target', '0 0 0 .']],
  ['SSHFP', [`4 2 ${'ab'.repeat(32)}`]],
  ['SVCB', ['0 alias', '16 foo.example.org. mandatory=ipv4hint,alpn alpn=h2 ipv4hint=192.0.2.1,192.0.2.2']],
  ['TLSA', [`3 1 1 ${'CD'.repeat(32)}`, `3 0 0 ${'CD'.repeat(700)}`]],
  [
    'TXT',
    [
      '""',
      '"a;b" "c"',
      '"quote\\" back\\\\slash \\010\\000\\255"',
      '"ñ 日本 \u202e"',
      '"$INCLUDE /etc/passwd"',
      '"@ %s $(id) `id`"',
    ],
  ],
  ['TXT', [255, 256, 4096].map((length) => `"${'x'.repeat(length)}"`)],
  ['TXT', [`"${'\\"'.repeat(255)}"`, `"${'\\000'.repeat(300)}"`]],
  ['URI', ['10 1 "ftp://f\\"t\\\\p.example.com/ñ"', `1 1 "${'x'.repeat(400)}"`]],
]

describe('publishing', () => {
  test('every type and every shape of text is answered exactly as stored', async () => {
    expect([...new Set(SHAPES.map(([type]) => type))].sort()).toEqual(servedTypes())
    const name = 'shapes.es'
    const sets = SHAPES.map(([type, values], at) =>
      canonicalRrset(name, { name: `t${at}`, type, ttl: 300, values }),
    )
    const glue = sets
      .filter((one) => one.type === 'DS')
      .map((one) => ({ ...one, type: 'NS', values: ['ns1.other.net.'] }))
    const wanted = zone(name, 2026112101, ...sets, ...glue)
    expect(await driver.publishZone(wanted, run)).toEqual({ serial: 2026112101 })
    for (const one of sets) {
      const stored = one.values.map((value) =>
        Buffer.from(canonicalRdata(one.type, value, name).wire).toString('hex'),
      )
      expect(await wireAnswers(server, `${one.name}.${name}`, one.type)).toEqual(stored.sort())
    }
    proxy.writes = []
    await driver.publishZone(wanted, run)
    expect(proxy.writes).toEqual([])
  })

  test('names that are wildcards, underscored, hyphened, or as long as they can be, are answered', async () => {
    const long = `${`${'a'.repeat(60)}.`.repeat(4).slice(0, 244)}`.replace(/\.$/, 'b')
    const names = ['*', '*.deep.er', '_dmarc', '_sip._tcp', '-edge-', '0', long.slice(0, 243)]
    await driver.publishZone(zone('names.es', 1, ...names.map((name) => set(name, 'A', '192.0.2.7'))), run)
    for (const name of names)
      expect(await dig(server, '+short', '-q', `${name}.names.es`)).toEqual(['192.0.2.7'])
    expect(await dig(server, '+short', 'anything.names.es', 'A')).toEqual(['192.0.2.7'])
  })

  test('a hostile name or zone name is refused before anything is written', async () => {
    const names = [
      'a..b',
      '../../x',
      'a b',
      'a\nb',
      'a"',
      'a\\',
      'ñ',
      'a;b',
      '$(id)',
      `${'a'.repeat(64)}`,
      'other.org.',
    ]
    for (const name of names) {
      const hostile = { ...zone('hostile.es', 1), rrsets: [NS, { ...set('a', 'A', '192.0.2.1'), name }] }
      expect(
        await driver.publishZone(hostile, run).then(
          () => 'published',
          () => 'refused',
        ),
      ).toBe('refused')
    }
    for (const name of ['../zones', 'a/b', 'a?b', 'a%2fb', '', 'a b', 'é.es', 'a..b']) {
      expect(await kindOf(driver.publishZone(zone(name, 1), run))).toBe('rechazado')
      expect(await kindOf(driver.removeZone(name, run))).toBe('rechazado')
    }
    expect(proxy.writes).toEqual([])
    expect(await dig(server, '+short', 'hostile.es', 'SOA')).toEqual([])
  })

  test('an identical publication writes nothing and keeps the serial', async () => {
    const one = zone(
      'same.es',
      2026112105,
      set('www', 'A', '192.0.2.1', '192.0.2.2'),
      set('x', 'AAAA', '::ffff:1.2.3.4'),
    )
    await driver.publishZone(one, run)
    proxy.writes = []
    expect(await driver.publishZone(one, run)).toEqual({ serial: 2026112105 })
    expect(await driver.publishZone({ ...one, rrsets: one.rrsets.toReversed() }, run)).toEqual({
      serial: 2026112105,
    })
    expect(proxy.writes).toEqual([])
    expect(await serialServed('same.es')).toBe(2026112105)
  })

  test('a change writes only what differs, under the serial given, visible at once', async () => {
    const first = zone('change.es', 1, set('a', 'A', '192.0.2.1'), set('b', 'A', '192.0.2.1'))
    await driver.publishZone(first, run)
    expect(await dig(server, '+short', 'c.change.es', 'A')).toEqual([])
    await driver.publishZone(
      zone('change.es', 2, set('a', 'A', '192.0.2.9'), set('c', 'A', '192.0.2.3')),
      run,
    )
    expect(await dig(server, '+short', 'a.change.es', 'A')).toEqual(['192.0.2.9'])
    expect(await dig(server, '+short', 'b.change.es', 'A')).toEqual([])
    expect(await dig(server, '+short', 'c.change.es', 'A')).toEqual(['192.0.2.3'])
    expect(await serialServed('change.es')).toBe(2)
  })

  test('CNAME takes the place of other types and gives it back', async () => {
    const flat = zone('alias.es', 1, set('w', 'A', '192.0.2.1'), set('w', 'TXT', '"x"'))
    const alias = zone('alias.es', 2, set('w', 'CNAME', 'elsewhere.net.'))
    await driver.publishZone(flat, run)
    await driver.publishZone(alias, run)
    expect(await dig(server, '+short', 'w.alias.es', 'CNAME')).toEqual(['elsewhere.net.'])
    await driver.publishZone({ ...flat, serial: 3 }, run)
    expect(await dig(server, '+short', 'w.alias.es', 'A')).toEqual(['192.0.2.1'])
    expect(await serialServed('alias.es')).toBe(3)
  })

  test('records that somebody else changed are put back under a newer serial, which is returned', async () => {
    const wanted = zone('drift.es', 50, set('a', 'A', '192.0.2.1'))
    await driver.publishZone(wanted, run)
    await tamper('drift.es', [
      {
        name: 'a.drift.es.',
        type: 'A',
        ttl: 300,
        changetype: 'REPLACE',
        records: [{ content: '203.0.113.1', disabled: false }],
      },
    ])
    expect(await driver.publishZone(wanted, run)).toEqual({ serial: 51 })
    expect(await dig(server, '+short', 'a.drift.es', 'A')).toEqual(['192.0.2.1'])
    await tamper('drift.es', [
      {
        name: 'a.drift.es.',
        type: 'A',
        ttl: 300,
        changetype: 'REPLACE',
        records: [{ content: '192.0.2.1', disabled: true }],
      },
    ])
    expect(await driver.publishZone(wanted, run)).toEqual({ serial: 52 })
    expect(await dig(server, '+short', 'a.drift.es', 'A')).toEqual(['192.0.2.1'])
  })

  test('the serial never goes back, also when the panel was restored to an older one', async () => {
    await driver.publishZone(zone('back.es', 2026112150, set('a', 'A', '192.0.2.1')), run)
    expect(await driver.publishZone(zone('back.es', 2026112101, set('a', 'A', '192.0.2.2')), run)).toEqual({
      serial: 2026112151,
    })
    expect(await driver.publishZone(zone('back.es', 2026112102, set('a', 'A', '192.0.2.2')), run)).toEqual({
      serial: 2026112151,
    })
  })

  test('publications at once, of many zones and of one, all arrive', async () => {
    const many = Array.from({ length: 20 }, (_, at) =>
      driver.publishZone(zone(`many${at}.es`, 1, set('a', 'A', '192.0.2.1')), run),
    )
    const one = Array.from({ length: 10 }, (_, at) =>
      driver.publishZone(zone('one.es', at + 1, set('a', 'A', `192.0.2.${at}`)), run),
    )
    const outcomes = await Promise.allSettled([...many, ...one])
    expect(outcomes.slice(0, 20).every((outcome) => outcome.status === 'fulfilled')).toBe(true)
    expect(await dig(server, '+short', 'a.one.es', 'A')).toEqual(['192.0.2.9'])
    expect(await serialServed('one.es')).toBe(10)
  })

  test('removal may be repeated, and the name is then refused', async () => {
    await driver.publishZone(zone('gone.es', 1), run)
    await driver.removeZone('gone.es', run)
    await driver.removeZone('gone.es', run)
    expect((await dig(server, 'gone.es', 'SOA')).join()).toContain('status: REFUSED')
  })
})

describe('signing', () => {
  test('answers are signed, DS are those of the key, and changes stay signed', async () => {
    await driver.publishZone(zone('signed.es', 1, set('a', 'A', '192.0.2.1')), run)
    const { ds } = await driver.setDnssec('signed.es', true, run)
    expect(ds.map((text) => text.split(' ').slice(1, 3))).toEqual([
      ['13', '2'],
      ['13', '4'],
    ])
    expect(await driver.setDnssec('signed.es', true, run)).toEqual({ ds })
    const tag = ds[0]?.split(' ')[0]
    await driver.publishZone(zone('signed.es', 2, set('b.c', 'A', '192.0.2.2')), run)
    const answer = (await dig(server, '+dnssec', '+short', 'b.c.signed.es', 'A')).join('\n')
    expect(answer).toContain(` ${tag} signed.es. `)
    const denial = (await dig(server, '+dnssec', 'a.signed.es', 'A')).join('\n')
    expect(denial).toContain('status: NXDOMAIN')
    expect(denial).toMatch(/NSEC\s/)
    expect((await dig(server, '+dnssec', 'c.signed.es', 'A')).join('\n')).toContain('status: NOERROR')
    expect(await driver.setDnssec('signed.es', false, run)).toEqual({ ds: [] })
    expect((await dig(server, '+dnssec', '+short', 'b.c.signed.es', 'A')).join()).toBe('192.0.2.2')
  })

  test('a zone that is not published cannot be signed, and can be unsigned', async () => {
    expect(await kindOf(driver.setDnssec('absent.es', true, run))).toBe('rechazado')
    expect(await driver.setDnssec('absent.es', false, run)).toEqual({ ds: [] })
  })
})

function tamper(name: string, rrsets: unknown[]): Promise<void> {
  return call(server, 'PATCH', `/zones/${name}.`, { rrsets })
}

test('names that were asked for before their zone existed are answered as soon as it is published', async () => {
  for (const name of ['preguntada.es', 'www.preguntada.es', 'otra.preguntada.es']) {
    expect(await dig(server, '+short', name, 'A')).toEqual([])
  }
  const published = zone(
    'preguntada.es',
    2026010101,
    set('@', 'A', '192.0.2.7'),
    set('www', 'A', '192.0.2.8'),
  )
  await driver.publishZone(published, run)
  expect(await dig(server, '+short', 'preguntada.es', 'A')).toEqual(['192.0.2.7'])
  expect(await dig(server, '+short', 'www.preguntada.es', 'A')).toEqual(['192.0.2.8'])
  await driver.publishZone(
    zone('preguntada.es', 2026010102, set('@', 'A', '192.0.2.7'), set('otra', 'A', '192.0.2.9')),
    run,
  )
  expect(await dig(server, '+short', 'otra.preguntada.es', 'A')).toEqual(['192.0.2.9'])
  expect(await dig(server, '+short', 'www.preguntada.es', 'A')).toEqual([])
})
