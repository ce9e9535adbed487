import type { LogFilter, LogKind, LogRow, PhpMessage } from '../../../lib/endpoint/ports/logs.ts'
import { LOG_LEVELS } from '../../../schema/states.ts'
import { membersIn } from '../host/json-line.ts'
import { withoutObeyed } from './split.ts'

const levels = new Set<string>(LOG_LEVELS)
/** Of what a program writes at once, more than this is left out. */
const LONGEST_TEXT = 8_192
const MOST_CLOCKS = 100

const WORDS: [RegExp, PhpMessage['level']][] = [
  [/^PHP (?:Fatal|Parse|Core|Compile|Recoverable fatal|Catchable fatal) error: {2}/, 'error'],
  [/^PHP (?:Core |Compile )?Warning: {2}/, 'aviso'],
  [/^PHP (?:Notice|Strict Standards): {2}/, 'nota'],
  [/^PHP Deprecated: {2}/, 'obsoleto'],
]

/** How PHP begins what it logs: with the time in the program's own zone. */
const BEGINNING = /^\[(\d\d)-([A-Z][a-z]{2})-(\d{4}) (\d\d:\d\d:\d\d) ([A-Za-z0-9_/+:-]+)\] /
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A line of a site's log; null where it is damaged. */
export function rowOf(kind: LogKind, line: string): LogRow | null {
  const told = membersIn(line)
  if (told === null) return null
  const at = new Date(String(told.cuando))
  if (Number.isNaN(at.getTime())) return null
  return kind === 'php' ? messageOf(told, at) : visitOf(told, at)
}

function visitOf(
  { direccion, metodo, ruta, estado, bytes, segundos, agente }: Record<string, unknown>,
  at: Date,
) {
  const [status, size, seconds] = [estado, bytes, segundos].map(Number)
  if (!Number.isSafeInteger(status) || !Number.isSafeInteger(size) || !(Number(seconds) >= 0)) return null
  return {
    kind: 'acceso' as const,
    at,
    address: String(direccion),
    method: String(metodo),
    path: String(ruta),
    status: Number(status),
    bytes: Number(size),
    ms: Math.round(Number(seconds) * 1000),
    agent: String(agente),
  }
}

function messageOf({ nivel, texto }: Record<string, unknown>, at: Date): PhpMessage | null {
  if (typeof nivel !== 'string' || !levels.has(nivel)) return null
  return { kind: 'php', at, level: nivel as PhpMessage['level'], text: String(texto) }
}

/** Whether a row is one of those asked for. */
export function fits(row: LogRow, { from, to, text, status }: LogFilter): boolean {
  if (from !== null && row.at < from) return false
  // A row knows its second.
  if (to !== null && row.at > to) return false
  if (row.kind === 'php') return text === null || has(row.text, text)
  if (status !== null && (row.status < status.lowest || row.status > status.highest)) return false
  return text === null || [row.path, row.agent, row.address, row.method].some((part) => has(part, text))
}

const has = (part: string, text: string) => part.toLowerCase().includes(text.toLowerCase())

/**
 * What PHP logged, as lines of the site's log: each begins where a line begins with a time, and what follows until the
 * next one belongs to it. `read` stands for a time that is none.
 */
export function messagesIn(text: string, read: Date): string[] {
  const found: { at: Date; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const [beginning = '', date = '', month = '', year = '', time = '', zone = ''] =
      BEGINNING.exec(line) ?? []
    if (beginning !== '') {
      const at = momentOf(`${year}-${monthOf(month)}-${date}T${time}Z`, zone) ?? read
      found.push({ at, lines: [line.slice(beginning.length)] })
    } else if (found.length > 0) found.at(-1)?.lines.push(line)
    else if (line !== '') found.push({ at: read, lines: [line] })
  }
  return found.map(({ at, lines }) => lineOf(at, lines.join('\n').trimEnd()))
}

function lineOf(at: Date, text: string): string {
  const [pattern, level] = WORDS.find(([word]) => word.test(text)) ?? [null, 'programa' as const]
  const texto = pattern === null ? text : text.replace(/^PHP /, '')
  const row = { cuando: at.toISOString(), nivel: level, texto: texto.slice(0, LONGEST_TEXT).toWellFormed() }
  return withoutObeyed(JSON.stringify(row))
}

const monthOf = (name: string) => String(MONTHS.indexOf(name) + 1).padStart(2, '0')

/** Clocks of zones: to make one takes longer than to read a thousand lines. */
const clocks = new Map<string, Intl.DateTimeFormat>()

/** RangeError where there is no such zone. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const
  const made = new Intl.DateTimeFormat('sv-SE', options)
  // Anything may stand in a log, in any case of its letters.
  if (clocks.size >= MOST_CLOCKS) clocks.clear()
  clocks.set(zone, made)
  return made
}

/** A time of a zone's own clock, as a moment; null where there is no such time or zone. */
function momentOf(local: string, zone: string): Date | null {
  const asUtc = new Date(local)
  if (Number.isNaN(asUtc.getTime())) return null
  if (zone === 'UTC') return asUtc
  try {
    const shown = clockOf(zone).format(asUtc)
    const ahead = new Date(`${shown.replace(' ', 'T')}Z`).getTime() - asUtc.getTime()
    return new Date(asUtc.getTime() - ahead)
  } catch {
    return null
  }
}
