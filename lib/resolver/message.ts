import { formatIpv6 } from '../dns/rdata/address.ts'
import type { QueryType, ResolverAnswer } from '../endpoint/context.ts'

const TYPES: Record<QueryType, number> = { A: 1, AAAA: 28, TXT: 16, NS: 2, DS: 43 }
const CNAME = 5
const SOA = 6
const OPT = 41
const IN = 1
/** Fits every path without fragments (RFC 9715). */
const UDP_PAYLOAD = 1232
const MAX_ALIASES = 16
const MAX_JUMPS = 64

/** Labels of 1 to 63 octets (RFC 1035 section 3.1): a longer one would be read as something else. */
const NAME = /^[\x21-\x2d\x2f-\x7e]{1,63}(?:\.[\x21-\x2d\x2f-\x7e]{1,63})*\.?$/
const LONGEST_NAME = 254

/**
 * A recursive query with EDNS (RFC 6891); `name` in ASCII, with or without its last dot. Throws for what is no name:
 * it may come from a stranger's record.
 */
export function encodeQuery(id: number, name: string, type: QueryType): Uint8Array {
  if (name.length > LONGEST_NAME || !NAME.test(name)) throw new Error('name')
  const labels = name.replace(/\.$/, '').split('.')
  const bytes = [id >> 8, id & 0xff, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1]
  for (const label of labels) {
    bytes.push(label.length, ...[...label].map((character) => character.charCodeAt(0)))
  }
  bytes.push(0, 0, TYPES[type], 0, IN)
  bytes.push(0, 0, OPT, UDP_PAYLOAD >> 8, UDP_PAYLOAD & 0xff, 0, 0, 0, 0, 0, 0)
  return Uint8Array.from(bytes)
}

/** Whether the answer was cut off and must be asked for over TCP. */
export function isTruncated(message: Uint8Array): boolean {
  return ((message[2] ?? 0) & 0x02) !== 0
}

/** Whether a datagram answers that very query; anything else on the socket is noise or an attack. */
export function answersQuery(message: Uint8Array, id: number, name: string, type: QueryType): boolean {
  try {
    const reader = new Reader(message)
    if (reader.u16() !== id || (reader.u16() & 0x8000) === 0 || reader.u16() !== 1) return false
    reader.at = 12
    return reader.name() === plain(name) && reader.u16() === TYPES[type] && reader.u16() === IN
  } catch {
    return false
  }
}

/**
 * What an answer message says. Only NOERROR and NXDOMAIN say something about the name; a referral, which
 * has name servers but neither data nor an SOA, is nobody's answer to the question.
 */
export function decodeAnswer(message: Uint8Array, name: string, type: QueryType): ResolverAnswer {
  try {
    return decode(message, plain(name), type)
  } catch {
    return { kind: 'failure', reason: 'malformed' }
  }
}

type ResourceRecord = { name: string; type: number; ttl: number; start: number; end: number }

const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']

function decode(message: Uint8Array, name: string, type: QueryType): ResolverAnswer {
  const reader = new Reader(message)
  reader.at = 2
  const flags = reader.u16()
  const counts = [reader.u16(), reader.u16(), reader.u16(), reader.u16()]
  for (let i = 0; i < (counts[0] ?? 0); i++) {
    reader.name()
    reader.at += 4
  }
  const answers = reader.records(counts[1] ?? 0)
  const authority = reader.records(counts[2] ?? 0)
  const extra = reader.records(counts[3] ?? 0)
  const extended = (extra.find((record) => record.type === OPT)?.ttl ?? 0) >>> 24
  const rcode = RCODES[(flags & 0x0f) | (extended << 4)] ?? 'error'
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') return { kind: 'failure', reason: rcode }
  const { values, ttls } = follow(reader, answers, name, type)
  if (values.length > 0) return { kind: 'answer', values, ttlSeconds: Math.min(...ttls) }
  const soa = authority.find((record) => record.type === SOA)
  // RFC 2308 section 5: a negative answer lives for the lower of the SOA's own TTL and its minimum.
  if (soa) ttls.push(soa.ttl, reader.u32At(soa.end - 4))
  const ttlSeconds = ttls.length === 0 ? 0 : Math.min(...ttls)
  if (rcode === 'NXDOMAIN') return { kind: 'nxdomain', ttlSeconds }
  const referral = !soa && authority.some((record) => record.type === TYPES.NS)
  return referral ? { kind: 'failure', reason: 'referral' } : { kind: 'nodata', ttlSeconds }
}

