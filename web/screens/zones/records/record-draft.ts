import { servedTypes } from '../../../../lib/dns/rdata.ts'
import type { Draft } from './record-check.ts'
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

/** A draft as the API is to get it, and what is still to be said about its values. */
export type Meant = { draft: Draft; readings: (TwoReadings | null)[]; undecided: boolean }

/** Reads a draft as people mean it; of an existing record set the name stays as it is stored. */
export function meant(
  zona: string,
  typed: Draft,
  about: { rows: Rrset[]; fixed: boolean; said: Said },
): Meant {
  const { said } = about
  const place = { zona, names: about.rows.map(({ nombre }) => nombre) }
  const targets = typed.valores.map((value) =>
    typed.tipo === 'TXT'
      ? { presentation: readText(value), readings: null }
      : readTarget(place, { type: typed.tipo, value, said: said[value.trim()] ?? null }),
  )
  return {
    draft: {
      ...typed,
      nombre: about.fixed ? typed.nombre : readOwner(zona, typed.nombre),
      valores: targets.map(({ presentation }) => presentation),
    },
    readings: targets.map(({ readings }) => readings),
    undecided: targets.some(
      ({ readings }, at) => readings?.likely === null && !said[typed.valores[at]?.trim() ?? ''],
    ),
  }
}

/** The draft that a record set, or a new one at a name, begins with. */
export function draftOf(zona: string, rrset: Rrset | null, nombre: string): Draft {
  if (rrset) {
    return { nombre: rrset.nombre, tipo: rrset.tipo, ttl: String(rrset.ttl), valores: [...rrset.valores] }
  }
  // A stored name that ends in the zone's would be read as the one without it.
  const whole = nombre !== '' && nombre !== '@' && readOwner(zona, nombre) !== nombre
  return { nombre: whole ? `${nombre}.${zona}.` : nombre, tipo: 'A', ttl: '3600', valores: [''] }
}

export type Pasted = { draft: Draft } | { mixed: true }

/**
 * A draft with text pasted in the place of value `at` (null: in that of the name): lines of a zone file
 * are taken apart, other lines are values. Null where the text is nothing but the text of one field.
 */
export function pasteInto(
  zona: string,
  { draft, fixed }: { draft: Draft; fixed: boolean },
  { at, text }: { at: number | null; text: string },
): Pasted | null {
  const rows = text.split(/\r?\n/).filter((row) => row.trim() !== '')
  const lines = rows.map((row) => readLine(servedTypes(), row))
  if (lines.length > 0 && lines.every((line) => line !== null))
    return pasteLines(zona, { draft, fixed }, lines)
  if (at === null || rows.length < 2) return null
  return { draft: { ...draft, valores: withValues(draft.valores, at, rows) } }
}

function pasteLines(zona: string, { draft, fixed }: { draft: Draft; fixed: boolean }, lines: Line[]): Pasted {
  const [first] = lines
  const nombre = first?.nombre ?? draft.nombre
  const tipo = first?.tipo ?? draft.tipo
  const owner = readOwner(zona, nombre)
  const same = lines.every(
    (line) => line.tipo === tipo && (line.nombre === null || readOwner(zona, line.nombre) === owner),
  )
  if (!same || (fixed && (tipo !== draft.tipo || owner !== readOwner(zona, draft.nombre))))
    return { mixed: true }
  const kept = draft.tipo === tipo ? draft.valores : ['']
  return {
    draft: {
      nombre: fixed ? draft.nombre : nombre,
      tipo,
      ttl: first?.ttl ?? draft.ttl,
      valores: withValues(
        kept,
        kept.length - 1,
        lines.map(({ valor }) => valor),
      ),
    },
  }
}

const withValues = (valores: string[], at: number, added: string[]): string[] =>
  valores.toSpliced(at, 1, ...[valores[at] ?? '', ...added].filter((value) => value.trim() !== ''))
