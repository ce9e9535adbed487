import { expect, test } from 'bun:test'
import {
  type Client,
  decideNewClient,
  type NewClient,
  type NewClientFacts,
  requireChangeable,
  requireReferenceFree,
} from '../../lib/clients/decide.ts'
import { CLIENT, NOW, UNLIMITED } from '../support/facts.ts'
import { refusal } from '../support/refusal.ts'

const HERE = { here: 'nodo1', now: NOW, createdBy: 'token' as const }
const FUNCTION_HOST = { ...HERE, here: null }

const other: Client = { ...CLIENT, id: 8, name: 'otro', reference: 'ref:8' }
const nodes = (present: Record<string, boolean>) =>
  new Map(Object.entries(present).map(([name, present]) => [name, { present }]))
const NOTHING: NewClientFacts = { clashes: [], plan: undefined, nodes: nodes({ nodo1: true }) }

const decided = (
  facts: Partial<NewClientFacts>,
  wanted: NewClient,
  at: typeof HERE | typeof FUNCTION_HOST = HERE,
) => decideNewClient({ ...NOTHING, ...facts }, wanted, at)

test('a new client has what was wanted of it, and nothing of what was left out', () => {
  const { id: _, ...row } = { ...CLIENT, reference: null }
  expect(decided({}, { cliente: 'acme' })).toEqual({ row })
  const wanted = { referencia: 'ref:7', nombre: 'Acme SL', correo: 'a@acme.es', plan: 'grande' }
  expect(decided({ plan: UNLIMITED }, { cliente: 'acme', ...wanted, idioma: 'en' })).toMatchObject({
    row: {
      reference: 'ref:7',
      displayName: 'Acme SL',
      email: 'a@acme.es',
      planId: UNLIMITED.id,
      language: 'en',
    },
  })
})

test('the same reference and name find the client that they made, whatever else is wanted now', () => {
  const wanted = { cliente: 'acme', referencia: 'ref:7', plan: 'unknown', nodo: 'unknown' }
  expect(decided({ clashes: [CLIENT, other] }, wanted)).toEqual({ existing: CLIENT })
})

test.each<[string, Partial<NewClientFacts>, Partial<NewClient>, [number, string]]>([
  [
    'the name of a client without reference',
    { clashes: [{ ...CLIENT, reference: null }] },
    {},
    [409, 'ya_existe'],
  ],
  ['the name of a client, and no reference', { clashes: [CLIENT] }, {}, [409, 'ya_existe']],
  [
    'the name of a client, and a free reference',
    { clashes: [CLIENT] },
    { referencia: 'ref:9' },
    [409, 'ya_existe'],
  ],
  ["another's reference", { clashes: [other] }, { referencia: 'ref:8' }, [409, 'referencia_en_conflicto']],
  [
    "one client's name and another's reference",
    { clashes: [CLIENT, other] },
    { referencia: 'ref:8' },
    [409, 'referencia_en_conflicto'],
  ],
  [
    'name and reference of a client that is being deleted',
    { clashes: [{ ...CLIENT, state: 'eliminando' }] },
    { referencia: 'ref:7' },
    [409, 'cliente_eliminandose'],
  ],
  ['a plan that there is not', {}, { plan: 'grande' }, [409, 'plan_no_existe']],
  ['a taken name before an unknown plan', { clashes: [CLIENT] }, { plan: 'x' }, [409, 'ya_existe']],
  ['another node', {}, { nodo: 'nodo2' }, [409, 'cliente_en_otro_nodo']],
  ['an unknown plan before another node', {}, { plan: 'x', nodo: 'nodo2' }, [409, 'plan_no_existe']],
  ['a node that was given up', { nodes: nodes({ nodo1: false }) }, {}, [409, 'nodo_ausente']],
])('a client with %s is refused', (_, facts, more, expected) => {
  expect(refusal(() => decided(facts, { cliente: 'acme', ...more }))).toEqual(expected)
})

test.each<[string, Record<string, boolean>, string | undefined, string | [number, string]]>([
  ['the only node', { nodo1: true }, undefined, 'nodo1'],
  ['the node that is named', { nodo1: true, nodo2: true }, 'nodo2', 'nodo2'],
  [
    'none where several are and none is named',
    { nodo1: true, nodo2: true },
    undefined,
    [409, 'nodo_no_existe'],
  ],
  ['none where there is no node', {}, undefined, [409, 'nodo_no_existe']],
  ['none that is unknown', { nodo1: true }, 'nodo2', [409, 'nodo_no_existe']],
  ['none that is absent', { nodo1: false }, undefined, [409, 'nodo_ausente']],
])('a function host puts a client on %s', (_, present, nodo, expected) => {
  const run = () => decided({ nodes: nodes(present) }, { cliente: 'acme', nodo }, FUNCTION_HOST)
  if (typeof expected === 'string') expect(run()).toMatchObject({ row: { node: expected } })
  else expect(refusal(run)).toEqual(expected)
})

test.each<[string, Client | undefined, string | null, [number, string] | null]>([
  ['is unknown', undefined, 'nodo1', [404, 'cliente_no_existe']],
  ['lives here', CLIENT, 'nodo1', null],
  ['is suspended', { ...CLIENT, state: 'suspendido' }, 'nodo1', null],
  ['is being deleted', { ...CLIENT, state: 'eliminando' }, 'nodo1', [409, 'cliente_eliminandose']],
  ['lives elsewhere', CLIENT, 'nodo2', [409, 'cliente_en_otro_nodo']],
  ['is changing its node', { ...CLIENT, moving: true }, 'nodo1', [409, 'en_mudanza']],
  [
    'lives elsewhere and is being deleted',
    { ...CLIENT, state: 'eliminando' },
    'nodo2',
    [409, 'cliente_en_otro_nodo'],
  ],
  ['lives at any node, at a function host', CLIENT, null, null],
])('a client that %s is changed only where it may be', (_, client, here, expected) => {
  expect(refusal(() => requireChangeable(client, here))).toEqual(expected)
})

test("a client may keep its reference, and cannot take another's", () => {
  expect(refusal(() => requireReferenceFree(CLIENT, CLIENT))).toBeNull()
  expect(refusal(() => requireReferenceFree(undefined, CLIENT))).toBeNull()
  expect(refusal(() => requireReferenceFree(other, CLIENT))).toEqual([409, 'referencia_en_conflicto'])
})
