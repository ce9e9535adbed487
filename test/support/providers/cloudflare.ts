import { canonicalRdata } from '../../../lib/dns/rdata.ts'
import * as schema from './cloudflare-schema.ts'
import {
  conform,
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  serveFake,
  slidingWindow,
} from './fake.ts'

type Record_ = Omit<schema.RecordBody, 'type'> & { type: string; id: string; readOnly?: boolean }
type Zone = { id: string; name: string; status: string; createdMs: number; records: Map<string, Record_> }

export type FakeCloudflare = FakeServer & {
  token: string
  account: string
  zones: Map<string, Zone>
  zoneLimit: number | null
  /** The limit as the account tells it; null on all but enterprise accounts. */
  toldLimit: number | null
  status: string
  clock: (() => number) | null
  nowMs: () => number
  plantZone: (name: string) => Zone
  plantRecord: (zone: Zone, body: Record<string, unknown>, readOnly?: boolean) => void
}

class Refusal extends Error {
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** A stateful Cloudflare: zones of one account, record pages with counts, transactional batches. */
export function startCloudflare(nowMs: () => number): FakeCloudflare {
  const limiter = slidingWindow(schema.RATE)
  let counter = 0
  const newId = () => (++counter).toString(16).padStart(32, 'c')
  const server = serveFake('/client/v4', (request) => {
    try {
      return handle(request)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const errors = [{ code: error.code, message: error.message }]
      return { status: error.status, body: conform('failure', schema.Failure, failure(errors)) }
    }
  })
  const fake: FakeCloudflare = Object.assign(server, {
    token: 'Sn3lZJTBX6kkg7OdcBUAxOO963GEIyGQqnFTOFYY',
    account: '023e105f4ecef8ad9ca31a8372d0c353',
    zones: new Map<string, Zone>(),
    zoneLimit: null,
    toldLimit: null,
    status: 'active',
    clock: null,
    nowMs,
    plantZone: (name: string) => {
      const zone: Zone = {
        id: newId(),
        name,
        status: fake.status,
        createdMs: fake.nowMs(),
        records: new Map(),
      }
      fake.zones.set(zone.id, zone)
      return zone
    },
    plantRecord: (zone: Zone, body: Record<string, unknown>, readOnly = false) => {
      const record = { ...conform('record', schema.RecordBody, body), id: newId(), readOnly }
      zone.records.set(record.id, record)
    },
  })

  function handle(request: FakeRequest): FakeAnswer {
    if (fake.clock !== null) {
      const wait = limiter(fake.clock())
      if (wait !== null) {
        const body = failure([{ code: 10100, message: 'More than 1200 requests per 300 seconds reached.' }])
        return { status: 429, body, headers: { 'retry-after': String(wait) } }
      }
    }
    const [root, id, part, verb] = request.segments
    if (request.headers.get('authorization') !== `Bearer ${fake.token}`) {
      if (part === 'verify' || verb === 'verify') throw new Refusal(401, 1000, 'Invalid API Token')
      throw new Refusal(403, 9109, 'Invalid access token')
    }
    if (root === 'user') return success({ id: newId(), status: 'active' })
    if (root === 'accounts') return accounts(id, part)
    if (root !== 'zones') throw new Refusal(404, 7000, 'No route for that URI')
    if (id === undefined) return request.method === 'POST' ? createZone(request) : listZones(request)
    const zone = fake.zones.get(id)
    if (zone === undefined) throw new Refusal(403, 9109, 'Unauthorized to access requested resource')
    if (part === 'dns_records') return verb === 'batch' ? batch(request, zone) : listRecords(request, zone)
    if (request.method === 'DELETE') {
      fake.zones.delete(id)
      return success({ id })
    }
    return success(zoneBody(zone))
  }

  function accounts(id: string | undefined, part: string | undefined): FakeAnswer {
    const own = {
      id: fake.account,
      name: 'Hosting',
      type: 'standard',
      legacy_flags: { enterprise_zone_quota: { maximum: fake.toldLimit, current: fake.zones.size } },
    }
    if (id === undefined) return paged([own], { page: 1, perPage: 20 })
    if (id !== fake.account) throw new Refusal(404, 7003, 'Could not route to the account')
    // The token is a user's own, so the account's token endpoint does not know it.
    if (part === 'tokens') throw new Refusal(401, 1000, 'Invalid API Token')
    return success(own)
  }

  const zoneBody = (zone: Zone) =>
    conform('zone', schema.ZoneAnswer, {
      id: zone.id,
      name: zone.name,
      status: zone.status,
      paused: false,
      type: 'full',
      name_servers: ['bob.ns.cloudflare.com', 'lola.ns.cloudflare.com'],
      created_on: new Date(zone.createdMs).toISOString(),
      account: { id: fake.account, name: 'Hosting' },
      plan: { legacy_id: 'free' },
    })

  function listZones(request: FakeRequest): FakeAnswer {
    const wanted = request.query.get('name')
    const account = request.query.get('account.id')
    const zones = [...fake.zones.values()].filter((zone) => wanted === null || zone.name === wanted)
    const seen = account === null || account === fake.account ? zones : []
    return paged(seen.map(zoneBody), pageOf(request, schema.PAGES.zones))
  }

  function createZone(request: FakeRequest): FakeAnswer {
    const { name } = conform('zone body', schema.ZoneBody, request.body)
    if ([...fake.zones.values()].some((zone) => zone.name === name)) {
      throw new Refusal(400, 1061, `${name} already exists`)
    }
    if (fake.zoneLimit !== null && fake.zones.size >= fake.zoneLimit) {
      throw new Refusal(400, 1118, 'You have reached the maximum number of zones for your account')
    }
    return success(zoneBody(fake.plantZone(name)))
  }

  function listRecords(request: FakeRequest, zone: Zone): FakeAnswer {
    const records = [...zone.records.values()].map((record) => recordBody(record))
    return paged(records, pageOf(request, schema.PAGES.records))
  }

  /** One transaction: a copy is changed in the documented order, then swapped. */
  function batch(request: FakeRequest, zone: Zone): FakeAnswer {
    const { deletes = [], patches = [], puts = [], posts = [] } = conform('batch', schema.Batch, request.body)
    if (deletes.length + patches.length + puts.length + posts.length > schema.BATCH_LIMIT) {
      throw new Refusal(400, 9207, 'Too many operations in one batch')
    }
    const records = new Map(zone.records)
    for (const { id } of deletes) {
      const record = records.get(id)
      if (record === undefined) throw new Refusal(404, 81044, 'Record does not exist')
      if (record.readOnly) throw new Refusal(400, 1043, 'Record is read only')
      records.delete(id)
    }
    for (const { id, ...body } of puts) {
      if (!records.has(id)) throw new Refusal(404, 81044, 'Record does not exist')
      records.delete(id)
      write(zone, records, body, id)
    }
    for (const body of posts) write(zone, records, body, newId())
    zone.records = records
    return success({ deletes, patches, puts, posts })
  }

  function write(zone: Zone, records: Map<string, Record_>, body: unknown, id: string): void {
    const record = { ...conform('record', schema.RecordBody, body), id }
    if (record.name !== zone.name && !record.name.endsWith(`.${zone.name}`)) record.name += `.${zone.name}`
    const value = canonicalOf(zone, record)
    for (const other of records.values()) {
      if (other.name !== record.name) continue
      if (other.type === record.type && canonicalOf(zone, other) === value) {
        throw new Refusal(400, 81058, 'An identical record already exists.')
      }
      if (record.type === 'CNAME' && other.type !== 'CNAME') {
        throw new Refusal(400, 81053, 'An A, AAAA, or CNAME record with that host already exists.')
      }
      if (other.type === 'CNAME')
        throw new Refusal(400, 81054, 'A CNAME record with that host already exists.')
    }
    records.set(id, record)
  }

  /** The record's data in canonical form; what has none is refused as the service refuses it. */
  function canonicalOf(zone: Zone, record: Record_): string {
    try {
      return canonicalRdata(record.type, presentation(record), `${zone.name}.`).presentation
    } catch {
      throw new Refusal(400, 9005, `Content for ${record.type} record is invalid.`)
    }
  }

  return fake
}

const failure = (errors: { code: number; message: string }[]) => ({
  success: false,
  errors,
  messages: [],
  result: null,
})

function success(result: unknown, info?: object): FakeAnswer {
  const body = { success: true, errors: [], messages: [], result, ...(info ? { result_info: info } : {}) }
  return { status: 200, body: conform('success', schema.Success, body) }
}

function pageOf(request: FakeRequest, bounds: { min: number; max: number }) {
  const perPage = Number(request.query.get('per_page') ?? 100)
  if (perPage < bounds.min || perPage > bounds.max) throw new Refusal(400, 1004, 'per_page out of range')
  return { page: Number(request.query.get('page') ?? 1), perPage }
}

function paged(items: unknown[], { page, perPage }: { page: number; perPage: number }): FakeAnswer {
  const result = items.slice((page - 1) * perPage, page * perPage)
  return success(result, {
    page,
    per_page: perPage,
    count: result.length,
    total_count: items.length,
    total_pages: Math.ceil(items.length / perPage),
  })
}

/** Zone-file form of a stored body. */
function presentation(record: Record_): string {
  const content = 'content' in record ? String(record.content) : ''
  const dotted = (name: unknown) => (name === '.' ? '.' : `${name}.`)
  if (record.type === 'MX' && 'priority' in record) return `${record.priority} ${dotted(content)}`
  if (['CNAME', 'NS', 'PTR'].includes(record.type)) return dotted(content)
  if (!('data' in record)) return content
  const data = new Map(Object.entries(Object(record.data)))
  switch (record.type) {
    case 'CAA':
      return `${data.get('flags')} ${data.get('tag')} "${data.get('value')}"`
    case 'SRV':
      return `${data.get('priority')} ${data.get('weight')} ${data.get('port')} ${dotted(data.get('target'))}`
    case 'HTTPS':
    case 'SVCB':
      return `${data.get('priority')} ${dotted(data.get('target'))} ${data.get('value')}`.trim()
    case 'NAPTR': {
      const texts = [data.get('flags'), data.get('service'), data.get('regex')]
        .map((text) => `"${text}"`)
        .join(' ')
      return `${data.get('order')} ${data.get('preference')} ${texts} ${dotted(data.get('replacement'))}`
    }
    case 'URI':
      return `${'priority' in record ? record.priority : ''} ${data.get('weight')} "${data.get('target')}"`
    default:
      return [...data.values()].join(' ')
  }
}

function recordBody(record: Record_): unknown {
  const { readOnly, ...stored } = record
  const proxiable = ['A', 'AAAA', 'CNAME'].includes(record.type)
  return conform('record answer', schema.RecordAnswer, {
    ...stored,
    content: 'content' in record ? record.content : presentation(record),
    proxied: 'proxied' in record ? (record.proxied ?? false) : false,
    proxiable,
    created_on: '2014-01-01T05:20:00.12345Z',
    modified_on: '2014-01-01T05:20:00.12345Z',
    meta: readOnly ? { read_only: true } : {},
  })
}
