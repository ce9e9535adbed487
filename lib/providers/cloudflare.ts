import * as v from 'valibot'
import { servedTypes } from '../dns/rdata.ts'
import { CloudflareRecord, cloudflareBody, cloudflareValue } from './cloudflare-records.ts'
import { boundedHttp, type Call, commonFault, type Http, type Reply } from './http.ts'
import { gather, isManaged, relative } from './names.ts'
import {
  type Change,
  type FaultKind,
  type Limits,
  type Provider,
  type ProviderDeps,
  ProviderFault,
  type ProviderKind,
  type Quota,
  type RemoteRRset,
  type RemoteZone,
} from './types.ts'

const PUBLIC_ORIGIN = 'https://api.cloudflare.com'
const RECORDS_PER_PAGE = 1_000
const MAX_PAGES = 200
const PAGE_BYTES = 8 * 1024 * 1024

const LIMITS: Limits = {
  types: new Set(servedTypes()),
  ttlSeconds: { min: 60, max: 86_400 },
  // The free plan's limit holds on every plan.
  batch: { changes: 200, bytes: 1_000_000 },
  atomic: true,
  marker: false,
  txtBounds: false,
}

const Envelope = v.object({
  success: v.optional(v.boolean()),
  result: v.optional(v.nullable(v.unknown())),
  errors: v.optional(v.nullable(v.array(v.object({ code: v.optional(v.number()) })))),
  result_info: v.optional(v.nullable(v.object({ total_count: v.optional(v.number()) }))),
})
type Envelope = v.InferOutput<typeof Envelope>

const Zone = v.object({
  id: v.string(),
  name: v.string(),
  status: v.optional(v.nullable(v.string())),
  name_servers: v.optional(v.nullable(v.array(v.string()))),
  created_on: v.optional(v.nullable(v.string())),
})
const Account = v.object({
  id: v.string(),
  legacy_flags: v.optional(
    v.nullable(
      v.object({
        enterprise_zone_quota: v.optional(
          v.nullable(v.object({ maximum: v.optional(v.nullable(v.number())) })),
        ),
      }),
    ),
  ),
})

const EXISTS = new Set([1061, 1116])
const FULL = new Set([1105, 1118])
const NO_ZONE = new Set([1001, 1049, 7000, 7003])
const REFUSED = new Set([1000, 6003, 6111, 9103, 9106, 9109, 10000])
const BUSY = new Set([10013])

/** Cloudflare API v4, authoritative DNS only: nothing is ever proxied. */
export const cloudflare: ProviderKind = {
  kind: 'cloudflare',
  ownUrl: false,
  create: (deps) => adapter(deps),
}

function adapter(deps: ProviderDeps): Provider {
  const origin = deps.url === null ? PUBLIC_ORIGIN : new URL(deps.url).origin
  const http = boundedHttp(deps, `${origin}/client/v4`, () => ({
    authorization: `Bearer ${deps.credential.reveal()}`,
  }))
  return {
    kind: 'cloudflare',
    limits: LIMITS,
    verify: () => verify(http, deps.account),
    quota: () => quota(http, deps.account),
    findZone: (name) => findZone(http, deps.account, name),
    getZone: (id, name) => getZone(http, deps.account, id, name),
    createZone: (name) => createZone(http, deps.account, name),
    deleteZone: (zone) => deleteZone(http, zone),
    readZone: (zone) => readZone(http, zone),
    refuses: (rrset) => {
      if (!LIMITS.types.has(rrset.type)) return 'tipo_no_admitido'
      return rrset.values.length > LIMITS.batch.changes ? 'demasiados_registros' : null
    },
    cost: ({ before, after }) => Math.max(before?.handles.length ?? 0, after?.values.length ?? 0),
    apply: (zone, changes) => apply(http, zone, changes),
  }
}

/** Every answer is an envelope, and an error may come with any status: the code decides. */
async function ask(http: Http, call: Call): Promise<Envelope> {
  const reply = await http(call)
  const envelope = v.safeParse(Envelope, reply.json)
  if (!envelope.success) {
    throw commonFault(reply, call.operation) ?? protocol(reply, call.operation)
  }
  if (reply.status >= 200 && reply.status < 300 && envelope.output.success !== false) return envelope.output
  throw faultOf(reply, call.operation, envelope.output)
}

