import { describe, expect, test } from 'bun:test'
import type { KnownNode } from '../../lib/nodes/decide.ts'
import type { Plan } from '../../lib/plans/decide.ts'
import type { Proof } from '../../lib/proof/decide-proven.ts'
import {
  decideAliases,
  decideSite,
  type NewSiteFacts,
  requirePhp,
  type WantedSite,
} from '../../lib/sites/decide.ts'
import {
  away,
  CLIENT,
  CUSTOMER,
  FREE,
  foreign,
  NODE,
  names,
  OPERATOR,
  room,
  SITE,
  seen,
  UNLIMITED,
} from '../support/facts.ts'
import { refusal } from '../support/refusal.ts'

const WANTED: WantedSite = {
  domain: 'uno.es',
  aliases: undefined,
  force: false,
  proof: OPERATOR,
  language: 'es',
}
const decided = (facts: Partial<NewSiteFacts> = {}, wanted: Partial<WantedSite> = {}) =>
  decideSite({ ...FREE, ...facts }, CLIENT, { ...WANTED, ...wanted })

describe('a new site', () => {
  test('has www, the newest PHP of its node and a zone of its own', () => {
    expect(decided()).toMatchObject({
      id: 40,
      domain: 'uno.es',
      aliases: ['www.uno.es'],
      php: '8.2',
      zone: { id: 50, name: 'uno.es', siteId: 40, followed: { addresses: ['192.0.2.1'], apex: true } },
    })
    expect(decided()?.zone?.records.map(({ name, type }) => `${name} ${type}`)).toEqual([
      '@ NS',
      '@ A',
      'www A',
    ])
  })

  test.each<[string, Partial<NewSiteFacts>, Partial<WantedSite>, string[]]>([
    ['none were wanted', {}, { aliases: [] }, []],
    ['others were wanted', {}, { aliases: ['dos.es'] }, ['dos.es']],
    ['its name begins with www', {}, { domain: 'www.uno.es' }, []],
    ['www of it is too long for a name', {}, { domain: `${'a.'.repeat(124)}es` }, []],
    ['the plan has no room for one', room({ aliases: 2 }, { aliases: 2 }), {}, []],
    ['the plan has room for one more', room({ aliases: 3 }, { aliases: 2 }), {}, ['www.uno.es']],
    ['another site of the client has www', { held: [{ name: 'www.uno.es', clientId: 7 }] }, {}, []],
    ['another client has www', foreign('www.uno.es'), {}, []],
    ['www is the name of the panel', names({ own: ['www.uno.es'] }), { force: true }, []],
  ])('where %s: aliases', (_, facts, wanted, aliases) =>
    expect(decided(facts, wanted)?.aliases).toEqual(aliases),
  )

  test.each<[string, Partial<NewSiteFacts>, string | null]>([
    ['the plan lacks it', room({ functions: ['https'] }), null],
    ['the plan has it', room({}), '8.2'],
    ['the node has none', names({ nodes: new Map([['nodo1', { ...NODE, offers: null }]]) }), null],
  ])('where %s: PHP', (_, facts, php) => expect(decided(facts)?.php).toBe(php))

  const record = { name: 'correo', type: 'A', ttl: 60, values: ['192.0.2.9'] }
  test.each<[string, Partial<NewSiteFacts>, boolean]>([
    ['a zone covers its name', { place: { ...FREE.place, covered: true } }, false],
    ['the plan has no room for a zone', room({ zones: 1 }, { zonas: 1 }), false],
    ['the plan has room for a zone', room({ zones: 2 }, { zonas: 1 }), true],
    [
      'the zone above holds other names',
      { place: { ...FREE.place, above: [{ zone: 'es', rrset: record }] } },
      true,
    ],
  ])('where %s: a zone', (_, facts, zone) => expect(decided(facts)?.zone !== null).toBe(zone))

  test('leaves to a zone below what that answers for, and has www where another site of its client serves it', () => {
    const below = decided({ place: { ...FREE.place, below: ['www.uno.es'] } })
    expect(below?.zone?.records.some(({ name }) => name === 'www')).toBe(false)
    const served = decided({ held: [{ name: 'www.uno.es', clientId: CLIENT.id }], served: ['www.uno.es'] })
    expect(served?.zone?.records.some(({ name }) => name === 'www')).toBe(true)
  })

  test('is the one that the client has already', () => {
    const nothing = { ...room({ sites: 0 }), ...away }
    expect(decided({ ...nothing, existing: SITE }, { aliases: ['a.es', 'a.es'] })).toBeNull()
  })

  /** In the order in which they are refused: each with all of those that come after it. */
  const REFUSALS: [string, Partial<NewSiteFacts>, Partial<WantedSite>, [number, string]][] = [
    ['a site of another client', { existing: { ...SITE, clientId: 8 } }, {}, [409, 'dominio_ocupado']],
    ['a site on its way out', { existing: { ...SITE, state: 'eliminando' } }, {}, [409, 'dominio_ocupado']],
    ['a node that is not there', away, {}, [409, 'nodo_ausente']],
    ['an alias twice', {}, { aliases: ['dos.es', 'dos.es'] }, [422, 'datos_invalidos']],
    ['the domain as an alias', {}, { aliases: ['uno.es'] }, [422, 'datos_invalidos']],
    ['the name of the panel', {}, { domain: 'panel.es', force: true }, [422, 'datos_invalidos']],
    ['a public suffix', {}, { domain: 'co.uk', force: true }, [422, 'datos_invalidos']],
    ['a name above the panel’s', names({ own: ['panel.uno.es'] }), {}, [422, 'datos_invalidos']],
    ['a name around another client’s', foreign('uno.es'), {}, [409, 'dominio_ocupado']],
    [
      'an alias around another client’s',
      foreign('dos.es'),
      { aliases: ['dos.es'] },
      [409, 'dominio_ocupado'],
    ],
    ['no room for a site', room({ sites: 1 }, { sitios: 1 }), {}, [409, 'limite_del_plan']],
    ['no room for aliases', room({ aliases: 1 }), { aliases: ['a.es', 'b.es'] }, [409, 'limite_del_plan']],
    ['a full disk quota', room({ diskBytes: 10 }, { disco_bytes: 10 }), {}, [507, 'sin_espacio']],
    ['a full node', { exhausted: 'inodos' }, {}, [507, 'sin_espacio']],
    ['a name of another site', { held: [{ name: 'uno.es', clientId: 7 }] }, {}, [409, 'dominio_ocupado']],
    ['a name that nobody proves', {}, { proof: CUSTOMER }, [409, 'dominio_sin_probar']],
    ['resolvers that are silent', {}, { proof: seen('uno.es', null) }, [503, 'no_disponible']],
    [
      'records that its zone would silence',
      { place: { ...FREE.place, above: [{ zone: 'uno.es', rrset: { ...record, name: 'a' } }] } },
      { domain: 'a.uno.es' },
      [409, 'dominio_ocupado'],
    ],
  ]
  test.each(REFUSALS)('refuses %s', (_, facts, wanted, why) =>
    expect(refusal(() => decided(facts, wanted))).toEqual(why),
  )

  test('refuses for the first of several reasons, in the order of the list above', () => {
    const order = ['dominio_ocupado', 'nodo_ausente', 'limite_del_plan', 'sin_espacio', 'dominio_sin_probar']
    const reasons: Partial<NewSiteFacts>[] = [
      { existing: { ...SITE, clientId: 8 } },
      away,
      room({ sites: 0 }),
      { exhausted: 'disco' },
    ]
    const told = order.map((_, from) => {
      const facts = Object.assign({}, ...reasons.slice(from).reverse())
      return refusal(() => decided(facts, { proof: CUSTOMER }))?.[1]
    })
    expect(told).toEqual(order)
  })

  test('may lie above the panel’s own names where an admin forces it', () => {
    expect(decided(names({ own: ['panel.uno.es'] }), { force: true })).not.toBeNull()
  })
})

