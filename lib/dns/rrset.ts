import type { RRset } from '../endpoint/node-port.ts'
import { absoluteName, NameError, ownerName, withDot } from './names.ts'
import type { Rdata } from './rdata/fields.ts'
import { canonicalRdata, RdataError } from './rdata.ts'

/** Why an RRset cannot stand in a zone. `campo` is the wire field at fault, `codigo` is stable. */
export class RRsetError extends Error {
  readonly campo: 'nombre' | 'tipo' | 'ttl' | 'valores' | `valores.${number}`
  readonly codigo: string
  readonly mensaje: { en: string; es: string }

  constructor(campo: RRsetError['campo'], codigo: string, mensaje: { en: string; es: string }) {
    super(mensaje.en)
    this.name = 'RRsetError'
    this.campo = campo
    this.codigo = codigo
    this.mensaje = mensaje
  }
}

/** The maximum is that of RFC 2181 section 8; a TTL below half a minute only makes resolvers work more. */
export const TTL_MIN_SECONDS = 30
export const TTL_MAX_SECONDS = 2 ** 31 - 1

/** An answer is at most 64 KiB with its header, question and signature. */
const MAX_RRSET_WIRE = 60_000

/**
 * The canonical form of an RRset of `zone`: owner relative and lower-case, type upper-case, values
 * canonical, each once, in the order of their wire forms (RFC 4034 section 6.3). Throws RRsetError.
 */
export function canonicalRrset(zone: string, input: RRset): RRset {
  const name = owner(zone, input.name)
  const type = input.type.toUpperCase()
  checkTtl(input.ttl)
  const data = input.values.map((value, at) => rdata(type, value, { zone, campo: `valores.${at}` }))
  return rrsetOf(zone, { name, type, ttl: input.ttl }, data)
}

/** The same of what is canonical already, except that values may stand there twice and in any order. */
export function rrsetOf(zone: string, of: Omit<RRset, 'values'>, data: Rdata[]): RRset {
  checkTtl(of.ttl)
  const rrset = { ...of, values: canonicalValues(data) }
  checkAlone(rrset, zone)
  return rrset
}

/** The owner name of an RRset of `zone`, relative and canonical. Throws RRsetError. */
export function owner(zone: string, name: string): string {
  try {
    const relative = ownerName(name, zone)
    if (absoluteName(relative, zone).length > 254) throw new NameError('nombre_demasiado_largo', '', '')
    return relative
  } catch (error) {
    if (error instanceof NameError) throw new RRsetError('nombre', error.codigo, error.mensaje)
    throw error
  }
}

/** An RRset that conflicts with others of its zone. */
export type Clash = { rrset: RRset; error: RRsetError }

/**
 * The conflicts among RRsets in canonical form: two of one name and type, a CNAME beside others (RFC 1034 section
 * 3.6.2), and data hidden by a delegation, which would not be answered as stored.
 */
export function clashes(zone: string, rrsets: RRset[]): Clash[] {
  const byName = new Map<string, Set<string>>()
  const found: Clash[] = []
  for (const rrset of rrsets) {
    const types = byName.get(rrset.name) ?? new Set<string>()
    if (types.has(rrset.type)) found.push(clash(rrset, 'tipo', 'registro_repetido', REPEATED))
    byName.set(rrset.name, types.add(rrset.type))
  }
  const cuts = new Set<string>()
  for (const [name, types] of byName) if (name !== '@' && types.has('NS')) cuts.add(name)
  for (const rrset of rrsets) {
    const types = byName.get(rrset.name) ?? new Set<string>()
    const alias = rrset.type === 'CNAME' && (types.size > 1 || rrset.name === '@')
    if (alias) found.push(clash(rrset, 'tipo', 'cname_con_otros', CNAME_BESIDE))
    else if (cuts.size > 0 && isHidden(rrset, cuts))
      found.push(clash(rrset, 'nombre', 'nombre_delegado', HIDDEN))
    if (rrset.type === 'DS' && !types.has('NS'))
      found.push(clash(rrset, 'tipo', 'ds_sin_delegacion', DS_ALONE))
  }
  return found.concat(selfAliases(zone, rrsets))
}

const REPEATED = { en: 'The record set stands twice.', es: 'El conjunto de registros está dos veces.' }
const CNAME_BESIDE = {
  en: 'A CNAME stands alone at its name, and not at the apex.',
  es: 'Un CNAME está solo en su nombre, y no en la raíz de la zona.',
}
const HIDDEN = {
  en: 'The name is delegated to other servers, so this record would not be answered.',
  es: 'El nombre está delegado en otros servidores, así que este registro no se respondería.',
}
const DS_ALONE = { en: 'A DS needs the NS of its delegation.', es: 'Un DS necesita los NS de su delegación.' }

