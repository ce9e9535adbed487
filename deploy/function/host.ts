import type { Services } from '../../lib/endpoint/context.ts'
import type { Handler } from '../../lib/endpoint/handler.ts'
import { dohResolver } from '../../lib/resolver/doh.ts'
import { parseKeyRing } from '../../lib/secrets/keys.ts'
import { memoryLimits, sharedLimits } from '../../lib/store/counters.ts'
import { createDatabase } from '../../lib/store/database.ts'
import type { CronJob } from '../../lib/work/cron.ts'
import type { Environment } from '../config.ts'
import { remoteClient } from '../database/remote/database.ts'
import { isAddress } from '../http/address.ts'
import { ANSWER_MS } from '../http/deadline.ts'
import { type App, createApp } from '../http/router.ts'
import { type FunctionConfig, readFunctionConfig } from './config.ts'
import { runCronsOf } from './crons.ts'
import { drain } from './drain.ts'
import { type Files, filesOf } from './files.ts'
import { log } from './log.ts'
import { httpMailer } from './mail.ts'
import { pureArgon2Passwords } from './passwords.ts'

/** The panel on a host without files, processes or a node of its own. */
export type Host = {
  /** Answers a request. */
  fetch(request: Request, call?: Call): Promise<Response>
  /** Runs what was due in the minute up to `at`. */
  scheduled(at: Date): Promise<void>
}

/** What the host knows about a request besides the request itself. */
export type Call = {
  /** The connection's address, where the host tells it apart from headers. */
  peer?: string
  /** Keeps the host at work after the answer, until the promise settles. */
  waitUntil?(work: Promise<unknown>): void
}

export type HostOptions = {
  env: Environment
  /** All handlers, or the ones that this host serves. */
  handlers: Handler[]
  crons: CronJob[]
  /** Where the interface's files are; left out, there is no interface. */
  files?: Files | undefined
  /** The longest that an answer takes, whatever the database does; scheduled handlers have no bound. */
  answerMs?: number
  /**
   * How long writes of this process wait for each other. Without it the server alone orders them, since a
   * workerd-type host lets no request wait for work of another.
   */
  queueMs?: number
}

/** Builds the panel for a function host from the host's bindings; throws ConfigError for a wrong one. */
export function createHost(options: HostOptions): Host {
  const { env, handlers, crons, files, answerMs = ANSWER_MS, queueMs = null } = options
  const config = readFunctionConfig(env)
  const clock = { offsetMs: 0 }
  const services = servicesOf(config, clock, queueMs)
  const app: App = createApp({
    services,
    handlers,
    assets: { files: new Map(), index: '' },
    ...(files ? { files: filesOf(files) } : {}),
    trustedProxies: config.trustedProxies,
    aot: false,
    answerMs,
    rest: drain,
  })
  return {
    async fetch(request, call = {}) {
      if (config.testClock) clock.offsetMs = await offsetFrom(config.testClock)
      const peer = { address: peerOf(config, request, call), port: null }
      return app.fetch(request, peer, (work) => call.waitUntil?.(work))
    },
    scheduled: (at) => runCronsOf(services, crons, at),
  }
}

/** The address in the host's own header; none if that header comes twice, since the caller then sent one too. */
function peerOf({ peerHeader }: FunctionConfig, { headers }: Request, { peer = '' }: Call): string {
  const told = peerHeader === null ? null : headers.get(peerHeader)
  return told === null ? peer : isAddress(told) ? told : ''
}

function servicesOf(config: FunctionConfig, clock: { offsetMs: number }, queueMs: number | null): Services {
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
  const fetch = globalThis.fetch.bind(globalThis)
  const client = remoteClient({ url: config.databaseUrl, token: config.databaseToken?.reveal() ?? null })
  const db = createDatabase(client, { queueMs })
  return {
    db,
    now: () => new Date(Date.now() + clock.offsetMs),
    random,
    passwords: pureArgon2Passwords(random),
    keys: parseKeyRing(config.keys.reveal()),
    config: config.panel,
    log,
    limits: sharedLimits(db, memoryLimits()),
    held: new Set(),
    mailer: config.mailUrl ? httpMailer(config.mailUrl, config.mailToken, fetch) : null,
    resolvers: config.resolvers.map((url) => dohResolver(url, (target, init) => fetch(target, init))),
    driver: null,
    // Nodes find their jobs in the database; jobs that any host may run are run by this host's cron.
    work: { wake() {}, settle: async () => null, runDue: async () => 0 },
    fetch,
  }
}

async function offsetFrom(url: string): Promise<number> {
  const response = await fetch(url)
  return 1000 * (Number(await response.text()) || 0)
}