function protocol(reply: Reply, operation: string): ProviderFault {
  return new ProviderFault('protocol', operation, { status: reply.status })
}

function faultOf(reply: Reply, operation: string, envelope: Envelope): ProviderFault {
  const code = envelope.errors?.[0]?.code
  const detail = { status: reply.status, ...(code === undefined ? {} : { code }) }
  const known = code === undefined ? null : kindOf(code)
  if (known !== null && reply.status !== 429 && reply.status < 500) {
    return new ProviderFault(known, operation, detail)
  }
  const common = commonFault(reply, operation, code)
  if (common) return common
  return new ProviderFault(reply.status === 404 ? 'absent' : 'record', operation, detail)
}

function kindOf(code: number): FaultKind | null {
  if (EXISTS.has(code)) return 'exists'
  if (FULL.has(code)) return 'quota'
  if (NO_ZONE.has(code)) return 'absent'
  if (REFUSED.has(code)) return 'credential'
  return BUSY.has(code) ? 'busy' : null
}

function parsed<S extends v.GenericSchema>(value: unknown, operation: string, schema: S): v.InferOutput<S> {
  const result = v.safeParse(schema, value)
  if (!result.success) throw new ProviderFault('protocol', operation)
  return result.output
}

async function verify(http: Http, account: string | null): Promise<{ account: string | null }> {
  const status = await tokenStatus(http, account)
  if (status !== 'active') throw new ProviderFault('credential', 'verify')
  if (account !== null) return { account }
  // Listing accounts needs a permission of its own; a token without it works without an account id.
  const listed = await ask(http, { operation: 'list accounts', method: 'GET', path: '/accounts?per_page=5' })
    .then((answer) => parsed(answer.result, 'list accounts', v.array(Account)))
    .catch((error: unknown) => {
      if (error instanceof ProviderFault && ['credential', 'record', 'absent'].includes(error.kind)) return []
      throw error
    })
  return { account: listed.length === 1 ? (listed[0]?.id ?? null) : null }
}

/** Tokens owned by an account verify below it, those of a user below the user. */
async function tokenStatus(http: Http, account: string | null): Promise<string> {
  const Status = v.object({ status: v.string() })
  const operation = 'verify'
  const own = account === null ? null : `/accounts/${encodeURIComponent(account)}/tokens/verify`
  if (own !== null) {
    const answer = await ask(http, { operation, method: 'GET', path: own }).catch((error: unknown) => {
      if (error instanceof ProviderFault && ['credential', 'record', 'absent'].includes(error.kind))
        return null
      throw error
    })
    if (answer !== null) return parsed(answer.result, operation, Status).status
  }
  const answer = await ask(http, { operation, method: 'GET', path: '/user/tokens/verify' })
  return parsed(answer.result, operation, Status).status
}

async function quota(http: Http, account: string | null): Promise<Quota> {
  const path = `/zones?per_page=5${accountFilter(account)}`
  const listed = await ask(http, { operation: 'quota', method: 'GET', path })
  const used = listed.result_info?.total_count
  if (used === undefined) throw new ProviderFault('protocol', 'quota')
  if (account === null) return { used, limit: null }
  const own = `/accounts/${encodeURIComponent(account)}`
  const answer = await ask(http, { operation: 'quota', method: 'GET', path: own }).catch((error: unknown) => {
    if (error instanceof ProviderFault && ['credential', 'record', 'absent'].includes(error.kind)) return null
    throw error
  })
  if (answer === null) return { used, limit: null }
  const flags = parsed(answer.result, 'quota', Account).legacy_flags
  return { used, limit: flags?.enterprise_zone_quota?.maximum ?? null }
}

function accountFilter(account: string | null): string {
  return account === null ? '' : `&account.id=${encodeURIComponent(account)}`
}

async function findZone(http: Http, account: string | null, name: string): Promise<RemoteZone | null> {
  const path = `/zones?name=${encodeURIComponent(name)}&per_page=50${accountFilter(account)}`
  const answer = await ask(http, { operation: 'find zone', method: 'GET', path })
  const zones = parsed(answer.result, 'find zone', v.array(Zone))
  const zone = zones.find((one) => one.name.toLowerCase() === name)
  return zone === undefined ? null : remoteZone(zone)
}

