import type { RRset } from '../endpoint/node-port.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Fault, FaultCode } from '../text/stored-faults.ts'

/** Everything that can go wrong with a provider; the engine decides on these and on nothing else. */
export type FaultKind =
  | 'credential'
  | 'forbidden'
  | 'throttled'
  | 'timeout'
  | 'unreachable'
  | 'server'
  | 'exists'
  | 'absent'
  | 'quota'
  | 'record'
  | 'busy'
  | 'protocol'
  | 'deadline'
  | 'address'

const TEXT: Record<FaultKind, string> = {
  credential: 'the provider refused the credential',
  forbidden: 'the credential works, but not for this zone',
  throttled: 'the provider asks to wait',
  timeout: 'the provider did not answer in time',
  unreachable: 'the provider could not be reached',
  server: 'the provider failed',
  exists: 'the name already exists at the provider',
  absent: 'the provider knows no such zone',
  quota: 'the provider account is full',
  record: 'the provider refused a record',
  busy: 'the zone is being changed at the provider',
  protocol: 'the answer of the provider was not understood',
  deadline: 'the time for this run was used up',
  address: 'the address of the provider is not allowed',
}

const TOLD: Record<FaultKind, FaultCode> = {
  credential: 'proveedor_credencial',
  forbidden: 'proveedor_zona_prohibida',
  throttled: 'proveedor_pide_espera',
  timeout: 'proveedor_sin_respuesta',
  unreachable: 'proveedor_inalcanzable',
  server: 'proveedor_averia',
  exists: 'proveedor_ya_existe',
  absent: 'proveedor_sin_zona',
  quota: 'proveedor_lleno',
  record: 'proveedor_registro',
  busy: 'proveedor_ocupado',
  protocol: 'proveedor_respuesta',
  deadline: 'proveedor_plazo',
  address: 'proveedor_direccion',
}

export type FaultDetail = {
  /** HTTP status, where there was an answer. */
  status?: number
  /** The provider's own error code; anything that is not a short identifier is dropped. */
  code?: string | number
  retryAfterSeconds?: number
  /** The record set that was refused, named from our own list and never from the provider's text. */
  record?: { name: string; type: string }
  cause?: unknown
}

/**
 * A failed call. Its message is built from fixed words, a status and an identifier: the provider's own
 * text may hold the credential, so it is kept nowhere.
 */
export class ProviderFault extends Error {
  readonly kind: FaultKind
  readonly status: number | null
  readonly code: string | null
  readonly retryAfterSeconds: number | null
  readonly record: { name: string; type: string } | null
  /** The fault as people read it. */
  readonly told: Fault

  constructor(kind: FaultKind, operation: string, detail: FaultDetail = {}) {
    const code = safeCode(detail.code)
    const record = detail.record ?? null
    const facts = [
      detail.status === undefined ? null : `HTTP ${detail.status}`,
      code,
      record === null ? null : `${record.name} ${record.type}`,
    ].filter((fact) => fact !== null)
    super(`${operation}: ${TEXT[kind]}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`)
    this.name = 'ProviderFault'
    this.kind = kind
    this.status = detail.status ?? null
    this.code = code
    this.retryAfterSeconds = detail.retryAfterSeconds ?? null
    this.record = record
    this.told = { codigo: TOLD[kind], ...(facts.length > 0 ? { datos: facts.join(', ') } : {}) }
  }

  /** Whether the provider may have carried the call out although it failed. */
  get outcomeUnknown(): boolean {
    return ['timeout', 'unreachable', 'server', 'protocol'].includes(this.kind)
  }
}

function safeCode(code: string | number | undefined): string | null {
  if (code === undefined) return null
  const text = String(code)
  return /^(?:\d{1,6}|[a-z][a-z_]{1,39})$/.test(text) ? text : null
}

