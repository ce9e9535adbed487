import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../deploy/config.ts'
import { embeddedClient } from '../../deploy/database/embedded/database.ts'
import type { Peer, Watching } from '../../deploy/http/metrics.ts'
import { type App, createApp } from '../../deploy/http/router.ts'
import { watchingOf } from '../../deploy/node/host/watching.ts'
import { absentServices } from '../../deploy/node/services/absent.ts'
import { handlers } from '../../handlers/index.ts'
import type { Services } from '../../lib/endpoint/context.ts'
import { exposition } from '../../lib/metrics/exposition.ts'
import { createTally } from '../../lib/metrics/tally.ts'
import { newKeyLine, parseKeyRing } from '../../lib/secrets/keys.ts'
import { memoryLimits } from '../../lib/store/counters.ts'
import { createDatabase, type Database } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'
import * as tables from '../../schema/tables.ts'
import { metricNames, samplesOf } from '../support/prometheus.ts'
import { random } from '../support/seed.ts'

const NOW = new Date('2026-11-25T12:00:00Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)
const TOKEN = 'the-bearer-of-prometheus'
const FAR: Peer = { address: '192.0.2.9', port: 4000 }
const LOCAL: Peer = { address: '127.0.0.1', port: 5000 }

let folder: string
let db: Database
let refusals: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'metrics-'))
  const client = embeddedClient(join(folder, 'panel.db'))
  await migrate(client, NOW, async () => {})
  db = createDatabase(client)
  await fill()
})
afterAll(async () => {
  db.close()
  await rm(folder, { recursive: true })
})

