import { Agent } from 'node:https'
import acme from 'acme-client'
import { CertificateError } from '../../../lib/certificates/failure.ts'
import { failureKind, parseRetryAfter } from './problems.ts'

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

type Problem = { type: string; detail: string }

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
    // A transport error's text names hosts and addresses of this machine; its code says enough.
    const code =
      error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
    const text = code ?? (error instanceof Error ? error.message : 'no reason given')
    throw new CertificateError('no_disponible', `The certificate authority could not be asked: ${text}`, {
      cause: error,
    })
  }
}

/** What the authority found wrong with the names of an order, as its authorizations tell; null for nothing. */
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
  const reason = failures.map((failure) => `${failure.name}: ${failure.detail}`).join('; ')
  const limited = failures.some((failure) => failureKind(failure.type, 400) === 'limite')
  return new CertificateError(limited ? 'limite' : 'rechazada', reason, {
    names: failures.map((failure) => failure.name),
  })
}

/** Why the authority ended an order, or null where it did not. */
export function orderFailure(order: acme.Order): CertificateError | null {
  const problem = problemOf(order.error)
  if (problem !== null) return new CertificateError(failureKind(problem.type, 400), problem.detail)
  return order.status === 'invalid'
    ? new CertificateError('rechazada', 'The authority ended the order')
    : null
}

/**
 * acme-client sends everything through one axios instance of its own. Set there: the trusted authority,
 * a deadline, no retries (the library would sleep through a `Retry-After` of hours up to five times; the
 * panel's own schedule remembers it instead), and errors that keep type, status and `Retry-After`.
 */
function configureTransport(options: AuthorityOptions): void {
  if (new URL(options.directoryUrl).protocol !== 'https:') {
    throw new TypeError('the ACME directory must be an https URL')
  }
  Object.assign(acme.axios.defaults, {
    httpsAgent: new Agent(options.caPem === null ? {} : { ca: options.caPem }),
    timeout: REQUEST_TIMEOUT_MS,
    maxContentLength: ANSWER_BYTES,
    acmeSettings: { retryMaxAttempts: 0 },
    transformResponse: [
      (body: unknown, headers: unknown, status?: number) =>
        readAnswer(body, {
          retryAfter: headerOf(headers, 'retry-after'),
          status: status ?? 0,
          now: options.now(),
        }),
    ],
  })
}

function readAnswer(body: unknown, about: { retryAfter: string | null; status: number; now: Date }): unknown {
  const data = parsed(body)
  const problem = problemOf(data)
  // The library itself repeats a request whose nonce was refused (RFC 8555 section 6.5).
  if (about.status < 400 || problem?.type.endsWith(':badNonce')) return data
  const reason = problem?.detail ?? `The certificate authority answered ${about.status}`
  throw new CertificateError(failureKind(problem?.type ?? '', about.status), reason, {
    retryAfter: parseRetryAfter(about.retryAfter, about.now),
  })
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
  const details = [typeof detail === 'string' ? detail : type, ...inner.map((one) => one.detail)]
  return { type, detail: details.join(' ') }
}
