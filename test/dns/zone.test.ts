import { describe, expect, test } from 'bun:test'
import { diffRrsets, isEmptyDiff } from '../../lib/dns/diff.ts'
import { isInside, NameError, ownerName } from '../../lib/dns/names.ts'
import { canonicalRrset, clashes, RRsetError } from '../../lib/dns/rrset.ts'
import { isSerialAhead, nextSerial } from '../../lib/dns/serial.ts'
import { bareZone, siteZone, soaOf } from '../../lib/dns/template.ts'
import { parseZoneFile, serializeZone } from '../../lib/dns/zonefile/zonefile.ts'
import type { RRset } from '../../lib/endpoint/node-port.ts'

const ZONE = 'example.es'

function rrset(name: string, type: string, ...values: string[]): RRset {
  return { name, type, ttl: 3600, values }
}

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof RRsetError || error instanceof NameError) return error.codigo
    throw error
  }
  return 'accepted'
}

describe('owner names', () => {
  test.each([
    ['@', '@'],
    ['WWW', 'www'],
    ['example.es.', '@'],
    ['a.Example.ES.', 'a'],
    ['*', '*'],
    ['*.b', '*.b'],
    ['_dmarc', '_dmarc'],
    ['_sip._tcp', '_sip._tcp'],
    ['xn--nandu-rta', 'xn--nandu-rta'],
  ])('%s is %s', (written, name) => expect(ownerName(written, ZONE)).toBe(name))

  test.each([
    '',
    '.',
    'a..b',
    '.a',
    'a b',
    'a\n',
    'a\u0000',
    'a;',
    'a"',
    'a\\',
    'a\\.b',
    '$(id)',
    '../x',
    'a/b',
    'b.*',
    '**',
    'a*',
    'ñ',
    'ａ',
    `${'a'.repeat(64)}`,
    'a.'.repeat(120),
    'other.es.',
    'notexample.es.',
    'es.',
  ])('%p is refused', (written) => expect(() => ownerName(written, ZONE)).toThrow(NameError))

  test('a name that only ends like the zone is outside it', () => {
    expect(isInside('notexample.es.', 'example.es')).toBe(false)
    expect(isInside('a.example.es.', 'example.es')).toBe(true)
  })
})

describe('an RRset', () => {
  test('has each value once, in the order of the wire forms', () => {
    const canonical = canonicalRrset(ZONE, {
      name: 'Mail',
      type: 'mx',
      ttl: 300,
      values: ['20 B', '10 a', '20 b.example.es.', '100 a'],
    })
    expect(canonical).toEqual({
      name: 'mail',
      type: 'MX',
      ttl: 300,
      values: ['10 a.example.es.', '20 b.example.es.', '100 a.example.es.'],
    })
  })

  test.each<[string, RRset]>([
    ['ttl_invalido', { ...rrset('a', 'A', '192.0.2.1'), ttl: 0 }],
    ['ttl_invalido', { ...rrset('a', 'A', '192.0.2.1'), ttl: 2 ** 31 }],
    ['ttl_invalido', { ...rrset('a', 'A', '192.0.2.1'), ttl: 60.5 }],
    ['sin_valores', rrset('a', 'A')],
    ['cname_multiple', rrset('a', 'CNAME', 'b', 'c')],
    ['cname_con_otros', rrset('@', 'CNAME', 'b')],
    ['cname_circular', rrset('a', 'CNAME', 'A')],
    ['ds_en_raiz', rrset('@', 'DS', `1 8 2 ${'ab'.repeat(32)}`)],
    ['ns_comodin', rrset('*', 'NS', 'ns1')],
    ['texto_sin_comillas', rrset('@', 'TXT', 'v=spf1 -all')],
    ['texto_sin_comillas', rrset('@', 'TXT', 'v=DKIM1;k=rsa')],
    ['tipo_no_servido', rrset('a', 'LUA', 'A "1"')],
    ['tipo_gestionado', rrset('@', 'SOA', 'a. b. 1 2 3 4 5')],
    ['direccion_invalida', rrset('a', 'A', '192.0.2.1', 'x')],
    ['nombre_fuera_de_zona', rrset('other.es.', 'A', '192.0.2.1')],
    [
      'valor_demasiado_largo',
      rrset('a', 'TXT', ...Array.from({ length: 300 }, (_, n) => `"${n}${'x'.repeat(250)}"`)),
    ],
  ])('is refused with %s', (codigo, input) => expect(codeOf(() => canonicalRrset(ZONE, input))).toBe(codigo))

  test.each<[string, string[], RRset[]]>([
    ['CNAME beside another type', ['cname_con_otros'], [rrset('a', 'CNAME', 'b.'), rrset('a', 'TXT', '"x"')]],
    ['two of one type', ['registro_repetido'], [rrset('a', 'A', '192.0.2.1'), rrset('a', 'A', '192.0.2.2')]],
    [
      'data under a delegation',
      ['nombre_delegado'],
      [rrset('sub', 'NS', 'ns1.sub.example.es.'), rrset('x.sub', 'TXT', '"x"')],
    ],
    ['data at a delegation', ['nombre_delegado'], [rrset('sub', 'NS', 'ns1.'), rrset('sub', 'TXT', '"x"')]],
    ['DS without its delegation', ['ds_sin_delegacion'], [rrset('sub', 'DS', '1 8 9 ab')]],
  ])('%s clashes', (_, codes, rrsets) =>
    expect(clashes(ZONE, rrsets).map((one) => one.error.codigo)).toEqual(codes),
  )

  test('a delegation with its glue and DS stands, as do apex NS', () => {
    const zone = [
      rrset('@', 'NS', 'ns1.'),
      rrset('@', 'TXT', '"x"'),
      rrset('sub', 'NS', 'ns1.sub.example.es.'),
      rrset('sub', 'DS', '1 8 9 ab'),
      rrset('ns1.sub', 'A', '192.0.2.1'),
      rrset('sub', 'AAAA', '::1'),
      rrset('notsub', 'MX', '0 .'),
    ]
    expect(clashes(ZONE, zone)).toEqual([])
  })
})

