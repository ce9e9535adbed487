import type { ClientState } from '../../schema/states.ts'
import type { Change } from '../audit/changes.ts'
import type { KeyRing } from '../secrets/keys.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Limits } from '../store/counters.ts'
import type { Database, Db, Tx } from '../store/database.ts'
import type { NodeDriver } from './node-port.ts'

/** Who makes a request. A token acts for the panel's operator; a session for one person. */
export type Actor =
  | { kind: 'token'; id: string; name: string; expiresOn: string }
  | {
      kind: 'session'
      id: string
      role: 'admin' | 'client'
      personId: string
      email: string | null
      /** What the person's password is checked against when an operation asks for it again. */
      login: { passwordHash: Secret | null }
      /** The client that the login belongs to; null for an admin. */
      client: { id: number; name: string; state: ClientState } | null
      /** E-mail of the admin who opened the session on a customer's account. */
      impersonator: string | null
      expiresAt: Date
    }
  | { kind: 'anonymous' }
  | { kind: 'cron' }

/** Configuration that handlers and workers read; made by deploy/config.ts, the environment's only reader. */
export type PanelConfig = {
  version: string
  /** `https://host:port`, from configuration and never from a request. */
  origin: string
  host: string
  /** This node's name; null on a function host, where no node is "this" one. */
  node: string | null
  addresses: string[]
  nameServers: string[]
  /** Whether the addresses and the name servers were found on this machine because they are not configured. */
  derived?: { addresses: boolean; nameServers: boolean }
  mailFrom: string
  /** False while mails are only written as files. */
  mailConfigured: boolean
  cronSecret: Secret | null
  /** The bearer that reads `/metrics`; null lets nobody in but the node's operator. */
  metricsToken: Secret | null
  trashDays: number
  /** After how many days the addresses of visitors and callers are shortened; null for never. */
  addressDays: number | null
  /** Where the operator has newer versions looked for; null for nowhere. */
  updatesUrl: string | null
  /** Addresses that are not of the public Internet, and to which webhooks may nevertheless be delivered. */
  webhookAddresses: string[]
  limits: {
    requestsPerMinute: number
    writesPerMinute: number
    /** Of all sessions of a client's logins together: what each write leaves in the database is kept. */
    customerWritesPerDay: number
    accessPerMinute: number
    strikesPerMinute: number
  }
  /** Loopback provider URLs and the like, for tests only. */
  test: boolean
}

/** Hashes and checks passwords; `verify` costs the same for a hash that does not exist. */
export interface Passwords {
  hash(password: string): Promise<string>
  verify(hash: string | null, password: string): Promise<boolean>
  /** Hashes a password for a service that checks it by crypt(3). */
  crypt(password: string): Promise<string>
}

/** Structured log; values of type `Secret` print as `[secret]`. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: Record<string, unknown>) => void

/** One mail, ready to be handed to a server; `messageId` is stable over repeats. */
export type OutgoingMail = {
  messageId: string
  to: string
  from: string
  subject: string
  text: string
  html: string
  language: 'es' | 'en'
}

/** Sends mail; throws when the server did not take it. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<void>
  /** Passes a message on unchanged; null without a mail server. */
  relay: ((mail: RelayedMail) => Promise<Refusals>) | null
}

/** A message that a customer's program wrote; `from` is the envelope sender, to which it bounces. */
type RelayedMail = { from: string; to: string[]; message: Uint8Array }

/** Recipients that the mail server did not accept, for now or for good. */
export type Refusals = { deferred: string[]; refused: string[] }

/** Answers of one recursive resolver for a name and type. */
export interface Resolver {
  /** How the resolver is shown, such as `udp://192.0.2.53:53`. */
  readonly label: string
  query(name: string, type: QueryType, timeoutMs: number): Promise<ResolverAnswer>
}
export type QueryType = 'A' | 'AAAA' | 'TXT' | 'NS' | 'DS'
/** `values` are addresses, TXT strings, host names or DS data in presentation form, depending on the type asked for. */
export type ResolverAnswer =
  | { kind: 'answer'; values: string[]; ttlSeconds: number }
  | { kind: 'nodata' | 'nxdomain'; ttlSeconds: number }
  | { kind: 'failure'; reason: string }

