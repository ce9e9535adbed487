import type * as v from 'valibot'
import { canonicalRdata } from '../../../lib/dns/rdata.ts'
import {
  conform,
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  serveFake,
  slidingWindow,
} from './fake.ts'
import * as schema from './hetzner-schema.ts'

type Set_ = {
  name: string
  type: v.InferOutput<typeof schema.RRsetBody>['type']
  ttl: number | null
  values: string[]
}
type Zone = {
  id: number
  name: string
  createdMs: number
  labels: Record<string, string>
  sets: Map<string, Set_>
}

export type FakeHetzner = FakeServer & {
  token: string
  zones: Map<number, Zone>
  limit: number | null
  readonly: boolean
  /** How often an action is still running when it is asked for. */
  pending: number
  clock: (() => number) | null
  nowMs: () => number
  plantZone: (name: string, labels?: Record<string, string>) => Zone
}

type Code = schema.Failure['error']['code']
class Refusal extends Error {
  readonly status: number
  readonly code: Code
  constructor(status: number, code: Code) {
    super(code)
    this.status = status
    this.code = code
  }
}

/** A stateful Hetzner DNS: zones with labels, record sets one by one, writes that answer actions. */
export function startHetzner(nowMs: () => number): FakeHetzner {
  const limiter = slidingWindow(schema.RATE)
  const actions = new Map<number, number>()
  let counter = 40
  const server = serveFake('/v1', (request) => {
    try {
      return handle(request)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const body = { error: { code: error.code, message: error.code.replaceAll('_', ' ') } }
      return { status: error.status, body: conform('failure', schema.Failure, body) }
    }
  })
  const fake: FakeHetzner = Object.assign(server, {
    token: 'jEheVytlAoFl7F8MqUQ7jAo2hOXASztX',
    zones: new Map<number, Zone>(),
    limit: null,
    readonly: false,
    pending: 0,
    clock: null,
    nowMs,
    plantZone: (name: string, labels: Record<string, string> = {}) => {
      const ns = { name: '@', type: 'NS' as const, ttl: null, values: SERVERS }
      const soa = { name: '@', type: 'SOA' as const, ttl: null, values: [SOA] }
      const sets = new Map<string, Set_>([ns, soa].map((set) => [`@ ${set.type}`, set]))
      const zone = { id: ++counter, name, createdMs: fake.nowMs(), labels, sets }
      fake.zones.set(zone.id, zone)
      return zone
    },
  })

  function handle(request: FakeRequest): FakeAnswer {
    if (request.headers.get('authorization') !== `Bearer ${fake.token}`)
      throw new Refusal(401, 'unauthorized')
    if (fake.clock !== null && limiter(fake.clock()) !== null) throw new Refusal(429, 'rate_limit_exceeded')
    if (request.method !== 'GET' && fake.readonly) throw new Refusal(403, 'token_readonly')
    const [root, id, part, name, type, , verb] = request.segments
    if (root === 'actions') {
      const ids = request.query.getAll('id').map(Number)
      return page(request, 'actions', ids.map(polled))
    }
    if (root !== 'zones') throw new Refusal(404, 'not_found')
    if (id === undefined) return request.method === 'POST' ? createZone(request) : listZones(request)
    const zone = fake.zones.get(Number(id))
    if (zone === undefined) throw new Refusal(404, 'not_found')
    if (part !== 'rrsets') {
      if (request.method === 'GET') return { status: 200, body: { zone: zoneBody(zone) } }
      fake.zones.delete(zone.id)
      return acted(201, zone, 'delete_zone')
    }
    if (name === undefined)
      return request.method === 'POST' ? createSet(request, zone) : listSets(request, zone)
    const set = zone.sets.get(`${name} ${type}`)
    if (set === undefined) throw new Refusal(404, 'not_found')
    if (request.method === 'DELETE') {
      zone.sets.delete(`${name} ${type}`)
      return acted(201, zone, 'delete_rrset')
    }
    if (verb === 'set_records') {
      const { records } = conform('set_records', schema.SetRecords, request.body)
      set.values = checked(
        zone,
        set.name,
        set.type,
        records.map(({ value }) => value),
      )
    } else if (verb === 'change_ttl') {
      set.ttl = conform('change_ttl', schema.ChangeTtl, request.body).ttl
    } else throw new Refusal(404, 'not_found')
    return acted(201, zone, verb)
  }

  function polled(id: number): v.InferOutput<typeof schema.Action> {
    const left = actions.get(id)
    if (left === undefined) throw new Refusal(404, 'not_found')
    actions.set(id, left - 1)
    return actionBody(id, left > 0 ? 'running' : 'success', 'poll', 42)
  }

  function acted(status: number, zone: Zone, command: string, more: object = {}): FakeAnswer {
    const id = ++counter
    actions.set(id, fake.pending)
    const state = fake.pending > 0 ? 'running' : 'success'
    return { status, body: { ...more, action: actionBody(id, state, command, zone.id) } }
  }

  function listZones(request: FakeRequest): FakeAnswer {
    const wanted = request.query.get('name')
    const zones = [...fake.zones.values()].filter((zone) => wanted === null || zone.name === wanted)
    return page(request, 'zones', zones.map(zoneBody))
  }

  function createZone(request: FakeRequest): FakeAnswer {
    const body = conform('zone body', schema.ZoneBody, request.body)
    if ([...fake.zones.values()].some((zone) => zone.name === body.name))
      throw new Refusal(409, 'uniqueness_error')
    if (fake.limit !== null && fake.zones.size >= fake.limit)
      throw new Refusal(403, 'resource_limit_exceeded')
    const zone = fake.plantZone(body.name, body.labels ?? {})
    return acted(201, zone, 'create_zone', { zone: zoneBody(zone) })
  }

  function createSet(request: FakeRequest, zone: Zone): FakeAnswer {
    const { name, type, ttl, records } = conform('rrset body', schema.RRsetBody, request.body)
    if (zone.sets.has(`${name} ${type}`)) throw new Refusal(409, 'uniqueness_error')
    const others = [...zone.sets.values()].filter((set) => set.name === name)
    const clash = type === 'CNAME' ? others.length > 0 : others.some((set) => set.type === 'CNAME')
    if (clash) throw new Refusal(422, 'invalid_input')
    const values = checked(
      zone,
      name,
      type,
      records.map(({ value }) => value),
    )
    const set: Set_ = { name, type, ttl: ttl ?? null, values }
    zone.sets.set(`${name} ${type}`, set)
    return acted(201, zone, 'create_rrset', { rrset: setBody(zone, set) })
  }

  function listSets(request: FakeRequest, zone: Zone): FakeAnswer {
    return page(
      request,
      'rrsets',
      [...zone.sets.values()].map((set) => setBody(zone, set)),
    )
  }

  return fake
}

