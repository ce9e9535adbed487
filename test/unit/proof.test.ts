import { describe, expect, test } from 'bun:test'
import type { ResolverAnswer } from '../../lib/endpoint/context.ts'
import { placesOf, proofValues } from '../../lib/proof/challenge.ts'
import { decideClaim, topmost } from '../../lib/proof/decide.ts'
import { decide, judge, type Verdict } from '../../lib/proof/judge.ts'
import { KeyRing } from '../../lib/secrets/keys.ts'
import { registrableName, speaksFor } from '../../lib/text/host-names.ts'

describe('holding a name speaks for', () => {
  test.each([
    ['ejemplo.es', 'ejemplo.es'],
    ['ejemplo.es', 'a.b.ejemplo.es'],
    ['tienda.ejemplo.es', 'www.tienda.ejemplo.es'],
    ['ejemplo.co.uk', 'www.ejemplo.co.uk'],
    // Rules of the list's private part make each of these a registration of its own.
    ['mia.github.io', 'www.mia.github.io'],
  ])('%p: %p', (held, name) => expect(speaksFor(held, name)).toBe(true))

  test.each([
    ['ejemplo.es', 'noejemplo.es'],
    ['ejemplo.es', 'es'],
    ['tienda.ejemplo.es', 'ejemplo.es'],
    ['tienda.ejemplo.es', 'blog.ejemplo.es'],
    ['co.uk', 'ejemplo.co.uk'],
    ['github.io', 'mia.github.io'],
    // A public suffix of the private part lies between them.
    ['amazonaws.com', 'x.s3.amazonaws.com'],
  ])('not %p: %p', (held, name) => expect(speaksFor(held, name)).toBe(false))

  test('a registered name is told by the whole list', () => {
    expect(registrableName('a.b.ejemplo.co.uk')).toBe('ejemplo.co.uk')
    expect(registrableName('a.mia.github.io')).toBe('mia.github.io')
    expect(registrableName('localhost')).toBe('localhost')
  })
})

describe('the value of the record', () => {
  const ring = (...fills: number[]) =>
    new KeyRing(fills.map((fill) => ({ id: `k${fill}`, bytes: new Uint8Array(32).fill(fill) })))
  const acme = { id: 7, name: 'acme', createdAt: new Date('2026-11-22T10:00:00.001Z') }
  const proofOf = (about: Partial<typeof acme>, name = 'ejemplo.es', keys = ring(1)) =>
    proofValues(keys, { ...acme, ...about }, name)[0]

  test('is the same each time, and for all names of one registration', () => {
    expect(proofOf({}, 'a.b.ejemplo.es')).toBe(proofOf({}) ?? '')
    expect(placesOf('a.b.ejemplo.es')).toEqual({
      at: '_controlpanel.a.b.ejemplo.es',
      shared: '_controlpanel.ejemplo.es',
    })
  })

  test('differs by client, name and key, and for the same number and name in another database', () => {
    const others = [
      proofOf({ id: 8 }),
      proofOf({ name: 'acme2' }),
      proofOf({ createdAt: new Date('2026-11-22T10:00:00.002Z') }),
      proofOf({}, 'ejemplo.com'),
      proofOf({}, 'ejemplo.es', ring(2)),
      // Neighbouring parts must not be able to pass for each other.
      proofOf({ id: 71, name: 'cme' }),
    ]
    expect(new Set([proofOf({}), ...others]).size).toBe(others.length + 1)
  })

  test('is accepted under every key of the ring and shown under the current one', () => {
    const [old] = proofValues(ring(1), acme, 'ejemplo.es')
    const [current, before] = proofValues(ring(2, 1), acme, 'ejemplo.es')
    expect(before).toBe(old ?? '')
    expect(current).not.toBe(old)
  })
})

const answer = (...values: string[]): ResolverAnswer => ({ kind: 'answer', values, ttlSeconds: 60 })
const none: ResolverAnswer = { kind: 'nodata', ttlSeconds: 60 }
const nowhere: ResolverAnswer = { kind: 'nxdomain', ttlSeconds: 60 }
const failed = (reason: string): ResolverAnswer => ({ kind: 'failure', reason })
const late = failed('timeout')

