import { describe, expect, test } from 'bun:test'
import { type Database, decideDatabase, isOver, type NewDatabaseFacts } from '../../lib/databases/decide.ts'
import { accountName, databaseName, shortName } from '../../lib/databases/names.ts'
import { nativeHash } from '../../lib/databases/password.ts'
import type { KnownNode } from '../../lib/nodes/decide.ts'
import { CLIENT, NODE, room } from '../support/facts.ts'
import { refusal } from '../support/refusal.ts'

const BASE: Database = {
  id: 4,
  clientId: CLIENT.id,
  name: 'acme_tienda',
  state: 'activa',
  error: null,
  bytes: 0,
  measuredAt: null,
  restricted: false,
  loading: false,
  createdAt: new Date(0),
}
const ACCESS = { socket: '/s', port: 3307, userPrefix: 'cp' }
const withDatabases = { ...NODE, offers: { php: [], certificates: true, databases: ACCESS } }

const facts = (more: Partial<NewDatabaseFacts> = {}, node: KnownNode = withDatabases): NewDatabaseFacts => ({
  existing: undefined,
  ...room({ functions: ['bases'] }),
  nodes: { nodes: new Map([[CLIENT.node, node]]), unknown: { ...node, present: false }, own: [] },
  exhausted: null,
  ...more,
})

describe('a new database', () => {
  test.each([
    ['is made where nothing speaks against it', facts(), true],
    ['is not made again for its own client', facts({ existing: BASE }), false],
    [
      'is made within the limit of the plan',
      facts(room({ functions: ['bases'], databases: 3 }, { bases: 2 })),
      true,
    ],
  ])('%s', (_, given, made) => {
    expect(decideDatabase(given, CLIENT)).toBe(made)
  })

  test.each([
    ['of a name that another client has', facts({ existing: { ...BASE, clientId: 99 } }), 'ya_existe', 409],
    ['that is being deleted', facts({ existing: { ...BASE, state: 'eliminando' } }), 'ya_existe', 409],
    [
      'beyond the plan',
      facts(room({ functions: ['bases'], databases: 3 }, { bases: 3 })),
      'limite_del_plan',
      409,
    ],
    ['without the function', facts(room({ functions: ['php'] })), 'funcion_de_pago', 402],
    ['on a node that is gone', facts({}, { ...withDatabases, present: false }), 'nodo_ausente', 409],
    ['on a full disk', facts({ exhausted: 'disco' }), 'sin_espacio', 507],
    [
      'on a node that has none',
      facts({}, { ...NODE, offers: { php: [], certificates: true, databases: null } }),
      'bases_no_disponible',
      409,
    ],
  ])('%s is refused', (_, given, codigo, status) => {
    expect(refusal(() => decideDatabase(given, CLIENT))).toEqual([status, codigo])
  })
})

test.each<[string, number[], { limit: number | null; free?: number }, boolean]>([
  ['bases that fill their plan are within it', [60, 40], { limit: 100 }, false],
  ['one byte more is over it', [60, 41], { limit: 100 }, true],
  ['room that deleted rows left does not count', [60, 70], { limit: 100, free: 30 }, false],
  ['nor does it hide what is over the plan without it', [60, 71], { limit: 100, free: 30 }, true],
  ['a plan without a number holds all', [60, 70], { limit: null }, false],
])('%s', (_, sizes, { limit, free }, over) => {
  expect(
    isOver(
      sizes.map((bytes) => ({ bytes, limit })),
      free,
    ),
  ).toBe(over)
})

test('a password is kept as MariaDB keeps it', () => {
  // PASSWORD('mypass') in the MariaDB documentation.
  expect(nativeHash('mypass')).toBe('*6C8989366EAF75BB670AD8EA7A7FC1176A95CEF4')
})

describe('names', () => {
  test.each([
    ['acme', 'tienda', 'acme_tienda'],
    ['acme', 'acme_tienda', 'acme_tienda'],
    ['tienda-de.ana', 'wp', 'tienda_de_ana_wp'],
    ['acme', 'a_b', 'acme_a_b'],
    ['a'.repeat(63), 'b'.repeat(31), `${'a'.repeat(32)}_${'b'.repeat(31)}`],
    ['acme', '_x', null],
    ['acme', 'b'.repeat(32), null],
  ])('the base of %p called %p is %p', (client, wanted, name) => {
    expect(databaseName(client, wanted)).toBe(name)
  })

  test('no base or account is longer than MariaDB takes', () => {
    expect(databaseName('a'.repeat(63), 'b'.repeat(31))?.length).toBe(64)
    expect(accountName('a'.repeat(63), 'b'.repeat(16)).length).toBeLessThan(80)
    expect(shortName('a.-_b')).toBe('a_b')
  })
})
