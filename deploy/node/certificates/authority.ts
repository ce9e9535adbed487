import { Agent } from 'node:https'
import acme from 'acme-client'
import { CertificateError } from '../../../lib/sites/certificates/failure.ts'
import type { CertificateFailure } from '../../../lib/sites/certificates/schedule.ts'
import type { Fault } from '../../../lib/text/stored-faults.ts'
import { exchangeFault, failureKind, type Problem, parseRetryAfter, problemFault } from './problems.ts'

const REQUEST_TIMEOUT_MS = 30_000
/** Ends a wait after about a minute, at 5 s each: the job is tried again later. */
const POLL_ATTEMPTS = 14
const ANSWER_BYTES = 1_048_576

export type AuthorityOptions = {
  /** The ACME directory, https only. */
  directoryUrl: string
  /** Certificates to trust for the directory instead of the public authorities'; null for those. */
  caPem: string | null
  accountKeyPem: string
  /** Address for the authority's notices, or null. */
  contact: string | null
  now: () => Date
  pollMinMs: number
}

/**
 * An ACME client registered with its authority (RFC 8555 section 7.3; an account that exists is found by
 * its key). Throws CertificateError with the authority's reason.
 */
export async function connectAuthority(options: AuthorityOptions): Promise<acme.Client> {
  configureTransport(options)
  const client = new acme.Client({
    directoryUrl: options.directoryUrl,
    accountKey: options.accountKeyPem,
    backoffAttempts: POLL_ATTEMPTS,
    backoffMin: options.pollMinMs,
    backoffMax: 5_000,
  })
  await register(client, options.contact === null ? {} : { contact: [`mailto:${options.contact}`] })
  return client
}

async function register(client: acme.Client, contact: { contact?: string[] }): Promise<void> {
  const find = () => asked(() => client.createAccount({ onlyReturnExisting: true }))
  try {
    await find()
  } catch (absent) {
    if (!(absent instanceof CertificateError) || absent.kind !== 'rechazada') throw absent
    await asked(() => client.createAccount({ termsOfServiceAgreed: true, ...contact })).catch((refused) =>
      // Another order may have made it in between.
      find().catch(() => {
        throw refused
      }),
    )
  }
}

/** Runs one exchange with the authority; whatever fails comes out as a CertificateError. */
export async function asked<T>(exchange: () => Promise<T>): Promise<T> {
  try {
    return await exchange()
  } catch (error) {
    if (error instanceof CertificateError) throw error
    throw new CertificateError('no_disponible', exchangeFault(error), { cause: error })
  }
}

/** What the authority found wrong with an order's names, according to its authorizations; null for nothing. */
export async function validationFailure(
  client: acme.Client,
  order: acme.Order,
): Promise<CertificateError | null> {
  const authorizations = await asked(() => client.getAuthorizations(order))
  const failures = authorizations.flatMap((authorization) =>
    authorization.challenges
      .map((challenge) => problemOf(challenge.error))
      .filter((problem) => problem !== null)
      .map((problem) => ({ ...problem, name: authorization.identifier.value })),
  )
  if (failures.length === 0) return null
  const limit = failures.find((failure) => failureKind(failure.type, 400) === 'limite')
  const names = failures.map((failure) => failure.name)
  const told = failures.flatMap(({ name, detail }) => (detail === null ? [] : [`${name}: ${detail}`]))
  const detail = told.length > 0 ? told.join('; ') : null
  const { type } = limit ?? failures[0] ?? { type: '' }
  return new CertificateError(limit ? 'limite' : 'rechazada', problemFault({ type, detail }, names), {
    names,
  })
}

/** Why the authority ended an order; null if it did not. */
export function orderFailure(order: acme.Order): CertificateError | null {
  const problem = problemOf(order.error)
  const names = order.identifiers.map(({ value }) => value)
  if (problem !== null)
    return new CertificateError(failureKind(problem.type, 400), problemFault(problem, names))
  return order.status === 'invalid' ? new CertificateError('rechazada', { codigo: 'acme_rechazado' }) : null
}

/**
 * acme-client sends everything through one axios instance of its own. Set there: the trusted authority, a deadline, and
 * errors that keep type, status and `Retry-After`. Taken out: its interceptors, which would sleep through a
 * `Retry-After` of hours up to five times (the panel's own schedule remembers it instead), and answer a connection
 * that failed with a TypeError of their own.
 */
function configureTransport(options: AuthorityOptions): void {
  if (new URL(options.directoryUrl).protocol !== 'https:') {
    throw new TypeError('the ACME directory must be an https URL')
  }
  const { host } = new URL(options.directoryUrl)
  acme.axios.interceptors.request.clear()
  acme.axios.interceptors.response.clear()
  Object.assign(acme.axios.defaults, {
    httpsAgent: new Agent(options.caPem === null ? {} : { ca: options.caPem }),
    timeout: REQUEST_TIMEOUT_MS,
    maxContentLength: ANSWER_BYTES,
    transformResponse: [
      (body: unknown, headers: unknown, status?: number) =>
        readAnswer(body, {
          retryAfter: headerOf(headers, 'retry-after'),
          status: status ?? 0,
          host,
          now: options.now(),
        }),
    ],
  })
}

function readAnswer(
  body: unknown,
  about: { retryAfter: string | null; status: number; host: string; now: Date },
): unknown {
  const data = parsed(body)
  const problem = problemOf(data)
  // The library itself repeats a request whose nonce was refused (RFC 8555 section 6.5).
  if (about.status < 400 || problem?.type.endsWith(':badNonce')) return data
  const kind = failureKind(problem?.type ?? '', about.status)
  const fault = problem === null ? statusFault(kind, about) : problemFault(problem)
  throw new CertificateError(kind, fault, { retryAfter: parseRetryAfter(about.retryAfter, about.now) })
}

/** What is told of an error without a problem document, such as a page of a proxy before the authority. */
function statusFault(kind: CertificateFailure, { host, status }: { host: string; status: number }): Fault {
  if (kind === 'limite') return { codigo: 'acme_limite' }
  const codigo = kind === 'no_disponible' ? 'acme_averia' : 'acme_respuesta'
  return { codigo, autoridad: host, datos: `HTTP ${status}` }
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string' || !/^\s*[[{]/.test(body)) return body
  try {
    return JSON.parse(body) as unknown
  } catch {
    return body
  }
}

function headerOf(headers: unknown, name: string): string | null {
  if (headers === null || typeof headers !== 'object') return null
  const value: unknown = Reflect.get(headers, name)
  return typeof value === 'string' ? value : null
}

/** A problem document (RFC 8555 section 6.7) with what its subproblems add, or null where there is none. */
function problemOf(value: unknown): Problem | null {
  if (value === null || typeof value !== 'object') return null
  const { type, detail, subproblems }: { type?: unknown; detail?: unknown; subproblems?: unknown } = value
  if (typeof type !== 'string' || !type.startsWith('urn:ietf:params:acme:error:')) return null
  const inner = Array.isArray(subproblems) ? subproblems.map(problemOf).filter((one) => one !== null) : []
  const details = [detail, ...inner.map((one) => one.detail)].filter((one) => typeof one === 'string')
  return { type, detail: details.length > 0 ? details.join(' ') : null }
}
