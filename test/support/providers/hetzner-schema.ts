import * as v from 'valibot'

/**
 * Hetzner's published description of DNS in its Cloud API (Zones, Zone RRSets, Actions, errors, paging) as
 * schemas.
 */
const TYPES = [
  'A',
  'AAAA',
  'CAA',
  'CNAME',
  'DS',
  'HINFO',
  'HTTPS',
  'MX',
  'NS',
  'PTR',
  'RP',
  'SOA',
  'SRV',
  'SVCB',
  'TLSA',
  'TXT',
] as const
const labels = v.record(
  v.pipe(v.string(), v.regex(/^[a-zA-Z0-9./_-]{1,63}$/)),
  v.pipe(v.string(), v.regex(/^(?:[a-zA-Z0-9][a-zA-Z0-9._-]{0,61}[a-zA-Z0-9]|[a-zA-Z0-9]?)$/)),
)
const ttl = v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(2_147_483_647))
const rrsetName = v.pipe(v.string(), v.regex(/^(?:@|\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/))
const record = v.strictObject({ value: v.pipe(v.string(), v.minLength(1)), comment: v.optional(v.string()) })
const records = v.pipe(v.array(record), v.minLength(1))

export const ZoneBody = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[a-z0-9.-]+[a-z0-9]$/)),
  mode: v.picklist(['primary', 'secondary']),
  ttl: v.optional(ttl),
  labels: v.optional(labels),
  rrsets: v.optional(v.array(v.unknown())),
})
export const RRsetBody = v.strictObject({
  name: rrsetName,
  type: v.picklist(TYPES),
  ttl: v.optional(v.nullable(ttl)),
  labels: v.optional(labels),
  records,
})
export const SetRecords = v.strictObject({ records })
export const ChangeTtl = v.strictObject({ ttl: v.nullable(ttl) })

export const Zone = v.strictObject({
  id: v.pipe(v.number(), v.integer()),
  name: v.string(),
  created: v.pipe(v.string(), v.isoTimestamp()),
  mode: v.picklist(['primary', 'secondary']),
  ttl: v.number(),
  labels,
  protection: v.strictObject({ delete: v.boolean() }),
  status: v.picklist(['ok', 'updating', 'error']),
  record_count: v.number(),
  registrar: v.picklist(['hetzner', 'other', 'unknown']),
  primary_nameservers: v.array(v.unknown()),
  authoritative_nameservers: v.strictObject({
    assigned: v.array(v.pipe(v.string(), v.endsWith('.'))),
    delegated: v.array(v.string()),
    delegation_last_check: v.nullable(v.string()),
    delegation_status: v.picklist(['valid', 'partially-valid', 'invalid', 'lame', 'unregistered', 'unknown']),
  }),
})
export const RRset = v.strictObject({
  zone: v.number(),
  id: v.string(),
  name: rrsetName,
  type: v.picklist(TYPES),
  ttl: v.nullable(v.number()),
  labels,
  protection: v.strictObject({ change: v.boolean() }),
  records: v.array(v.strictObject({ value: v.string(), comment: v.string() })),
})
export const Action = v.strictObject({
  id: v.number(),
  command: v.string(),
  status: v.picklist(['running', 'success', 'error']),
  progress: v.number(),
  started: v.string(),
  finished: v.nullable(v.string()),
  resources: v.array(v.strictObject({ id: v.number(), type: v.string() })),
  error: v.nullable(v.strictObject({ code: v.string(), message: v.string() })),
})
export const Meta = v.strictObject({
  pagination: v.strictObject({
    page: v.number(),
    per_page: v.pipe(v.number(), v.maxValue(50)),
    previous_page: v.nullable(v.number()),
    next_page: v.nullable(v.number()),
    last_page: v.number(),
    total_entries: v.number(),
  }),
})
export const Failure = v.strictObject({
  error: v.strictObject({
    code: v.picklist([
      'unauthorized',
      'forbidden',
      'token_readonly',
      'not_found',
      'uniqueness_error',
      'resource_limit_exceeded',
      'locked',
      'conflict',
      'protected',
      'invalid_input',
      'rate_limit_exceeded',
    ]),
    message: v.string(),
    details: v.optional(v.unknown()),
  }),
})
export type Failure = v.InferOutput<typeof Failure>
export const RATE = [{ max: 3_600, windowMs: 3_600_000 }]