async function getZone(
  http: Http,
  account: string | null,
  id: string,
  name: string,
): Promise<RemoteZone | null> {
  const call: Call = { operation: 'get zone', method: 'GET', path: `/zones/${encodeURIComponent(id)}` }
  try {
    return remoteZone(parsed((await ask(http, call)).result, 'get zone', Zone))
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    if (error.kind === 'absent') return null
    if (error.kind !== 'credential' || error.status !== 403) throw error
    // A deleted zone may answer like one of a foreign account; the listing tells it from a refused token.
    const listed = await findZone(http, account, name)
    if (listed?.id === id) throw error
    return null
  }
}

function remoteZone(zone: v.InferOutput<typeof Zone>): RemoteZone {
  const created = Date.parse(zone.created_on ?? '')
  return {
    id: zone.id,
    name: zone.name.toLowerCase(),
    servers: (zone.name_servers ?? []).map((server) => server.toLowerCase().replace(/\.$/, '')),
    marker: null,
    createdMs: Number.isNaN(created) ? null : created,
    // Free zones that stay pending, or were moved away, are deleted by the provider after a while.
    warning:
      zone.status && zone.status !== 'active' && /^[a-z_ ]{1,40}$/.test(zone.status) ? zone.status : null,
    minimumTtlSeconds: null,
  }
}

async function createZone(http: Http, account: string | null, name: string): Promise<RemoteZone> {
  const body = {
    name,
    type: 'full',
    jump_start: false,
    ...(account === null ? {} : { account: { id: account } }),
  }
  const answer = await ask(http, { operation: 'create zone', method: 'POST', path: '/zones', body })
  return remoteZone(parsed(answer.result, 'create zone', Zone))
}

async function deleteZone(http: Http, zone: RemoteZone): Promise<void> {
  const call: Call = {
    operation: 'delete zone',
    method: 'DELETE',
    path: `/zones/${encodeURIComponent(zone.id)}`,
  }
  await ask(http, call).catch((error: unknown) => {
    if (!(error instanceof ProviderFault && error.kind === 'absent')) throw error
  })
}

async function readZone(http: Http, zone: RemoteZone): Promise<RemoteRRset[]> {
  const operation = 'read zone'
  const records = new Map<string, CloudflareRecord>()
  for (let page = 1; page <= MAX_PAGES; page++) {
    const path = `/zones/${encodeURIComponent(zone.id)}/dns_records?per_page=${RECORDS_PER_PAGE}&page=${page}`
    const answer = await ask(http, { operation, method: 'GET', path, maxBytes: PAGE_BYTES })
    const listed = parsed(answer.result, operation, v.array(CloudflareRecord))
    for (const record of listed) records.set(record.id, record)
    const total = answer.result_info?.total_count
    if (total === undefined) break
    if (records.size === total) return ours(zone, [...records.values()])
    if (records.size > total || listed.length === 0) break
  }
  throw new ProviderFault('protocol', operation)
}

function ours(zone: RemoteZone, records: CloudflareRecord[]): RemoteRRset[] {
  return gather(
    records.flatMap((record) => {
      const name = relative(record.name, zone.name)
      if (name === null) throw new ProviderFault('protocol', 'read zone')
      if (isManaged(name, record.type) || record.meta?.read_only) return []
      const ttl = record.proxied ? -1 : record.ttl
      return [{ name, type: record.type, ttl, value: cloudflareValue(record), handle: record.id }]
    }),
  )
}

async function apply(http: Http, zone: RemoteZone, changes: Change[]): Promise<void> {
  const body = { deletes: [] as object[], puts: [] as object[], posts: [] as object[] }
  for (const { before, after } of changes) {
    const bodies = (after?.values ?? []).map((value) => after && cloudflareBody(zone.name, after, value))
    const handles = before?.handles ?? []
    // Overwriting in place keeps the count of operations low; what is left over is removed or added.
    handles.forEach((id, at) => {
      const own = bodies[at]
      if (own) body.puts.push({ id, ...own })
      else body.deletes.push({ id })
    })
    for (const own of bodies.slice(handles.length)) if (own) body.posts.push(own)
  }
  const path = `/zones/${encodeURIComponent(zone.id)}/dns_records/batch`
  await ask(http, { operation: 'change records', method: 'POST', path, body, maxBytes: PAGE_BYTES })
}
