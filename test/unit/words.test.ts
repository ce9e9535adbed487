import { expect, test } from 'bun:test'
import { counted } from '../../lib/text/words.ts'
import { amount } from '../../lib/usage/words.ts'

test('a single thing is named in the singular', () => {
  expect([0, 1, 2].map((count) => counted(count, 'token'))).toEqual(['0 tokens', '1 token', '2 tokens'])
  expect(counted(2, 'entry', 'entries')).toBe('2 entries')
  expect([0, 1, 2].map((bytes) => amount(bytes, 'disco_bytes', 'es'))).toEqual([
    '0 bytes',
    '1 byte',
    '2 bytes',
  ])
})
