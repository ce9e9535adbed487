import { describe, expect, test } from 'bun:test'
import type { Client } from '../../lib/clients/decide.ts'
import { decideProvision, type Provision, type ProvisionFacts } from '../../lib/provisions/decide.ts'
import { away, CLIENT, FREE, foreign, NAMES, NOW, OPERATOR, room, SITE, UNLIMITED } from '../support/facts.ts'
import { refusal } from '../support/refusal.ts'

const BY = { here: 'nodo1', now: NOW, createdBy: 'token' as const }
const NOTHING: ProvisionFacts = {
  known: undefined,
  fresh: { clashes: [], plan: undefined, nodes: NAMES.nodes },
  namesakes: [],
  nextClientId: 30,
  hasLogin: false,
  site: FREE,
}
const WANTED: Provision = {
  reference: 'ref:7',
  name: undefined,
  displayName: undefined,
  email: 'ana@uno.es',
  language: undefined,
  plan: undefined,
  node: undefined,
  site: { domain: 'uno.es', aliases: undefined, force: false, proof: OPERATOR, language: 'es' },
  withLogin: true,
}
const decided = (facts: Partial<ProvisionFacts> = {}, wanted: Partial<Provision> = {}) =>
  decideProvision({ ...NOTHING, ...facts }, { ...WANTED, ...wanted }, BY)

const KNOWN: Client = { ...CLIENT, email: 'Ana@uno.es', displayName: 'Ana', planId: UNLIMITED.id }
const WHOLE: ProvisionFacts = {
  ...NOTHING,
  known: KNOWN,
  fresh: { ...NOTHING.fresh, plan: { ...UNLIMITED, id: 2, name: 'otro' } },
  hasLogin: true,
  site: { ...FREE, existing: SITE, present: ['uno.es', 'www.uno.es'], ...room({}) },
}
const again = (wanted: Partial<Provision> = {}, facts: Partial<ProvisionFacts> = {}) =>
  decideProvision({ ...WHOLE, ...facts }, { ...WANTED, ...wanted }, BY)
const site = (aliases: string[]) => ({ site: { ...WANTED.site, aliases } })

describe('a provisioning of what is not there', () => {
  test('makes client, site and login, the client named after the domain', () => {
    expect(decided()).toMatchObject({
      client: { id: 30, name: 'uno.es', reference: 'ref:7', email: 'ana@uno.es', node: 'nodo1' },
      site: { id: 40, aliases: ['www.uno.es'] },
      done: ['cliente_creado', 'sitio_creado', 'acceso_creado'],
    })
  })

  test.each<[string, Partial<Provision>, string[], string]>([
    ['the wished name', { name: 'acme' }, [], 'acme'],
    ['the first number that is free', {}, ['uno.es', 'uno.es-2', 'uno.es-4'], 'uno.es-3'],
    ['the domain', {}, ['uno.es-2'], 'uno.es'],
  ])('names the client by %s', (_, wanted, namesakes, name) =>
    expect(decided({ namesakes }, wanted).client.name).toBe(name),
  )

  test('is held to the limits of the wanted plan, though the client has none yet', () => {
    const fresh = { ...NOTHING.fresh, plan: { ...UNLIMITED, sites: 0 } }
    expect(refusal(() => decided({ fresh }, { plan: 'libre' }))).toEqual([409, 'limite_del_plan'])
    expect(refusal(() => decided({ fresh }, { plan: null }))).toBeNull()
  })

  test.each<[string, Partial<ProvisionFacts>, Partial<Provision>, [number, string]]>([
    ['a plan that is not there', {}, { plan: 'nada' }, [409, 'plan_no_existe']],
    ['a node that is not this one', {}, { node: 'nodo2' }, [409, 'cliente_en_otro_nodo']],
    [
      'a name that is taken',
      { fresh: { ...NOTHING.fresh, clashes: [{ ...CLIENT, reference: null }] } },
      { name: 'acme' },
      [409, 'ya_existe'],
    ],
    ['a domain that is taken', { site: { ...FREE, ...foreign('uno.es') } }, {}, [409, 'dominio_ocupado']],
  ])('refuses %s', (_, facts, wanted, why) => expect(refusal(() => decided(facts, wanted))).toEqual(why))
})