describe('the difference of two zones', () => {
  test('spelling, case, order and repetition make none', () => {
    const left = [
      rrset('WWW', 'a', '192.0.2.2', '192.0.2.1', '192.0.2.1'),
      rrset('@', 'MX', '10 mail'),
      rrset('x', 'AAAA', '2001:DB8:0::1'),
      rrset('@', 'SOA', 'whatever'),
    ]
    const right = [
      rrset('www.example.es.', 'A', '192.0.2.1', '192.0.2.2'),
      rrset('example.es.', 'MX', '10 MAIL.example.es.'),
      rrset('x', 'AAAA', '2001:db8::1'),
    ]
    expect(isEmptyDiff(diffRrsets(ZONE, left, right))).toBe(true)
    expect(isEmptyDiff(diffRrsets(ZONE, right, left))).toBe(true)
  })

  test('tells created, changed by value or TTL, and deleted', () => {
    const from = [
      rrset('a', 'A', '192.0.2.1'),
      rrset('b', 'A', '192.0.2.1'),
      rrset('c', 'A', '192.0.2.1'),
      rrset('d', 'LUA', 'A "1"'),
    ]
    const to = [
      rrset('a', 'A', '192.0.2.9'),
      { ...rrset('b', 'A', '192.0.2.1'), ttl: 60 },
      rrset('e', 'TXT', '"x"'),
    ]
    const diff = diffRrsets(ZONE, from, to)
    const ids = (list: RRset[]) => list.map((one) => `${one.name} ${one.type}`)
    expect([ids(diff.created), ids(diff.changed), ids(diff.deleted)]).toEqual([
      ['e TXT'],
      ['a A', 'b A'],
      ['c A', 'd LUA'],
    ])
  })
})

describe('serials', () => {
  test('are dated, grow on the same day, after 99 changes and when the clock goes back', () => {
    const day = new Date('2026-11-21T23:59:59Z')
    expect(nextSerial(null, day)).toBe(2026112101)
    expect(nextSerial(2026112101, day)).toBe(2026112102)
    expect(nextSerial(2026112199, day)).toBe(2026112200)
    expect(nextSerial(2026112205, new Date('2026-11-22T00:00:00Z'))).toBe(2026112206)
    expect(nextSerial(2026112103, new Date('2025-10-01T00:00:00Z'))).toBe(2026112104)
    expect(nextSerial(1, day)).toBe(2026112101)
  })

  test('never go backwards over a thousand days of jumps', () => {
    let serial: number | null = null
    for (let step = 0; step < 5000; step++) {
      const jump = ((step * 7919) % 1000) * 86_400_000
      const next = nextSerial(serial, new Date(Date.UTC(2026, 0, 1) + jump))
      if (serial !== null) expect(isSerialAhead(next, serial)).toBe(true)
      serial = next
    }
  })

  test('compare by RFC 1982, over the end of 32 bits', () => {
    expect(isSerialAhead(0, 2 ** 32 - 1)).toBe(true)
    expect(isSerialAhead(2 ** 32 - 1, 0)).toBe(false)
    expect(isSerialAhead(5, 5)).toBe(false)
    expect(nextSerial(2 ** 32 - 1, new Date('2026-11-21T00:00:00Z'))).toBe(2026112101)
  })
})

