import { createStore } from '../api/store.ts'
import { language, t } from './language.ts'

/** How whoever is signed in has dates and numbers written; null as the browser does. */
type Ways = { region: string | null; timeZone: string | null }

export const ways = createStore<Ways>({ region: null, timeZone: null })

const cache = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>()

/** One formatter a locale and form: making one costs more than a hundred uses. */
function made<T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  name: string,
  make: (locale: string) => T,
): T {
  const locale = regional()
  const key = `${locale}:${ways.get().timeZone}:${name}`
  const known = cache.get(key)
  if (known) return known as T // stored under this very name by this very call site
  const fresh = make(locale)
  cache.set(key, fresh)
  return fresh
}

/** The language of the screens as the reader's own region writes it: 3/4 is not the same day everywhere. */
function regional(): string {
  const { region } = ways.get()
  if (region !== null) return `${language.get()}-${region}`
  return (
    navigator.languages.find((tag) => tag.toLowerCase().startsWith(`${language.get()}-`)) ?? language.get()
  )
}

/** The reader's own time zone; left out, or unknown to an older browser, it is the browser's. */
export const zoneOf = ({ timeZone }: Pick<Ways, 'timeZone'>) =>
  timeZone !== null && isKnown(timeZone) ? { timeZone } : {}

const zone = () => zoneOf(ways.get())

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** A whole number by locale; four digits are grouped too, since columns of numbers are compared. */
export const number = (value: number): string =>
  made('number', (locale) => new Intl.NumberFormat(locale, { useGrouping: 'always' })).format(value)

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/** Bytes in the units that people know, of which each is a thousand of the one before; three significant digits. */
export function bytes(value: number): string {
  let [amount, unit] = [value, 0]
  while (amount >= 999.5 && unit < UNITS.length - 1) {
    amount /= 1000
    unit++
  }
  const digits = unit === 0 || amount >= 100 ? 0 : amount >= 10 ? 1 : 2
  const text = made(
    `bytes${digits}`,
    (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }),
  ).format(amount)
  return `${text} ${UNITS[unit]}`
}

export const percent = (value: number): string =>
  made('percent', (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })).format(value) +
  t('%', '\u00a0%')

/** Date and time to the minute in the reader's zone. */
export const dateTime = (iso: string): string =>
  made(
    'dateTime',
    (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...zone() }),
  ).format(new Date(iso))

/** Day of the week and time: enough within a week. */
export const weekdayTime = (iso: string): string =>
  made(
    'weekdayTime',
    (locale) =>
      new Intl.DateTimeFormat(locale, { weekday: 'short', hour: '2-digit', minute: '2-digit', ...zone() }),
  ).format(new Date(iso))

/** To the second, for trails. */
export const exactTime = (iso: string): string =>
  made(
    'exact',
    (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', ...zone() }),
  ).format(new Date(iso))

/** A calendar day. Days are UTC on the wire, so they are shown as they are written. */
export const day = (isoDate: string): string =>
  made('day', (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })).format(
    new Date(`${isoDate.slice(0, 10)}T00:00:00Z`),
  )

export const shortDay = (isoDate: string): string =>
  made(
    'shortDay',
    (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  ).format(new Date(`${isoDate.slice(0, 10)}T00:00:00Z`))

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** "3 minutes ago", "in 2 days". */
export function relative(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000
  if (Math.abs(seconds) < 5) return t('just now', 'ahora mismo')
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  const format = made('relative', (l) => new Intl.RelativeTimeFormat(l, { numeric: 'auto' }))
  return format.format(Math.round(seconds / size), unit)
}

/** "1 site", "3 sites". */
export const counted = (count: number, one: string, many: string): string =>
  `${number(count)} ${count === 1 ? one : many}`

/** Days from now until an instant or a day, rounded down. */
export const daysUntil = (iso: string, now = Date.now()): number =>
  Math.floor((new Date(iso).getTime() - now) / 86_400_000)
