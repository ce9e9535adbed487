import { describe, expect, test } from 'bun:test'
import {
  type BroughtZone,
  decideBroughtZone,
  decideNewZone,
  type NewZoneFacts,
  type WantedZone,
} from '../../lib/dns/decide-zone.ts'
import { decideNameRecords, type ZoneAround } from '../../lib/sites/decide-name-records.ts'
import {
  CLIENT,
  CUSTOMER,
  FREE,
  foreign,
  NAMES,
  NODE,
  names,
  OPERATOR,
  room,
  seen,
  ZONE,
} from '../support/facts.ts'
import { refusal } from '../support/refusal.ts'

const EMPTY: NewZoneFacts = { names: NAMES, room: FREE.room, place: FREE.place, served: [] }
const WANTED: WantedZone = {
  name: 'uno.es',
  template: 'sitio',
  force: false,
  proof: OPERATOR,
  language: 'es',
}
const decided = (facts: Partial<NewZoneFacts> = {}, wanted: Partial<WantedZone> = {}) =>
  decideNewZone({ ...EMPTY, ...facts }, CLIENT, { ...WANTED, ...wanted })
const place = (some: Partial<NewZoneFacts['place']>) => ({ place: { ...FREE.place, ...some } })
const records = (...of: Parameters<typeof decided>) =>
  decided(...of).records.map(({ name, type }) => `${name} ${type}`)

describe('a new zone', () => {
  test('has the records of its template, and www where a site of its client is served there', () => {
    expect(records()).toEqual(['@ NS', '@ A'])
    expect(records({ served: ['www.uno.es'] })).toEqual(['@ NS', '@ A', 'www A'])
    expect(records({ served: ['www.uno.es'] }, { template: 'vacia' })).toEqual(['@ NS'])
  })

  test('leaves out what the zones below it answer for', () => {
    expect(records({ served: ['www.uno.es'], ...place({ below: ['www.uno.es'] }) })).toEqual(['@ NS', '@ A'])
  })

  test('is the client’s own one again that was on its way out', () => {
    const old = { ...ZONE, state: 'eliminando' as const }
    expect(decided(place({ old }))).toMatchObject({ id: ZONE.id, old })
    expect(decided()).toMatchObject({ id: 50, old: undefined })
  })

  test('is made on a node that is silent, and needs no proof of an operator', () => {
    const silent = names({ nodes: new Map([['nodo1', { ...NODE, present: false }]]) })
    expect(decided(silent).proven).toBe(false)
    expect(decided({}, { proof: seen('uno.es', '192.0.2.1') }).proven).toBe(true)
  })

  const mail = { name: 'correo', type: 'A', ttl: 60, values: ['192.0.2.9'] }
  const shop = { ...mail, name: 'tienda' }
  test.each<[string, Partial<NewZoneFacts>, Partial<WantedZone>, [number, string]]>([
    ['the panel’s own name', {}, { name: 'panel.es', force: true }, [422, 'datos_invalidos']],
    ['a name around another client’s', foreign('uno.es'), {}, [409, 'dominio_ocupado']],
    ['one more than the plan has', room({ zones: 1 }, { zonas: 1 }), {}, [409, 'limite_del_plan']],
    ['one that is there, proven or not', place({ old: ZONE }), { proof: CUSTOMER }, [409, 'ya_existe']],
    ['a name that nobody proves', {}, { proof: CUSTOMER }, [409, 'dominio_sin_probar']],
    [
      'another client’s that is on its way out',
      place({ old: { ...ZONE, clientId: 8, state: 'eliminando' } }),
      { force: true },
      [409, 'ya_existe'],
    ],
    [
      'a name whose records the zone above holds',
      place({ above: [{ zone: 'uno.es', rrset: shop }] }),
      { name: 'tienda.uno.es' },
      [409, 'dominio_ocupado'],
    ],
  ])('is not %s', (_, facts, wanted, why) => expect(refusal(() => decided(facts, wanted))).toEqual(why))

  test('may lie below a zone of the client that holds other names', () => {
    expect(decided(place({ above: [{ zone: 'uno.es', rrset: mail }] }), { name: 'tienda.uno.es' }).id).toBe(
      50,
    )
  })
})

