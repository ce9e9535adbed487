import { expect, test } from 'bun:test'

Object.defineProperty(navigator, 'languages', { value: ['en-GB', 'es-ES'], configurable: true })
const { language } = await import('../../web/text/language.ts')
const { day, exactTime, number, ways } = await import('../../web/text/format.ts')

test('a date is written in the style of the reader’s region, with its month in letters', () => {
  language.set('en')
  expect(day('2026-04-03')).toBe('3 Apr 2026')
  expect(exactTime('2026-04-03T12:00:00Z')).toMatch(/^3 Apr 2026/)
  language.set('es')
  expect(day('2026-04-03')).toBe('3 abr 2026')
})

test('who chose a country and a time zone reads dates and numbers as they are written there', () => {
  language.set('es')
  ways.set({ region: 'MX', timeZone: 'America/Mexico_City' })
  expect(exactTime('2026-04-03T02:30:00Z')).toContain('2 abr 2026')
  expect(number(1234.5)).toBe('1,234.5')
  ways.set({ region: 'ES', timeZone: 'Pacific/Auckland' })
  expect(exactTime('2026-04-03T12:30:00Z')).toContain('4 abr 2026')
  expect(number(1234.5)).toBe('1.234,5')
  language.set('en')
  ways.set({ region: 'US', timeZone: 'UTC' })
  expect(exactTime('2026-04-03T12:30:00Z')).toMatch(/^Apr 3, 2026, 12:30:00\sPM$/)
  // A day on the wire is the same day everywhere.
  ways.set({ region: 'US', timeZone: 'America/Mexico_City' })
  expect(day('2026-04-03')).toBe('Apr 3, 2026')
  ways.set({ region: null, timeZone: null })
})