/**
 * The data at the end of the alias chain that begins at `name`. Only addresses are looked for behind an alias:
 * a text or a delegation speaks for the name that it stands at, and a wildcard alias may lead to a stranger.
 */
function follow(reader: Reader, answers: ResourceRecord[], name: string, type: QueryType) {
  const ttls: number[] = []
  const hops = type === 'A' || type === 'AAAA' ? MAX_ALIASES : 1
  let owner = name
  for (let hop = 0; hop < hops; hop++) {
    const found = answers.filter((record) => record.name === owner && record.type === TYPES[type])
    if (found.length > 0) {
      const values = found.map((record) => reader.data(record))
      return { values, ttls: [...ttls, ...found.map((record) => record.ttl)] }
    }
    const alias = answers.find((record) => record.name === owner && record.type === CNAME)
    if (!alias) break
    ttls.push(alias.ttl)
    owner = reader.nameAt(alias.start)
  }
  return { values: [], ttls }
}

function plain(name: string): string {
  return name.replace(/\.$/, '').toLowerCase()
}

class Reader {
  at = 0
  readonly #view: DataView

  constructor(message: Uint8Array) {
    this.#view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  }

  u16(): number {
    this.at += 2
    return this.#view.getUint16(this.at - 2)
  }

  u32At(at: number): number {
    return this.#view.getUint32(at)
  }

  nameAt(at: number): string {
    const saved = this.at
    this.at = at
    const name = this.name()
    this.at = saved
    return name
  }

  /** A possibly compressed name (RFC 1035 section 4.1.4), lower-case, without the last dot. */
  name(): string {
    const labels: string[] = []
    let end: number | null = null
    for (let jumps = 0; ; ) {
      const length = this.#view.getUint8(this.at++)
      if (length === 0) break
      if ((length & 0xc0) === 0xc0) {
        const target = ((length & 0x3f) << 8) | this.#view.getUint8(this.at++)
        end ??= this.at
        // A pointer that does not lead back, or too many of them, is a loop.
        if (++jumps > MAX_JUMPS || target >= this.at - 2) throw new Error('pointer')
        this.at = target
        continue
      }
      if (length > 63) throw new Error('label')
      let label = ''
      for (let i = 0; i < length; i++) label += String.fromCharCode(this.#view.getUint8(this.at++))
      labels.push(label.toLowerCase())
    }
    if (end !== null) this.at = end
    return labels.join('.')
  }

  records(count: number): ResourceRecord[] {
    const records: ResourceRecord[] = []
    for (let i = 0; i < count; i++) {
      const name = this.name()
      const type = this.u16()
      this.at += 2
      const ttl = this.u32At(this.at)
      this.at += 4
      const length = this.u16()
      const start = this.at
      this.at += length
      if (this.at > this.#view.byteLength) throw new Error('short')
      records.push({ name, type, ttl: type === OPT ? ttl : ttl >>> 31 ? 0 : ttl, start, end: this.at })
    }
    return records
  }

  data({ type, start, end }: ResourceRecord): string {
    if (type === TYPES.A && end - start === 4) {
      return [0, 1, 2, 3].map((i) => this.#view.getUint8(start + i)).join('.')
    }
    if (type === TYPES.AAAA && end - start === 16) {
      return formatIpv6(Uint8Array.from({ length: 16 }, (_, i) => this.#view.getUint8(start + i)))
    }
    if (type === TYPES.NS) return this.nameAt(start)
    if (type === TYPES.TXT) return this.#text(start, end)
    if (type === TYPES.DS && end - start > 4) return this.#ds(start, end)
    throw new Error('data')
  }

  /** Key tag, algorithm, digest type and digest (RFC 4034 section 5.3). */
  #ds(start: number, end: number): string {
    const octets = Array.from({ length: end - start - 4 }, (_, i) => this.#view.getUint8(start + 4 + i))
    const digest = octets.map((octet) => octet.toString(16).padStart(2, '0')).join('')
    const [algorithm, kind] = [this.#view.getUint8(start + 2), this.#view.getUint8(start + 3)]
    return `${this.#view.getUint16(start)} ${algorithm} ${kind} ${digest}`
  }

  /** The strings of a TXT record as one (RFC 1035 section 3.3.14), byte for character. */
  #text(start: number, end: number): string {
    let text = ''
    for (let at = start; at < end; ) {
      const next = at + 1 + this.#view.getUint8(at)
      if (next > end) throw new Error('data')
      for (at++; at < next; at++) text += String.fromCharCode(this.#view.getUint8(at))
    }
    return text
  }
}
