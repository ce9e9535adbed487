import { ways, zoneOf } from './format.ts'

const DAY_MS = 86_400_000

/** When a calendar day begins where the reader lives (RFC 3339); '' for no day. */
export const dayBegins = (day: string): string =>
  day === '' ? '' : beginning(Date.parse(`${day}T00:00:00Z`))

/** Its last moment, in milliseconds. */
export const dayEnds = (day: string): string => {
  if (day === '') return ''
  const next = beginning(Date.parse(`${day}T00:00:00Z`) + DAY_MS)
  return new Date(Date.parse(next) - 1).toISOString()
}

/** `midnight` is the day's in UTC. A clock that is changed at midnight has another distance on either side of it. */
function beginning(midnight: number): string {
  const first = midnight - aheadAt(midnight)
  return new Date(midnight - aheadAt(first)).toISOString()
}

/** By how much the reader's clock is ahead of UTC then, in milliseconds. */
function aheadAt(at: number): number {
  const parts = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    ...zoneOf(ways.get()),
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0)
  const shown = Date.UTC(
    ...([
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    ] as const),
  )
  return shown - Math.floor(at / 1000) * 1000
}