describe('a provisioning that is repeated', () => {
  test('changes nothing where everything is there', () => {
    expect(again()).toEqual({ client: KNOWN, site: null, aliases: null, done: [] })
    expect(again(site(['www.uno.es'])).done).toEqual([])
  })

  test.each<[string, Partial<Provision>, Partial<ProvisionFacts>, string[]]>([
    ['another name', { displayName: 'Ana SL' }, {}, ['cliente_actualizado']],
    ['no name any more', { displayName: null }, {}, ['cliente_actualizado']],
    ['another plan', { plan: 'otro' }, {}, ['plan_asignado']],
    ['no plan any more', { plan: null }, {}, ['plan_asignado']],
    ['an address, where it had none', {}, { known: { ...KNOWN, email: null } }, ['cliente_actualizado']],
    ['a site', {}, { site: { ...FREE, ...room({}) } }, ['sitio_creado']],
    ['a login', {}, { hasLogin: false }, ['acceso_creado']],
    ['no login, where none is wanted', { withLogin: false }, { hasLogin: false }, []],
  ])('brings %s', (_, wanted, facts, done) => expect(again(wanted, facts).done).toEqual(done as never))

  test('gives a client without an address the new one, and keeps an address that differs only in case as it was', () => {
    expect(again({}, { known: { ...KNOWN, email: null } }).client.email).toBe('ana@uno.es')
    expect(again({ displayName: 'Ana SL' }).client.email).toBe('Ana@uno.es')
  })

  test('adds the aliases that the site lacks behind its own', () => {
    const { aliases, done } = again(site(['dos.es', 'www.uno.es']))
    expect(aliases?.change.aliases).toEqual(['www.uno.es', 'dos.es'])
    expect(done).toEqual(['sitio_actualizado'])
  })

  test.each<[string, Partial<ProvisionFacts>, Partial<Provision>, [number, string]]>([
    [
      'a client on its way out',
      { known: { ...KNOWN, state: 'eliminando' } },
      {},
      [409, 'cliente_eliminandose'],
    ],
    ['a client of another node', { known: { ...KNOWN, node: 'nodo2' } }, {}, [409, 'cliente_en_otro_nodo']],
    ['a node that is not there', { site: { ...WHOLE.site, ...away } }, {}, [409, 'nodo_ausente']],
    ['another node', {}, { node: 'nodo2' }, [409, 'cliente_en_otro_nodo']],
    ['another client’s name', {}, { name: 'otro' }, [409, 'referencia_en_conflicto']],
    ['another address', {}, { email: 'eva@uno.es' }, [409, 'correo_distinto']],
    ['a plan that is not there', { fresh: NOTHING.fresh }, { plan: 'nada' }, [409, 'plan_no_existe']],
    [
      'a site of another client',
      { site: { ...WHOLE.site, existing: { ...SITE, clientId: 8 } } },
      {},
      [409, 'dominio_ocupado'],
    ],
    ['an alias twice', {}, site(['www.uno.es', 'www.uno.es']), [422, 'datos_invalidos']],
    [
      'more aliases than the plan has',
      { site: { ...WHOLE.site, ...room({ aliases: 1 }, { aliases: 1 }) } },
      site(['dos.es']),
      [409, 'limite_del_plan'],
    ],
    [
      'a login for a client that a person made',
      { known: { ...KNOWN, createdBy: 'persona' }, hasLogin: false },
      {},
      [403, 'solo_cuentas_de_token'],
    ],
    [
      'an address for a client that a person made without one, also where no login is wanted',
      { known: { ...KNOWN, createdBy: 'persona', email: null } },
      { withLogin: false },
      [403, 'solo_cuentas_de_token'],
    ],
  ])('refuses %s', (_, facts, wanted, why) => expect(refusal(() => again(wanted, facts))).toEqual(why))
})
