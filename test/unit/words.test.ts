import { expect, test } from 'bun:test'
import { dayIn } from '../../lib/text/amounts.ts'
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

test.each([
  ['es', null, '3 de abril de 2026'],
  ['es', 'MX', '3 de abril de 2026'],
  ['en', null, 'April 3, 2026'],
  ['en', 'GB', '3 April 2026'],
] as const)('a mail in %s to an account of %p has its day as %p', (language, country, written) => {
  expect(dayIn('2026-04-03', { language, country })).toBe(written)
})
