import * as v from 'valibot'
import { servedTypes } from '../dns/rdata.ts'
import { boundedHttp, type Call, commonFault, type Http, type Reply } from './http.ts'
import { absolute, isManaged, relative } from './names.ts'
import {
  type Change,
  type Limits,
  type Provider,
  type ProviderDeps,
  ProviderFault,
  type ProviderKind,
  type RemoteRRset,
  type RemoteZone,
} from './types.ts'

const ZONES = '/zones'
/** One answer holds the whole zone; 100,000 record sets fit. */
const ZONE_BYTES = 48 * 1024 * 1024

const LIMITS: Limits = {
  types: new Set(servedTypes()),
  ttlSeconds: { min: 0, max: 2_147_483_647 },
  // The server takes bodies of 2 MiB unless told otherwise (`webserver-max-bodysize`).
  batch: { changes: 2_000, bytes: 1_000_000 },
  atomic: true,
  marker: true,
  txtBounds: true,
}

const Zone = v.object({ id: v.string(), name: v.string(), account: v.optional(v.nullable(v.string())) })
const RRsets = v.array(
  v.object({
    name: v.string(),
    type: v.string(),
    ttl: v.number(),
    records: v.array(v.object({ content: v.string(), disabled: v.optional(v.boolean()) })),
  }),
)
const FullZone = v.object({ ...Zone.entries, rrsets: RRsets })

/** PowerDNS Authoritative Server 4.x over its HTTP API; the marker is the zone's `account`. */
export const powerdns: ProviderKind = { kind: 'powerdns', ownUrl: true, create: (deps) => adapter(deps) }

function adapter(deps: ProviderDeps): Provider {
  if (deps.url === null) throw new ProviderFault('address', 'url')
  const http = boundedHttp(deps, `${new URL(deps.url).origin}/api/v1/servers/localhost`, () => ({
    'x-api-key': deps.credential.reveal(),
  }))
  const host = new URL(deps.url).host
  return {
    kind: 'powerdns',
    limits: LIMITS,
    verify: async () => {
      await read(
        http,
        { operation: 'verify', method: 'GET', path: '' },
        v.object({ type: v.literal('Server') }),
      )
      return { account: host }
    },
    quota: async () => ({
      used: (await read(http, { operation: 'quota', method: 'GET', path: ZONES }, v.array(Zone))).length,
      limit: null,
    }),
    findZone: (name) => findZone(http, name),
    getZone: (id) => getZone(http, id),
    createZone: (name, about) => createZone(http, name, about),
    deleteZone: (zone) => deleteZone(http, zone),
    readZone: (zone) => readZone(http, zone),
    refuses: (rrset) => (LIMITS.types.has(rrset.type) ? null : 'tipo_no_admitido'),
    cost: () => 1,
    apply: (zone, changes) => apply(http, zone, changes),
  }
}

async function read<S extends v.GenericSchema>(http: Http, call: Call, schema: S): Promise<v.InferOutput<S>> {
  return parsed(await ok(http, call), call.operation, schema)
}

function parsed<S extends v.GenericSchema>(reply: Reply, operation: string, schema: S): v.InferOutput<S> {
  const result = v.safeParse(schema, reply.json)
  if (!result.success) throw new ProviderFault('protocol', operation, { status: reply.status })
  return result.output
}

async function ok(http: Http, call: Call): Promise<Reply> {
  const reply = await http(call)
  const fault = commonFault(reply, call.operation)
  if (fault) throw fault
  const detail = { status: reply.status }
  if (reply.status === 404) throw new ProviderFault('absent', call.operation, detail)
  if (reply.status === 409) throw new ProviderFault('exists', call.operation, detail)
  if (reply.status < 200 || reply.status >= 300) throw new ProviderFault('protocol', call.operation, detail)
  return reply
}

async function findZone(http: Http, name: string): Promise<RemoteZone | null> {
  const path = `${ZONES}?zone=${encodeURIComponent(`${name}.`)}`
  const zones = await read(http, { operation: 'find zone', method: 'GET', path }, v.array(Zone))
  const zone = zones.find((one) => relative(one.name, name) === '@')
  return zone === undefined ? null : getZone(http, zone.id)
}

