import * as v from 'valibot'

/**
 * Cloudflare's published description of its API v4 (Zones, DNS Records, Accounts, token verification) as
 * schemas: envelopes, record bodies by type, bounds of pages, TTL and batches.
 */
const id = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/))
const ttl = v.union([v.literal(1), v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(86_400))])
const name = v.pipe(v.string(), v.maxLength(255), v.regex(/^[^.].*[^.]$/))
const u16 = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535))
const u8 = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))

const base = { name, ttl, comment: v.optional(v.string()), tags: v.optional(v.array(v.string())) }
const plain = (type: string, content: v.GenericSchema<string> = v.pipe(v.string(), v.minLength(1))) =>
  v.strictObject({ ...base, type: v.literal(type), content, proxied: v.optional(v.boolean()) })
const structured = (type: string, data: v.ObjectEntries, more: v.ObjectEntries = {}) =>
  v.strictObject({ ...base, type: v.literal(type), data: v.strictObject(data), ...more })

const text = v.string()
const certificate = { usage: u8, selector: u8, matching_type: u8, certificate: text }
const service = { priority: u16, target: text, value: text }

/** A record as POST and PUT take it. */
export const RecordBody = v.variant('type', [
  plain('A', v.pipe(v.string(), v.ipv4())),
  plain('AAAA', v.pipe(v.string(), v.ipv6())),
  plain('CNAME'),
  plain('NS'),
  plain('PTR'),
  plain('TXT', v.pipe(v.string(), v.startsWith('"'), v.maxLength(8_192 * 5))),
  v.strictObject({ ...base, type: v.literal('MX'), content: text, priority: u16 }),
  structured('CAA', { flags: u8, tag: text, value: text }),
  structured('DS', { key_tag: u16, algorithm: u8, digest_type: u8, digest: text }),
  structured('SRV', { priority: u16, weight: u16, port: u16, target: text }),
  structured('SSHFP', { algorithm: u8, type: u8, fingerprint: text }),
  structured('TLSA', certificate),
  structured('SMIMEA', certificate),
  structured('NAPTR', {
    order: u16,
    preference: u16,
    flags: text,
    service: text,
    regex: text,
    replacement: text,
  }),
  structured('HTTPS', service),
  structured('SVCB', service),
  structured('URI', { weight: u16, target: text }, { priority: u16 }),
])
export type RecordBody = v.InferOutput<typeof RecordBody>

/** Deletes, patches, puts, posts, run in this order in one transaction. */
export const Batch = v.strictObject({
  deletes: v.optional(v.array(v.strictObject({ id }))),
  patches: v.optional(v.array(v.looseObject({ id }))),
  puts: v.optional(v.array(v.looseObject({ id, name, type: v.string() }))),
  posts: v.optional(v.array(v.unknown())),
})
export const BATCH_LIMIT = 200

export const RecordAnswer = v.looseObject({
  id,
  name,
  type: v.string(),
  content: v.string(),
  ttl: v.number(),
  proxied: v.boolean(),
  proxiable: v.boolean(),
  created_on: v.string(),
  modified_on: v.string(),
  meta: v.looseObject({}),
})

export const ZoneBody = v.strictObject({
  name,
  account: v.optional(v.strictObject({ id })),
  type: v.optional(v.picklist(['full', 'partial', 'secondary'])),
  jump_start: v.optional(v.boolean()),
})
export const ZoneAnswer = v.looseObject({
  id,
  name,
  status: v.picklist(['initializing', 'pending', 'active', 'moved']),
  paused: v.boolean(),
  type: v.string(),
  name_servers: v.array(v.string()),
  created_on: v.string(),
  account: v.looseObject({ id }),
})

const ResultInfo = v.strictObject({
  page: v.number(),
  per_page: v.number(),
  count: v.number(),
  total_count: v.number(),
  total_pages: v.number(),
})
const Message = v.looseObject({ code: v.number(), message: v.string() })
export const Success = v.strictObject({
  success: v.literal(true),
  errors: v.pipe(v.array(Message), v.maxLength(0)),
  messages: v.array(Message),
  result: v.unknown(),
  result_info: v.optional(ResultInfo),
})
export const Failure = v.strictObject({
  success: v.literal(false),
  errors: v.pipe(v.array(Message), v.minLength(1)),
  messages: v.array(Message),
  result: v.nullable(v.unknown()),
})

/** Bounds of `per_page`. */
export const PAGES = { zones: { min: 5, max: 50 }, records: { min: 5, max: 5_000_000 } }
/** Requests of one user. */
export const RATE = [{ max: 1_200, windowMs: 300_000 }]
