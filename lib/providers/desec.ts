import * as v from 'valibot'
import { servedTypes } from '../dns/rdata.ts'
import type { RRset } from '../endpoint/node-port.ts'
import { boundedHttp, type Call, commonFault, type Http, type Reply } from './http.ts'
import { isManaged } from './names.ts'
import {
  type Change,
  type Limits,
  type OmissionReason,
  type Provider,
  type ProviderDeps,
  ProviderFault,
  type ProviderKind,
  type Quota,
  type RemoteRRset,
  type RemoteZone,
} from './types.ts'

const PUBLIC_ORIGIN = 'https://desec.io'
const SERVERS = ['ns1.desec.io', 'ns2.desec.org']
const MAX_PAGES = 400
/** Of one record set (field reference of the rrsets endpoint). */
const MAX_RECORDS = 4_091
const MAX_RECORD_BYTES = 64_000
const MAX_SUBNAME = 178

const LIMITS: Limits = {
  types: new Set(servedTypes()),
  ttlSeconds: { min: 3_600, max: 86_400 },
  batch: { changes: 500, bytes: 500_000 },
  atomic: true,
  marker: false,
  txtBounds: true,
}

const Domain = v.object({ name: v.string(), created: v.string(), minimum_ttl: v.optional(v.number()) })
const RRsetList = v.array(
  v.object({ subname: v.string(), type: v.string(), ttl: v.number(), records: v.array(v.string()) }),
)
const Account = v.object({
  email: v.string(),
  limit_domains: v.nullable(v.number()),
  domains_under_management: v.optional(v.number()),
})

/** deSEC (desec.io). A domain has no id: its creation time distinguishes it from a later domain of the same name. */
export const desec: ProviderKind = { kind: 'desec', ownUrl: false, create: (deps) => adapter(deps) }

function adapter(deps: ProviderDeps): Provider {
  const http = boundedHttp(
    deps,
    `${deps.url === null ? PUBLIC_ORIGIN : new URL(deps.url).origin}/api/v1`,
    () => ({
      authorization: `Token ${deps.credential.reveal()}`,
    }),
  )
  return {
    kind: 'desec',
    limits: LIMITS,
    verify: () => verify(http),
    quota: () => quota(http),
    findZone: async (name) => findZone(http, name),
    getZone: async (id) => {
      const [name = '', created] = id.split('|')
      const zone = await findZone(http, name)
      return zone?.id === `${name}|${created}` ? zone : null
    },
    createZone: (name) => createZone(http, name),
    deleteZone: async (zone) => {
      await ok(http, { operation: 'delete zone', method: 'DELETE', path: domainPath(zone.name) }, [404])
    },
    readZone: (zone) => readZone(http, zone),
    refuses,
    cost: () => 1,
    apply: (zone, changes) => apply(http, zone, changes),
  }
}

function domainPath(name: string): string {
  return `/domains/${encodeURIComponent(name)}/`
}

async function ok(http: Http, call: Call, accepted: number[] = []): Promise<Reply> {
  const reply = await http(call)
  if ((reply.status >= 200 && reply.status < 300) || accepted.includes(reply.status)) return reply
  const fault = commonFault(reply, call.operation)
  if (fault) throw fault
  const kind = reply.status === 404 ? 'absent' : 'protocol'
  throw new ProviderFault(kind, call.operation, { status: reply.status })
}

function parsed<S extends v.GenericSchema>(reply: Reply, operation: string, schema: S): v.InferOutput<S> {
  const result = v.safeParse(schema, reply.json)
  if (!result.success) throw new ProviderFault('protocol', operation, { status: reply.status })
  return result.output
}

async function verify(http: Http): Promise<{ account: string | null }> {
  await ok(http, { operation: 'verify', method: 'GET', path: '/domains/?cursor=' })
  const account = await readAccount(http)
  return { account: account?.email ?? null }
}

/** The account can be read only with a permission that a limited token lacks, so a refusal here means nothing. */
async function readAccount(http: Http): Promise<v.InferOutput<typeof Account> | null> {
  const reply = await ok(http, { operation: 'read account', method: 'GET', path: '/auth/account/' }, [403])
  return reply.status === 403 ? null : parsed(reply, 'read account', Account)
}

async function quota(http: Http): Promise<Quota> {
  const account = await readAccount(http)
  if (account?.domains_under_management !== undefined) {
    return { used: account.domains_under_management, limit: account.limit_domains }
  }
  const domains = await pages(http, 'quota', '/domains/', v.array(Domain))
  return { used: domains.length, limit: account?.limit_domains ?? null }
}

