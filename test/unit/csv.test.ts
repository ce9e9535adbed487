import { expect, test } from 'bun:test'
import { stepsFor, undoSteps } from '../../web/screens/clients/bulk-run.ts'
import { csvOf } from '../../web/ui/lists/csv.ts'

const fileOf = (value: string | number | null) =>
  csvOf([['Nombre', (row: { value: typeof value }) => row.value]], [{ value }])

test.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+34 600', "'+34 600"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['＝1+1', "'＝1+1"],
  ['a;=1+1', `"a;'=1+1"`],
  ['a;"=1+1"', `"a;""'=1+1"""`],
  ['a\n@SUM(A1)', `"a\n'@SUM(A1)"`],
  ['a; b = 1', '"a; b = 1"'],
  ['a, "b"\nc', '"a, ""b""\nc"'],
  ['Muñoz = 1', 'Muñoz = 1'],
  [-5, '-5'],
  [null, ''],
])('%p stands in a file for spreadsheets as %p', (value, cell) => {
  expect(fileOf(value)).toBe(`\uFEFFNombre\r\n${cell}\r\n`)
})

const client = (cliente: string, rest: object = {}) =>
  ({ cliente, estado: 'activo', motivo: null, plan: 'básico', ...rest }) as const
const clients = [
  client('a'),
  client('b', { estado: 'suspendido', motivo: 'Factura', plan: null }),
  client('c'),
]
const done = (cliente: string) => ({ cliente, state: 'hecha', error: null }) as const
const outcomes = [done('a'), done('b'), { cliente: 'c', state: 'fallida', error: 'no' } as const]

test('what a bulk action did is taken back as each one was, and what failed is left alone', () => {
  const inputs = (kind: 'suspend' | 'activate' | 'plan' | 'link') =>
    undoSteps(kind, clients, outcomes).map(({ op, input }) => [op.split('/').at(-1), input as unknown])
  expect(inputs('suspend')).toEqual([['activar', { params: { cliente: 'a' } }]])
  expect(inputs('activate')).toEqual([
    ['suspender', { params: { cliente: 'b' }, body: { motivo: 'Factura' } }],
  ])
  expect(inputs('plan')).toEqual([
    ['plan', { params: { cliente: 'a' }, body: { plan: 'básico' } }],
    ['plan', { params: { cliente: 'b' }, body: { plan: null } }],
  ])
  expect(inputs('link')).toEqual([])
})

test('a suspension without a reason sends none', () => {
  expect(
    stepsFor('suspend', [client('a')], { motivo: ' ', plan: null }).map(({ input }) => input as unknown),
  ).toEqual([{ params: { cliente: 'a' }, body: {} }])
})
