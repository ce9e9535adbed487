import { describe, expect, test } from 'bun:test'
import { canonicalRdata, RdataError, servedTypes } from '../../lib/dns/rdata.ts'

const FOO_COM = '03666f6f076578616d706c6503636f6d00'
const FOO_ORG = '03666f6f076578616d706c65036f726700'
const ZONE = 'example.com'

/** Type, as written, canonical, wire form in hexadecimal. */
const VECTORS: [string, string, string, string][] = [
  ['A', ' 192.0.2.1\t', '192.0.2.1', 'c0000201'],
  // RFC 5952 section 4.
  ['AAAA', '2001:0DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1', '20010db8000000000001000000000001'],
  ['AAAA', '2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1', '20010db8000000010001000100010001'],
  ['AAAA', '::FFFF:192.0.2.1', '::ffff:c000:201', '00000000000000000000ffffc0000201'],
  ['AAAA', '::', '::', '00000000000000000000000000000000'],
  ['AAAA', '1::', '1::', '00010000000000000000000000000000'],
  // RFC 1035 section 3.3; names as RFC 4034 section 6.2 wants them.
  ['NS', 'NS1', 'ns1.example.com.', '036e7331076578616d706c6503636f6d00'],
  ['CNAME', 'Foo.Example.COM.', 'foo.example.com.', FOO_COM],
  ['CNAME', '@', 'example.com.', '076578616d706c6503636f6d00'],
  ['CNAME', 'f\\111o', 'foo.example.com.', FOO_COM],
  ['PTR', '_foo', '_foo.example.com.', '045f666f6f076578616d706c6503636f6d00'],
  ['MX', '010 foo', '10 foo.example.com.', `000a${FOO_COM}`],
  // RFC 7505, RFC 2782.
  ['MX', '0 .', '0 .', '000000'],
  ['SRV', '0 5 5060 foo', '0 5 5060 foo.example.com.', `0000000513c4${FOO_COM}`],
  ['SRV', '0 0 0 .', '0 0 0 .', '00000000000000'],
  ['TXT', 'v=spf1', '"v=spf1"', '06763d73706631'],
  ['TXT', 'a "b c"', '"a" "b c"', '016103622063'],
  ['TXT', '""', '""', '00'],
  ['TXT', '"\\"\\\\\\;\\000\\255"', '"\\"\\\\;\\000\\255"', '05225c3b00ff'],
  ['TXT', '"ñ"', '"\\195\\177"', '02c3b1'],
  ['TXT', '"a\tb"', '"a\\009b"', '03610962'],
  ['TXT', '"$INCLUDE @"', '"$INCLUDE @"', '0a24494e434c5544452040'],
  // RFC 8659 section 4.1.
  [
    'CAA',
    '0 ISSUE "ca1.example.net"',
    '0 issue "ca1.example.net"',
    '000569737375656361312e6578616d706c652e6e6574',
  ],
  ['CAA', '128 tbs Unknown', '128 tbs "Unknown"', '8003746273556e6b6e6f776e'],
  ['CAA', '0 issue ";"', '0 issue ";"', '000569737375653b'],
  // RFC 7553 section 4.6: no length octet before the target.
  ['URI', '10 1 "ftp://a"', '10 1 "ftp://a"', '000a00016674703a2f2f61'],
  // RFC 3403 section 6.2 (shortened).
  [
    'NAPTR',
    '100 50 "s" "http+N2L" "" foo',
    '100 50 "s" "http+N2L" "" foo.example.com.',
    `00640032017308687474702b4e324c00${FOO_COM}`,
  ],
  // RFC 4034 section 5.4, RFC 4255 section 3.3, RFC 6698.
  [
    'DS',
    '60485 5 1 2BB183AF5F22588179A53B0A 98631FAD1A292118',
    '60485 5 1 2bb183af5f22588179a53b0a98631fad1a292118',
    'ec4505012bb183af5f22588179a53b0a98631fad1a292118',
  ],
  [
    'SSHFP',
    '2 1 123456789abcdef67890123456789abcdef67890',
    '2 1 123456789abcdef67890123456789abcdef67890',
    '0201123456789abcdef67890123456789abcdef67890',
  ],
  ['TLSA', `3 1 1 ${'AB'.repeat(32)}`, `3 1 1 ${'ab'.repeat(32)}`, `030101${'ab'.repeat(32)}`],
  // RFC 9460 appendix D.
  ['HTTPS', '0 foo.example.com.', '0 foo.example.com.', `0000${FOO_COM}`],
  ['SVCB', '1 .', '1 .', '000100'],
  ['SVCB', '16 foo.example.com. port=53', '16 foo.example.com. port=53', `0010${FOO_COM}000300020035`],
  [
    'SVCB',
    '1 foo.example.com. key667=hello',
    '1 foo.example.com. key667="hello"',
    `0001${FOO_COM}029b000568656c6c6f`,
  ],
  [
    'SVCB',
    '1 foo.example.com. key667="hello\\210qoo"',
    '1 foo.example.com. key667="hello\\210qoo"',
    `0001${FOO_COM}029b000968656c6c6fd2716f6f`,
  ],
  [
    'SVCB',
    '1 foo ipv6hint="2001:db8::1,2001:db8::53:1"',
    '1 foo.example.com. ipv6hint=2001:db8::1,2001:db8::53:1',
    `0001${FOO_COM}0006002020010db800000000000000000000000120010db8000000000000000000530001`,
  ],
  [
    'SVCB',
    '1 foo ipv6hint="2001:db8:122:344::192.0.2.33"',
    '1 foo.example.com. ipv6hint=2001:db8:122:344::c000:221',
    `0001${FOO_COM}0006001020010db80122034400000000c0000221`,
  ],
  [
    'SVCB',
    '16 foo.example.org. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
    '16 foo.example.org. mandatory=alpn,ipv4hint alpn=h2,h3-19 ipv4hint=192.0.2.1',
    `0010${FOO_ORG}0000000400010004000100090268320568332d313900040004c0000201`,
  ],
  [
    'HTTPS',
    '1 . alpn="h2" no-default-alpn ech=AAEC',
    '1 . alpn=h2 no-default-alpn ech="AAEC"',
    '000100000100030268320002000000050003000102',
  ],
]

