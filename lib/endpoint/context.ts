import type { ClientState } from '../../schema/states.ts'
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
      /** What another request for the password is checked against. */
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
  /** Which of addresses and name servers were not set, but found on this machine. */
  derived?: { addresses: boolean; nameServers: boolean }
  mailFrom: string
  /** False while mails are only written as files. */
  mailConfigured: boolean
  cronSecret: Secret | null
  trashDays: number
  limits: {
    requestsPerMinute: number
    writesPerMinute: number
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

/** Structured log; values of type Secret print as `[secret]`. */
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
  /** Passes on a message as it is; null where there is no server to pass it to. */
  relay: ((mail: RelayedMail) => Promise<void>) | null
}

/** A message that a customer's program wrote; `from` is where it is returned to. */
type RelayedMail = { from: string; to: string[]; message: Uint8Array }

/** Answers of one recursive resolver for a name and type. */
export interface Resolver {
  /** How the resolver is shown, such as `udp://192.0.2.53:53`. */
  readonly label: string
  query(name: string, type: QueryType, timeoutMs: number): Promise<ResolverAnswer>
}
export type QueryType = 'A' | 'AAAA' | 'TXT' | 'NS'
/** `values` are addresses, whole texts or host names, by what was asked for. */
export type ResolverAnswer =
  | { kind: 'answer'; values: string[]; ttlSeconds: number }
  | { kind: 'nodata' | 'nxdomain'; ttlSeconds: number }
  | { kind: 'failure'; reason: string }

/** Everything a handler or a worker may touch. Built once a process by deploy/, passed explicitly. */
export interface Services {
  db: Database
  now(): Date
  random(bytes: number): Uint8Array
  /** SHA-256 as this host does it fastest, where it is faster than the one in `lib/secrets/hash.ts`. */
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
    /** Tells the worker that there is work. */
    wake(): void
    /**
     * Waits until these subjects have no work, at most `timeoutMs`, and runs `look` in the transaction that ends the
     * last of it; null where that was too late, or done by another process. Called together with `wake`.
     */
    settle<T>(subjects: string[], timeoutMs: number, look: (tx: Tx) => Promise<T>): Promise<Seen<T> | null>
    /** Runs what is due to its end; answers how many jobs that were. */
    runDue(): Promise<number>
  }
  /** Whether programs meet a certificate that the panel signed itself; left out where TLS is not the panel's. */
  ownCertificate?: () => boolean
  /** Outgoing HTTP of providers and DoH. */
  fetch: typeof globalThis.fetch
}

/** The result of a look at the database. */
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
  /** Work that this request queued, to be waited for after the commit. */
  queued: Set<string>
  /** `work.wake()` was called: the worker is woken once the request has committed. */
  wakeAfter: boolean
  /** What the audit row of this request tells beside the actor and the operation. */
  audit: AuditNote
  /** Rejects where this request was answered before; awaited by a `prepare` that acts, ahead of what it does. */
  unrepeated?: Promise<void>
}
export type ReadCtx = Ctx<Db>

/** What a node's driver knows without touching anything. */
type KnownOfNode = Pick<
  NodeDriver,
  'phpVersions' | 'issuesCertificates' | 'exhausted' | 'scarce' | 'siteRoot' | 'databaseAccess'
>

/**
 * What a `run` works with: no network, no mailer, no other way to the database, and of the node only what its driver
 * knows. What must be asked of the world is asked in `prepare`.
 */
export type RunCtx<D extends Db = Db> = Omit<Ctx<D>, 'db' | 'fetch' | 'mailer' | 'resolvers' | 'driver'> & {
  driver: KnownOfNode | null
}
export type WriteCtx = RunCtx<Tx>

export type AuditNote = {
  client?: string
  target?: string
  detail?: Record<string, unknown>
  /** The person whose session an open request began. */
  person?: { id: string; email: string | null }
  /** The outcome in the audit row, where it is not `hecho`. */
  outcome?: 'pedido' | 'datos_invalidos'
  /** The refusal of this request has its audit row already. */
  told?: boolean
}