function clash(
  rrset: RRset,
  campo: RRsetError['campo'],
  codigo: string,
  text: { en: string; es: string },
): Clash {
  return { rrset, error: new RRsetError(campo, codigo, text) }
}

/** Below a zone cut only addresses of its name servers are answered, as glue; at the cut itself also NS and DS. */
function isHidden(rrset: RRset, cuts: Set<string>): boolean {
  if (rrset.type === 'A' || rrset.type === 'AAAA') return false
  if (cuts.has(rrset.name) && rrset.type !== 'NS' && rrset.type !== 'DS') return true
  for (let dot = rrset.name.indexOf('.'); dot >= 0; dot = rrset.name.indexOf('.', dot + 1)) {
    if (cuts.has(rrset.name.slice(dot + 1))) return true
  }
  return false
}

function selfAliases(zone: string, rrsets: RRset[]): Clash[] {
  const text = { en: 'A CNAME points at itself.', es: 'Un CNAME apunta a sí mismo.' }
  return rrsets
    .filter((rrset) => rrset.type === 'CNAME' && rrset.values[0] === absoluteName(rrset.name, zone))
    .map((rrset) => clash(rrset, 'valores', 'cname_circular', text))
}

function checkTtl(ttl: number): void {
  if (Number.isInteger(ttl) && ttl >= TTL_MIN_SECONDS && ttl <= TTL_MAX_SECONDS) return
  throw new RRsetError('ttl', 'ttl_invalido', {
    en: `A TTL is a whole number of seconds from ${TTL_MIN_SECONDS} to ${TTL_MAX_SECONDS}.`,
    es: `Un TTL es un número entero de segundos entre ${TTL_MIN_SECONDS} y ${TTL_MAX_SECONDS}.`,
  })
}

function canonicalValues(data: Rdata[]): string[] {
  const wires = new Map<string, Uint8Array>()
  let size = 0
  for (const { presentation, wire } of data) {
    if (wires.has(presentation)) continue
    wires.set(presentation, wire)
    size += wire.length + 12
  }
  if (wires.size === 0)
    throw valuesError('sin_valores', 'At least one value is needed.', 'Hace falta al menos un valor.')
  if (size > MAX_RRSET_WIRE) {
    throw valuesError(
      'valor_demasiado_largo',
      'The record set does not fit in an answer.',
      'El conjunto de registros no cabe en una respuesta.',
    )
  }
  if (wires.size === 1) return [...wires.keys()]
  return [...wires].sort((left, right) => compareOctets(left[1], right[1])).map(([text]) => text)
}

function rdata(
  type: string,
  value: string,
  { zone, campo }: { zone: string; campo: RRsetError['campo'] },
): Rdata {
  if (type === 'TXT' && isAmbiguousText(value)) {
    throw new RRsetError(campo, 'texto_sin_comillas', {
      en: 'Put the text in quotes: unquoted, each word would be a string of its own.',
      es: 'Ponga el texto entre comillas: sin ellas, cada palabra sería una cadena aparte.',
    })
  }
  try {
    return canonicalRdata(type, value, zone)
  } catch (error) {
    if (!(error instanceof RdataError)) throw error
    const ofType = error.codigo === 'tipo_no_servido' || error.codigo === 'tipo_gestionado'
    throw new RRsetError(ofType ? 'tipo' : campo, error.codigo, error.mensaje)
  }
}

/** `v=spf1 -all` without quotes is two strings, which readers join to `v=spf1-all`: surely not meant. */
function isAmbiguousText(value: string): boolean {
  const start = value.trimStart()
  return !start.startsWith('"') && /[ \t;]/.test(start.trimEnd())
}

function checkAlone(rrset: RRset, zone: string): void {
  if (rrset.type === 'CNAME' && rrset.values.length > 1) {
    throw valuesError('cname_multiple', 'A CNAME has one value.', 'Un CNAME tiene un solo valor.')
  }
  if (rrset.type === 'DS' && rrset.name === '@') {
    throw new RRsetError('tipo', 'ds_en_raiz', {
      en: 'The DS of a zone belongs in its parent, at the registrar.',
      es: 'El DS de una zona va en la zona superior, en el registrador.',
    })
  }
  if (rrset.type === 'NS' && rrset.name.startsWith('*')) {
    throw new RRsetError('nombre', 'ns_comodin', {
      en: 'A wildcard cannot be delegated (RFC 4592 section 4.2).',
      es: 'Un comodín no se puede delegar (RFC 4592, sección 4.2).',
    })
  }
  const alone = clashes(withDot(zone), [rrset]).find((one) => one.error.codigo !== 'ds_sin_delegacion')
  if (alone) throw alone.error
}

function valuesError(codigo: string, en: string, es: string): RRsetError {
  return new RRsetError('valores', codigo, { en, es })
}

function compareOctets(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