describe('the names of a customer’s new site', () => {
  test.each<[string, NewSiteFacts['names']['above'], Proof, string[]]>([
    ['lead here', [], seen('uno.es', '192.0.2.1'), ['uno.es']],
    ['lie below a proven name', [{ name: 'uno.es', proven: true }], CUSTOMER, ['tienda.uno.es']],
    ['lie below a granted name', [{ name: 'uno.es', proven: false }], CUSTOMER, []],
  ])('are added where they %s', (_, above, proof, proven) => {
    const domain = proof === CUSTOMER ? 'tienda.uno.es' : 'uno.es'
    const site = decided(names({ above }), { domain, aliases: [], proof })
    expect([...(site?.proven ?? [])]).toEqual(proven)
    expect(site?.zone?.proven).toBe(proven.length > 0)
  })

  test.each<[string, Partial<NewSiteFacts['names']>, Proof]>([
    ['lead elsewhere', {}, seen('uno.es', '203.0.113.1')],
    ['lead here by a wildcard of the operator', { own: ['ns1.uno.es'] }, seen('a.uno.es', '192.0.2.1')],
    ['lie above a name that it has', { above: [{ name: 'a.uno.es', proven: true }] }, CUSTOMER],
  ])('are refused where they %s', (_, some, proof) => {
    const domain = [...proof.told.keys()][0] ?? 'uno.es'
    const why = refusal(() => decided(names(some), { domain, aliases: [], proof }))
    expect(why).toEqual([409, 'dominio_sin_probar'])
  })
})