describe('the verdict of a single resolver', () => {
  const ours = ['192.0.2.1', '2001:DB8::1']
  const cases: [string, Verdict, ResolverAnswer[], ResolverAnswer[]][] = [
    ['the text', 'probado', [answer('x', 'v')], [nowhere, nowhere]],
    ['the text of an older key', 'probado', [answer('old')], [none, none]],
    ['the text at the registered name', 'probado', [none, answer('v')], [late, late]],
    ['IPv4 here', 'probado', [none], [answer('192.0.2.1'), none]],
    ['IPv6 here, however it is written', 'probado', [none], [none, answer('2001:db8:0::1')]],
    ['here, while the text is not to be had', 'probado', [late], [answer('192.0.2.1'), none]],
    ['a longer text', 'sin_probar', [answer('v2', 'xv', 'v v', 'V')], [none, none]],
    ['one address elsewhere', 'sin_probar', [none], [answer('192.0.2.1', '203.0.113.1'), none]],
    ['IPv6 elsewhere', 'sin_probar', [none], [answer('192.0.2.1'), answer('2001:db8::2')]],
    ['nothing at all', 'sin_probar', [nowhere], [nowhere, nowhere]],
    ['a zone that its servers do not serve', 'sin_probar', [failed('SERVFAIL')], [failed('SERVFAIL'), none]],
    ['half of the addresses unknown', 'sin_respuesta', [none], [answer('192.0.2.1'), late]],
    ['addresses here, IPv6 refused', 'sin_probar', [none], [answer('192.0.2.1'), failed('REFUSED')]],
    ['no answer', 'sin_respuesta', [late], [late, late]],
    ['a broken answer', 'sin_respuesta', [failed('malformed')], [none, none]],
  ]
  test.each(cases)('%s: %s', (_, verdict, texts, addresses) => {
    expect(judge({ texts, addresses }, { values: ['v', 'old'], ours })).toBe(verdict)
  })

  test('leading here proves nothing where it is not asked for', () => {
    const told = { texts: [none], addresses: [answer('192.0.2.1'), none] }
    expect(judge(told, { values: ['v'], ours: null })).toBe('sin_probar')
  })
})

test.each([
  ['sin_respuesta', []],
  ['probado', ['probado']],
  ['sin_probar', ['sin_probar']],
  ['sin_respuesta', ['sin_respuesta']],
  ['probado', ['probado', 'probado']],
  ['sin_probar', ['probado', 'sin_probar']],
  ['sin_respuesta', ['probado', 'sin_respuesta']],
  ['sin_probar', ['sin_probar', 'sin_respuesta']],
  ['probado', ['probado', 'probado', 'sin_respuesta']],
  ['sin_respuesta', ['sin_respuesta', 'sin_respuesta', 'sin_probar']],
] as [Verdict, Verdict[]][])('two that agree prove, one among more does not: %s of %p', (verdict, all) => {
  expect(decide(all)).toBe(verdict)
})

describe('of names that are to be added', () => {
  const held = [
    { name: 'probada.es', proven: true },
    { name: 'otorgada.es', proven: false },
  ]
  test('those below a proven one are proven, those below a granted one are granted', () => {
    const names = ['a.probada.es', 'a.otorgada.es', 'ajena.es', 'www.nueva.es', 'nueva.es']
    const { proven, open } = decideClaim({ names, held, shown: ['nueva.es'] })
    expect([...proven].sort()).toEqual(['a.probada.es', 'nueva.es', 'www.nueva.es'])
    expect(open).toEqual(['ajena.es'])
  })

  test('only the topmost are asked about', () => {
    expect(topmost(['www.a.es', 'a.es', 'b.es', 'x.c.es', 'y.c.es'])).toEqual([
      'a.es',
      'b.es',
      'x.c.es',
      'y.c.es',
    ])
  })
})