/** A zone as the account holds it. */
export type RemoteZone = {
  /** Identifies this zone: if it is deleted and created again under the same name, the new one has another id. */
  id: string
  name: string
  /** The provider's name servers for the zone, absolute, lower-case, without the last dot. */
  servers: string[]
  /** What `createZone` wrote into the zone; null if the provider has no place for it, or it is empty. */
  marker: string | null
  createdMs: number | null
  /** The provider's own state of the zone, if it endangers the zone (pending, moved). */
  warning: string | null
  /** Lowest TTL that this zone takes, in seconds, where it differs by zone. */
  minimumTtlSeconds: number | null
}

/**
 * One record set at the provider. `ttl` is -1 where it never equals ours: its records disagree about it, or
 * carry something that we never set (proxying). `handles` are the provider's record ids, if it has them.
 */
export type RemoteRRset = { name: string; type: string; ttl: number; values: string[]; handles: string[] }

/** One step of a difference: `before` is what the provider holds, `after` what it must hold. */
export type Change = { name: string; type: string; before: RemoteRRset | null; after: RRset | null }

export type Quota = { used: number; limit: number | null }

export type Limits = {
  /** Record types that it can hold. */
  types: ReadonlySet<string>
  ttlSeconds: { min: number; max: number }
  /** Record-set changes and bytes that go into one call. */
  batch: { changes: number; bytes: number }
  /** Whether a batch is applied as a whole or not at all. */
  atomic: boolean
  /** Whether a created zone carries our marker. */
  marker: boolean
  /** Whether a TXT record keeps its division into strings; if not, only the joined bytes count. */
  txtBounds: boolean
}

/** What the provider cannot hold, and why. */
export type Omission = { name: string; type: string; reason: OmissionReason }
export type OmissionReason =
  | 'tipo_no_admitido'
  | 'valor_no_admitido'
  | 'demasiados_registros'
  | 'ttl_ajustado'
  | 'firma_no_copiada'

/**
 * One provider account. Every method makes calls with the deadline of `ProviderDeps` and throws
 * `ProviderFault`; none repeats a write by itself.
 */
export interface Provider {
  readonly kind: string
  readonly limits: Limits
  /** Proves that the credential works; answers what the account is called, where that can be read. */
  verify(): Promise<{ account: string | null }>
  /** Zones in use and the account's limit; a limit of null is unknown. */
  quota(): Promise<Quota>
  /** The zone of that name in this account, or null. */
  findZone(name: string): Promise<RemoteZone | null>
  /** The zone of that id, or null once it is gone or replaced; `name` is the name that it was created with. */
  getZone(id: string, name: string): Promise<RemoteZone | null>
  /** Makes an empty zone. `nameservers` matter only where the provider has none of its own. */
  createZone(name: string, about: { marker: string; nameservers: string[] }): Promise<RemoteZone>
  /** Removes the zone of that id; one already gone is success. */
  deleteZone(zone: RemoteZone): Promise<void>
  /** All record sets that we may change (never SOA, apex NS, or what the provider itself maintains). */
  readZone(zone: RemoteZone): Promise<RemoteRRset[]>
  /** Why a record set cannot be held, or null when it can. */
  refuses(rrset: RRset): OmissionReason | null
  /** What a change costs against `limits.batch.changes`. */
  cost(change: Change): number
  /** Applies one batch: changes of whole names, deletions first. */
  apply(zone: RemoteZone, changes: Change[]): Promise<void>
}

/** The part of `fetch` that is used, so that a test can stand in for it. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type ProviderDeps = {
  fetch: Fetch
  credential: Secret
  /** The provider's account id, where the token sees several. */
  account: string | null
  /** Origin of the API; null for the provider's public one. */
  url: string | null
  /** Loopback and private addresses and plain HTTP are allowed (tests only). */
  allowPrivate: boolean
  /** The addresses of a host name; null if the host cannot resolve names (then TLS is the only protection). */
  resolve: ((host: string) => Promise<string[]>) | null
  /** Milliseconds left for this run; no call starts below one second. */
  remainingMs: () => number
  wait: (ms: number) => Promise<void>
}

/** One kind of provider, as the list in `index.ts` holds it. */
export type ProviderKind = {
  kind: string
  /** Whether the operator gives the origin of the API. */
  ownUrl: boolean
  create: (deps: ProviderDeps) => Provider
}
