import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { embeddedClient } from '../../deploy/node/database/embedded.ts'
import { powerDnsDriver } from '../../deploy/node/dns/driver.ts'
import { handlers } from '../../handlers/index.ts'
import type { Actor, Services } from '../../lib/context.ts'
import { createDatabase } from '../../lib/database.ts'
import { AppError, type ErrorExtra } from '../../lib/errors.ts'
import type { Handler } from '../../lib/handler.ts'
import { invoke } from '../../lib/invoke.ts'
import { KeyRing } from '../../lib/keys.ts'
import { memoryLimits } from '../../lib/limits.ts'
import type { NodeDriver } from '../../lib/node.ts'
import { JOB_KINDS } from '../../lib/work/index.ts'
import { Worker } from '../../lib/work/worker.ts'
import type { RunningPdns } from './pdns.ts'

/** The panel's handlers over a database of their own and a real DNS server, without its HTTP. */
export type TestPanel = {
  services: Services
  worker: Worker
  /** Where the next job is cut off, once. */
  failAt: { kind: string; step: string; phase: 'before' | 'after' } | null
  /** Calls the operation of `POST /zonas` and the like; a refusal is answered, not thrown. */
  call(operation: string, options?: CallOptions): Promise<Called>
  advance(ms: number): void
  stop(): Promise<void>
}
export type CallOptions = {
  body?: unknown
  file?: string | Uint8Array
  headers?: Record<string, string>
  actor?: Actor
}
export type Called = {
  status: number
  // The shape is what each test asserts.
  body: Record<string, unknown> & { campos?: ErrorExtra['campos'] }
  headers: Record<string, string>
}

export const TOKEN: Actor = { kind: 'token', id: 'tok_1', name: 'test', expiresOn: '2027-01-01' }

export async function startPanel(server: RunningPdns): Promise<TestPanel> {
  const directory = await mkdtemp(`${tmpdir()}/zones-test-`)
  const client = embeddedClient(`${directory}/panel.db`)
  const sql = await readFile(new URL('../../schema/migrations/0000_init.sql', import.meta.url), 'utf8')
  await client.executeMultiple(sql)
  let offset = 0
  const dns = powerDnsDriver({ url: server.service.apiUrl, apiKey: server.apiKey, timeoutMs: 2000 })
  const services: Services = {
    db: createDatabase(client),
    now: () => new Date(Date.now() + offset),
    random: (bytes) => new Uint8Array(randomBytes(bytes)),
    passwords: { hash: async () => '', verify: async () => false },
    keys: new KeyRing([{ id: 'k1', bytes: new Uint8Array(32) }]),
    config: {
      version: '0',
      origin: 'https://panel.host.net:2087',
      host: 'panel.host.net',
      node: 'nodo1',
      addresses: ['192.0.2.1', '2001:db8::1'],
      nameServers: ['ns1.host.net', 'ns2.host.net'],
      mailFrom: 'panel@host.net',
      mailConfigured: false,
      cronSecret: null,
      trashDays: 7,
      limits: { requestsPerMinute: 1e6, writesPerMinute: 1e6, accessPerMinute: 1e6, strikesPerMinute: 10 },
      test: true,
    },
    log: () => {},
    limits: memoryLimits(),
    mailer: null,
    resolvers: [],
    driver: nodeWith(dns),
    work: {
      wake: () => worker.wake(),
      settle: (subjects, ms) => worker.settle(subjects, ms),
      runDue: () => worker.runDue(),
    },
    fetch,
  }
  const worker = new Worker(services, {
    kinds: JOB_KINDS,
    onStep: async (kind, step, phase) => {
      const { failAt } = panel
      if (failAt?.kind !== kind || failAt.step !== step || failAt.phase !== phase) return
      panel.failAt = null
      throw new Error('cut off')
    },
  })
  const panel: TestPanel = {
    services,
    worker,
    failAt: null,
    call: (operation, options = {}) => call(services, operation, options),
    advance: (ms) => {
      offset += ms
    },
    stop: async () => {
      await worker.stop()
      services.db.close()
      await rm(directory, { recursive: true })
    },
  }
  return panel
}

/** A node whose DNS is real and whose other parts have nothing to do. */
function nodeWith(dns: ReturnType<typeof powerDnsDriver>): NodeDriver {
  const nothing = async () => {}
  return {
    ...dns,
    servesSites: true,
    issuesCertificates: false,
    phpVersions: () => [],
    siteRoot: () => null,
    applyClient: nothing,
    applySite: nothing,
    removeSite: nothing,
    removeClient: nothing,
    issueCertificate: () => Promise.reject(new Error('no authority')),
    measure: async () => [],
    readTraffic: async () => ({ cursor: '', traffic: [] }),
    purgeTrash: async () => 0,
    services: async () => [],
  }
}

async function call(services: Services, operation: string, options: CallOptions): Promise<Called> {
  const [method = '', target = ''] = operation.split(' ')
  const url = new URL(target, 'https://panel.host.net')
  const [found, params] = match(method, url.pathname)
  const bytes =
    options.file === undefined ? json(options.body) : new TextEncoder().encode(String(options.file))
  const type = options.file === undefined ? 'application/json' : 'text/dns'
  const headers = new Headers({ ...options.headers, ...(bytes.length > 0 ? { 'content-type': type } : {}) })
  try {
    const info = { id: 'r1', address: '192.0.2.9', agent: '', language: 'en' as const, headers }
    const answer = await invoke(found, services, options.actor ?? TOKEN, {
      info,
      route: target,
      params,
      query: Object.fromEntries(url.searchParams),
      body: async () => (options.file instanceof Uint8Array ? options.file : bytes),
    })
    return { status: answer.status, body: answer.body as Called['body'], headers: answer.headers }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { status: error.status, body: { codigo: error.codigo, ...error.extra }, headers: {} }
  }
}

function match(method: string, pathname: string): [Handler, Record<string, string>] {
  const actual = pathname.split('/').map(decodeURIComponent)
  for (const handler of handlers) {
    const expected = handler.path.split('/')
    if (handler.method !== method || expected.length !== actual.length) continue
    if (!expected.every((part, at) => part.startsWith(':') || part === actual[at])) continue
    const named = expected.flatMap((part, at) =>
      part.startsWith(':') ? [[part.slice(1), actual[at] ?? '']] : [],
    )
    return [handler, Object.fromEntries(named)]
  }
  throw new Error(`no operation ${method} ${pathname}`)
}

function json(body: unknown): Uint8Array {
  return body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body))
}
