import { describe, expect, test } from 'bun:test'
import type { RRset } from '../../lib/endpoint/node-port.ts'
import { backoffMs, dailyMs } from '../../lib/mirror/backoff.ts'
import { planBatches } from '../../lib/mirror/batches.ts'
import { desiredRRsets, difference } from '../../lib/mirror/difference.ts'
import type { Change, Limits, RemoteRRset, RemoteZone } from '../../lib/providers/types.ts'

const ABOUT = { zone: 'ejemplo.es', txtBounds: true }
const ours = (type: string, ...values: string[]): RRset => ({ name: 'x', type, ttl: 300, values })
const theirs = (type: string, ...values: string[]): RemoteRRset => ({
  name: 'x',
  type,
  ttl: 300,
  values,
  handles: [],
})

describe('the same data in another spelling is no difference', () => {
  test.each([
    ['AAAA', '2001:db8::1', '2001:0DB8:0:0:0:0:0:1'],
    ['MX', '10 mail.ejemplo.es.', '10 MAIL.ejemplo.es.'],
    ['CNAME', 'ejemplo.es.', 'Ejemplo.ES.'],
    ['TXT', '"caf\\195\\169"', '"café"'],
    ['TXT', '"a b"', '"a\\032b"'],
    ['CAA', '0 issue "ca.net"', '0 ISSUE ca.net'],
    ['SRV', '1 2 3 t.net.', '1  2 3 T.net.'],
    ['DS', '1 13 2 abcd'.padEnd(71, '0'), '1 13 2 ABCD'.padEnd(71, '0')],
    ['HTTPS', '1 . alpn=h2,h3', '1 . alpn="h2,h3"'],
  ])('%s %s', (type, left, right) => {
    expect(difference([ours(type, left)], [theirs(type, right)], ABOUT)).toEqual([])
  })

  test('in another order', () => {
    const [a, b] = ['192.0.2.1', '192.0.2.2']
    expect(difference([ours('A', a, b)], [theirs('A', b, a)], ABOUT)).toEqual([])
  })

  test('and where a provider joins the strings of a text', () => {
    const pair: [RRset[], RemoteRRset[]] = [[ours('TXT', '"one" "two"')], [theirs('TXT', '"onetwo"')]]
    expect(difference(...pair, ABOUT).length).toBe(1)
    expect(difference(...pair, { ...ABOUT, txtBounds: false })).toEqual([])
  })
})

describe('other data is a difference', () => {
  test.each([
    ['a value', ours('A', '192.0.2.1'), theirs('A', '192.0.2.2')],
    ['a TTL', ours('A', '192.0.2.1'), { ...theirs('A', '192.0.2.1'), ttl: 301 }],
    ['TTLs that disagree', ours('A', '192.0.2.1'), { ...theirs('A', '192.0.2.1'), ttl: -1 }],
    ['one more', ours('A', '192.0.2.1'), theirs('A', '192.0.2.1', '192.0.2.2')],
    ['one twice', ours('A', '192.0.2.1'), theirs('A', '192.0.2.1', '192.0.2.1')],
    ['the case of a text', ours('TXT', '"A"'), theirs('TXT', '"a"')],
    ['data that nobody understands', ours('A', '192.0.2.1'), theirs('A', '???')],
  ])('%s', (_, left, right) => {
    const [change] = difference([left], [right], ABOUT)
    expect([change?.before, change?.after]).toEqual([right, left])
  })

  test('a type that the panel does not know is removed', () => {
    const [change] = difference([], [theirs('SMIMEA', '3 1 1 00')], ABOUT)
    expect([change?.before?.type, change?.after]).toEqual(['SMIMEA', null])
  })
})

