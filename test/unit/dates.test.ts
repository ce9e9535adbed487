import { expect, test } from 'bun:test'

Object.defineProperty(navigator, 'languages', { value: ['en-GB', 'es-ES'], configurable: true })
const { language } = await import('../../web/text/language.ts')
const { dayBegins, dayEnds } = await import('../../web/text/local-days.ts')
const { day, exactTime, number, ways } = await import('../../web/text/format.ts')

test('a date is written in the style of the reader’s region, with its month in letters', () => {
  language.set('en')
  expect(day('2026-04-03')).toBe('3 Apr 2026')
  expect(exactTime('2026-04-03T12:00:00Z')).toMatch(/^3 Apr 2026/)
  language.set('es')
  expect(day('2026-04-03')).toBe('3 abr 2026')
})

test('a day of a filter begins and ends where the reader lives, also when clocks change', () => {
  const daysOf = (timeZone: string, day: string) => {
    ways.set({ region: null, timeZone })
    return [dayBegins(day), dayEnds(day)]
  }
  expect(daysOf('UTC', '2026-11-21')).toEqual(['2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z'])
  expect(daysOf('America/Mexico_City', '2026-11-21')).toEqual([
    ...['2026-11-21T06:00:00.000Z', '2026-11-22T05:59:59.999Z'],
  ])
  expect(daysOf('Pacific/Auckland', '2026-11-21')[0]).toBe('2026-11-20T11:00:00.000Z')
  // 23 and 25 hours.
  expect(daysOf('Europe/Madrid', '2026-03-29')).toEqual([
    ...['2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
  ])
  expect(daysOf('Europe/Madrid', '2026-10-25')).toEqual([
    ...['2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  ])
  expect(daysOf('Asia/Kolkata', '2026-11-21')[0]).toBe('2026-11-20T18:30:00.000Z')
  expect([dayBegins(''), dayEnds('')]).toEqual(['', ''])
  ways.set({ region: null, timeZone: null })
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