describe('the addresses of a site’s name in a zone', () => {
  const apex = { name: '@', type: 'A', ttl: 60, values: ['192.0.2.1'], origin: 'sistema' as const }
  const www = { ...apex, name: 'www' }
  const theirs = { ...www, origin: 'usuario' as const }
  const cname = { ...theirs, type: 'CNAME', values: ['otro.net.'] }
  const zone = (...records: ZoneAround['records']): ZoneAround => ({ zone: ZONE, records })
  const cut: ZoneAround = { zone: { ...ZONE, id: 6, name: 'www.uno.es' }, records: [apex] }
  const nearer: ZoneAround = { zone: { ...ZONE, id: 7, name: 'b.uno.es' }, records: [] }
  const at = (name: string) => ({ ...apex, name })
  const named = ['www.uno.es']

  test.each<[string, ZoneAround[], { added?: string[]; removed?: string[] }, string[] | null]>([
    ['come with www, where the apex leads', [zone(apex)], { added: named }, ['www A 192.0.2.1']],
    ['go with www', [zone(apex, www)], { removed: named }, ['no www']],
    ['stay as the customer set it, when the name goes', [zone(apex, theirs)], { removed: named }, null],
    ['stay as the customer set it, when the name comes', [zone(apex, cname)], { added: named }, null],
    [
      'do not come at www where the customer set the apex',
      [zone({ ...apex, origin: 'usuario' })],
      { added: named },
      null,
    ],
    ['do not come at www where nothing is at the apex', [zone()], { added: named }, null],
    ['do not come where a zone of that name answers', [zone(apex), cut], { added: named }, null],
    [
      'stay while other names come and go',
      [zone(apex, www)],
      { added: ['dos.es'], removed: ['tres.es'] },
      null,
    ],
    ['of another client stay', [{ ...zone(apex), zone: { ...ZONE, clientId: 8 } }], { added: named }, null],
    ['come at any name below', [zone(apex)], { added: ['a.foro.uno.es'] }, ['a.foro A 192.0.2.1']],
    [
      'lead to the node where the customer set the apex, since no other name is added unasked',
      [zone({ ...apex, origin: 'usuario' })],
      { added: ['foro.uno.es'] },
      ['foro A 192.0.2.9'],
    ],
    ['are not changed at the apex', [zone(apex)], { added: ['uno.es'], removed: ['uno.es'] }, null],
    ['come in the nearest zone', [zone(apex), nearer], { added: ['a.b.uno.es'] }, ['a A 192.0.2.9']],
    [
      'do not come where the nearest zone is another client’s',
      [zone(apex), { ...nearer, zone: { ...nearer.zone, clientId: 8 } }],
      { added: ['a.b.uno.es'] },
      null,
    ],
    ['go with the name', [zone(apex, at('foro'))], { removed: ['foro.uno.es'] }, ['no foro']],
    [
      'stay where a name server of the zone is so called',
      [zone(apex, at('ns1'), { ...apex, type: 'NS', values: ['ns1.uno.es.'] })],
      { removed: ['ns1.uno.es'] },
      null,
    ],
    ...(
      [
        ['foro', 'AAAA'],
        ['foro', 'NS'],
        ['*', 'CNAME'],
        ['*.foro', 'A'],
      ] as const
    ).map(([name, type]): [string, ZoneAround[], { added: string[] }, null] => [
      `do not come where ${name} ${type} of the customer’s answers`,
      [zone(apex, { ...theirs, name, type })],
      { added: [type === 'AAAA' ? 'foro.uno.es' : 'a.foro.uno.es'] },
      null,
    ]),
    [
      'come beside what says nothing of them',
      [zone(apex, { ...theirs, name: 'foro', type: 'TXT' }, { ...theirs, name: '*.b' })],
      { added: ['foro.uno.es', 'a.foro.uno.es'] },
      ['foro A 192.0.2.1', 'a.foro A 192.0.2.1'],
    ],
  ])('%s', (_, zones, { added = [], removed = [] }, expected) => {
    const defaults = { addresses: ['192.0.2.9'], nameServers: [] }
    const [change] = decideNameRecords(zones, { clientId: CLIENT.id, added, removed, defaults })
    const told = ({ created, deleted }: NonNullable<typeof change>) => [
      ...created.map(({ name, type, values }) => `${name} ${type} ${values}`),
      ...deleted.map((name) => `no ${name}`),
    ]
    expect(change ? told(change) : null).toEqual(expected)
  })
})

test.each<[string, BroughtZone, boolean]>([
  ['goes with it', { zone: ZONE, others: ['dos.es', 'malo-uno.es'] }, true],
  ['stays where another site of the client has that name', { zone: ZONE, others: ['uno.es'] }, false],
  ['stays where another site of the client has a name below', { zone: ZONE, others: ['a.uno.es'] }, false],
  ['is none where its customer changed it', { zone: undefined, others: [] }, false],
])('a zone that a site brought along %s', (_, brought, goes) =>
  expect(decideBroughtZone(brought) !== null).toBe(goes),
)
