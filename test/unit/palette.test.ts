import { expect, test } from 'bun:test'
import { fitOf, NO_FIT, plain } from '../../web/screens/shell/fit.ts'

const best = (typed: string, ...texts: string[]) =>
  texts
    .map((text) => ({ text, fit: fitOf(plain(text), plain(typed).split(' ')) }))
    .filter(({ fit }) => fit < NO_FIT)
    .sort((one, other) => one.fit - other.fit)
    .map(({ text }) => text)

const SCREENS = ['Tareas', 'Tareas fallidas', 'Auditoría', 'Clientes', 'Cliente nuevo', 'Tokens de API']

test.each([
  ['tareas fall', ['Tareas fallidas']],
  ['auditoria', ['Auditoría']],
  ['nuevo cli', ['Cliente nuevo']],
  // A part of a word stands behind the beginning of one, and letters with gaps behind both.
  ['ente', ['Clientes', 'Cliente nuevo']],
  ['clnts', ['Clientes']],
  ['tkns', ['Tokens de API']],
  ['zzz', []],
  ['tareas zzz', []],
])('%p is taken for %p', (typed, expected) => {
  expect(best(typed, ...SCREENS)).toEqual(expected)
})
