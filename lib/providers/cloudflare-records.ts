import * as v from 'valibot'
import type { RRset } from '../endpoint/node-port.ts'
import { absolute, fields, unquoted } from './names.ts'

/** A record as the API lists it; `data` and `priority` stand beside `content` for structured types. */
export const CloudflareRecord = v.object({
  id: v.string(),
  name: v.string(),
  type: v.string(),
  content: v.optional(v.nullable(v.string())),
  ttl: v.number(),
  proxied: v.optional(v.nullable(v.boolean())),
  priority: v.optional(v.nullable(v.number())),
  data: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
  meta: v.optional(v.nullable(v.object({ read_only: v.optional(v.boolean()) }))),
})
export type CloudflareRecord = v.InferOutput<typeof CloudflareRecord>

/** Body of one record to be written: names without a last dot, structured types as `data`, never proxied. */
export function cloudflareBody(zone: string, rrset: RRset, value: string): Record<string, unknown> {
  const base = { name: absolute(rrset.name, zone), type: rrset.type, ttl: rrset.ttl }
  const parts = fields(value)
  const shape = SHAPES[rrset.type]
  if (shape !== undefined) return { ...base, ...shape.write(parts) }
  if (PROXIABLE.has(rrset.type)) return { ...base, content: bareName(value), proxied: false }
  if (rrset.type === 'TXT') return { ...base, content: value }
  return { ...base, content: bareName(value) }
}

/** The presentation of a listed record's data, with absolute names. */
export function cloudflareValue(record: CloudflareRecord): string {
  const content = record.content ?? ''
  const shape = SHAPES[record.type]
  if (shape !== undefined) {
    return shape.read(record.data ?? {}, record.priority ?? null, content) ?? content
  }
  if (record.type === 'TXT') return content.startsWith('"') ? content : quoted(content)
  return NAMED.has(record.type) ? dotted(content) : content
}

const PROXIABLE = new Set(['A', 'AAAA', 'CNAME'])
const NAMED = new Set(['CNAME', 'NS', 'PTR'])

type Data = Record<string, unknown>
type Shape = {
  write: (parts: string[]) => Data
  read: (data: Data, priority: number | null, content: string) => string | null
}

const SHAPES: Record<string, Shape> = {
  MX: {
    write: ([priority, target = '']) => ({ priority: Number(priority), content: bareName(target) }),
    read: (_, priority, content) => (priority === null ? null : `${priority} ${dotted(content)}`),
  },
  SRV: structured(['priority', 'weight', 'port', 'target'], { names: ['target'] }),
  CAA: structured(['flags', 'tag', 'value'], { texts: ['value'], words: ['tag'] }),
  DS: structured(['key_tag', 'algorithm', 'digest_type', 'digest'], { words: ['digest'] }),
  SSHFP: structured(['algorithm', 'type', 'fingerprint'], { words: ['fingerprint'] }),
  TLSA: structured(['usage', 'selector', 'matching_type', 'certificate'], { words: ['certificate'] }),
  NAPTR: structured(['order', 'preference', 'flags', 'service', 'regex', 'replacement'], {
    texts: ['flags', 'service', 'regex'],
    names: ['replacement'],
  }),
  HTTPS: service(),
  SVCB: service(),
  URI: {
    write: ([priority, weight, target = '']) => ({
      priority: Number(priority),
      data: { weight: Number(weight), target: unquoted(target) },
    }),
    read: (data, priority) => {
      const top = priority ?? data.priority
      return isScalar(top) && isScalar(data.weight) && isScalar(data.target)
        ? `${top} ${data.weight} "${data.target}"`
        : null
    },
  },
}

function structured(order: string[], kinds: { names?: string[]; texts?: string[]; words?: string[] }): Shape {
  const { names = [], texts = [], words = [] } = kinds
  return {
    write: (parts) => ({
      data: Object.fromEntries(
        order.map((key, at) => {
          const part = parts[at] ?? ''
          if (names.includes(key)) return [key, bareName(part)]
          if (texts.includes(key)) return [key, unquoted(part)]
          return [key, words.includes(key) ? part : Number(part)]
        }),
      ),
    }),
    read: (data) => {
      const parts = order.map((key) => {
        const value = data[key]
        if (!isScalar(value)) return null
        if (names.includes(key)) return dotted(String(value))
        return texts.includes(key) ? `"${value}"` : String(value)
      })
      return parts.includes(null) ? null : parts.join(' ')
    },
  }
}

/** SVCB and HTTPS: everything after the target is one string of parameters. */
function service(): Shape {
  return {
    write: ([priority, target = '', ...params]) => ({
      data: { priority: Number(priority), target: bareName(target), value: params.join(' ') },
    }),
    read: ({ priority, target, value }) =>
      isScalar(priority) && isScalar(target)
        ? `${priority} ${dotted(String(target))}${isScalar(value) && value !== '' ? ` ${value}` : ''}`
        : null,
  }
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** The root stays a dot: it means "no service" in MX and SRV. */
function bareName(name: string): string {
  return name === '.' ? '.' : name.replace(/\.$/, '')
}

function dotted(name: string): string {
  return name.endsWith('.') ? name : `${name}.`
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
