import { ways, zoneOf } from '../../../text/format.ts'
import { language } from '../../../text/language.ts'
import { texts } from './texts.ts'
import { clock, offsetOf, type Timing, timingOf } from './timing.ts'

/** The zone that the reader's times are told in; undefined is the browser's. */
export const ownZone = (): string | undefined => zoneOf(ways.get()).timeZone

/** A day of the week by its number, Sunday first. */
export const weekdayName = (weekday: number): string =>
  new Intl.DateTimeFormat(language.get(), { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2026, 0, 4 + weekday)),
  )

/** When a task runs, in words; a pattern that has none stays as it is. */
export function patternWords(pattern: string): string {
  const timing = timingOf(pattern, offsetOf(ownZone(), new Date()))
  return timing === null ? `${pattern} (UTC)` : timingWords(timing)
}

function timingWords(timing: Timing): string {
  if (timing.every === 'minutes') return texts.everyMinutes(timing.minutes)
  if (timing.every === 'hour') return texts.everyHour(String(timing.minute).padStart(2, '0'))
  if (timing.every === 'day') return texts.everyDay(clock(timing))
  return texts.everyWeek(weekdayName(timing.weekday), clock(timing))
}

/** A command as people know it: the PHP file that it runs. */
export const commandWords = (command: readonly string[]): string => {
  const [program = '', file, ...rest] = command
  return /^php\d/.test(program) && file !== undefined && rest.length === 0 ? file : command.join(' ')
}