describe('aliases in place of others', () => {
  const HAS: NewSiteFacts = { ...FREE, present: ['uno.es', 'www.uno.es', 'dos.es'] }
  const changed = (facts: Partial<NewSiteFacts>, aliases: string[], order?: string[]) =>
    decideAliases(
      { ...HAS, ...facts },
      { site: SITE, client: CLIENT },
      { aliases, ...(order ? { order } : {}), proof: OPERATOR, language: 'es' },
    )

  test('are kept in the order in which they are wanted', () => {
    expect(changed({}, ['tres.es', 'www.uno.es']).aliases).toEqual(['tres.es', 'www.uno.es'])
    expect(changed({}, ['b.es', 'a.es'], ['a.es', 'b.es']).aliases).toEqual(['a.es', 'b.es'])
  })

  test.each<[string, Partial<NewSiteFacts>, string[], [number, string] | null]>([
    [
      'those that it has, which stand in its own way',
      { held: [{ name: 'dos.es', clientId: 7 }] },
      ['dos.es'],
      null,
    ],
    ['those that it has, around which another client has come', foreign('dos.es'), ['dos.es'], null],
    ['fewer than it has, over the plan’s limit', room({ aliases: 0 }, { aliases: 2 }), ['dos.es'], null],
    ['as many as it has', room({ aliases: 2 }, { aliases: 2 }), ['dos.es', 'tres.es'], null],
    [
      'one more than it has',
      room({ aliases: 2 }, { aliases: 2 }),
      ['a.es', 'b.es', 'c.es'],
      [409, 'limite_del_plan'],
    ],
    ['its own domain', {}, ['uno.es'], [422, 'datos_invalidos']],
    ['one twice', {}, ['a.es', 'a.es'], [422, 'datos_invalidos']],
    ['one that a site has', { held: [{ name: 'a.es', clientId: 7 }] }, ['a.es'], [409, 'dominio_ocupado']],
    ['one around another client’s', foreign('a.es'), ['a.es'], [409, 'dominio_ocupado']],
    ['a public suffix', {}, ['co.uk'], [422, 'datos_invalidos']],
  ])('may be %s, or not', (_, facts, aliases, why) =>
    expect(refusal(() => changed(facts, aliases))).toEqual(why),
  )
})

test.each<[string, Partial<Plan> | null, KnownNode, string, [number, string] | null]>([
  ['of the node', null, NODE, '8.1', null],
  ['that the node lacks', null, NODE, '7.4', [409, 'php_no_disponible']],
  ['of a node that told of none', null, { ...NODE, offers: null }, '7.4', null],
  ['that the plan lacks', { functions: ['https'] }, NODE, '7.4', [402, 'funcion_de_pago']],
])('a version of PHP %s', (_, plan, node, version, why) =>
  expect(refusal(() => requirePhp(plan && { ...UNLIMITED, ...plan }, node, version))).toEqual(why),
)
