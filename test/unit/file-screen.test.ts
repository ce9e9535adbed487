import { describe, expect, test } from 'bun:test'
import { copyName, isName, join, parentOf, wayTo, withoutArchive } from '../../web/screens/files/paths.ts'
import { NOTHING, only, picked, pressed, type Selection } from '../../web/screens/files/selection.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e']
const shown = (selection: Selection | null) =>
  selection && [selection.active, [...selection.chosen].sort().join('')]
const press = (from: Selection, key: string, how: { shift?: boolean; ctrl?: boolean } = {}) =>
  pressed(from, NAMES, { key, shift: false, ctrl: false, page: 3, ...how })

describe('what is chosen', () => {
  test.each([
    ['ArrowDown', NOTHING, {}, ['a', 'a']],
    ['ArrowDown', only('b'), {}, ['c', 'c']],
    ['ArrowUp', only('a'), {}, ['a', 'a']],
    ['PageDown', only('b'), {}, ['e', 'e']],
    ['Home', only('c'), {}, ['a', 'a']],
    ['End', only('c'), { shift: true }, ['e', 'cde']],
    ['ArrowDown', only('b'), { ctrl: true }, ['c', 'b']],
    [' ', { ...only('b'), active: 'd' }, {}, ['d', 'bd']],
    [' ', only('b'), {}, ['b', '']],
    ['a', only('b'), { ctrl: true }, ['b', 'abcde']],
    ['Escape', only('b'), {}, ['b', '']],
    ['x', only('b'), {}, null],
  ] as const)('%s', (key, from, how, expected) => {
    expect(shown(press(from, key, how))).toEqual(expected as never)
  })

  test('a range begins where the last single choice was, in either direction', () => {
    const down = picked(only('b'), NAMES, { name: 'd', shift: true, ctrl: false })
    expect(shown(down)).toEqual(['d', 'bcd'])
    expect(shown(picked(down, NAMES, { name: 'a', shift: true, ctrl: false }))).toEqual(['a', 'ab'])
  })

  test('a range from a name that is gone is the name alone', () => {
    expect(shown(picked(only('z'), NAMES, { name: 'c', shift: true, ctrl: false }))).toEqual(['c', 'c'])
  })
})

describe('paths', () => {
  test('lead from the folder of the site to a file and back', () => {
    expect([join('/', 'a'), join('/a', 'b'), parentOf('/a/b'), parentOf('/a')]).toEqual([
      '/a',
      '/a/b',
      '/a',
      '/',
    ])
    expect(wayTo('/a/b')).toEqual(['/', '/a', '/a/b'])
  })

  test('a name has no slash and is not the folder itself', () => {
    expect(['', '.', '..', 'a/b', 'a', '...'].map(isName)).toEqual([false, false, false, false, true, true])
  })

  test('a copy has the first number that is free, before the ending', () => {
    expect(copyName('a.html', new Set(['a.html', 'a (2).html']))).toBe('a (3).html')
    expect(copyName('.htaccess', new Set())).toBe('.htaccess (2)')
  })

  test('an archive is unpacked into its name without the ending', () => {
    expect(['a.zip', 'a.tar.gz', 'b.tgz', '.zip'].map(withoutArchive)).toEqual(['a', 'a', 'b', '.zip'])
  })
})
