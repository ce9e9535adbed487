import { AppError } from '../endpoint/errors.ts'
import type { RRset } from '../endpoint/node-port.ts'
import { diffRrsets, isEmptyDiff, type ZoneDiff } from './diff.ts'
import { absoluteName, isInside, withDot } from './names.ts'
import { canonicalRrset, clashes, owner, RRsetError } from './rrset.ts'
import { nextSerial } from './serial.ts'
import type { StoredRrset } from './zones.ts'

/** The facts for a change of a zone's records. */
export type RecordFacts = {
  zone: { name: string; serial: number }
  records: StoredRrset[]
  /** Zones of this server below this one: each answers for its own names. */
  below: string[]
}

/** The difference, and the zone's serial after it, which stays the same if nothing changes. */
export type RecordChange = { diff: ZoneDiff; serial: number }

const NOTHING: ZoneDiff = { created: [], changed: [], deleted: [] }

/** RRsets that a zone may hold; a zone is published, compared and exported as a whole. */
export const MAX_RRSETS = 10_000

/** The same in bytes of names and values: it is held in memory, by the panel and by those who take it over. */
export const MAX_ZONE_BYTES = 4 * 1024 * 1024

/** Replaces the RRset of the same name and type. Throws RRsetError. */
export function decidePut(
  facts: RecordFacts,
  wanted: RRset,
  now: Date,
): RecordChange & { rrset: StoredRrset } {
  const rrset = canonicalRrset(facts.zone.name, wanted)
  const old = facts.records.find((one) => one.name === rrset.name && one.type === rrset.type)
  if (old && isEmptyDiff(diffRrsets(facts.zone.name, [old], [rrset]))) {
    return { rrset: old, diff: NOTHING, serial: facts.zone.serial }
  }
  requireSound(facts, [...facts.records.filter((one) => one !== old), rrset])
  const diff = old ? { ...NOTHING, changed: [rrset] } : { ...NOTHING, created: [rrset] }
  return { rrset: { ...rrset, origin: 'usuario' }, diff, serial: nextSerial(facts.zone.serial, now) }
}

/** Removes one RRset; 404 `registro_no_existe` if there is none. The apex NS stay. Throws RRsetError. */
export function decideDelete(
  facts: RecordFacts,
  at: { name: string; type: string },
  now: Date,
): RecordChange & { rrset: StoredRrset } {
  const name = owner(facts.zone.name, at.name)
  const rrset = facts.records.find((one) => one.name === name && one.type === at.type)
  if (!rrset) throw new AppError('registro_no_existe')
  if (isApexNs(rrset)) throw APEX_NS
  requireSound(
    facts,
    facts.records.filter((one) => one !== rrset),
  )
  const diff = { ...NOTHING, deleted: [rrset] }
  return { rrset, diff, serial: nextSerial(facts.zone.serial, now) }
}

/** `reemplazar`: the zone becomes what is imported. `fusionar`: what is imported is added or changed, the rest stays. */
export const IMPORT_MODES = ['reemplazar', 'fusionar'] as const

/** What an import makes of a zone, except its apex NS, which stay as they are. Throws RRsetError. */
export function decideImport(
  facts: RecordFacts,
  { wanted, mode }: { wanted: RRset[]; mode: (typeof IMPORT_MODES)[number] },
  now: Date,
): RecordChange {
  const { zone, records } = facts
  const taken = wanted.filter((one) => !isApexNs(one))
  const replaced = new Set(taken.map(keyOf))
  const stays = (one: RRset) => isApexNs(one) || (mode === 'fusionar' && !replaced.has(keyOf(one)))
  const after = [...records.filter(stays), ...taken]
  const diff = diffRrsets(zone.name, records, after)
  requireSound(facts, after)
  return { diff, serial: isEmptyDiff(diff) ? zone.serial : nextSerial(zone.serial, now) }
}

/**
 * Refuses RRsets that cannot exist together, that a zone of this server below would hide, that are too many or too
 * large. A zone from before that bound can get smaller.
 */
function requireSound({ zone, below, records }: RecordFacts, after: RRset[]): void {
  const [clash] = clashes(zone.name, after)
  if (clash) throw clash.error
  if (after.length > MAX_RRSETS) throw TOO_MANY
  const bytes = bytesOf(after)
  if (bytes > MAX_ZONE_BYTES && bytes > bytesOf(records)) throw TOO_LARGE
  if (after.some(hiddenBy(below, zone.name))) throw HIDDEN
}

/** Whether an RRset of `zone` is hidden, since a zone below answers for its name. */
export function hiddenBy(below: string[], zone: string): (rrset: RRset) => boolean {
  if (below.length === 0) return () => false
  const cuts = below.map(withDot)
  return ({ name, type }) => {
    const absolute = absoluteName(name, zone)
    if (!cuts.some((cut) => isInside(absolute, cut))) return false
    // The parent's side of a delegation (RFC 1034 section 4.2.1) may stand: the same servers answer both sides.
    return !(type === 'DS' || type === 'NS') || !cuts.includes(absolute)
  }
}

/** As a zone file has it, where each value is a line with the name; all of it is ASCII. */
const bytesOf = (rrsets: RRset[]) =>
  rrsets.reduce(
    (sum, { name, type, values }) =>
      values.reduce((lines, value) => lines + name.length + type.length + value.length, sum),
    0,
  )

const keyOf = ({ name, type }: Pick<RRset, 'name' | 'type'>) => `${name} ${type}`

const isApexNs = ({ name, type }: Pick<RRset, 'name' | 'type'>) => name === '@' && type === 'NS'

const APEX_NS = new RRsetError('tipo', 'ns_de_la_raiz', {
  en: 'A zone keeps its own NS; they can be changed, not deleted.',
  es: 'Una zona conserva sus propios NS; se pueden cambiar, no borrar.',
})
const TOO_MANY = new RRsetError('nombre', 'demasiados_registros', {
  en: `A zone holds at most ${MAX_RRSETS} record sets.`,
  es: `Una zona admite como máximo ${MAX_RRSETS} conjuntos de registros.`,
})
const TOO_LARGE = new RRsetError('valores', 'zona_demasiado_grande', {
  en: `A zone holds at most ${MAX_ZONE_BYTES / 1024 / 1024} MiB of records.`,
  es: `Una zona admite como máximo ${MAX_ZONE_BYTES / 1024 / 1024} MiB de registros.`,
})
/** Why a record of a name that a zone below answers for is not taken. */
export const HIDDEN = new RRsetError('nombre', 'nombre_en_otra_zona', {
  en: 'The name belongs to another zone of this server, which would answer instead.',
  es: 'El nombre pertenece a otra zona de este servidor, que respondería en su lugar.',
})
