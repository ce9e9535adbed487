import { expect, test } from 'bun:test'
import { credited, type Held, holderOf } from '../../deploy/node/databases/watching/temporary-files.ts'

const EVERYBODY = new Set(['ana', 'bea'])
/** What is held after looks, each with the files' sizes and what each client has written since the look before. */
const after = (...looks: [files: Record<number, number>, grown: Record<string, number>][]): Held =>
  looks.reduce<Held>(
    (held, [files, grown]) =>
      credited(
        held,
        new Map(Object.entries(files).map(([inode, bytes]) => [Number(inode), bytes])),
        new Map(Object.entries(grown)),
      ),
    new Map(),
  )

test('who sleeps on what it wrote holds it, whoever writes less afterwards', () => {
  const held = after(
    [{ 1: 900 }, { ana: 900 }],
    [
      { 1: 900, 2: 200 },
      { ana: 0, bea: 200 },
    ],
  )
  expect(holderOf(held, EVERYBODY)).toBe('ana')
})

test('what was closed is nobody’s, and a file anew under its number is of who wrote it', () => {
  const held = after([{ 1: 900 }, { ana: 900 }], [{}, { bea: 0 }], [{ 1: 100 }, { bea: 100 }])
  expect(holderOf(held, EVERYBODY)).toBe('bea')
  expect(holderOf(after([{ 1: 900 }, { ana: 900 }], [{ 1: 100 }, { bea: 100 }]), EVERYBODY)).toBe('bea')
})

test('what several write at a time is divided as they wrote', () => {
  expect(
    holderOf(
      after([
        { 1: 300, 2: 600 },
        { ana: 300, bea: 600 },
      ]),
      EVERYBODY,
    ),
  ).toBe('bea')
})

test('who has no session any more is not named, nor is anybody where nobody wrote', () => {
  expect(holderOf(after([{ 1: 900 }, { eva: 900 }]), EVERYBODY)).toBeNull()
  expect(holderOf(after([{ 1: 900 }, {}]), EVERYBODY)).toBeNull()
})
