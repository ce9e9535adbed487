import { describe, expect, test } from 'bun:test'
import { recordsBefore } from '../../lib/dns/history/changes.ts'
import { parseZoneFile } from '../../lib/dns/zonefile/zonefile.ts'
import type { ResolverAnswer } from '../../lib/endpoint/context.ts'
import { judgeDs } from '../../lib/proof/zone-connection.ts'
import { decodeAnswer, encodeQuery } from '../../lib/resolver/message.ts'
import { microsoftHost, TEMPLATES, wantedSets } from '../../web/screens/zones/mail/templates.ts'

const OURS = `12345 13 2 ${'ab'.repeat(32)}`
const OTHER = `999 8 2 ${'cd'.repeat(32)}`
const told = (...values: string[]): ResolverAnswer => ({ kind: 'answer', values, ttlSeconds: 60 })
const NONE: ResolverAnswer = { kind: 'nodata', ttlSeconds: 60 }
const SILENT: ResolverAnswer = { kind: 'failure', reason: 'timeout' }

describe('the DS records at the parent', () => {
  test.each([
    ['are those of the keys', [told(OURS)], [OURS], 'correcto'],
    [
      'are so in any spelling',
      [told(OURS)],
      [`12345 13 2 ${'AB'.repeat(16)} ${'AB'.repeat(16)}`],
      'correcto',
    ],
    ['are missing', [NONE], [OURS], 'ausente'],
    ['have others beside', [told(OURS, OTHER)], [OURS], 'de_mas'],
    ['are only others', [told(OTHER)], [OURS], 'distinto'],
    ['are not needed', [NONE], [], 'sin_firmar'],
    ['are left over', [told(OTHER)], [], 'sobra'],
    ['count where one resolver is silent', [SILENT, told(OURS)], [OURS], 'correcto'],
    ['cannot be told', [SILENT], [OURS], 'sin_respuesta'],
  ] as const)('%s', (_, answers, wanted, state) => {
    expect(judgeDs(answers, wanted).state).toBe(state)
  })

  test('are read from an answer as RFC 4034 writes them', () => {
    const query = encodeQuery(7, 'dskey.example.com', 'DS')
    // The example of RFC 4034 section 5.4.
    const digest = '2bb183af5f22588179a53b0a98631fad1a292118'
    const data = [0xec, 0x45, 5, 1, ...(digest.match(/../g) ?? []).map((octet) => Number.parseInt(octet, 16))]
    const question = [...query.slice(12, -11)]
    const header = [0, 7, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]
    const answer = [0xc0, 12, 0, 43, 0, 1, 0, 1, 0x51, 0x80, 0, data.length, ...data]
    const message = Uint8Array.from([...header, ...question, ...answer])
    expect(decodeAnswer(message, 'dskey.example.com', 'DS')).toEqual({
      kind: 'answer',
      values: [`60485 5 1 ${digest}`],
      ttlSeconds: 86400,
    })
  })
})

test.each([
  '',
  '.',
  'a..b',
  `${'a'.repeat(64)}.es`,
  `${'a'.repeat(300)}.es`,
  'ñ.es',
  'a b.es',
  'a.'.repeat(128),
])('no resolver is asked for %p, which would be read as something else', (name) => {
  expect(() => encodeQuery(7, name, 'TXT')).toThrow('name')
})

test('what was changed since is taken back from the newest to the oldest', () => {
  const set = (name: string, value: string) => ({
    name,
    type: 'A',
    ttl: 300,
    values: [value],
    origin: 'usuario' as const,
  })
  const was = (value: string) => ({ ttl: 300, values: [value] })
  const now = [set('a', '3'), set('new', '1'), set('same', '1')]
  const since = [
    { name: 'new', type: 'A', before: null },
    { name: 'a', type: 'A', before: was('2') },
    { name: 'gone', type: 'A', before: was('9') },
    { name: 'a', type: 'A', before: was('1') },
  ]
  expect(
    recordsBefore(now, since)
      .map(({ name, values }) => `${name} ${values}`)
      .sort(),
  ).toEqual(['a 1', 'gone 9', 'same 1'])
})

describe('a template for mail', () => {
  const row = (nombre: string, ...valores: string[]) => ({
    nombre,
    tipo: 'TXT',
    ttl: 600,
    valores,
    origen: 'usuario' as const,
  })
  const texts = (rows: ReturnType<typeof row>[]) =>
    wantedSets('google', { zone: 'ejemplo.es', host: '' }, rows)
      .filter(({ tipo }) => tipo === 'TXT')
      .map(({ nombre, ttl, valores }) => [nombre, ttl, valores])

  test.each(TEMPLATES)('%s is records that a zone takes', (template) => {
    const lines = wantedSets(template, { zone: 'ejemplo.es', host: 'Mail.Example.org.' }, []).flatMap(
      ({ nombre, tipo, ttl, valores }) => valores.map((valor) => `${nombre} ${ttl} ${tipo} ${valor}`),
    )
    const file = `${lines.join('\n')}\n`
    const { rrsets, refused } = parseZoneFile(file, 'ejemplo.es')
    expect(refused).toEqual([])
    expect(rrsets.filter(({ type }) => type === 'MX')).toHaveLength(1)
  })

  test('keeps the domain’s other texts and a policy that somebody chose, and replaces only SPF', () => {
    const before = [
      row('@', '"google-site-verification=x"', '"v=spf1 mx -all"'),
      row('_dmarc', '"v=DMARC1; p=reject"'),
    ]
    expect(texts(before)).toEqual([
      ['@', 600, ['"google-site-verification=x"', '"v=spf1 include:_spf.google.com ~all"']],
    ])
    expect(texts([])).toEqual([
      ['@', 3600, ['"v=spf1 include:_spf.google.com ~all"']],
      ['_dmarc', 3600, ['"v=DMARC1; p=none"']],
    ])
  })

  test('knows the host that Microsoft 365 usually gives', () => {
    expect(microsoftHost('mi.ejemplo.es')).toBe('mi-ejemplo-es.mail.protection.outlook.com')
  })
})