/** Two nodes; on the first one client near its disk limit and one that has reached it. */
async function fill(): Promise<void> {
  const node = (name: string) => ({
    name,
    addresses: [],
    nameServers: [],
    services: [
      { name: 'nginx', running: true, version: '1.22', advice: null },
      { name: 'pdns', running: false, version: null, advice: null },
      { name: 'correo', running: false, version: null, advice: null },
    ],
    capacity: {
      diskBytes: 1000,
      diskFreeBytes: 400,
      inodes: null,
      inodesFree: null,
      memoryBytes: 8,
      load: 0.5,
    },
    version: '1',
    startedAt: ago(3600),
    seenAt: ago(10),
  })
  const client = (id: number, on: string, createdAt: Date) => ({
    id,
    name: `canario${id}`,
    language: 'es' as const,
    state: 'activo' as const,
    planId: 1,
    node: on,
    createdBy: 'token' as const,
    createdAt,
    updatedAt: createdAt,
  })
  const use = (clientId: number, diskBytes: number) => ({
    clientId,
    measuredAt: NOW,
    source: 'cuota' as const,
    diskBytes,
    inodes: 1,
  })
  const job = (id: string, on: string | null, state: 'pendiente' | 'fallida' | 'hecha', createdAt: Date) => ({
    id,
    kind: 'sitio.aplicar',
    node: on,
    subject: id,
    target: `${id}.canario.es`,
    clientName: 'canario1',
    payload: {},
    state,
    nextAt: createdAt,
    createdAt,
  })
  const lost = (id: string, codigo: string) => ({
    ...job(id, 'nodo1', 'fallida', ago(5)),
    ...{ kind: 'copia.restaurar', payload: { bare: true }, result: { codigo, status: 409 } },
  })
  const site = (id: number, clientId: number, ends: Date | null) => ({
    id,
    clientId,
    domain: `canario${id}.es`,
    state: 'activo' as const,
    httpsOnly: false,
    certificateState: ends ? ('activo' as const) : ('autofirmado' as const),
    certificateExpiresAt: ends,
    certificateNames: [],
    createdAt: NOW,
  })
  const mail = (id: string, createdAt: Date) => ({
    id,
    kind: 'enlace',
    recipient: 'canario@x.es',
    language: 'es' as const,
    payload: {},
    node: null,
    state: 'en_cola' as const,
    nextAt: createdAt,
    createdAt,
  })
  const canary = { url: 'https://canario.es/', types: ['*' as const], secret: '', createdAt: NOW }
  const webhook = (id: string, active: boolean) => ({ ...canary, id, active })
  const delivery = (age: number, more: Partial<typeof tables.deliveries.$inferInsert>) => ({
    webhookId: 'on',
    state: 'en_cola' as const,
    queuedAt: ago(age),
    nextAt: NOW,
    ...more,
  })
  await db.write(async (tx) =>
    tx.later(
      tx.insert(tables.nodes).values([node('nodo1'), node('nodo2')]),
      tx
        .insert(tables.plans)
        .values({ name: 'canario', diskBytes: 100, functions: ['copias'], createdAt: NOW }),
      tx
        .insert(tables.clients)
        .values([client(1, 'nodo1', ago(900)), client(2, 'nodo1', ago(500)), client(3, 'nodo2', ago(9000))]),
      tx.insert(tables.usage).values([use(1, 85), use(2, 100), use(3, 99)]),
      tx.insert(tables.jobs).values([
        job('a', 'nodo1', 'pendiente', ago(60)),
        job('b', null, 'pendiente', ago(90)),
        job('c', 'nodo2', 'pendiente', ago(1000)),
        job('d', 'nodo1', 'fallida', ago(5)),
        job('e', 'nodo1', 'hecha', ago(5000)),
        // Answered to whoever asked for it.
        { ...job('f', 'nodo1', 'fallida', ago(5)), result: { codigo: 'archivo_no_existe', status: 409 } },
        lost('g', 'copia_no_existe'),
        lost('h', 'cliente_suspendido'),
      ]),
      tx
        .insert(tables.sites)
        .values([
          site(1, 1, ago(-86_400)),
          site(2, 2, ago(-90 * 86_400)),
          site(3, 3, ago(5)),
          site(4, 1, null),
        ]),
      tx
        .insert(tables.webhooks)
        .values([
          webhook('on', true),
          { ...webhook('off', false), stopped: 'a_mano' as const },
          { ...webhook('gone', false), stopped: 'ya_no_existe' as const },
          { ...webhook('full', false), stopped: 'demasiadas' as const },
        ]),
      tx
        .insert(tables.deliveries)
        .values([
          delivery(50, {}),
          delivery(60, { state: 'enviando', fault: 'rechazada' }),
          delivery(55, { fault: 'sin_respuesta' }),
          delivery(99, { state: 'abandonada', fault: 'rechazada' }),
        ]),
      tx.insert(tables.mails).values([mail('m1', ago(30)), mail('m2', ago(40))]),
      tx.insert(tables.backupDestinations).values({
        node: 'nodo1',
        kind: 'carpeta',
        url: '/canario',
        password: '',
        checkedAt: ago(700),
        nodeCopiedAt: ago(100),
      }),
      tx.insert(tables.backupRepositories).values({ clientId: 1, name: 'c1-a', key: '', fault: 'lost' }),
      tx.insert(tables.copies).values({
        id: 'cop_1',
        clientId: 1,
        state: 'completa',
        destination: 'carpeta /canario',
        whole: true,
        parts: [],
        startedAt: ago(200),
      }),
    ),
  )
}

function appOf(node: string | null, watching?: Watching): App {
  const { panel } = readConfig(
    { PANEL_TEST: '1', PANEL_METRICS_TOKEN: TOKEN, PANEL_HOST: 'panel.test' },
    { node, host: 'panel.test', addresses: [] },
  )
  const services: Services = {
    db,
    now: () => NOW,
    random,
    held: new Set(),
    passwords: { hash: async () => '', verify: async () => false, crypt: async () => '' },
    keys: parseKeyRing(newKeyLine(random)),
    config: panel,
    log: (_level, event) => void refusals.push(event),
    limits: memoryLimits(),
    mailer: null,
    resolvers: [],
    driver: absentServices(),
    work: { wake() {}, settle: async () => null, runDue: async () => 0 },
    fetch: globalThis.fetch,
  }
  const assets = { files: new Map(), index: '' }
  return createApp({
    services,
    handlers,
    assets,
    trustedProxies: [],
    aot: true,
    ...(watching ? { watching } : {}),
  })
}