describe('zone files', () => {
  const FILE = `\uFEFF$ORIGIN es.\r
$TTL 1h
example IN SOA ns1.example hostmaster.example ( 1 ; serial
   2h 1h 2w 1h )
        IN NS ns1.example
$ORIGIN example.es.
@ 300 IN A 192.0.2.1
  IN 300 A 192.0.2.2 ; second
www CNAME @
txt TXT ( "semi;colon (not) a comment"
          plain )
mail 1w2d MX 10 mx ; relative to the zone
$ORIGIN sub.example.es.
a A 192.0.2.3
`

  test('are read with origin, TTL, parentheses, comments and blank owners', () => {
    const { rrsets, refused } = parseZoneFile(FILE, ZONE)
    expect(refused).toEqual([])
    expect(rrsets).toEqual([
      { name: '@', type: 'NS', ttl: 3600, values: ['ns1.example.es.'] },
      { name: '@', type: 'A', ttl: 300, values: ['192.0.2.1', '192.0.2.2'] },
      { name: 'www', type: 'CNAME', ttl: 3600, values: ['example.es.'] },
      { name: 'txt', type: 'TXT', ttl: 3600, values: ['"semi;colon (not) a comment" "plain"'] },
      { name: 'mail', type: 'MX', ttl: 777_600, values: ['10 mx.example.es.'] },
      { name: 'a.sub', type: 'A', ttl: 3600, values: ['192.0.2.3'] },
    ])
  })

  test('a written zone is read back the same', () => {
    const { rrsets } = parseZoneFile(FILE, ZONE)
    const text = serializeZone({ name: ZONE, serial: 7, soa: soaOf(ZONE, ['ns1.example.es']), rrsets })
    const again = parseZoneFile(text, ZONE)
    expect(again.refused).toEqual([])
    expect(isEmptyDiff(diffRrsets(ZONE, rrsets, again.rrsets))).toBe(true)
    expect(text).toContain('@\t3600\tIN\tSOA\tns1.example.es. hostmaster.example.es. 7 ')
  })

  test('every refused line is told with its number', () => {
    const text = [
      '$INCLUDE /etc/passwd',
      '$GENERATE 1-9 a$ A 192.0.2.$',
      '  A 192.0.2.1',
      'a CH A 192.0.2.1',
      'b A nonsense',
      'other.org. A 192.0.2.1',
      'c TXT "open',
      'd A 192.0.2.1 )',
      'e CNAME f',
      'e A 192.0.2.1',
      'f LUA A "1"',
      'g 0 A 192.0.2.1',
      'h SOA a b 1 2 3 4 5',
      '$ORIGIN',
      'ok 60 A 192.0.2.1',
      'i',
    ].join('\n')
    const { refused } = parseZoneFile(text, ZONE)
    expect(refused.map((one) => [one.linea, one.codigo])).toEqual([
      [1, 'directiva_no_admitida'],
      [2, 'directiva_no_admitida'],
      [3, 'sin_nombre'],
      [4, 'clase_no_servida'],
      [5, 'direccion_invalida'],
      [6, 'nombre_fuera_de_zona'],
      [7, 'comillas_sin_cerrar'],
      [8, 'parentesis_sin_cerrar'],
      [9, 'cname_con_otros'],
      [11, 'tipo_no_servido'],
      [12, 'ttl_invalido'],
      [13, 'tipo_gestionado'],
      [14, 'directiva_no_admitida'],
      [16, 'tipo_no_servido'],
    ])
  })

  test('an open parenthesis or quote does not swallow the file in silence', () => {
    expect(parseZoneFile('a TXT ( "x"\nb A 192.0.2.1\n', ZONE).refused).toHaveLength(1)
    expect(parseZoneFile('a TXT "x\nb A 192.0.2.1\n', ZONE)).toMatchObject({
      rrsets: [{ name: 'b' }],
      refused: [{ linea: 1 }],
    })
  })
})

describe('the template of a site', () => {
  const defaults = { addresses: ['192.0.2.1', '2001:DB8::1'], nameServers: ['ns1.host.net', 'NS2.host.net.'] }

  test('holds addresses of the apex and the name servers, and those of what is served', () => {
    const zone = (...served: string[]) =>
      siteZone(ZONE, defaults, served).map(({ name, type, values }) => [name, type, ...values])
    const apex = [
      ['@', 'NS', 'ns1.host.net.', 'ns2.host.net.'],
      ['@', 'A', '192.0.2.1'],
      ['@', 'AAAA', '2001:db8::1'],
    ]
    expect(zone()).toEqual(apex)
    expect(zone('www')).toEqual([...apex, ['www', 'A', '192.0.2.1'], ['www', 'AAAA', '2001:db8::1']])
    expect(soaOf(ZONE, defaults.nameServers)).toMatchObject({
      mname: 'ns1.host.net.',
      rname: 'hostmaster.example.es.',
    })
  })

  test('gives addresses to a name server that lies inside the zone', () => {
    expect(bareZone('host.net', defaults).map((one) => `${one.name} ${one.type}`)).toEqual([
      '@ NS',
      'ns1 A',
      'ns1 AAAA',
      'ns2 A',
      'ns2 AAAA',
    ])
  })
})
