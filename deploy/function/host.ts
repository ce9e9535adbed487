import { MAX_BODY_BYTES } from '../../lib/body.ts'
import type { Services } from '../../lib/context.ts'
import type { CronJob } from '../../lib/cron.ts'
import { createDatabase } from '../../lib/database.ts'
import type { Handler } from '../../lib/handler.ts'
import { parseKeyRing } from '../../lib/keys.ts'
import { memoryLimits } from '../../lib/limits.ts'
import { dohResolver } from '../../lib/resolver/doh.ts'
import { sharedLimits } from '../../lib/shared-limits.ts'
import { isAddress } from '../address.ts'
import type { Environment } from '../config.ts'
import { ANSWER_MS } from '../deadline.ts'
import { remoteClient } from '../remote/database.ts'
import { type App, createApp } from '../router.ts'
import { type FunctionConfig, readFunctionConfig } from './config.ts'
import { runCronsOf } from './crons.ts'
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

/** What a host knows of a request beside the request. */
export type Call = {
  /** The connection's address, where the host tells it apart from headers. */
  peer?: string
  /** Keeps the host at work after the answer, until the promise settles. */
  waitUntil?(work: Promise<unknown>): void
}

export type HostOptions = {
  env: Environment
  /** All handlers, or the ones that this function is to serve. */
  handlers: Handler[]
  crons: CronJob[]
  /** Where the interface's files are; left out, there is no interface. */
  files?: Files | undefined
  /** No answer but a scheduled handler's takes longer, whatever the database does. */
  answerMs?: number
}

/** How long an answer is held back for the rest of a request that was refused unread. */
const DRAIN_MS = 1000

/** Builds the panel for a function host from the host's bindings; throws ConfigError for a wrong one. */
export function createHost({ env, handlers, crons, files, answerMs = ANSWER_MS }: HostOptions): Host {
  const config = readFunctionConfig(env)
  const clock = { offsetMs: 0 }
  const services = servicesOf(config, clock)
  const app: App = createApp({
    services,
    handlers,
    assets: { files: new Map(), index: '' },
    ...(files ? { files: filesOf(files) } : {}),
    trustedProxies: config.trustedProxies,
    aot: false,
    answerMs,
  })
  return {
    async fetch(request, call = {}) {
      if (config.testClock) clock.offsetMs = await offsetFrom(config.testClock)
      const answer = await app.fetch(request, peerOf(config, request, call), (work) => call.waitUntil?.(work))
      await drain(request)
      return answer
    },
    scheduled: (at) => runCronsOf(services, crons, at),
  }
}

/** What the host itself says, once: a header that a caller has sent too names nobody. */
function peerOf({ peerHeader }: FunctionConfig, { headers }: Request, { peer = '' }: Call): string {
  const told = peerHeader === null ? null : headers.get(peerHeader)
  return told === null ? peer : isAddress(told) ? told : ''
}

/**
 * A connection whose request was not read to its end is closed after the answer, and its next request
 * is lost: what was refused unread is read and dropped, as far as a body may go.
 */
async function drain({ body, bodyUsed }: Request): Promise<void> {
  if (!body || bodyUsed) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS)
  })
  await Promise.race([dropped(body), late])
  clearTimeout(timer)
}

async function dropped(body: ReadableStream<Uint8Array>): Promise<void> {
  let left = MAX_BODY_BYTES
  try {
    for await (const chunk of body) {
      left -= chunk.length
      if (left < 0) return
    }
  } catch {
    // The caller has gone.
  }
}

function servicesOf(config: FunctionConfig, clock: { offsetMs: number }): Services {
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
  const fetch = globalThis.fetch.bind(globalThis)
  const client = remoteClient({ url: config.databaseUrl, token: config.databaseToken?.reveal() ?? null })
  // No queue in the process: a host of this kind lets no request wait for another one's promise.
  const db = createDatabase(client, { queueMs: null })
  return {
    db,
    now: () => new Date(Date.now() + clock.offsetMs),
    random,
    passwords: pureArgon2Passwords(random),
    keys: parseKeyRing(config.keys.reveal()),
    config: config.panel,
    log,
    limits: sharedLimits(db, memoryLimits()),
    mailer: config.mailUrl ? httpMailer(config.mailUrl, config.mailToken, fetch) : null,
    resolvers: config.resolvers.map((url) => dohResolver(url, (target, init) => fetch(target, init))),
    driver: null,
    // Work is for the nodes, which find it in the database; what any host may do, its cron does.
    work: { wake() {}, settle: async () => {}, runDue: async () => 0 },
    fetch,
  }
}

async function offsetFrom(url: string): Promise<number> {
  const response = await fetch(url)
  return 1000 * (Number(await response.text()) || 0)
}
