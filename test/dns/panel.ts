import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { eq } from 'drizzle-orm'
import { embeddedClient } from '../../deploy/database/embedded/database.ts'
import { type App, createApp } from '../../deploy/http/router.ts'
import { powerDnsDriver } from '../../deploy/node/dns/driver.ts'
import { JOB_KINDS } from '../../deploy/node/job-kinds.ts'
import { absentServices } from '../../deploy/node/services/absent.ts'
import { handlers } from '../../handlers/index.ts'
import type { Services } from '../../lib/endpoint/context.ts'
import { createBearer } from '../../lib/identity/bearer.ts'
import { KeyRing } from '../../lib/secrets/keys.ts'
import { memoryLimits } from '../../lib/store/counters.ts'
import { createDatabase } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'
import { Worker } from '../../lib/work/worker.ts'
import { clients, persons, sessionBearers, sessions, tokens } from '../../schema/tables.ts'
import { checkAnswer, type OpenApi } from '../support/openapi.ts'
import type { RunningPdns } from './pdns.ts'

/** The panel's app over a database of its own and a real DNS server, without TLS and without a process. */
export type TestPanel = {
  services: Services
  worker: Worker
  /** Where the next job is cut off, once. */
  failAt: { kind: string; step: string; phase: 'before' | 'after' } | null
  /** Requests `POST /zonas` and the like, with a token unless told; checked against the OpenAPI document. */
  call(operation: string, options?: CallOptions): Promise<Called>
  /** A bearer of a customer of this client. */
  customerOf(client: string): Promise<string>
  advance(ms: number): void
  stop(): Promise<void>
}
export type CallOptions = {
  body?: unknown
  file?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  bearer?: string
}
export type Called = {
  status: number
  // The OpenAPI check has proved its shape; each test asserts what it is about.
  body: Record<string, unknown> & { campos?: { campo: string; codigo: string }[] }
  headers: Record<string, string>
}

export async function startPanel(server: RunningPdns): Promise<TestPanel> {
  const directory = await mkdtemp(`${tmpdir()}/zones-test-`)
  const client = embeddedClient(`${directory}/panel.db`)
  await migrate(client, new Date(), async () => {})
  let offset = 0
  const services = servicesOn(createDatabase(client), server, () => new Date(Date.now() + offset))
  const worker = new Worker(services, {
    kinds: JOB_KINDS,
    onStep: async ({ kind }, step, phase) => {
      const { failAt } = panel
      if (failAt?.kind !== kind || failAt.step !== step || failAt.phase !== phase) return
      panel.failAt = null
      throw new Error('cut off')
    },
  })
  services.work = worker
  const app = createApp({
    services,
    handlers,
    assets: { files: new Map(), index: '' },
    trustedProxies: [],
    aot: true,
  })
  const token = await tokenIn(services)
  const panel: TestPanel = {
    services,
    worker,
    failAt: null,
    call: (operation, options = {}) => call(app, operation, { bearer: token, ...options }),
    customerOf: (name) => customerIn(services, name),
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

/** A node whose DNS is real and whose other parts only record what they are asked. */
function servicesOn(db: Services['db'], server: RunningPdns, now: () => Date): Services {
  const dns = powerDnsDriver({
    url: server.service.apiUrl,
    apiKey: () => server.apiKey,
    timeoutMs: 2000,
  })
  const many = 1_000_000
  return {
    db,
    now,
    random: (bytes) => new Uint8Array(randomBytes(bytes)),
    held: new Set(),
    passwords: { hash: async () => '', verify: async () => false, crypt: async () => '' },
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
      metricsToken: null,
      trashDays: 7,
      addressDays: null,
      updatesUrl: null,
      webhookAddresses: [],
      limits: {
        requestsPerMinute: many,
        writesPerMinute: many,
        customerWritesPerDay: many,
        accessPerMinute: many,
        strikesPerMinute: 10,
      },
      test: true,
    },
    log: () => {},
    limits: memoryLimits(),
    mailer: null,
    resolvers: [],
    driver: { ...absentServices(), ...dns },
    work: { wake: () => {}, settle: async () => null, runDue: async () => 0 },
    fetch,
  }
}

const FAR = new Date('2035-01-01')

async function tokenIn({ db, random, now }: Services): Promise<string> {
  const { value, publicId, hash } = createBearer('token', random)
  const admin = { id: 'per_admin', role: 'admin' as const, email: 'admin@host.net', language: 'es' as const }
  const row = { id: 'tok_1', publicId, hash, name: 'test', expiresOn: '2035-01-01', creatorId: admin.id }
  await db.write(async (tx) => {
    await tx.insert(persons).values({ ...admin, active: true, createdAt: now() })
    await tx.insert(tokens).values({ ...row, creatorEmail: admin.email, createdAt: now() })
  })
  return value.reveal()
}

async function customerIn({ db, random, now }: Services, name: string): Promise<string> {
  const { value, publicId, hash } = createBearer('session', random)
  await db.write(async (tx) => {
    const client = await tx.select().from(clients).where(eq(clients.name, name)).get()
    const person = { id: `per_${publicId}`, role: 'client' as const, email: `${name}@host.net`, active: true }
    const clientId = client?.id ?? -1
    await tx.insert(persons).values({ ...person, clientId, language: 'es', createdAt: now() })
    const times = { createdAt: now(), renewedAt: now(), expiresAt: FAR }
    const session = { id: `ses_${publicId}`, personId: person.id, renewalHash: random(32), ...times }
    await tx.insert(sessions).values({ ...session, address: '192.0.2.9', agent: '' })
    await tx.insert(sessionBearers).values({ publicId, hash, sessionId: session.id, expiresAt: FAR })
  })
  return value.reveal()
}

const ORIGIN = 'https://panel.host.net:2087'

async function call(app: App, operation: string, options: CallOptions): Promise<Called> {
  const [method = '', target = ''] = operation.split(' ')
  const { body, file, bearer } = options
  const sent = file ?? (body === undefined ? undefined : JSON.stringify(body))
  const type: Record<string, string> =
    sent === undefined ? {} : { 'content-type': file === undefined ? 'application/json' : 'text/dns' }
  const request = new Request(`${ORIGIN}/api${target}`, {
    method,
    headers: { ...type, ...options.headers, authorization: `Bearer ${bearer}` },
    ...(sent === undefined ? {} : { body: sent }),
  })
  const response = await app.fetch(request, { address: '192.0.2.9', port: null })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const answer = isJson ? JSON.parse(text) : text
  checkAnswer(await documentOf(app), method, `/api${target}`, response, answer)
  return { status: response.status, body: answer, headers: Object.fromEntries(response.headers) }
}

const documents = new WeakMap<App, OpenApi>()

async function documentOf(app: App): Promise<OpenApi> {
  const known = documents.get(app)
  if (known) return known
  const answer = await app.fetch(new Request(`${ORIGIN}/openapi.json`), { address: '192.0.2.9', port: null })
  const document: OpenApi = await answer.json()
  documents.set(app, document)
  return document
}
