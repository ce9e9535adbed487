const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']

/** Bytes as a person reads them: `1,5 GB`. */
export function bytesIn(value: number, language: 'es' | 'en'): string {
  if (value === 1) return '1 byte'
  const power = value < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(value) / 3))
  return `${countIn(value / 1000 ** power, language)} ${UNITS[power]}`
}

/** A day such as `2026-11-20` as a person reads it: with its month in letters, since 3/4 is not one day everywhere. */
export const dayIn = (
  isoDay: string,
  { language, country }: { language: 'es' | 'en'; country: string | null },
): string =>
  new Intl.DateTimeFormat(country === null ? language : `${language}-${country}`, {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(new Date(`${isoDay}T00:00:00Z`))

/** A number as a person reads it: `12.000`. */
export const countIn = (value: number, language: 'es' | 'en'): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value)