/** A request to somebody else's server. */
export type OutgoingRequest = {
  method: string
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

/** Everything a handler or a worker may touch. Built once a process by deploy/, passed explicitly. */
export interface Services {
  db: Database
  now(): Date
  random(bytes: number): Uint8Array
  /** A faster SHA-256 of this host, if it has one; otherwise the one in `lib/secrets/hash.ts` is used. */
  sha256?: (bytes: Uint8Array) => Uint8Array
  passwords: Passwords
  keys: KeyRing
  config: PanelConfig
  log: Log
  limits: Limits
  /** Names of the leases that this process holds now. */
  held: Set<string>
  /** Null where mail is left to another worker. */
  mailer: Mailer | null
  resolvers: Resolver[]
  /** Null on a host without a node. */
  driver: NodeDriver | null
  work: {
    /** Tells the worker that a job was queued. */
    wake(): void
    /**
     * Waits until these subjects have no unfinished job, at most `timeoutMs`, and runs `look` in the transaction that
     * ends the last one. Null after the timeout, or if another process ended it. Call it together with `wake`.
     */
    settle<T>(subjects: string[], timeoutMs: number, look: (tx: Tx) => Promise<T>): Promise<Seen<T> | null>
    /** Runs all due jobs to their end and returns how many ran. */
    runDue(): Promise<number>
  }
  /** Whether callers meet a certificate that the panel signed itself; left out where TLS is not the panel's. */
  ownCertificate?: () => boolean
  /** Outgoing HTTP of providers and DoH. */
  fetch: typeof globalThis.fetch
  /**
   * The same to one of these addresses, whatever the name in the URL leads to by now; TLS still verifies the name. Left
   * out where the host's own `fetch` is the only way out.
   */
  fetchAt?: (url: URL, init: OutgoingRequest, addresses: string[]) => Promise<Response>
}

/** What `look` returned. */
export type Seen<T> = { found: T }

/** The request as a handler sees it, without transport. */
export type RequestInfo = {
  id: string
  address: string
  agent: string
  language: 'es' | 'en'
  headers: Headers
}

/** What a handler's `run` gets: the services, who asks, and the database in the right mode. */
export type Ctx<D extends Db = Db> = Services & {
  actor: Actor
  request: RequestInfo
  /** A read view for GET; the request's one write transaction for every other method. */
  tx: D
  /** Subjects of the jobs that this request queued; the answer waits for them after the commit. */
  queued: Set<string>
  /** `work.wake()` was called: the worker is woken once the request has committed. */
  wakeAfter: boolean
  /** What the audit row of this request says besides the actor and the operation. */
  audit: AuditNote
  /** Rejects if this `Idempotency-Key` was answered before; a handler with `acts` awaits it before it does anything. */
  unrepeated?: Promise<void>
}
export type ReadCtx = Ctx<Db>

/** The part of a node's driver that answers from memory. */
type KnownOfNode = Pick<
  NodeDriver,
  | 'phpVersions'
  | 'phpExtensions'
  | 'sendsMail'
  | 'issuesCertificates'
  | 'exhausted'
  | 'scarce'
  | 'siteRoot'
  | 'databaseAccess'
>

/**
 * What a `run` works with: no network, no mailer, no other way to the database, and only the part of the driver that
 * answers from memory. Whatever must be asked of the outside world is asked in `prepare`.
 */
export type RunCtx<D extends Db = Db> = Omit<
  Ctx<D>,
  'db' | 'fetch' | 'fetchAt' | 'mailer' | 'resolvers' | 'driver'
> & {
  driver: KnownOfNode | null
}
export type WriteCtx = RunCtx<Tx>

export type AuditNote = {
  client?: string
  target?: string
  detail?: Record<string, unknown>
  /** What became of the resource's fields, told if the change is made. */
  changes?: Change[]
  /** The person for whom an open request began a session. */
  person?: { id: string; email: string | null }
  /** The outcome in the audit row, if it is not `hecho`. */
  outcome?: 'pedido' | 'datos_invalidos'
  /** Whether the refusal of this request already has its audit row. */
  told?: boolean
}