const asOperator: Watching = {
  isOperator: async (peer) => peer === LOCAL,
  machine: async () => ({
    processors: 2,
    cpuSeconds: { busy: 10, idle: 90 },
    memoryAvailableBytes: 4,
    sitesBytes: 100,
    sitesFreeBytes: 50,
    panel: { cpuSeconds: 1, memoryBytes: 2 },
  }),
}

type Asked = {
  bearer?: string
  peer?: Peer
  method?: string
  path?: string
  headers?: Record<string, string>
}
function ask(app: App, { bearer, peer = FAR, method = 'GET', path = '/metrics', headers = {} }: Asked) {
  const authorization: Record<string, string> = bearer ? { authorization: `Bearer ${bearer}` } : {}
  return app.fetch(
    new Request(`https://panel.test${path}`, { method, headers: { ...headers, ...authorization } }),
    peer,
  )
}

describe('who reads /metrics', () => {
  const allowed: [string, Asked][] = [
    ['the bearer of the setting', { bearer: TOKEN }],
    ['the bearer through a proxy', { bearer: TOKEN, headers: { 'x-forwarded-for': '198.51.100.7' } }],
    ["the operator's program on the machine", { peer: LOCAL }],
  ]
  test.each(allowed)('%s does', async (_who, asked) => {
    const response = await ask(appOf('nodo1', asOperator), asked)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  })

  const kept: [string, Asked][] = [
    ['a stranger', {}],
    ['another bearer', { bearer: 'another-bearer-of-someone' }],
    ['another bearer on the machine', { bearer: 'another-bearer-of-someone', peer: LOCAL }],
    ['another user of the machine', { peer: { address: '127.0.0.1', port: 5001 } }],
    [
      "a proxy of the operator's on the machine",
      { peer: LOCAL, headers: { 'x-forwarded-for': '198.51.100.7' } },
    ],
    ['a POST', { bearer: TOKEN, method: 'POST' }],
  ]
  test.each(kept)('%s is answered as for an unknown path', async (_who, asked) => {
    const app = appOf('nodo1', asOperator)
    const seen = await Promise.all(
      ['/metrics', '/metricas'].map(async (path) => {
        const response = await ask(app, { ...asked, path })
        const { peticion, ...body } = await response.json()
        const headers = [...response.headers].filter(([name]) => !/^(?:date|x-request-id)$/.test(name))
        return { status: response.status, headers, body }
      }),
    )
    expect(seen[0]?.status).toBe(404)
    expect(seen[0]).toEqual(seen[1] as never)
  })

  test('a function host asks for the bearer, wherever a request comes from', async () => {
    const app = appOf(null)
    expect((await ask(app, { peer: LOCAL })).status).toBe(404)
    expect((await ask(app, { bearer: TOKEN })).status).toBe(200)
  })

  test('a wrong bearer is logged as one', async () => {
    refusals = []
    await ask(appOf('nodo1'), { bearer: 'another-bearer-of-someone' })
    expect(refusals).toEqual(['bearer refused'])
  })
})

