import type { DesiredZone, RRset } from '../../endpoint/node-port.ts'
import { absoluteName, NameError, withDot } from '../names.ts'
import type { Rdata } from '../rdata/fields.ts'
import { canonicalRdata, RdataError } from '../rdata.ts'
import { clashes, owner, RRsetError, rrsetOf } from '../rrset.ts'
import { type Entry, type Fault, zoneEntries } from './lines.ts'

/** A line of a zone file that was not taken, and why. */
type Refusal = { linea: number; codigo: string; motivo: { en: string; es: string } }

export type ParsedZone = { rrsets: RRset[]; refused: Refusal[] }

/**
 * Reads a zone file of `zone`: $ORIGIN, $TTL, `@`, blank owners, parentheses, comments, TTLs with units.
 * $INCLUDE and $GENERATE are refused, as are classes other than IN. The apex SOA is read over, since the
 * panel keeps its own. Records of one RRset with different TTLs get the lowest (RFC 2181 section 5.2).
 */
export function parseZoneFile(text: string, zone: string): ParsedZone {
  const state = begin(zone)
  for (const entry of zoneEntries(text)) take(entry, state)
  return finish(state)
}

/** What is told of a file that is none, of which nothing is taken anyway. */
export const MOST_REFUSED = 100
const STRETCH_MS = 10

/** The same for somebody who waits: others are answered in between, and it ends with the hundredth refusal. */
export async function readZoneFile(text: string, zone: string): Promise<ParsedZone> {
  const state = begin(zone)
  let until = performance.now() + STRETCH_MS
  for (const entry of zoneEntries(text)) {
    take(entry, state)
    if (state.refused.length >= MOST_REFUSED) return { rrsets: [], refused: state.refused }
    if (performance.now() < until) continue
    await new Promise((resolve) => setTimeout(resolve, 0))
    until = performance.now() + STRETCH_MS
  }
  const { rrsets, refused } = finish(state)
  return { rrsets, refused: refused.slice(0, MOST_REFUSED) }
}

const begin = (zone: string): State => ({
  zone,
  origin: withDot(zone),
  owner: null,
  ttl: null,
  lastTtl: DEFAULT_TTL,
  sets: new Map(),
  refused: [],
})

function take(entry: Entry, state: State): void {
  try {
    readEntry(entry, state)
  } catch (error) {
    state.refused.push(refusalOf(error, entry.line))
  }
}

/** The zone as a file that `parseZoneFile` reads back to the same. */
export function serializeZone({ name, serial, soa, rrsets }: DesiredZone): string {
  const { mname, rname, refresh, retry, expire, minimum } = soa
  const lines = [
    `$ORIGIN ${withDot(name)}`,
    `@\t${minimum}\tIN\tSOA\t${mname} ${rname} ${serial} ${refresh} ${retry} ${expire} ${minimum}`,
  ]
  const sorted = rrsets.toSorted((left, right) => sortKey(left).localeCompare(sortKey(right), 'en'))
  for (const rrset of sorted) {
    for (const value of rrset.values) lines.push(`${rrset.name}\t${rrset.ttl}\tIN\t${rrset.type}\t${value}`)
  }
  return `${lines.join('\n')}\n`
}

const DEFAULT_TTL = 3600

type Found = { line: number; rrset: RRset; data: Rdata[] }
type State = {
  zone: string
  origin: string
  owner: string | null
  /** What $TTL says, in seconds; null before it. */
  ttl: number | null
  lastTtl: number
  sets: Map<string, Found>
  refused: Refusal[]
}

class LineError extends Error {
  readonly codigo: string
  readonly mensaje: { en: string; es: string }

  constructor(codigo: string, en: string, es: string) {
    super(en)
    this.codigo = codigo
    this.mensaje = { en, es }
  }
}