/** All items of a listing; only the cursor of a `next` link is followed, never its address. */
async function pages<T>(
  http: Http,
  operation: string,
  path: string,
  schema: v.GenericSchema<unknown, T[]>,
): Promise<T[]> {
  const items: T[] = []
  const seen = new Set<string>()
  let cursor = ''
  for (let page = 0; page < MAX_PAGES; page++) {
    const reply = await ok(http, {
      operation,
      method: 'GET',
      path: `${path}?cursor=${encodeURIComponent(cursor)}`,
    })
    items.push(...parsed(reply, operation, schema))
    const next = nextCursor(reply.headers.get('link'))
    if (next === null) return items
    if (seen.has(next)) break
    seen.add(next)
    cursor = next
  }
  throw new ProviderFault('protocol', operation)
}

function nextCursor(link: string | null): string | null {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1]
  if (target === undefined) return null
  return new URL(target, PUBLIC_ORIGIN).searchParams.get('cursor')
}

async function findZone(http: Http, name: string): Promise<RemoteZone | null> {
  const reply = await ok(http, { operation: 'find zone', method: 'GET', path: domainPath(name) }, [404])
  return reply.status === 404 ? null : remoteZone(parsed(reply, 'find zone', Domain))
}

function remoteZone(domain: v.InferOutput<typeof Domain>): RemoteZone {
  const created = Date.parse(domain.created)
  return {
    id: `${domain.name}|${domain.created}`,
    name: domain.name,
    servers: SERVERS,
    marker: null,
    createdMs: Number.isNaN(created) ? null : created,
    warning: null,
    minimumTtlSeconds: domain.minimum_ttl ?? null,
  }
}

async function createZone(http: Http, name: string): Promise<RemoteZone> {
  const operation = 'create zone'
  const reply = await http({ operation, method: 'POST', path: '/domains/', body: { name } })
  if (reply.status === 201) return remoteZone(parsed(reply, operation, Domain))
  if (reply.status === 403 && /limit exceeded/i.test(reply.text)) {
    throw new ProviderFault('quota', operation, { status: 403 })
  }
  // The same answer for a name taken by this or another account, and for one disallowed by policy.
  if (reply.status === 400) throw new ProviderFault('exists', operation, { status: 400 })
  throw commonFault(reply, operation) ?? new ProviderFault('protocol', operation, { status: reply.status })
}

async function readZone(http: Http, zone: RemoteZone): Promise<RemoteRRset[]> {
  const sets = await pages(http, 'read zone', `${domainPath(zone.name)}rrsets/`, RRsetList)
  // There is no count. A domain without its apex NS was not received completely.
  if (!sets.some((set) => set.subname === '' && set.type === 'NS')) {
    throw new ProviderFault('protocol', 'read zone')
  }
  return sets.flatMap((set) => {
    const name = set.subname === '' ? '@' : set.subname.toLowerCase()
    if (isManaged(name, set.type)) return []
    return [{ name, type: set.type, ttl: set.ttl, values: set.records, handles: [] }]
  })
}

function refuses(rrset: RRset): OmissionReason | null {
  if (!LIMITS.types.has(rrset.type)) return 'tipo_no_admitido'
  if (rrset.values.length > MAX_RECORDS) return 'demasiados_registros'
  if (JSON.stringify(rrset.values).length > MAX_RECORD_BYTES) return 'demasiados_registros'
  return rrset.name.length > MAX_SUBNAME ? 'valor_no_admitido' : null
}

async function apply(http: Http, zone: RemoteZone, changes: Change[]): Promise<void> {
  const body = changes.map(({ name, type, after }) => ({
    subname: name === '@' ? '' : name,
    type,
    ...(after === null ? { records: [] } : { ttl: after.ttl, records: after.values }),
  }))
  const call: Call = {
    operation: 'change records',
    method: 'PATCH',
    path: `${domainPath(zone.name)}rrsets/`,
    body,
  }
  const reply = await http(call)
  if (reply.status === 200 || reply.status === 204) return
  if (reply.status === 400) {
    const record = culprit(reply.json, changes)
    throw new ProviderFault('record', call.operation, { status: 400, ...(record ? { record } : {}) })
  }
  const kind = reply.status === 404 ? 'absent' : 'protocol'
  throw (
    commonFault(reply, call.operation) ?? new ProviderFault(kind, call.operation, { status: reply.status })
  )
}

/** A refused bulk answers one object a part, empty where that part was fine. */
function culprit(json: unknown, changes: Change[]): { name: string; type: string } | null {
  const errors = v.safeParse(v.array(v.record(v.string(), v.unknown())), json)
  if (!errors.success) return null
  const change = changes[errors.output.findIndex((error) => Object.keys(error).length > 0)]
  return change === undefined ? null : { name: change.name, type: change.type }
}
