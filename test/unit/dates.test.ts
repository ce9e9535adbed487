import { expect, test } from 'bun:test'

Object.defineProperty(navigator, 'languages', { value: ['en-GB', 'es-ES'], configurable: true })
const { language } = await import('../../web/text/language.ts')
const { day, exactTime } = await import('../../web/text/format.ts')

test('a date is written in the style of the reader’s region, with its month in letters', () => {
  language.set('en')
  expect(day('2026-04-03')).toBe('3 Apr 2026')
  expect(exactTime('2026-04-03T12:00:00Z')).toMatch(/^3 Apr 2026/)
  language.set('es')
  expect(day('2026-04-03')).toBe('3 abr 2026')
})
