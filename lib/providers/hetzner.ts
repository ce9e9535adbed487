import * as v from 'valibot'
import type { RRset } from '../endpoint/node-port.ts'
import { boundedHttp, type Call, commonFault, type Http, type Reply } from './http.ts'
import { isManaged } from './names.ts'
import {
  type Change,
  type FaultKind,
  type Limits,
  type Provider,
  type ProviderDeps,
  ProviderFault,
  type ProviderKind,
  type RemoteRRset,
  type RemoteZone,
} from './types.ts'

const PUBLIC_ORIGIN = 'https://api.hetzner.cloud'
const PER_PAGE = 50
const MAX_PAGES = 2_000
const LABEL = 'controlpanel'
const ZONE_TTL_SECONDS = 3_600
const ACTION_POLLS = 30
const ACTION_POLL_MS = 500

const LIMITS: Limits = {
  types: new Set([
    'A',
    'AAAA',
    'CAA',
    'CNAME',
    'DS',
    'HTTPS',
    'MX',
    'NS',
    'PTR',
    'SRV',
    'SVCB',
    'TLSA',
    'TXT',
  ]),
  ttlSeconds: { min: 60, max: 2_147_483_647 },
  batch: { changes: 25, bytes: 1_000_000 },
  atomic: false,
  marker: true,
  txtBounds: true,
}

const Zone = v.object({
  id: v.number(),
  name: v.string(),
  created: v.optional(v.nullable(v.string())),
  mode: v.optional(v.string()),
  status: v.optional(v.string()),
  labels: v.optional(v.nullable(v.record(v.string(), v.string()))),
  authoritative_nameservers: v.optional(
    v.nullable(v.object({ assigned: v.optional(v.nullable(v.array(v.string()))) })),
  ),
})
const RRsetItem = v.object({
  name: v.string(),
  type: v.string(),
  ttl: v.nullable(v.number()),
  records: v.array(v.object({ value: v.string() })),
})
const Meta = v.object({ pagination: v.object({ total_entries: v.number() }) })
const Action = v.object({ id: v.number(), status: v.string() })
const Problem = v.object({ error: v.object({ code: v.string() }) })

const KINDS: Record<string, FaultKind> = {
  unauthorized: 'credential',
  forbidden: 'credential',
  token_readonly: 'credential',
  not_found: 'absent',
  uniqueness_error: 'exists',
  resource_limit_exceeded: 'quota',
  locked: 'busy',
  conflict: 'busy',
  protected: 'busy',
  invalid_input: 'record',
  rate_limit_exceeded: 'throttled',
}

/** DNS of the Hetzner Cloud API; the marker is a label of the zone. Record sets are written one by one. */
export const hetzner: ProviderKind = { kind: 'hetzner', ownUrl: false, create: (deps) => adapter(deps) }

function adapter(deps: ProviderDeps): Provider {
  const origin = deps.url === null ? PUBLIC_ORIGIN : new URL(deps.url).origin
  const http = boundedHttp(deps, `${origin}/v1`, () => ({
    authorization: `Bearer ${deps.credential.reveal()}`,
  }))
  const actions = actionsOf(http, deps.wait)
  return {
    kind: 'hetzner',
    limits: LIMITS,
    // The API names no account; any listing proves the token.
    verify: async () => {
      await ask(http, { operation: 'verify', method: 'GET', path: '/zones?per_page=1' })
      return { account: null }
    },
    quota: async () => {
      const reply = await ask(http, { operation: 'quota', method: 'GET', path: '/zones?per_page=1' })
      return { used: total(reply, 'quota'), limit: null }
    },
    findZone: (name) => findZone(http, name),
    getZone: (id) => getZone(http, id),
    createZone: (name, about) => createZone(http, actions, name, about.marker),
    deleteZone: async (zone) => {
      const call: Call = { operation: 'delete zone', method: 'DELETE', path: `/zones/${zone.id}` }
      await absentIsDone(ask(http, call).then((reply) => actions.add(reply, 'delete zone')))
      await actions.done('delete zone')
    },
    readZone: (zone) => readZone(http, zone),
    refuses: (rrset) => (LIMITS.types.has(rrset.type) ? null : 'tipo_no_admitido'),
    cost: () => 1,
    apply: (zone, changes) => apply({ http, actions }, zone, changes),
  }
}