const ZONE: RemoteZone = {
  id: '1',
  name: 'ejemplo.es',
  servers: [],
  marker: null,
  createdMs: null,
  warning: null,
  minimumTtlSeconds: null,
}
const LIMITS: Limits = {
  types: new Set(['A', 'CNAME', 'TXT']),
  ttlSeconds: { min: 60, max: 86_400 },
  batch: { changes: 4, bytes: 10_000 },
  atomic: true,
  marker: false,
  txtBounds: true,
}
const rules = {
  limits: LIMITS,
  refuses: (set: RRset) => (LIMITS.types.has(set.type) ? null : ('tipo_no_admitido' as const)),
}

test('SOA and apex NS stay the provider’s; everything else is held or listed', () => {
  const set = (name: string, type: string, ttl = 300): RRset => ({ name, type, ttl, values: ['v'] })
  const { rrsets, omitted } = desiredRRsets(
    [
      set('@', 'SOA'),
      set('@', 'NS'),
      set('sub', 'NS'),
      set('a', 'A', 10),
      set('b', 'A', 100_000),
      set('c', 'TXT'),
    ],
    rules,
    ZONE,
  )
  expect(rrsets.map(({ name, ttl }) => [name, ttl])).toEqual([
    ['a', 60],
    ['b', 86_400],
    ['c', 300],
  ])
  expect(omitted).toEqual([
    { name: 'sub', type: 'NS', reason: 'tipo_no_admitido' },
    { name: 'a', type: 'A', reason: 'ttl_ajustado' },
    { name: 'b', type: 'A', reason: 'ttl_ajustado' },
  ])
})

describe('batches', () => {
  const add = (name: string, type = 'A'): Change => ({
    name,
    type,
    before: null,
    after: { ...ours(type, 'v'), name },
  })
  const drop = (name: string, type: string): Change => ({
    name,
    type,
    before: { ...theirs(type, 'v'), name },
    after: null,
  })
  const plan = (changes: Change[]) =>
    planBatches(changes, { limits: LIMITS, cost: () => 1 }).map((batch) =>
      batch.map(({ name, type, after }) => `${after ? '+' : '-'}${name} ${type}`),
    )

  test('keep a name together and put its deletions first', () => {
    expect(plan([add('a'), add('b'), add('c'), add('d', 'A'), drop('d', 'CNAME'), add('e')])).toEqual([
      ['+a A', '+b A', '+c A'],
      ['-d CNAME', '+d A', '+e A'],
    ])
  })

  test('cut only a name that exceeds a whole call', () => {
    const types = ['A', 'AAAA', 'MX', 'TXT', 'SRV', 'CAA']
    const sizes = plan([add('b'), ...types.map((type) => add('x', type)), add('z')]).map(
      (batch) => batch.length,
    )
    expect(sizes).toEqual([1, 4, 3])
  })

  test('keep to the size of a body', () => {
    const big = (name: string): Change => ({
      name,
      type: 'TXT',
      before: null,
      after: { ...ours('TXT', 'x'.repeat(6_000)), name },
    })
    expect(plan([big('a'), big('b')]).length).toBe(2)
  })

  test('lose nothing', () => {
    const changes = Array.from({ length: 97 }, (_, at) => add(`h${at % 40}`, `T${at}`))
    const names = planBatches(changes, { limits: LIMITS, cost: () => 1 }).flat()
    expect(new Set(names).size).toBe(97)
  })
})

test('waits grow to a day and are spread by zone', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 50].map((failures) => backoffMs(failures, 'a.es') / 60_000)
  for (const [at, step] of [1, 5, 15, 60, 360, 1440, 1440].entries()) {
    expect(minutes[at]).toBeGreaterThanOrEqual(step)
    expect(minutes[at]).toBeLessThan(step * 1.2)
  }
  const spread = new Set(Array.from({ length: 50 }, (_, at) => backoffMs(1, `zona${at}.es`)))
  expect(spread.size).toBeGreaterThan(40)
  for (const zone of ['a.es', 'b.es']) expect(dailyMs(zone)).toBeLessThanOrEqual(86_400_000)
})
