import { describe, expect, test } from 'bun:test'
import { decideFollow, type FollowFacts, type Settings } from '../../lib/dns/decide-follow.ts'
import {
  decideDelete,
  decideImport,
  decidePut,
  MAX_RRSETS,
  MAX_ZONE_BYTES,
  type RecordFacts,
} from '../../lib/dns/decide-records.ts'
import { RRsetError } from '../../lib/dns/rrset.ts'
import type { StoredRrset } from '../../lib/dns/zones.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import type { RRset } from '../../lib/endpoint/node-port.ts'

const now = new Date('2026-11-23T00:00:00Z')
const LAST = 2026112207
const NEXT = 2026112301

const set = (at: string, ...values: string[]): StoredRrset => {
  const [name = '', type = ''] = at.split('/')
  return { name, type, ttl: 300, values, origin: 'sistema' }
}
const ns = set('@/NS', 'ns1.host.net.', 'ns2.host.net.')
const facts: RecordFacts = {
  zone: { name: 'z.es', serial: LAST },
  records: [ns, set('@/A', '192.0.2.1'), set('taken/A', '192.0.2.1'), set('sub/NS', 'ns1.host.net.')],
  below: ['inner.z.es'],
}
const full: RecordFacts = {
  ...facts,
  records: [ns, ...Array.from({ length: MAX_RRSETS - 1 }, (_, at) => set(`h${at}/A`, '192.0.2.1'))],
}
/** A text of so many octets, in strings of 255. */
const text = (octets: number) =>
  Array.from({ length: Math.ceil(octets / 250) }, () => `"${'x'.repeat(250)}"`).join(' ')
const large: RecordFacts = {
  ...facts,
  records: [
    ns,
    ...Array.from({ length: MAX_ZONE_BYTES / 50_000 }, (_, at) => set(`h${at}/TXT`, text(50_000))),
  ],
}

/** What a decision refuses with, as the field and the code, or the code alone. */
function refusalOf(decide: () => unknown): string | null {
  try {
    decide()
    return null
  } catch (error) {
    if (error instanceof RRsetError) return `${error.campo} ${error.codigo}`
    if (error instanceof AppError) return error.codigo
    throw error
  }
}

describe('one record set', () => {
  test('that is new is created and one that differs is changed, as the customer’s own, with the next serial', () => {
    const created = decidePut(facts, set('New/A', '192.0.2.9'), now)
    expect(created).toMatchObject({
      serial: NEXT,
      rrset: { name: 'new', values: ['192.0.2.9'], origin: 'usuario' },
      diff: { created: [{ name: 'new' }], changed: [], deleted: [] },
    })
    const { diff } = decidePut(facts, set('taken/A', '192.0.2.9'), now)
    expect(diff).toMatchObject({ created: [], changed: [{ name: 'taken' }], deleted: [] })
  })

  test('that is written unchanged changes nothing, not even whose it is', () => {
    const same = decidePut(facts, set('TAKEN.z.es./a', '192.0.2.1', '192.0.2.1'), now)
    expect(same).toEqual({
      serial: LAST,
      rrset: set('taken/A', '192.0.2.1'),
      diff: { created: [], changed: [], deleted: [] },
    })
  })

  test('keeps its values in the order of their wire forms', () => {
    const { diff } = decidePut(facts, set('mail/MX', '100 b', '20 a'), now)
    expect(diff.created[0]?.values).toEqual(['20 a.z.es.', '100 b.z.es.'])
  })

  test.each<[string, RRset, RecordFacts, string | null]>([
    ['a CNAME beside others', set('taken/CNAME', 'b'), facts, 'tipo cname_con_otros'],
    ['a name under a delegation', set('x.sub/TXT', '"x"'), facts, 'nombre nombre_delegado'],
    ['the name of a zone below', set('inner/A', '192.0.2.1'), facts, 'nombre nombre_en_otra_zona'],
    ['a name inside a zone below', set('x.inner/A', '192.0.2.1'), facts, 'nombre nombre_en_otra_zona'],
    ['NS inside a zone below', set('x.inner/NS', 'ns1.host.net.'), facts, 'nombre nombre_en_otra_zona'],
    ['the delegation of a zone below', set('inner/NS', 'ns1.host.net.'), facts, null],
    ['one more than a zone holds', set('new/A', '192.0.2.1'), full, 'nombre demasiados_registros'],
    ['another value in a full zone', set('h1/A', '192.0.2.9'), full, null],
    // From before that bound.
    ['more in a zone that is too large', set('new/A', '192.0.2.1'), large, 'valores zona_demasiado_grande'],
    ['less in a zone that is too large', set('h1/TXT', '"x"'), large, null],
    ['a bad value, told before the rest', set('inner/A', 'x'), facts, 'valores.0 direccion_invalida'],
  ])('%s', (_, wanted, known, refusal) => {
    expect(refusalOf(() => decidePut(known, wanted, now))).toBe(refusal)
  })
})

describe('a deletion', () => {
  test('takes out what is named, however its name is spelled', () => {
    expect(decideDelete(facts, { name: 'Taken.z.es.', type: 'A' }, now)).toMatchObject({
      serial: NEXT,
      diff: { created: [], changed: [], deleted: [{ name: 'taken', type: 'A' }] },
    })
  })

  test.each([
    ['what is not there', { name: 'none', type: 'A' }, 'registro_no_existe'],
    ['the NS of the apex', { name: '@', type: 'NS' }, 'tipo ns_de_la_raiz'],
    ['a name outside of the zone', { name: 'other.org.', type: 'A' }, 'nombre nombre_fuera_de_zona'],
  ])('of %s is refused', (_, at, refusal) => {
    expect(refusalOf(() => decideDelete(facts, at, now))).toBe(refusal)
  })

  test('of the NS that a DS needs is refused', () => {
    const ds = set('sub/DS', '12345 13 2 0000000000000000000000000000000000000000000000000000000000000000')
    const signed = { ...facts, records: [...facts.records, ds] }
    expect(refusalOf(() => decideDelete(signed, { name: 'sub', type: 'NS' }, now))).toBe(
      'tipo ds_sin_delegacion',
    )
  })
})

