import { canonicalRdata } from '../../../lib/dns/rdata.ts'
import * as schema from './desec-schema.ts'
import {
  conform,
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  serveFake,
  slidingWindow,
} from './fake.ts'

type Set_ = {
  subname: string
  type: string
  ttl: number
  records: string[]
  created: string
  touched: string
}
type Domain = { name: string; created: string; touched: string; sets: Map<string, Set_> }

export type FakeDesec = FakeServer & {
  token: string
  domains: Map<string, Domain>
  limit: number | null
  /** Whether the token may read the account. */
  accountReadable: boolean
  /** Names that other accounts hold. */
  taken: Set<string>
  minimumTtl: number
  /** The service's clock in milliseconds; rates are off while it is null. */
  clock: (() => number) | null
  nowMs: () => number
  put: (name: string, set: { subname: string; type: string; ttl: number; records: string[] }) => void
}

/** A stateful deSEC: one account, atomic bulk writes, cursor pages, sliding-window rates. */
export function startDesec(nowMs: () => number): FakeDesec {
  const limiters = new Map<string, (now: number) => number | null>()
  const server = serveFake('/api/v1', (request) => handle(request))
  const fake: FakeDesec = Object.assign(server, {
    token: 'i-T3b1h_OI-H9ab8tRS98stGtURe',
    domains: new Map<string, Domain>(),
    limit: 15 as number | null,
    accountReadable: true,
    taken: new Set<string>(),
    minimumTtl: 3600,
    clock: null,
    nowMs,
    put: (name: string, set: { subname: string; type: string; ttl: number; records: string[] }) => {
      const domain = fake.domains.get(name) ?? create(name)
      domain.sets.set(`${set.subname} ${set.type}`, { ...set, created: stamp(), touched: stamp() })
    },
  })
  const stamp = () => `${new Date(fake.nowMs()).toISOString().slice(0, -1)}000Z`
  const detail = (status: number, text: string): FakeAnswer => ({
    status,
    body: conform('error', schema.Detail, { detail: text }),
  })

  function create(name: string): Domain {
    const at = stamp()
    const ns = { subname: '', type: 'NS', ttl: 3600, created: at, touched: at }
    const sets = new Map([[' NS', { ...ns, records: ['ns1.desec.io.', 'ns2.desec.org.'] }]])
    const domain = { name, created: at, touched: at, sets }
    fake.domains.set(name, domain)
    return domain
  }

  function throttled(scope: keyof typeof schema.RATES, key: string): FakeAnswer | null {
    if (fake.clock === null) return null
    const id = `${scope} ${key}`
    const limiter = limiters.get(id) ?? slidingWindow(schema.RATES[scope])
    limiters.set(id, limiter)
    const wait = limiter(fake.clock())
    if (wait === null) return null
    const answer = detail(429, `Request was throttled. Expected available in ${wait} seconds.`)
    return { ...answer, headers: { 'retry-after': String(wait) } }
  }

  function handle(request: FakeRequest): FakeAnswer {
    if (request.headers.get('authorization') !== `Token ${fake.token}`) return detail(401, 'Invalid token.')
    const [root, name, part] = request.segments
    if (root === 'auth') {
      if (!fake.accountReadable) return detail(403, 'You do not have permission to perform this action.')
      return { status: 200, body: conform('account', schema.Account, account()) }
    }
    if (root !== 'domains') return detail(404, 'Not found.')
    if (name === undefined) return request.method === 'POST' ? createDomain(request) : listDomains(request)
    const domain = fake.domains.get(name)
    if (domain === undefined) return detail(404, 'Not found.')
    if (part === 'rrsets') return request.method === 'GET' ? listSets(request, domain) : bulk(request, domain)
    if (request.method === 'DELETE') {
      const limited = throttled('expensive', '')
      if (limited) return limited
      fake.domains.delete(name)
      return { status: 204 }
    }
    return (
      throttled('cheap', '') ?? {
        status: 200,
        body: conform('domain', schema.Domain, domainBody(domain, true)),
      }
    )
  }

  const account = () => ({
    created: '2019-10-16T18:09:17.715702Z',
    domains_under_management: fake.domains.size,
    email: 'youremailaddress@example.com',
    id: '9ab16e5c-805d-4ab1-9030-af3f5a541d47',
    limit_domains: fake.limit,
    outreach_preference: true,
  })

  const domainBody = (domain: Domain, keys: boolean) => ({
    created: domain.created,
    published: domain.touched,
    touched: domain.touched,
    minimum_ttl: fake.minimumTtl,
    name: domain.name,
    ...(keys ? { keys: [{ dnskey: '257 3 13 WFRl60', ds: ['6006 13 2 f34b75'], managed: true }] } : {}),
  })

  function createDomain(request: FakeRequest): FakeAnswer {
    const limited = throttled('expensive', '')
    if (limited) return limited
    const { name } = conform('creation', schema.DomainCreation, request.body)
    if (fake.limit !== null && fake.domains.size >= fake.limit) {
      return detail(403, 'Domain limit exceeded. Please contact support to create additional domains.')
    }
    if (fake.domains.has(name) || fake.taken.has(name)) {
      const text = 'This domain name conflicts with an existing zone, or is disallowed by policy.'
      return { status: 400, body: conform('error', schema.NonField, { name: [text] }) }
    }
    return { status: 201, body: conform('domain', schema.Domain, domainBody(create(name), true)) }
  }

  function page<T>(request: FakeRequest, items: T[], body: (item: T) => unknown): FakeAnswer {
    const limited = throttled('cheap', '')
    if (limited) return limited
    const cursor = request.query.get('cursor')
    const path = `https://desec.io/api/v1/${request.segments.join('/')}/`
    if (cursor === null && items.length > schema.PAGE) {
      const link = `<${path}?cursor=>; rel="first"`
      return {
        ...detail(400, 'Pagination required. You can query up to 500 items at a time.'),
        headers: { link },
      }
    }
    const start = Number((cursor ?? '').replace(':', '') || 0)
    const links = [`<${path}?cursor=>; rel="first"`]
    if (start > 0) links.push(`<${path}?cursor=:${start - schema.PAGE}>; rel="prev"`)
    if (start + schema.PAGE < items.length) links.push(`<${path}?cursor=:${start + schema.PAGE}>; rel="next"`)
    return {
      status: 200,
      body: items.slice(start, start + schema.PAGE).map(body),
      headers: { link: links.join(', ') },
    }
  }

  function listDomains(request: FakeRequest): FakeAnswer {
    return page(request, [...fake.domains.values()].reverse(), (domain) =>
      conform('domain', schema.Domain, domainBody(domain, false)),
    )
  }

  function listSets(request: FakeRequest, domain: Domain): FakeAnswer {
    return page(request, [...domain.sets.values()].reverse(), (set) =>
      conform('rrset', schema.RRset, {
        ...set,
        domain: domain.name,
        name: set.subname === '' ? `${domain.name}.` : `${set.subname}.${domain.name}.`,
      }),
    )
  }

  /** All parts or none: checked against a copy, then swapped. */
  function bulk(request: FakeRequest, domain: Domain): FakeAnswer {
    const limited = throttled('perDomain', domain.name)
    if (limited) return limited
    if (request.method !== 'PATCH') return detail(405, 'Method not allowed.')
    const parts = conform('bulk', schema.Bulk, request.body)
    const sets = new Map(domain.sets)
    const errors = parts.map((part) => applyPart(domain, sets, part))
    if (errors.every((error) => Object.keys(error).length === 0)) {
      for (const [at, part] of parts.entries()) {
        const clash = cnameClash(sets, part.subname, part.type)
        if (clash !== null && sets.has(`${part.subname} ${part.type}`))
          errors[at] = { non_field_errors: [clash] }
      }
    }
    if (errors.some((error) => Object.keys(error).length > 0)) {
      return { status: 400, body: conform('errors', schema.BulkErrors, errors) }
    }
    domain.sets = sets
    domain.touched = stamp()
    const written = parts.flatMap((part) => sets.get(`${part.subname} ${part.type}`) ?? [])
    return { status: 200, body: written.map((set) => ({ ...set, domain: domain.name })) }
  }

  function applyPart(
    domain: Domain,
    sets: Map<string, Set_>,
    part: { subname: string; type: string; records?: string[] | undefined; ttl?: number | undefined },
  ): Record<string, string[]> {
    const key = `${part.subname} ${part.type}`
    if (schema.AUTOMATIC.has(part.type) || !schema.SUPPORTED.has(part.type)) {
      return { type: [`The ${part.type} RR set type is currently unsupported.`] }
    }
    const before = sets.get(key)
    if (part.records?.length === 0) {
      sets.delete(key)
      return {}
    }
    const records = part.records ?? before?.records
    const ttl = part.ttl ?? before?.ttl
    if (records === undefined) return { records: ['This field is required.'] }
    if (ttl === undefined) return { ttl: ['This field is required.'] }
    if (ttl < fake.minimumTtl)
      return { ttl: [`Ensure this value is greater than or equal to ${fake.minimumTtl}.`] }
    if (ttl > 86_400) return { ttl: ['Ensure this value is less than or equal to 86400.'] }
    if (part.type === 'CNAME' && part.subname === '') return { non_field_errors: ['CNAME at the apex.'] }
    try {
      const canonical = records.map((record) => {
        if (/^(?:CNAME|MX|NS|PTR|SRV)$/.test(part.type) && !record.endsWith('.')) throw new Error('relative')
        return canonicalRdata(part.type, record, `${domain.name}.`).presentation
      })
      if (new Set(canonical).size !== canonical.length) return { records: ['Duplicate record contents.'] }
      sets.set(key, {
        subname: part.subname,
        type: part.type,
        ttl,
        records: canonical,
        created: before?.created ?? stamp(),
        touched: stamp(),
      })
      return {}
    } catch {
      return { records: ['Record content malformed.'] }
    }
  }

  return fake
}

function cnameClash(
  sets: Map<string, { subname: string; type: string }>,
  subname: string,
  type: string,
): string | null {
  const others = [...sets.values()].filter((set) => set.subname === subname && set.type !== type)
  const clash = type === 'CNAME' ? others.length > 0 : others.some((set) => set.type === 'CNAME')
  return clash ? 'RRset with conflicting type present: CNAME is exclusive.' : null
}
