import { a, aaaa } from './rdata/address.ts'
import { tooLong } from './rdata/bytes.ts'
import { ds, sshfp, tlsa } from './rdata/digest.ts'
import { RdataError } from './rdata/error.ts'
import { Fields, type Rdata } from './rdata/fields.ts'
import { svcb } from './rdata/svcb.ts'
import { mx, ns, oneName, srv } from './rdata/target.ts'
import { caa, naptr, txt, uri } from './rdata/text.ts'

export { RdataError } from './rdata/error.ts'

/**
 * The canonical form of one record's data: `presentation` with absolute lower-case names, one spelling
 * for one wire form (so that equal presentations and equal wire forms are the same thing), and `wire`
 * uncompressed. Names without a final dot are relative to `origin`. Throws RdataError for data that is
 * wrong and for types that the panel does not serve.
 */
export function canonicalRdata(type: string, presentation: string, origin: string): Rdata {
  const name = type.toUpperCase()
  const read = TYPES.get(name)
  if (!read) throw refusedType(name)
  if (presentation.length > MAX_TEXT) throw tooLong()
  const data = read(presentation, origin)
  if (data.wire.length > MAX_WIRE) throw tooLong()
  return data
}

/** The types of records that a zone may hold, in alphabetical order. */
export function servedTypes(): string[] {
  return [...TYPES.keys()].sort()
}

/** RDLENGTH is 16 bits and a whole answer fits in 64 KiB, so one record leaves room for the rest. */
const MAX_WIRE = 60_000
const MAX_TEXT = MAX_WIRE * 5

type Reader = (presentation: string, origin: string) => Rdata

const TYPES = new Map<string, Reader>([
  ['A', (text) => a(trim(text))],
  ['AAAA', (text) => aaaa(trim(text))],
  ['CAA', whole(caa)],
  ['CNAME', whole(oneName)],
  ['DS', whole(ds)],
  ['HTTPS', whole(svcb)],
  ['MX', whole(mx)],
  ['NAPTR', whole(naptr)],
  ['NS', whole(ns)],
  ['PTR', whole(oneName)],
  ['SRV', whole(srv)],
  ['SSHFP', whole(sshfp)],
  ['SVCB', whole(svcb)],
  ['TLSA', whole(tlsa)],
  ['TXT', whole(txt)],
  ['URI', whole(uri)],
])

const MANAGED = new Set(['SOA', 'DNSKEY', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'CDS', 'CDNSKEY'])

function whole(read: (fields: Fields) => Rdata): Reader {
  return (text, origin) => {
    const fields = new Fields(text, origin)
    const data = read(fields)
    fields.end()
    return data
  }
}

/** Not String.trim: a line end or an exotic blank around a value is refused, not dropped. */
function trim(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === ' ' || text[start] === '\t') start++
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

function refusedType(name: string): RdataError {
  const shown = /^[A-Z0-9-]{1,20}$/.test(name) ? name : '?'
  return MANAGED.has(shown)
    ? new RdataError(
        'tipo_gestionado',
        `${shown} is kept by the panel.`,
        `El panel gestiona ${shown} por sí mismo.`,
      )
    : new RdataError('tipo_no_servido', `Type ${shown} is not served.`, `El tipo ${shown} no se sirve.`)
}
