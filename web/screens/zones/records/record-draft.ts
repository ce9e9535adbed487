import { servedTypes } from '../../../../lib/dns/rdata.ts'
import { isBlank, joinValue, newLine, partFaults, splitValue } from './parts.ts'
import { type Draft, USUAL_TTL } from './record-check.ts'
import type { Rrset } from './records-data.ts'
import {
  type Line,
  type Meaning,
  readLine,
  readOwner,
  readTarget,
  readText,
  type TwoReadings,
} from './targets.ts'

/** What the person said of a value with two readings, by the value as it is typed. */
export type Said = Record<string, Meaning>

/** A record set as it is typed: each record as the fields of its type. */
export type Typed = { nombre: string; tipo: string; ttl: string; lines: string[][] }

/** What is typed as the API is to get it, and what is still to be said about its values. */
export type Meant = {
  draft: Draft
  readings: (TwoReadings | null)[]
  undecided: boolean
  /** Whether a record that was begun lacks a field, or has a wrong number in one. */
  unfinished: boolean
}

/** Reads a draft as people mean it; of an existing record set the name stays as it is stored. */
export function meant(
  zona: string,
  typed: Typed,
  about: { rows: Rrset[]; fixed: boolean; said: Said },
): Meant {
  const { said } = about
  const { nombre, tipo: type, ttl, lines } = typed
  const place = { zona, names: about.rows.map((row) => row.nombre) }
  const begun = lines.map((line) => !isBlank(type, line))
  const whole = lines.map((line, at) => begun[at] === true && !partFaults(type, line).some(Boolean))
  const texts = lines.map((line, at) => (whole[at] ? joinValue(type, line) : ''))
  const targets = texts.map((value) =>
    type === 'TXT'
      ? { presentation: readText(value), readings: null }
      : readTarget(place, { type, value, said: said[value] ?? null }),
  )
  return {
    draft: {
      tipo: type,
      ttl,
      nombre: about.fixed ? nombre : readOwner(zona, nombre),
      valores: targets.map(({ presentation }) => presentation),
    },
    readings: targets.map(({ readings }) => readings),
    undecided: targets.some(({ readings }, at) => readings?.likely === null && !said[texts[at] ?? '']),
    unfinished: begun.some((one, at) => one && !whole[at]),
  }
}

/** The draft that a record set, or a new one at a name, begins with. */
export function draftOf(zona: string, rrset: Rrset | null, nombre: string): Typed {
  if (rrset) {
    const { tipo, ttl, valores } = rrset
    const lines = valores.map((value) => splitValue(tipo, value))
    return { nombre: rrset.nombre, tipo, ttl: String(ttl), lines }
  }
  // A stored name that ends in the zone's would be read as the one without it.
  const whole = nombre !== '' && nombre !== '@' && readOwner(zona, nombre) !== nombre
  return { nombre: whole ? `${nombre}.${zona}.` : nombre, tipo: 'A', ttl: USUAL_TTL, lines: [newLine('A')] }
}

/** The records that are there, with those that were typed after them. */
export function addedTo(there: Typed, typed: Typed): Typed {
  const begun = typed.lines.filter((line) => !isBlank(typed.tipo, line))
  return { ...there, lines: [...there.lines, ...begun] }
}

/** The same draft with another type: what was typed as the last field, a target or a text, stays. */
export function ofType(draft: Typed, tipo: string): Typed {
  const lines = draft.lines.map((line) => {
    const blank = newLine(tipo)
    return isBlank(draft.tipo, line) ? blank : blank.with(-1, line.at(-1) ?? '')
  })
  return { ...draft, tipo, lines }
}

export type Pasted = { draft: Typed } | { mixed: true }

/**
 * A draft with text pasted in the place of record `at` (null: in that of the name): lines of a zone file
 * are taken apart, other lines are records. Null where the text is nothing but the text of one field.
 */
export function pasteInto(
  zona: string,
  { draft, fixed }: { draft: Typed; fixed: boolean },
  { at, text }: { at: number | null; text: string },
): Pasted | null {
  const rows = text.split(/\r?\n/).filter((row) => row.trim() !== '')
  const lines = rows.map((row) => readLine(servedTypes(), row))
  if (lines.length > 0 && lines.every((line) => line !== null))
    return pasteLines(zona, { draft, fixed }, lines)
  if (at === null || rows.length < 2) return null
  return { draft: { ...draft, lines: withValues(draft, at, rows) } }
}

function pasteLines(zona: string, { draft, fixed }: { draft: Typed; fixed: boolean }, lines: Line[]): Pasted {
  const [first] = lines
  const nombre = first?.nombre ?? draft.nombre
  const tipo = first?.tipo ?? draft.tipo
  const owner = readOwner(zona, nombre)
  const same = lines.every(
    (line) => line.tipo === tipo && (line.nombre === null || readOwner(zona, line.nombre) === owner),
  )
  if (!same || (fixed && (tipo !== draft.tipo || owner !== readOwner(zona, draft.nombre))))
    return { mixed: true }
  const kept = draft.tipo === tipo ? draft : { tipo, lines: [newLine(tipo)] }
  const values = lines.map(({ valor }) => valor)
  return {
    draft: {
      nombre: fixed ? draft.nombre : nombre,
      tipo,
      ttl: first?.ttl ?? draft.ttl,
      lines: withValues(kept, kept.lines.length - 1, values),
    },
  }
}

const withValues = (
  { tipo, lines }: Pick<Typed, 'tipo' | 'lines'>,
  at: number,
  added: string[],
): string[][] =>
  lines.toSpliced(
    at,
    1,
    ...[lines[at] ?? [], ...added.map((value) => splitValue(tipo, value))].filter(
      (line) => !isBlank(tipo, line),
    ),
  )
