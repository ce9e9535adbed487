import { expect, test } from 'bun:test'
import { withBound } from '../../deploy/node/databases/patterns.ts'

/** As PCRE2 keeps its bounds: no offset's, then those of the heap, of matches and of depth. */
const bounds = (heap: number): Buffer => {
  const bytes = Buffer.alloc(20, 0xff)
  for (const [at, value] of [heap, 10_000_000, 10_000_000].entries()) bytes.writeUInt32LE(value, 8 + 4 * at)
  return bytes
}

test('the bound of a library is put where its own stands once, and nothing else is changed', () => {
  const [before, after] = [Buffer.from('before'), Buffer.from('after')]
  const library = Buffer.concat([before, bounds(20_000_000), after])
  expect(withBound(library)).toEqual(Buffer.concat([before, bounds(8192), after]))
})

test('a library whose own bound is another, or stands there twice, is not used', () => {
  expect(withBound(bounds(1_000))).toBe(null)
  expect(withBound(Buffer.concat([bounds(20_000_000), bounds(20_000_000)]))).toBe(null)
})
