import * as v from 'valibot'

/**
 * deSEC's published description (docs/dns/domains.rst, docs/dns/rrsets.rst, docs/auth/account.rst,
 * docs/rate-limits.rst) as schemas: field names, bounds, what a bulk part needs.
 */
const timestamp = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/))
const domainName = v.pipe(v.string(), v.maxLength(191), v.regex(/^[a-z0-9_.-]+[a-z0-9]$/))
const subname = v.pipe(
  v.string(),
  v.maxLength(178),
  v.regex(/^(?:\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)?$/),
)
const records = v.pipe(
  v.array(v.string()),
  v.maxLength(4091),
  v.check((list) => JSON.stringify(list).length <= 64_000, 'longer than 64000'),
)

export const Domain = v.strictObject({
  created: timestamp,
  published: timestamp,
  touched: timestamp,
  minimum_ttl: v.pipe(v.number(), v.integer()),
  name: domainName,
  keys: v.optional(
    v.array(v.looseObject({ dnskey: v.string(), ds: v.array(v.string()), managed: v.boolean() })),
  ),
})
export const DomainCreation = v.strictObject({ name: domainName, zonefile: v.optional(v.string()) })

export const RRset = v.strictObject({
  created: timestamp,
  domain: domainName,
  subname,
  name: v.pipe(v.string(), v.endsWith('.')),
  type: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9]*$/)),
  records,
  ttl: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(86_400)),
  touched: timestamp,
})
/** A part of a bulk PATCH: subname and type name it; an empty `records` deletes it. */
const BulkPart = v.strictObject({
  subname,
  type: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9]*$/)),
  records: v.optional(records),
  ttl: v.optional(v.pipe(v.number(), v.integer())),
})
export const Bulk = v.pipe(v.array(BulkPart), v.minLength(1))
/** Errors of a bulk stand at the places of its parts, `{}` for a part without one. */
export const BulkErrors = v.array(v.record(v.string(), v.array(v.string())))

export const Account = v.strictObject({
  created: timestamp,
  domains_under_management: v.number(),
  email: v.pipe(v.string(), v.email()),
  id: v.pipe(v.string(), v.uuid()),
  limit_domains: v.nullable(v.number()),
  outreach_preference: v.boolean(),
})
export const Detail = v.strictObject({ detail: v.string() })
export const NonField = v.record(v.string(), v.array(v.string()))

/** Types that the service manages itself: neither listed nor written. */
export const AUTOMATIC = new Set(['SOA', 'RRSIG', 'NSEC3PARAM'])
export const SUPPORTED = new Set(
  (
    'A AAAA AFSDB APL CAA CDNSKEY CDS CERT CNAME DHCID DNAME DNSKEY DLV DS EUI48 EUI64 HINFO HTTPS KX L32 L64 LOC LP ' +
    'MX NAPTR NID NS OPENPGPKEY PTR RP SMIMEA SPF SRV SSHFP SVCB TLSA TXT URI'
  ).split(' '),
)
/** Page size of listings, and the rates of the scopes that matter here. */
export const PAGE = 500
export const RATES = {
  cheap: [
    { max: 10, windowMs: 1_000 },
    { max: 50, windowMs: 60_000 },
  ],
  expensive: [
    { max: 10, windowMs: 1_000 },
    { max: 300, windowMs: 60_000 },
    { max: 1_000, windowMs: 3_600_000 },
  ],
  perDomain: [
    { max: 2, windowMs: 1_000 },
    { max: 15, windowMs: 60_000 },
    { max: 100, windowMs: 3_600_000 },
    { max: 300, windowMs: 86_400_000 },
  ],
}