/** Writes return actions that may still be running; they are waited for together, fifty per call. */
type Actions = {
  add: (reply: Reply, operation: string) => void
  /** Waits for all that were added. Throws when one failed. */
  done: (operation: string) => Promise<void>
}

async function ask(http: Http, call: Call): Promise<Reply> {
  const reply = await http(call)
  if (reply.status >= 200 && reply.status < 300) return reply
  const code = v.safeParse(Problem, reply.json)
  const name = code.success ? code.output.error.code : undefined
  const kind = name === undefined ? undefined : KINDS[name]
  const detail = { status: reply.status, ...(name === undefined ? {} : { code: name }) }
  if (kind !== undefined && kind !== 'throttled') throw new ProviderFault(kind, call.operation, detail)
  const common = commonFault(reply, call.operation, name)
  if (common) throw common
  throw new ProviderFault(reply.status === 404 ? 'absent' : 'protocol', call.operation, detail)
}

function parsed<S extends v.GenericSchema>(reply: Reply, operation: string, schema: S): v.InferOutput<S> {
  const result = v.safeParse(schema, reply.json)
  if (!result.success) throw new ProviderFault('protocol', operation, { status: reply.status })
  return result.output
}

function total(reply: Reply, operation: string): number {
  return parsed(reply, operation, v.object({ meta: Meta })).meta.pagination.total_entries
}

function actionsOf(http: Http, wait: (ms: number) => Promise<void>): Actions {
  const running: number[] = []
  const note = ({ id, status }: v.InferOutput<typeof Action>, operation: string) => {
    if (status === 'error') throw new ProviderFault('server', operation, { code: 'action_failed' })
    if (status === 'running') running.push(id)
  }
  return {
    add: (reply, operation) => note(parsed(reply, operation, v.object({ action: Action })).action, operation),
    done: async (operation) => {
      for (let poll = 0; running.length > 0; poll++) {
        if (poll === ACTION_POLLS) throw new ProviderFault('timeout', operation)
        await wait(ACTION_POLL_MS)
        const asked = running.splice(0, PER_PAGE)
        const path = `/actions?per_page=${PER_PAGE}&${asked.map((id) => `id=${id}`).join('&')}`
        const reply = await ask(http, { operation, method: 'GET', path })
        const { actions } = parsed(reply, operation, v.object({ actions: v.array(Action) }))
        if (actions.length !== asked.length) throw new ProviderFault('protocol', operation)
        for (const action of actions) note(action, operation)
      }
    },
  }
}

async function findZone(http: Http, name: string): Promise<RemoteZone | null> {
  const path = `/zones?name=${encodeURIComponent(name)}&per_page=${PER_PAGE}`
  const reply = await ask(http, { operation: 'find zone', method: 'GET', path })
  const { zones } = parsed(reply, 'find zone', v.object({ zones: v.array(Zone) }))
  const zone = zones.find((one) => one.name.toLowerCase() === name)
  return zone === undefined ? null : remoteZone(zone)
}

async function getZone(http: Http, id: string): Promise<RemoteZone | null> {
  const call: Call = { operation: 'get zone', method: 'GET', path: `/zones/${encodeURIComponent(id)}` }
  try {
    return remoteZone(parsed(await ask(http, call), 'get zone', v.object({ zone: Zone })).zone)
  } catch (error) {
    if (error instanceof ProviderFault && error.kind === 'absent') return null
    throw error
  }
}

function remoteZone(zone: v.InferOutput<typeof Zone>): RemoteZone {
  const created = Date.parse(zone.created ?? '')
  const assigned = zone.authoritative_nameservers?.assigned ?? []
  return {
    id: String(zone.id),
    name: zone.name.toLowerCase(),
    servers: assigned.map((server) => server.toLowerCase().replace(/\.$/, '')),
    marker: zone.labels?.[LABEL] ?? null,
    createdMs: Number.isNaN(created) ? null : created,
    warning: zone.status === 'error' ? 'error' : null,
    minimumTtlSeconds: null,
  }
}

async function createZone(http: Http, actions: Actions, name: string, marker: string): Promise<RemoteZone> {
  const body = { name, mode: 'primary', ttl: ZONE_TTL_SECONDS, labels: { [LABEL]: marker } }
  const reply = await ask(http, { operation: 'create zone', method: 'POST', path: '/zones', body })
  actions.add(reply, 'create zone')
  await actions.done('create zone')
  return remoteZone(parsed(reply, 'create zone', v.object({ zone: Zone })).zone)
}

