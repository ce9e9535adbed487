import { type CertificateFailure, RETRY_AFTER_AT_MOST_MS } from '../../../lib/sites/certificates/schedule.ts'
import { type Fault, type FaultCode, faultOf } from '../../../lib/text/stored-faults.ts'

/** A problem document of the authority (RFC 8555 section 6.7). */
export type Problem = { type: string; detail: string | null }

const PREFIX = 'urn:ietf:params:acme:error:'

/** The failure kind of an ACME error type (RFC 8555 section 6.7) and status. */
export function failureKind(type: string, status: number): CertificateFailure {
  if (type.endsWith(':rateLimited') || status === 429) return 'limite'
  if (type.endsWith(':serverInternal') || status >= 500) return 'no_disponible'
  return 'rechazada'
}

/** The fault for each type; all others are a refusal. */
const BY_TYPE: Partial<Record<string, FaultCode>> = {
  rateLimited: 'acme_limite',
  serverInternal: 'acme_averia',
  accountDoesNotExist: 'acme_cuenta',
  externalAccountRequired: 'acme_cuenta',
  invalidContact: 'acme_cuenta',
  unsupportedContact: 'acme_cuenta',
  userActionRequired: 'acme_cuenta',
}
/** The fault for types that concern certain names. */
const BY_TYPE_OF_NAME: Partial<Record<string, FaultCode>> = {
  caa: 'acme_caa',
  connection: 'acme_conexion',
  dns: 'acme_dns',
  incorrectResponse: 'acme_no_autorizado',
  rejectedIdentifier: 'acme_nombre',
  tls: 'acme_conexion',
  unauthorized: 'acme_no_autorizado',
}

/** The fault for a problem: our sentence for its type, and the authority's own words. */
export function problemFault({ type, detail }: Problem, names: string[] = []): Fault {
  const word = type.startsWith(PREFIX) ? type.slice(PREFIX.length) : ''
  const codigo = (names.length > 0 ? BY_TYPE_OF_NAME[word] : undefined) ?? BY_TYPE[word] ?? 'acme_rechazado'
  return {
    codigo,
    ...(names.length > 0 ? { nombres: names.join(', ') } : {}),
    ...(detail === null ? {} : { detalle: detail }),
  }
}

const TRANSPORT: Partial<Record<FaultCode, FaultCode>> = {
  sin_conexion: 'acme_inalcanzable',
  sin_nombre: 'acme_sin_nombre',
  sin_respuesta: 'acme_sin_respuesta',
  tls: 'acme_tls',
  // What this server lacks is no fault of the authority.
  sin_espacio: 'sin_espacio',
  sin_permiso: 'sin_permiso',
  programa_ausente: 'programa_ausente',
}

/** The fault for an exchange that failed without a problem document. */
export function exchangeFault(error: unknown): Fault {
  const codigo = TRANSPORT[faultOf(error).codigo] ?? 'acme_respuesta'
  const host = codigo.startsWith('acme_') ? hostAsked(error) : null
  return { codigo, ...(host === null ? {} : { autoridad: host }) }
}

/** The host that a failed call was made to, as axios keeps it. */
function hostAsked(error: unknown): string | null {
  if (!(error instanceof Error) || !('config' in error)) return null
  const { config } = error
  if (config === null || typeof config !== 'object' || !('url' in config)) return null
  return typeof config.url === 'string' && URL.canParse(config.url) ? new URL(config.url).host : null
}

/** A `Retry-After` of seconds or an HTTP date (RFC 9110 section 10.2.3), at most a week ahead. */
export function parseRetryAfter(value: string | null, now: Date): Date | null {
  if (value === null) return null
  const at = /^\d{1,9}$/.test(value) ? now.getTime() + Number(value) * 1000 : Date.parse(value)
  if (Number.isNaN(at)) return null
  return new Date(Math.min(at, now.getTime() + RETRY_AFTER_AT_MOST_MS))
}