const SERVERS = ['hydrogen.ns.hetzner.com.', 'oxygen.ns.hetzner.com.', 'helium.ns.hetzner.de.']
const SOA = 'hydrogen.ns.hetzner.com. dns.hetzner.com. 2025100900 86400 10800 3600000 3600'

function checked(zone: Zone, name: string, type: string, values: string[]): string[] {
  if (name === '@' && (type === 'SOA' || type === 'CNAME')) throw new Refusal(422, 'invalid_input')
  for (const value of values) {
    const absolute = !/^(?:CNAME|MX|NS|PTR|SRV)$/.test(type) || value.endsWith('.')
    try {
      canonicalRdata(type, value, `${zone.name}.`)
    } catch {
      throw new Refusal(422, 'invalid_input')
    }
    if (!absolute) throw new Refusal(422, 'invalid_input')
  }
  return values
}

function page(request: FakeRequest, key: string, items: unknown[]): FakeAnswer {
  const at = Number(request.query.get('page') ?? 1)
  const size = Math.min(50, Number(request.query.get('per_page') ?? 25))
  const last = Math.max(1, Math.ceil(items.length / size))
  const pagination = {
    page: at,
    per_page: size,
    previous_page: at > 1 ? at - 1 : null,
    next_page: at < last ? at + 1 : null,
    last_page: last,
    total_entries: items.length,
  }
  const meta = conform('meta', schema.Meta, { pagination })
  return { status: 200, body: { [key]: items.slice((at - 1) * size, at * size), meta } }
}

function zoneBody(zone: Zone): v.InferOutput<typeof schema.Zone> {
  return conform('zone', schema.Zone, {
    id: zone.id,
    name: zone.name,
    created: new Date(zone.createdMs).toISOString(),
    mode: 'primary',
    ttl: 3600,
    labels: zone.labels,
    protection: { delete: false },
    status: 'ok',
    record_count: zone.sets.size,
    registrar: 'other',
    primary_nameservers: [],
    authoritative_nameservers: {
      assigned: SERVERS,
      delegated: [],
      delegation_last_check: null,
      delegation_status: 'unknown',
    },
  })
}

function setBody(zone: Zone, set: Set_): v.InferOutput<typeof schema.RRset> {
  return conform('rrset', schema.RRset, {
    zone: zone.id,
    id: `${set.name}/${set.type}`,
    name: set.name,
    type: set.type,
    ttl: set.ttl,
    labels: {},
    protection: { change: false },
    records: set.values.map((value) => ({ value, comment: '' })),
  })
}

function actionBody(id: number, status: 'running' | 'success', command: string, resource: number) {
  return conform('action', schema.Action, {
    id,
    command,
    status,
    progress: status === 'running' ? 20 : 100,
    started: '2016-01-30T23:50:00+00:00',
    finished: status === 'running' ? null : '2016-01-30T23:55:00+00:00',
    resources: [{ id: resource, type: 'zone' }],
    error: null,
  })
}