/** Type, value, code of the refusal. */
const REFUSED: [string, string, string][] = [
  ['A', '192.0.2.256', 'direccion_invalida'],
  ['A', '192.0.2.01', 'direccion_invalida'],
  ['A', '0x7f.1', 'direccion_invalida'],
  ['A', '192.0.2.1 192.0.2.2', 'direccion_invalida'],
  ['A', '192.0.2.1\n', 'direccion_invalida'],
  ['AAAA', '1:2:3:4:5:6:7', 'direccion_invalida'],
  ['AAAA', '1::2::3', 'direccion_invalida'],
  ['AAAA', 'fe80::1%eth0', 'direccion_invalida'],
  ['AAAA', '192.0.2.1', 'direccion_invalida'],
  ['MX', 'mail', 'numero_invalido'],
  ['MX', '65536 mail', 'numero_invalido'],
  ['MX', '10', 'faltan_campos'],
  ['MX', '10 mail extra', 'sobran_campos'],
  ['MX', '10 192.0.2.1', 'nombre_invalido'],
  ['MX', '10 _mail', 'nombre_invalido'],
  ['NS', '.', 'nombre_invalido'],
  ['CNAME', 'a..b', 'nombre_invalido'],
  ['CNAME', 'a\\.b', 'nombre_invalido'],
  ['CNAME', 'a*.b.', 'nombre_invalido'],
  ['CNAME', 'ñ.es.', 'nombre_invalido'],
  ['CNAME', `${'a'.repeat(64)}.es.`, 'nombre_invalido'],
  ['CNAME', `${'a.'.repeat(128)}`, 'nombre_invalido'],
  ['CNAME', '"foo"', 'nombre_invalido'],
  ['CNAME', 'foo; comment', 'texto_invalido'],
  ['CNAME', '', 'faltan_campos'],
  ['TXT', '', 'faltan_campos'],
  ['TXT', '"open', 'texto_invalido'],
  ['TXT', '"open\\"', 'texto_invalido'],
  ['TXT', '"a\nb"', 'texto_invalido'],
  ['TXT', '"a\u0000b"', 'texto_invalido'],
  ['TXT', '"\\256"', 'texto_invalido'],
  ['TXT', '"\\1a"', 'texto_invalido'],
  ['TXT', '( a )', 'texto_invalido'],
  ['TXT', `"${'x'.repeat(60_000)}"`, 'valor_demasiado_largo'],
  ['CAA', '256 issue "a"', 'numero_invalido'],
  ['CAA', '0 is-sue "a"', 'parametro_invalido'],
  ['DS', '1 8 2 abcd', 'hexadecimal_invalido'],
  ['DS', '1 8 9 abc', 'hexadecimal_invalido'],
  ['TLSA', '3 1 1', 'faltan_campos'],
  ['URI', '1 1 ""', 'texto_invalido'],
  ['NAPTR', `1 1 "" "" "${'x'.repeat(256)}" .`, 'valor_demasiado_largo'],
  ['SVCB', '1 . key123=abc key123=def', 'parametro_invalido'],
  ['SVCB', '1 . mandatory', 'parametro_invalido'],
  ['SVCB', '1 . alpn', 'parametro_invalido'],
  ['SVCB', '1 . port', 'parametro_invalido'],
  ['SVCB', '1 . ipv4hint', 'parametro_invalido'],
  ['SVCB', '1 . ipv4hint=auto', 'parametro_invalido'],
  ['SVCB', '1 . no-default-alpn=abc', 'parametro_invalido'],
  ['SVCB', '1 . mandatory=key123', 'parametro_invalido'],
  ['SVCB', '1 . mandatory=mandatory', 'parametro_invalido'],
  ['SVCB', '1 . mandatory=key123,key123 key123=abc', 'parametro_invalido'],
  ['SVCB', '1 . key65535=a', 'parametro_invalido'],
  ['SVCB', '0 . port=53', 'parametro_invalido'],
  ['LUA', 'A "os.exit()"', 'tipo_no_servido'],
  ['ALIAS', 'foo.', 'tipo_no_servido'],
  ['TYPE65400', '\\# 0', 'tipo_no_servido'],
  ['a\nb', 'x', 'tipo_no_servido'],
  ['SOA', 'a. b. 1 2 3 4 5', 'tipo_gestionado'],
  ['DNSKEY', '257 3 8 AA', 'tipo_gestionado'],
]