async function absentIsDone(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof ProviderFault && error.kind === 'absent')) throw error
  })
}

async function readZone(http: Http, zone: RemoteZone): Promise<RemoteRRset[]> {
  const operation = 'read zone'
  const sets = new Map<string, RemoteRRset>()
  for (let page = 1; page <= MAX_PAGES; page++) {
    const path = `/zones/${zone.id}/rrsets?page=${page}&per_page=${PER_PAGE}`
    const reply = await ask(http, { operation, method: 'GET', path })
    const { rrsets } = parsed(reply, operation, v.object({ rrsets: v.array(RRsetItem) }))
    for (const { name, type, ttl, records } of rrsets) {
      const own = name.toLowerCase()
      sets.set(`${own} ${type}`, {
        name: own,
        type,
        // A set without a TTL follows the zone's, which is not ours to rely on.
        ttl: ttl ?? -1,
        values: records.map((record) => record.value),
        handles: [],
      })
    }
    const entries = total(reply, operation)
    if (sets.size === entries) return [...sets.values()].filter((set) => !isManaged(set.name, set.type))
    if (sets.size > entries || rrsets.length === 0) break
  }
  throw new ProviderFault('protocol', operation)
}

type Api = { http: Http; actions: Actions }

async function apply(api: Api, zone: RemoteZone, changes: Change[]): Promise<void> {
  const names = new Map<string, Change[]>()
  for (const change of changes) names.set(change.name, [...(names.get(change.name) ?? []), change])
  for (const group of names.values()) await applyName(api, zone, group)
  await api.actions.done(CHANGE)
}

/** Changes one name at a time: if a set is refused, the changes already made at its name are undone. */
async function applyName(api: Api, zone: RemoteZone, group: Change[]): Promise<void> {
  const ordered = [...group].sort((left, right) => Number(left.after !== null) - Number(right.after !== null))
  const applied: Change[] = []
  for (const change of ordered) {
    try {
      // The next change at the same name needs the deletion to be done.
      if (applied.length > 0) await api.actions.done(CHANGE)
      await unlocked(api, () => applyOne(api, zone, change))
    } catch (error) {
      if (!(error instanceof ProviderFault && error.kind === 'record')) throw error
      for (const one of applied.reverse()) await applyOne(api, zone, reversed(one))
      const { name, type } = change
      throw new ProviderFault('record', CHANGE, {
        record: { name, type },
        status: error.status ?? 422,
      })
    }
    applied.push(change)
  }
}

function reversed({ name, type, before, after }: Change): Change {
  const ttl = before === null || before.ttl < 0 ? ZONE_TTL_SECONDS : before.ttl
  const back: RRset | null = before && { name, type, ttl, values: before.values }
  return { name, type, before: after && { ...after, handles: [] }, after: back }
}

/** A zone that an earlier action of ours has locked refuses changes; once that action has ended, it accepts them. */
async function unlocked(api: Api, change: () => Promise<void>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (!(error instanceof ProviderFault && error.kind === 'busy')) throw error
    await api.actions.done(CHANGE)
    await change()
  }
}

const CHANGE = 'change records'

async function applyOne(api: Api, zone: RemoteZone, { name, type, before, after }: Change): Promise<void> {
  const all = `/zones/${zone.id}/rrsets`
  const one = `${all}/${encodeURIComponent(name)}/${type}`
  const send = async (method: 'POST' | 'DELETE', path: string, body?: object) => {
    const reply = await ask(api.http, { operation: CHANGE, method, path, ...(body ? { body } : {}) })
    api.actions.add(reply, CHANGE)
  }
  if (after === null) return absentIsDone(send('DELETE', one))
  const records = after.values.map((value) => ({ value }))
  if (before === null) return send('POST', all, { name, type, ttl: after.ttl, records })
  if (!sameValues(before.values, after.values)) await send('POST', `${one}/actions/set_records`, { records })
  if (before.ttl !== after.ttl) await send('POST', `${one}/actions/change_ttl`, { ttl: after.ttl })
}

function sameValues(left: string[], right: string[]): boolean {
  return left.length === right.length && [...left].sort().join('\n') === [...right].sort().join('\n')
}