function readEntry(entry: Entry, state: State): void {
  if (entry.fault) throw faultError(entry.fault)
  const first = entry.words[0] ?? ''
  if (!entry.continuesOwner && first.startsWith('$')) {
    directive(first.toUpperCase(), entry.words, state)
    return
  }
  const words = [...entry.words]
  if (!entry.continuesOwner) state.owner = absoluteName(words.shift() ?? '', state.origin)
  if (state.owner === null) {
    throw new LineError('sin_nombre', 'The line has no owner name.', 'La línea no tiene nombre.')
  }
  const ttl = ttlAndClass(words, state)
  const type = (words.shift() ?? '').toUpperCase()
  const value = words.join(' ')
  if (type === 'SOA' && state.owner === withDot(state.zone)) return
  // Names in the data are relative to the file's origin, which may not be the zone.
  const data = [canonicalRdata(type, value, state.origin)]
  const rrset = rrsetOf(state.zone, { name: owner(state.zone, state.owner), type, ttl }, data)
  add(state, { line: entry.line, rrset, data })
}

/** Takes TTL and class, which come in any order and are both optional, off the front of the words. */
function ttlAndClass(words: string[], state: State): number {
  let ttl: number | null = null
  let classed = false
  for (;;) {
    const word = words[0] ?? ''
    const seconds: number | null = ttl === null ? ttlSeconds(word) : null
    if (seconds !== null) ttl = seconds
    else if (!classed && /^(?:IN|CH|CS|HS|CLASS\d+)$/i.test(word)) {
      classed = true
      if (word.toUpperCase() !== 'IN') {
        throw new LineError('clase_no_servida', 'Only class IN is served.', 'Solo se sirve la clase IN.')
      }
    } else break
    words.shift()
  }
  if (ttl !== null) state.lastTtl = ttl
  return ttl ?? state.ttl ?? state.lastTtl
}

function directive(name: string, words: string[], state: State): void {
  if (name === '$ORIGIN' && words.length === 2) {
    state.origin = absoluteName(words[1] ?? '', state.origin)
  } else if (name === '$TTL' && words.length === 2 && ttlSeconds(words[1] ?? '') !== null) {
    state.ttl = ttlSeconds(words[1] ?? '')
  } else {
    throw new LineError(
      'directiva_no_admitida',
      'Only $ORIGIN and $TTL with one value are taken.',
      'Solo se admiten $ORIGIN y $TTL con un valor.',
    )
  }
}

const UNITS: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Seconds of a TTL such as `3600` or `1h30m`, or null when the word is none. */
function ttlSeconds(word: string): number | null {
  if (!/^(?:\d{1,10}|(?:\d{1,9}[smhdw]){1,5})$/i.test(word)) return null
  let seconds = 0
  for (const [, digits, unit] of word.matchAll(/(\d+)([a-z]?)/gi)) {
    seconds += Number(digits) * (UNITS[(unit ?? '').toLowerCase()] ?? 0)
  }
  return seconds
}

function add(state: State, found: Found): void {
  const id = `${found.rrset.name} ${found.rrset.type}`
  const old = state.sets.get(id)
  if (!old) {
    state.sets.set(id, found)
    return
  }
  old.rrset.ttl = Math.min(old.rrset.ttl, found.rrset.ttl)
  old.data.push(...found.data)
}

/** Checks each RRset and all of them together; a refusal names the first line of its RRset. */
function finish({ zone, sets, refused }: State): ParsedZone {
  const lines = new Map<RRset, number>()
  for (const { line, rrset, data } of sets.values()) {
    try {
      // One of a single line was checked with it.
      lines.set(data.length === 1 ? rrset : rrsetOf(zone, rrset, data), line)
    } catch (error) {
      refused.push(refusalOf(error, line))
    }
  }
  for (const { rrset, error } of clashes(zone, [...lines.keys()])) {
    refused.push(refusalOf(error, lines.get(rrset) ?? 0))
  }
  refused.sort((left, right) => left.linea - right.linea)
  return { rrsets: [...lines.keys()], refused }
}

function faultError(fault: Fault): LineError {
  return fault === 'comillas'
    ? new LineError('comillas_sin_cerrar', 'A quote is not closed.', 'Hay unas comillas sin cerrar.')
    : new LineError('parentesis_sin_cerrar', 'Parentheses do not match.', 'Los paréntesis no cuadran.')
}

function refusalOf(error: unknown, linea: number): Refusal {
  const known =
    error instanceof LineError ||
    error instanceof NameError ||
    error instanceof RdataError ||
    error instanceof RRsetError
  if (!known) throw error
  return { linea, codigo: error.codigo, motivo: error.mensaje }
}

function sortKey(rrset: RRset): string {
  return `${rrset.name === '@' ? '' : rrset.name} ${rrset.type}`
}
