import { expect, test } from 'bun:test'
import { changesOf } from '../../lib/audit/changes.ts'
import { auditView, storedDetail } from '../../lib/audit/view.ts'
import { NOW } from '../support/facts.ts'

type Told = [field: string, before: unknown, after: unknown][]
const told = (...given: Parameters<typeof changesOf>): Told =>
  changesOf(...given).map(({ field, before, after }) => [field, before, after])

test.each<[string, object, object, Told]>([
  ['a field that changes', { nombre: 'Acme' }, { nombre: 'Acme SL' }, [['nombre', 'Acme', 'Acme SL']]],
  ['a field that stays', { nombre: 'Acme' }, { nombre: 'Acme' }, []],
  ['a field that was left out', { nombre: 'Acme' }, { nombre: undefined }, []],
  ['a field that is not named', { nombre: 'Acme', plan: 'x' }, { nombre: 'Acme' }, []],
  ['a field that had no value', { nombre: null }, { nombre: 'Acme' }, [['nombre', null, 'Acme']]],
  ['a field that loses its value', { plan: 'basico' }, { plan: null }, [['plan', 'basico', null]]],
  ['one that was not there', {}, { plan: 'basico' }, [['plan', null, 'basico']]],
  ['null, false and an empty text as three things', { a: null }, { a: false }, [['a', null, false]]],
  ['a list', { aliases: ['a'] }, { aliases: ['a', 'b'] }, [['aliases', ['a'], ['a', 'b']]]],
  [
    'parts of a field, and those that are taken away',
    { paginas_error: { 403: 'a', 404: 'b', 500: null } },
    { paginas_error: { 403: 'c' } },
    [
      ['paginas_error.403', 'a', 'c'],
      ['paginas_error.404', 'b', null],
    ],
  ],
  [
    'a whole that is taken away',
    { cache: { segundos: 60 } },
    { cache: null },
    [['cache', { segundos: 60 }, null]],
  ],
  [
    'lists of parts, without what the request does not say of them',
    { protegidas: [{ ruta: '/a', usuario: 'x', con_contrasena: true }] },
    { protegidas: [{ ruta: '/a', usuario: 'x' }] },
    [],
  ],
])('%s is told as it is', (_, before, after, changes) => {
  expect(told(before, after)).toEqual(changes)
})

test.each([
  'contrasena',
  'secreto',
  'secret_hash',
  'token',
  'credencial',
  'llaves',
  'codigo_recuperacion',
  'totp',
  'ajustes.contrasena',
])('%s is never told', (name) => {
  const [first = '', second] = name.split('.')
  const of = (value: string) => (second ? { [first]: { [second]: value } } : { [first]: value })
  expect(told(of('before'), of('after'))).toEqual([])
})

test('of a hidden field only the change is told, of its parts too', () => {
  const [before, after] = [{ orden: ['php', 'a'] }, { orden: ['php', 'b'] }]
  expect(told(before, after, ['orden'])).toEqual([['orden', null, null]])
  expect(told({ x: { y: 1 } }, { x: { y: 2 } }, ['x'])).toEqual([['x.y', null, null]])
})

test('a long list tells what it lost and gained, and a long text its beginning', () => {
  const names = Array.from({ length: 200 }, (_, i) => `alias-${i}.ejemplo.es`)
  expect(told({ aliases: names }, { aliases: [...names.slice(1), 'nuevo.es'] })).toEqual([
    ['aliases', ['alias-0.ejemplo.es'], ['nuevo.es']],
  ])
  const [[, , text] = ['', '', '']] = told({ motivo: '' }, { motivo: 'x'.repeat(5000) })
  expect(String(text)).toHaveLength(501)
  const [[, gone] = ['', '']] = told({ aliases: names }, { aliases: [] })
  expect(String(gone)).toHaveLength(501)
})

test('a row stays short: of what no longer fits only the change is told', () => {
  const all = (value: string) => Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, value]))
  const changes = told(all('a'.repeat(400)), all('b'.repeat(400)))
  expect(changes.filter(([, before]) => before !== null)).toHaveLength(2)
  expect(changes).toHaveLength(50)
  expect(JSON.stringify(changes).length).toBeLessThan(4_000)
})

test('at most fifty fields are told', () => {
  const all = (value: number) => Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`f${i}`, value]))
  expect(told(all(1), all(2))).toHaveLength(50)
})

test('details too long for a row tell their beginning', () => {
  const path = `/public/${'x'.repeat(240)}/${'y'.repeat(240)}`
  const few = { operacion: 'borrar', rutas: [path, path, path] }
  expect(storedDetail(few, [])).toEqual(few)
  const many = storedDetail({ operacion: 'borrar', rutas: Array.from({ length: 20 }, () => path) }, [])
  expect(many).toEqual({ operacion: 'borrar', rutas: expect.stringMatching(/^\["\/public\/x+.*…$/) })
  expect(JSON.stringify(many).length).toBeLessThan(600)
})

test('a row keeps details and changes apart', () => {
  const row = {
    id: 1,
    at: NOW,
    actorKind: 'sistema' as const,
    actorId: null,
    actorName: 'sistema',
    impersonator: null,
    operation: 'x',
    clientName: null,
    target: null,
    outcome: 'hecho',
    requestId: null,
    address: null,
  }
  const shown = (...given: Parameters<typeof storedDetail>) => {
    const { detalle, cambios } = auditView({ ...row, detail: storedDetail(...given) })
    return [detalle, cambios]
  }
  const change = { field: 'plan', before: null, after: 'basico' }
  const wire = [{ campo: 'plan', de: null, a: 'basico' }]
  expect(shown(undefined, [])).toEqual([null, null])
  expect(shown({ a: 1 }, [])).toEqual([{ a: 1 }, null])
  expect(shown(undefined, [change])).toEqual([null, wire])
  expect(shown({ a: 1 }, [change])).toEqual([{ a: 1 }, wire])
})
