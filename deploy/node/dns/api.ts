import type { Secret } from '../../../lib/secrets/secret.ts'

/** An RRset as the server's API has it: absolute names, one content a record. */
export type ApiRrset = {
  name: string
  type: string
  ttl: number
  records: { content: string; disabled: boolean }[]
}
export type ApiChange =
  | ({ changetype: 'REPLACE' } & ApiRrset)
  | { changetype: 'DELETE'; name: string; type: string }

/** What the server says of a zone without its records. */
export type ApiZoneSummary = {
  name: string
  kind: string
  account: string
  serial: number
  dnssec: boolean
}
export type ApiZone = ApiZoneSummary & { soa_edit_api: string; api_rectify: boolean; rrsets: ApiRrset[] }
export type ApiZoneSettings = {
  kind?: 'Native'
  account?: string
  soa_edit_api?: string
  api_rectify?: boolean
  dnssec?: boolean
}
export type ApiKey = {
  id: number
  active: boolean
  published: boolean
  flags: number
  keytype: string
  ds?: string[]
}
/** `privatekey` is in the form of BIND's private key files. */
export type ApiNewKey = Pick<ApiKey, 'active' | 'published' | 'keytype'> & { privatekey: string }

export type ApiOptions = {
  /** Origin of the API, on loopback; the server may have another one at each start. */
  url(): string
  /** The key of the running server, which gets another one at each start. */
  apiKey(): Secret
  /**
   * Whether our server listens at the origin: the key goes to nobody else. Left out where nobody else can listen
   * there.
   */
  isServer?(): boolean
  /** Deadline of each call; 10 s unless told. */
  timeoutMs?: number
}

/**
 * Why a call failed. `rechazado`: the server understood and will not; repeating changes nothing.
 * `sin_respuesta`: it is down or slow, and a write may or may not have happened. `clave`: it does not
 * take our key. `fallo`: its own fault, such as a database that is locked.
 */
export class DnsServerError extends Error {
  readonly kind: 'rechazado' | 'sin_respuesta' | 'clave' | 'fallo'

  constructor(kind: DnsServerError['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'DnsServerError'
    this.kind = kind
  }
}

/** The part of PowerDNS's HTTP API that the panel uses. Zone names are canonical, without final dot. */
export class PowerDnsApi {
  readonly #options: ApiOptions

  constructor(options: ApiOptions) {
    this.#options = options
  }

  /** The server's version; throws while it does not answer. */
  async version(): Promise<string> {
    const body = await this.#json<{ version?: string }>('GET', '')
    return body?.version ?? ''
  }

  async zones(): Promise<ApiZoneSummary[]> {
    return (await this.#json<ApiZoneSummary[]>('GET', '/zones')) ?? []
  }

  /** A zone with all its records, or null. */
  zone(name: string): Promise<ApiZone | null> {
    return this.#json<ApiZone>('GET', `/zones/${zoneId(name)}`)
  }

  /** Creates a zone; answers it as the server then holds it. */
  create(name: string, settings: ApiZoneSettings, rrsets: ApiRrset[]): Promise<ApiZone | null> {
    return this.#json<ApiZone>('POST', '/zones', { ...settings, name: zoneId(name), nameservers: [], rrsets })
  }

  /** Applies all changes or none, in the order given. */
  async change(name: string, rrsets: ApiChange[]): Promise<void> {
    await this.#required('PATCH', name, { rrsets })
  }

  async configure(name: string, settings: ApiZoneSettings): Promise<void> {
    await this.#required('PUT', name, settings)
  }

  /** Deletes a zone with its keys; false when there was none. */
  async remove(name: string): Promise<boolean> {
    return (await this.#call('DELETE', `/zones/${zoneId(name)}`)) !== null
  }

  /** Forgets cached answers and keys of a zone, so that a change of its signing shows at once. */
  async flush(name: string): Promise<void> {
    await this.#call('PUT', `/cache/flush?domain=${zoneId(name)}`)
  }

  async keys(name: string): Promise<ApiKey[]> {
    return (await this.#json<ApiKey[]>('GET', `/zones/${zoneId(name)}/cryptokeys`)) ?? []
  }

  /** A key with its secret part. */
  secretKey(name: string, id: number): Promise<ApiNewKey | null> {
    return this.#json<ApiNewKey>('GET', `/zones/${zoneId(name)}/cryptokeys/${id}`)
  }

  async addKey(name: string, key: ApiNewKey): Promise<void> {
    await this.#call('POST', `/zones/${zoneId(name)}/cryptokeys`, key)
  }

  async removeKey(name: string, id: number): Promise<void> {
    await this.#call('DELETE', `/zones/${zoneId(name)}/cryptokeys/${id}`)
  }

  async #required(method: string, name: string, body: unknown): Promise<void> {
    const text = await this.#call(method, `/zones/${zoneId(name)}`, body)
    if (text === null) throw new DnsServerError('rechazado', 'the zone is not on the DNS server')
  }

  async #json<T>(method: string, path: string, body?: unknown): Promise<T | null> {
    const text = await this.#call(method, path, body)
    if (text === null) return null
    try {
      // The server is our own, of a pinned version; its answers' shape is what its tests here hold it to.
      return JSON.parse(text) as T
    } catch (cause) {
      throw new DnsServerError('fallo', 'the DNS server answered something else than JSON', cause)
    }
  }

  /** The body of a success, or null for 404. */
  async #call(method: string, path: string, body?: unknown): Promise<string | null> {
    let response: Response
    let text: string
    if (this.#options.isServer?.() === false) throw unanswered()
    try {
      response = await fetch(`${this.#options.url()}/api/v1/servers/localhost${path}`, {
        method,
        headers: { 'X-API-Key': this.#options.apiKey().reveal(), 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(this.#options.timeoutMs ?? 10_000),
        redirect: 'error',
      })
      text = await response.text()
    } catch (cause) {
      throw unanswered(cause)
    }
    if (response.ok) return text
    if (response.status === 404) return null
    throw failure(response.status, text)
  }
}

const unanswered = (cause?: unknown) =>
  new DnsServerError('sin_respuesta', 'the DNS server does not answer', cause)

/** The server's name of a zone, safe in a path. */
function zoneId(name: string): string {
  if (!/^(?:[a-z0-9_-]{1,63}\.)+$/.test(`${name}.`) || name.length > 253) {
    throw new DnsServerError('rechazado', 'not the name of a zone')
  }
  return `${name}.`
}

/** Errors come as `{"error": …}` or as plain text, by where in the server they arise. */
function failure(status: number, text: string): DnsServerError {
  const reason = reasonOf(text)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .slice(0, 300)
  if (status === 401 || status === 403) return new DnsServerError('clave', 'the DNS server refuses the key')
  if (status === 400 || status === 409 || status === 413 || status === 422) {
    return new DnsServerError('rechazado', `the DNS server refuses it: ${reason}`)
  }
  return new DnsServerError('fallo', `the DNS server failed with ${status}: ${reason}`)
}

function reasonOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'error' in body) return String(body.error)
  } catch {
    // Plain text, as it is.
  }
  return text
}