describe('what /metrics tells', () => {
  const read = async (app: App) => samplesOf(await (await ask(app, { bearer: TOKEN })).text())

  test('of a node is what lives there, in sums', async () => {
    const found = await read(appOf('nodo1', asOperator))
    expect(found).toMatchObject({
      'controlpanel_jobs{kind="sitio.aplicar",state="waiting"}': 2,
      'controlpanel_jobs{kind="sitio.aplicar",state="failed"}': 1,
      'controlpanel_jobs{kind="copia.restaurar",state="failed"}': 1,
      controlpanel_job_oldest_seconds: 90,
      'controlpanel_mails{state="waiting"}': 2,
      controlpanel_mail_oldest_seconds: 40,
      'controlpanel_webhooks{state="on"}': 1,
      'controlpanel_webhooks{state="off"}': 3,
      controlpanel_webhooks_stopped: 2,
      'controlpanel_webhook_deliveries{state="waiting"}': 1,
      'controlpanel_webhook_deliveries{state="failed"}': 2,
      controlpanel_webhook_oldest_seconds: 60,
      'controlpanel_mirror_zones{state="al_dia"}': 0,
      'controlpanel_site_certificates{state="activo"}': 2,
      controlpanel_site_certificates_ending: 1,
      controlpanel_site_certificate_soonest_end_seconds: 86_400,
      'controlpanel_clients_near_limit{resource="disk"}': 1,
      'controlpanel_clients_at_limit{resource="disk"}': 1,
      'controlpanel_clients_at_limit{resource="inodes"}': 0,
      'controlpanel_node_copy_age_seconds{node="nodo1"}': 100,
      'controlpanel_copies_destination_failing{node="nodo1"}': 0,
      controlpanel_clients_copies_damaged: 1,
      controlpanel_clients_copied: 2,
      controlpanel_client_copy_oldest_seconds: 500,
      'controlpanel_service_up{node="nodo1",service="nginx"}': 1,
      'controlpanel_service_up{node="nodo1",service="pdns"}': 0,
      'controlpanel_node_disk_free_bytes{node="nodo1"}': 400,
      'controlpanel_machine_cpu_seconds_total{mode="busy"}': 10,
      'controlpanel_build_info{node="nodo1",version="1"}': 1,
    })
    expect(Object.keys(found).filter((name) => /nodo2|"correo"/.test(name))).toEqual([])
  })

  test('of a function host is all that the database knows, and nothing of a machine', async () => {
    const found = await read(appOf(null, undefined))
    expect(found).toMatchObject({
      controlpanel_job_oldest_seconds: 1000,
      controlpanel_site_certificates_ending: 2,
      controlpanel_site_certificate_soonest_end_seconds: -5,
      'controlpanel_clients_near_limit{resource="disk"}': 2,
      'controlpanel_service_up{node="nodo2",service="nginx"}': 1,
    })
    expect(Object.keys(found).filter((name) => name.startsWith('controlpanel_machine'))).toEqual([])
  })

  test('of requests has the patterns of paths, and no name of a client, domain or address', async () => {
    const app = appOf('nodo1', asOperator)
    await ask(app, { path: '/api/clientes/canario1' })
    await ask(app, { path: '/api/clientes/canario1', bearer: 'cps_canario' })
    await ask(app, { path: '/canario1' })
    await ask(app, { path: '/acceso/entrar', method: 'POST' })
    const text = await (await ask(app, { bearer: TOKEN })).text()
    expect(text).not.toContain('canario')
    expect(samplesOf(text)).toMatchObject({
      'controlpanel_requests_total{operation="other",class="4xx"}': 3,
      'controlpanel_requests_total{operation="POST /acceso/entrar",class="4xx"}': 1,
      'controlpanel_bearers_refused_total{reason="credencial_invalida"}': 1,
      'controlpanel_request_seconds_count{kind="sign-in"}': 1,
    })
  })
})

test('a bucket of the histogram counts all that was as fast or faster', () => {
  const tally = createTally()
  for (const seconds of [0.005, 0.006, 0.3, 60])
    tally.answered({ operation: 'GET /x', kind: 'read', status: 200, seconds })
  expect(samplesOf(exposition(tally.metrics()))).toMatchObject({
    'controlpanel_request_seconds_bucket{kind="read",le="0.005"}': 1,
    'controlpanel_request_seconds_bucket{kind="read",le="0.01"}': 2,
    'controlpanel_request_seconds_bucket{kind="read",le="0.5"}': 3,
    'controlpanel_request_seconds_bucket{kind="read",le="10"}': 3,
    'controlpanel_request_seconds_bucket{kind="read",le="+Inf"}': 4,
    'controlpanel_request_seconds_count{kind="read"}': 4,
    'controlpanel_request_seconds_sum{kind="read"}': 60.311,
  })
})

test('a label with quotes, backslashes and line breaks stays one line', () => {
  const samples = [{ labels: { a: 'x"\\\ny' }, value: 1 }]
  const text = exposition([{ name: 'm', help: 'h', type: 'gauge', samples }])
  expect(text).toBe('# HELP m h\n# TYPE m gauge\nm{a="x\\"\\\\\\ny"} 1\n')
})