async function getZone(http: Http, id: string): Promise<RemoteZone | null> {
  // The filter spares a second reading of the whole zone; a server that ignores it only answers more.
  const filter = `?rrset_name=${encodeURIComponent(decodedName(id))}&rrset_type=NS`
  const call: Call = {
    operation: 'get zone',
    method: 'GET',
    path: `${ZONES}/${encodeURIComponent(id)}${filter}`,
    maxBytes: ZONE_BYTES,
  }
  try {
    return remoteZone(await read(http, call, FullZone))
  } catch (error) {
    if (error instanceof ProviderFault && error.kind === 'absent') return null
    throw error
  }
}

/** Zone ids are names with rare characters as `=XX`. */
function decodedName(id: string): string {
  return id.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function remoteZone(zone: v.InferOutput<typeof FullZone>): RemoteZone {
  const name = zone.name.replace(/\.$/, '').toLowerCase()
  const apex = zone.rrsets.find((set) => set.type === 'NS' && relative(set.name, name) === '@')
  return {
    id: zone.id,
    name,
    servers: (apex?.records ?? []).map((record) => record.content.replace(/\.$/, '').toLowerCase()).sort(),
    marker: zone.account ? zone.account : null,
    createdMs: null,
    warning: null,
    minimumTtlSeconds: null,
  }
}

async function createZone(
  http: Http,
  name: string,
  about: { marker: string; nameservers: string[] },
): Promise<RemoteZone> {
  const body = {
    name: `${name}.`,
    kind: 'Native',
    account: about.marker,
    nameservers: about.nameservers.map((server) => `${server.replace(/\.$/, '')}.`),
  }
  const reply = await ok(http, { operation: 'create zone', method: 'POST', path: ZONES, body })
  return remoteZone(parsed(reply, 'create zone', FullZone))
}

async function deleteZone(http: Http, zone: RemoteZone): Promise<void> {
  const path = `${ZONES}/${encodeURIComponent(zone.id)}`
  await ok(http, { operation: 'delete zone', method: 'DELETE', path }).catch((error: unknown) => {
    if (!(error instanceof ProviderFault && error.kind === 'absent')) throw error
  })
}

async function readZone(http: Http, zone: RemoteZone): Promise<RemoteRRset[]> {
  const path = `${ZONES}/${encodeURIComponent(zone.id)}`
  const call: Call = { operation: 'read zone', method: 'GET', path, maxBytes: ZONE_BYTES }
  const full = await read(http, call, FullZone)
  // The API counts nothing; a zone without its SOA is one that did not arrive whole.
  if (!full.rrsets.some((set) => set.type === 'SOA')) throw new ProviderFault('protocol', 'read zone')
  return full.rrsets.flatMap((set) => {
    const name = relative(set.name, zone.name)
    if (name === null) throw new ProviderFault('protocol', 'read zone')
    if (isManaged(name, set.type)) return []
    const ttl = set.records.some((record) => record.disabled) ? -1 : set.ttl
    return [{ name, type: set.type, ttl, values: set.records.map((record) => record.content), handles: [] }]
  })
}

async function apply(http: Http, zone: RemoteZone, changes: Change[]): Promise<void> {
  // Within one PATCH the order counts: a CNAME must be gone before another type stands at its name.
  const removed = changes.filter((change) => change.after === null)
  const written = changes.filter((change) => change.after !== null)
  const rrsets = [...removed, ...written].map(({ name, type, after }) => ({
    name: `${absolute(name, zone.name)}.`,
    type,
    ...(after === null
      ? { changetype: 'DELETE' }
      : {
          changetype: 'REPLACE',
          ttl: after.ttl,
          records: after.values.map((content) => ({ content, disabled: false })),
        }),
  }))
  const path = `${ZONES}/${encodeURIComponent(zone.id)}`
  const reply = await http({ operation: 'change records', method: 'PATCH', path, body: { rrsets } })
  if (reply.status === 204 || reply.status === 200) return
  const fault = commonFault(reply, 'change records')
  if (fault) throw fault
  const detail = { status: reply.status }
  if (reply.status === 404) throw new ProviderFault('absent', 'change records', detail)
  const record = culprit(reply.text, zone.name, changes)
  throw new ProviderFault('record', 'change records', { ...detail, ...(record ? { record } : {}) })
}

/** The change that the error text names; only our own names leave this function. */
function culprit(text: string, zone: string, changes: Change[]): { name: string; type: string } | null {
  for (const { name, type } of changes) {
    const owner = `${absolute(name, zone)}.`
    if ([`${owner}/${type}`, `${owner} IN ${type}`, `${owner} ${type}`].some((form) => text.includes(form))) {
      return { name, type }
    }
  }
  return null
}
