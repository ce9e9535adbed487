import { expect, test } from 'bun:test'
import { EntryCount } from '../../deploy/node/customer-files/reading/entry-count.ts'

/** What a listing is refused with that comes in parts of three bytes. */
function refusal(listing: string, inodes: number | null): unknown {
  const count = new EntryCount(inodes)
  const bytes = new TextEncoder().encode(listing)
  try {
    for (let at = 0; at < bytes.length; at += 3) count.feed(bytes.slice(at, at + 3))
  } catch (error) {
    return (error as { codigo: string }).codigo
  }
  return null
}

test.each<[string, string, number | null, unknown]>([
  ['as many as are left, with its own folder', 'a\nb/\nb/ñ\n', 4, null],
  ['one more', 'a\nb/\nb/ñ\n', 3, 'sin_espacio'],
  ['folders that only names tell of', 'a/b/c/d\n', 4, 'sin_espacio'],
  ['the same name again', './a\na\na\n', 2, null],
  ['anything, where there is no limit', 'a/b/c/d\n', null, null],
  ['none, where nothing is left', 'a\n', 0, 'sin_espacio'],
  ['a name without an end', 'x'.repeat(70_000), null, 'archivo_peligroso'],
  ['too many', 'a\n'.repeat(200_001), null, 'archivo_peligroso'],
])('an archive of %s', (_what, listing, inodes, told) => {
  expect(refusal(listing, inodes)).toBe(told)
})