describe('an import', () => {
  test('replaces everything but the NS of the apex', () => {
    const wanted = [set('@/NS', 'ns1.foreign.net.'), set('@/A', '192.0.2.50'), set('new/TXT', '"x"')]
    const { diff, serial } = decideImport(facts, { wanted, mode: 'reemplazar' }, now)
    const names = (list: RRset[]) => list.map(({ name, type }) => `${name}/${type}`)
    expect([names(diff.created), names(diff.changed), names(diff.deleted)]).toEqual([
      ['new/TXT'],
      ['@/A'],
      ['taken/A', 'sub/NS'],
    ])
    expect(serial).toBe(NEXT)
  })

  test('that merges adds and changes, and deletes nothing', () => {
    const wanted = [set('@/NS', 'ns1.foreign.net.'), set('@/A', '192.0.2.50'), set('new/TXT', '"x"')]
    const { diff, serial } = decideImport(facts, { wanted, mode: 'fusionar' }, now)
    const names = (list: RRset[]) => list.map(({ name, type, values }) => `${name}/${type} ${values}`)
    expect([names(diff.created), names(diff.changed), diff.deleted]).toEqual([
      ['new/TXT "x"'],
      ['@/A 192.0.2.50'],
      [],
    ])
    expect(serial).toBe(NEXT)
    const besides = [set('taken/CNAME', 'x.net.')]
    expect(refusalOf(() => decideImport(facts, { wanted: besides, mode: 'fusionar' }, now))).toBe(
      'tipo cname_con_otros',
    )
  })

  test.each(['reemplazar', 'fusionar'] as const)(
    '%s of the same records changes nothing and keeps the serial',
    (mode) => {
      const { diff, serial } = decideImport(facts, { wanted: facts.records.slice(1), mode }, now)
      expect([diff, serial]).toEqual([{ created: [], changed: [], deleted: [] }, LAST])
    },
  )

  test.each([
    ['two that clash', [set('a/CNAME', 'b'), set('a/A', '192.0.2.1')], 'tipo cname_con_otros'],
    ['a name of a zone below', [set('inner/A', '192.0.2.1')], 'nombre nombre_en_otra_zona'],
    [
      'more than a zone holds',
      full.records.slice(1).concat(set('new/A', '192.0.2.1')),
      'nombre demasiados_registros',
    ],
    ['what is too large', large.records.slice(1), 'valores zona_demasiado_grande'],
  ])('of %s is refused', (_, wanted, refusal) => {
    expect(refusalOf(() => decideImport(facts, { wanted, mode: 'reemplazar' }, now))).toBe(refusal)
  })
})

describe('a zone that follows its node', () => {
  const last = { addresses: ['192.0.2.1'], nameServers: ['ns1.host.net', 'ns2.host.net'], apex: true }
  const settings: Settings = { addresses: ['192.0.2.1'], nameServers: last.nameServers, found: false }
  const own = (one: StoredRrset) => ({ ...one, ttl: 3600 })
  const served: FollowFacts = {
    zone: { name: 'z.es', serial: LAST },
    records: [own(ns), own(set('@/A', '192.0.2.1'))],
    below: [],
    last,
    ofSite: true,
    www: false,
  }
  const changed = (facts: FollowFacts, now_: Partial<Settings>) => {
    const { change } = decideFollow(facts, { ...settings, ...now_ }, now)
    const told = (list: RRset[]) => list.map(({ name, type, values }) => `${name}/${type} ${values}`)
    if (!change) return null
    const { created, changed, deleted } = change.diff
    return [...told(created), ...told(changed), ...told(deleted).map((one) => `no ${one}`)]
  }

  test.each<[string, FollowFacts, Partial<Settings>, string[] | null]>([
    ['by the same settings changes nothing', served, {}, null],
    ['takes a new address', served, { addresses: ['192.0.2.7'] }, ['@/A 192.0.2.7']],
    ['takes an address of the other family', served, { addresses: ['192.0.2.1', '::7'] }, ['@/AAAA ::7']],
    [
      'keeps a public address that was found and is gone',
      {
        ...served,
        last: { ...last, addresses: ['185.5.5.5'] },
        records: [own(ns), own(set('@/A', '185.5.5.5'))],
      },
      { addresses: ['2a01:db9::1'], found: true },
      ['@/AAAA 2a01:db9::1'],
    ],
    ['loses an address that was set', served, { addresses: ['::7'] }, ['@/AAAA ::7', 'no @/A 192.0.2.1']],
    [
      'gives no addresses to a name server that a zone below answers for',
      { ...served, below: ['inner.z.es'] },
      { nameServers: ['ns1.inner.z.es'] },
      ['@/NS ns1.inner.z.es.'],
    ],
    [
      'of an earlier version gets no record back that its customer deleted',
      { ...served, last: null, records: [own(ns)] },
      { addresses: ['192.0.2.9'] },
      null,
    ],
  ])('%s', (_, facts, now_, records) => {
    expect(changed(facts, now_)).toEqual(records)
  })

  test('remembers what it was made from, whether it changed or not', () => {
    const { made, change } = decideFollow({ ...served, last: null }, settings, now)
    expect([made, change]).toEqual([{ ...last, addresses: ['192.0.2.1'] }, null])
  })
})