function hex(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex')
}

describe('canonical record data', () => {
  test.each(VECTORS)('%s %s', (type, written, presentation, wire) => {
    const data = canonicalRdata(type, written, ZONE)
    expect(data.presentation).toBe(presentation)
    expect(hex(data.wire)).toBe(wire)
  })

  test('every served type has a vector, and its canonical form is its own canonical form', () => {
    expect([...new Set(VECTORS.map(([type]) => type))].sort()).toEqual(servedTypes())
    for (const [type, , presentation, wire] of VECTORS) {
      const again = canonicalRdata(type.toLowerCase(), presentation, 'elsewhere.org.')
      expect([again.presentation, hex(again.wire)]).toEqual([presentation, wire])
    }
  })

  test('a string of 255 octets stays whole, a longer one becomes strings of 255', () => {
    for (const [length, counts] of [
      [255, [255]],
      [256, [255, 1]],
      [4096, [...Array(16).fill(255), 16]],
    ] as const) {
      const { presentation, wire } = canonicalRdata('TXT', `"${'x'.repeat(length)}"`, ZONE)
      expect(presentation.split('" "').length).toBe(counts.length)
      expect(wire.length).toBe(length + counts.length)
      let at = 0
      for (const count of counts) {
        expect(wire[at]).toBe(count)
        at += count + 1
      }
    }
  })

  test('every octet of a text survives', () => {
    const all = Array.from({ length: 256 }, (_, octet) => `\\${String(octet).padStart(3, '0')}`).join('')
    const { presentation, wire } = canonicalRdata('TXT', `"${all}"`, ZONE)
    expect([...wire.subarray(1, 256), wire[257]]).toEqual(Array.from({ length: 256 }, (_, octet) => octet))
    expect(hex(canonicalRdata('TXT', presentation, ZONE).wire)).toBe(hex(wire))
  })
})

describe('record data that is refused', () => {
  test.each(REFUSED)('%s %s', (type, written, codigo) => {
    let thrown: unknown
    try {
      canonicalRdata(type, written, ZONE)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(RdataError)
    const error = thrown as RdataError // Checked on the line before.
    expect<string>(error.codigo).toBe(codigo)
    expect(error.mensaje.en.length * error.mensaje.es.length).toBeGreaterThan(0)
  })

  test('fifty thousand characters of any kind are answered at once', () => {
    const started = performance.now()
    for (const piece of ['a', ' ', '.', '-', '\\', '"', '*.', '0', ':', '\\0', 'a=', ',', '(']) {
      for (const type of servedTypes()) {
        try {
          canonicalRdata(type, `1 ${piece.repeat(50_000 / piece.length)}`, ZONE)
        } catch (error) {
          expect(error).toBeInstanceOf(RdataError)
        }
      }
    }
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
