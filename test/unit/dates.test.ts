import { expect, test } from 'bun:test'

Object.defineProperty(navigator, 'languages', { value: ['en-GB', 'es-ES'], configurable: true })
const { language } = await import('../../web/i18n/language.ts')
const { day, exactTime } = await import('../../web/i18n/format.ts')

test('a date is written as in the region of the reader, its month in letters', () => {
  language.set('en')
  expect(day('2026-04-03')).toBe('3 Apr 2026')
  expect(exactTime('2026-04-03T12:00:00Z')).toMatch(/^3 Apr 2026/)
  language.set('es')
  expect(day('2026-04-03')).toBe('3 abr 2026')
})