describe('the kernel', () => {
  const configOf = (port: number, env: Record<string, string> = {}) =>
    readConfig(
      { PANEL_TEST: '1', PANEL_PORT: String(port), PANEL_HOST: 'panel.test', ...env },
      { node: 'nodo1', host: 'panel.test', addresses: [] },
    ).node

  /** The other end of a connection that this program begins, with the port that it leads to. */
  async function connected(command: (port: number) => string[] | null) {
    const met = Promise.withResolvers<Peer>()
    const server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open: (socket) => met.resolve({ address: socket.remoteAddress, port: socket.remotePort }),
        data() {},
      },
    })
    const argv = command(server.port)
    const child = argv && Bun.spawn(argv, { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' })
    const own =
      argv === null &&
      (await Bun.connect({ hostname: '127.0.0.1', port: server.port, socket: { data() {} } }))
    return {
      port: server.port,
      peer: await met.promise,
      end() {
        child?.kill()
        if (own) own.end()
        server.stop(true)
      },
    }
  }
  const open = (port: number) => `exec 3<>/dev/tcp/127.0.0.1/${port}; read -r x <&3`

  test("tells the operator's own connection from one that is not there", async () => {
    const { port, peer, end } = await connected(() => null)
    const operator = (of: Peer, env?: Record<string, string>) =>
      watchingOf(configOf(port, env), null).isOperator(of)
    expect(await operator(peer)).toBe(true)
    expect(await operator({ ...peer, port: 1 })).toBe(false)
    expect(await operator({ ...peer, port: null })).toBe(false)
    expect(await operator({ ...peer, address: '192.0.2.1' })).toBe(false)
    expect(await operator(peer, { PANEL_TRUSTED_PROXIES: '127.0.0.1' })).toBe(false)
    expect(await watchingOf(configOf(port + 1), null).isOperator(peer)).toBe(false)
    end()
  })

  test.skipIf(process.getuid?.() !== 0)('tells it from a connection of another user', async () => {
    const as = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    const { port, peer, end } = await connected((at) => [...as, 'bash', '-c', open(at)])
    expect(await watchingOf(configOf(port), null).isOperator(peer)).toBe(false)
    end()
    const root = await connected((at) => ['bash', '-c', open(at)])
    expect(await watchingOf(configOf(root.port), null).isOperator(root.peer)).toBe(true)
    root.end()
  })

  test('says what the machine has and uses', async () => {
    const { processors, cpuSeconds, memoryAvailableBytes, sitesBytes, sitesFreeBytes, panel } =
      await watchingOf(configOf(2087), tmpdir()).machine()
    for (const figure of [
      processors,
      cpuSeconds?.busy,
      cpuSeconds?.idle,
      memoryAvailableBytes,
      sitesFreeBytes,
    ])
      expect(figure).toBeGreaterThan(0)
    expect(sitesBytes).toBeGreaterThanOrEqual(sitesFreeBytes ?? Number.POSITIVE_INFINITY)
    expect(panel.memoryBytes).toBeGreaterThan(1e6)
  })
})

describe('deploy/monitoring', () => {
  const told = async () => {
    const node = await ask(appOf('nodo1', asOperator), { bearer: TOKEN })
    return new Set([...metricNames(await node.text()), 'up'])
  }
  const read = (name: string) => Bun.file(join(import.meta.dir, '../../deploy/monitoring', name)).text()
  const alertRules = (text: string): { expr: string }[] =>
    (Bun.YAML.parse(text) as { groups: { rules: { expr: string }[] }[] }).groups.flatMap(({ rules }) => rules)
  /** What of an expression can only be the name of a metric. */
  const namesIn = (expression: string) =>
    expression.replace(/\{[^}]*\}/g, '').match(/\b(?:controlpanel_|process_|up\b)\w*/g) ?? []

  test.each([
    ['alerts.yml', async () => alertRules(await read('alerts.yml'))],
    [
      'dashboard.json',
      async () =>
        JSON.parse(await read('dashboard.json')).panels.flatMap(
          ({ targets }: { targets: { expr: string }[] }) => targets,
        ),
    ],
  ])('%s asks for nothing that is not told', async (_name, expressions) => {
    const known = await told()
    const asked = (await expressions()).map(({ expr }: { expr: string }) => namesIn(expr))
    expect(asked.length).toBeGreaterThan(10)
    expect(asked.filter((names: string[]) => names.length === 0)).toEqual([])
    expect(asked.flat().filter((name: string) => !known.has(name))).toEqual([])
  })
})
