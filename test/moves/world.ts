import { Resolver } from 'node:dns/promises'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newKeyLine } from '../../lib/secrets/keys.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { startLibsqlProcess } from '../support/libsql-process.ts'
import { type Answer, type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { random } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'
import { workEnded } from '../support/work.ts'

/** The addresses that the nodes give out; a visitor finds the web server behind each of them. */
const ADDRESSES = { nodo1: '127.0.0.1', nodo2: '127.0.0.2' } as const
export type NodeName = keyof typeof ADDRESSES
const PASSWORD = 'una frase que nadie sabe'

/** Two nodes on one database, with a directory for the copies of both. */
export type World = {
  nodes: Record<NodeName, Panel>
  admin: SignedIn
  token: string
  store: string
  /** Moves the clock of both nodes. */
  clock: string
  call(node: NodeName, method: string, path: string, body?: unknown): Promise<Answer>
  done(node: NodeName, method: string, path: string, body?: unknown): Promise<Json>
  /** Changes their database, as time or another node would. */
  sql(text: string): Promise<void>
  stop(): Promise<void>
}

export async function startNodes(env: Record<string, string> = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'moves-'))
  const store = mkdtempSync(join(tmpdir(), 'moves-store-'))
  const { caPath, cert, key } = await loopbackCertificate()
  const database = await startLibsqlProcess({ path: join(folder, 'shared.db'), tls: { cert, key } })
  const shared = {
    PANEL_DB_URL: database.url,
    PANEL_DB_TOKEN: database.token,
    NODE_EXTRA_CA_CERTS: caPath,
    PANEL_KEYS: newKeyLine(random),
    // The tests ask often how far work is.
    PANEL_LIMITE_PETICIONES: '100000',
    PANEL_TEST_CLOCK: join(folder, 'clock'),
    ...env,
  }
  const start = async (name: NodeName) =>
    Panel.start({
      env: {
        ...shared,
        PANEL_NODE: name,
        PANEL_HOST: name === 'nodo1' ? 'localhost' : 'nodo2.panel.test',
        PANEL_IPS: ADDRESSES[name],
        PANEL_NS: `ns.${name}.test`,
        PANEL_MARIADB_PORT: String(await freePort()),
        PANEL_BASES_PORT: String(await freePort()),
        PANEL_SFTP_PORT: String(await freePort()),
      },
    })
  const nodo1 = await start('nodo1')
  const admin = await firstAdmin(nodo1)
  const nodes = { nodo1, nodo2: await start('nodo2') }
  const token = await newToken(nodo1, admin)
  const call: World['call'] = (node, method, path, body) =>
    nodes[node].api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })
  return {
    ...{ nodes, admin, token, store, call, clock: shared.PANEL_TEST_CLOCK },
    async done(node, method, path, body) {
      const answer = await call(node, method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    async sql(text) {
      const answer = await fetch(`${database.url}/v2/pipeline`, {
        method: 'POST',
        headers: { authorization: `Bearer ${database.token}` },
        body: JSON.stringify({ requests: [{ type: 'execute', stmt: { sql: text } }, { type: 'close' }] }),
        tls: { ca: readFileSync(caPath, 'utf8') },
      })
      const said = await answer.text()
      if (!answer.ok || said.includes('"type":"error"')) throw new Error(said)
    },
    async stop() {
      await nodes.nodo2.stop()
      await nodes.nodo1.stop()
      await database.stop()
      for (const path of [folder, store]) rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Has a node keep its copies there. */
export async function putDestination({ nodes, admin }: World, node: NodeName, url: string): Promise<void> {
  const body = { tipo: 'carpeta', url, contrasena: PASSWORD }
  const answer = await nodes[node].api('PUT', '/copias/destino', { bearer: admin.bearer, body })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
}

export const ended = (world: World, node: NodeName, id: string): Promise<Json> =>
  workEnded((method, path) => world.call(node, method, path), id)

/** Where a panel that is started with `PANEL_TEST_STEPS` notes the points that its work passes. */
export function stepsOf(panel: Panel): string {
  const steps = join(panel.dataDir, 'pasos')
  mkdirSync(steps, { recursive: true })
  return steps
}

/** Starts a node again whose work stands still at a point for good; answers how to wait for that. */
export async function standAt(panel: Panel, point: string): Promise<() => Promise<unknown>> {
  const steps = stepsOf(panel)
  // A point that nothing comes to keeps the process alive.
  writeFileSync(join(steps, 'deadly'), `${point}\nnunca\n`)
  rmSync(join(steps, 'passed'), { force: true })
  await panel.kill()
  await panel.up({ PANEL_TEST_STEPS: steps })
  return () => eventually(async () => (read(steps, 'passed') ?? '').includes(point), point, 120_000)
}

/** A lease is over after half a minute: work that was started often is taken up again only then. */
const LEASE_SECONDS = 31

/**
 * Has a node end at one point after another of the work that `act` asks for, as by kill -9, and start again between
 * them. At the last one it stays dead.
 */
export async function killThrough(
  world: World,
  node: NodeName,
  { points, act }: { points: string[]; act: () => Promise<unknown> },
): Promise<void> {
  const panel = world.nodes[node]
  const steps = stepsOf(panel)
  let asked: Promise<unknown> | null = null
  for (const [at, point] of points.entries()) {
    writeFileSync(join(steps, 'deadly'), `${point}\n`)
    if (at === 0) await panel.kill()
    else writeFileSync(world.clock, String(secondsAhead(world) + LEASE_SECONDS))
    // Work that is taken up again may come to the point before the panel has said that it serves.
    await panel.up({ PANEL_TEST_STEPS: steps }).catch(() => null)
    asked ??= act().catch(() => null)
    const died = await Promise.race([panel.died().then(() => true), Bun.sleep(120_000).then(() => false)])
    if (!died) throw new Error(`the node lives on at ${point}`)
  }
  await asked
}

const secondsAhead = ({ clock }: World) => (existsSync(clock) ? Number(readFileSync(clock, 'utf8')) : 0)

/** Points at which a node's work of a kind has passed for a client, so far as a kill at each leaves another state. */
export function pointsOf(panel: Panel, client: string, kind: string): string[] {
  const lines = (read(stepsOf(panel), 'passed') ?? '').split('\n')
  const own = [...new Set(lines.filter((line) => line.startsWith(`${client}:${kind}:`)))]
  // After one step is before the next.
  return own.filter((line, at) => line.endsWith(':before') || at === own.length - 1)
}

/** What lies in a node's bin. */
export const binOf = async ({ nodes }: World, node: NodeName): Promise<string[]> => {
  const { lines } = await nodes[node].command('papelera')
  return lines
    .flat()
    .map(({ tipo, nombre }: Json) => `${tipo} ${nombre}`)
    .sort()
}

/** A dump of a database that a node gives, or the reason why it gives none. */
export async function dumpOf(world: World, node: NodeName, base: string): Promise<string> {
  const headers = { authorization: `Bearer ${world.token}` }
  const answer = await world.nodes[node].fetch(`/api/bases/${base}/volcado`, { headers })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return answer.ok ? new TextDecoder().decode(Bun.gunzipSync(bytes)) : new TextDecoder().decode(bytes)
}

/** A program that counts its visits in a file and in a database, and tells of them. */
const COUNTER = (base: string, account: string, password: string) => `<?php
header('Cache-Control: no-store');
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
try {
  $db = new mysqli('localhost', '${account}', '${password}', '${base}');
  $db->query('create table if not exists visits (n integer)');
  $db->query('insert into visits values (1)');
  $rows = $db->query('select count(*) from visits')->fetch_row()[0];
} catch (mysqli_sql_exception $e) { http_response_code(500); exit($e->getMessage()); }
file_put_contents(__DIR__ . '/visits.txt', 'x', FILE_APPEND);
echo 'visit ', $rows, ' ', filesize(__DIR__ . '/visits.txt');
`

/** A condition that is asked of the API for long, no more often than a token may. */
export const slowly =
  <T>(look: () => Promise<T>): (() => Promise<T>) =>
  async () => {
    await Bun.sleep(500)
    return look()
  }

export type Client = { name: string; domain: string; root: string }

/** A client with a site, a database that its program writes to, and a zone. */
export async function newClient(world: World, name: string): Promise<Client> {
  const domain = `${name}.es`
  const body = { cliente: name, correo: `${name}@cliente.es`, domain, enviar: false }
  const { sitio } = await world.done('nodo1', 'PUT', `/altas/${name}`, body)
  await world.done('nodo1', 'POST', '/bases', { cliente: name, base: 'datos' })
  const bearer = world.admin.bearer
  const made = await world.nodes.nodo1.api('POST', `/bases/${name}_datos/cuentas`, {
    bearer,
    body: { usuario: 'web' },
  })
  const client = { name, domain, root: sitio.raiz }
  put(client, 'index.php', COUNTER(`${name}_datos`, made.body.usuario, made.body.contrasena))
  put(client, 'hola.txt', 'hola')
  return client
}

/** Writes a file of a client's, as its own. */
function put({ root }: Client, name: string, content: string): void {
  const path = join(root, name)
  const { uid, gid } = statSync(root)
  writeFileSync(path, content, { mode: 0o640 })
  chownSync(path, uid, gid)
}

export const read = (root: string, name: string): string | null =>
  existsSync(join(root, name)) ? readFileSync(join(root, name), 'utf8') : null

/** Where a node's name server says that a name is; empty where it does not answer for it. */
export async function addressOf(panel: Panel, name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${panel.dnsPort}`])
  return resolver.resolve4(name).catch(() => [])
}

export type Visit = { at: number; status: number; text: string; node: NodeName | null }

/** A visitor who asks the old name server where the site is, as resolvers do, and then for the page. */
export async function visit({ nodes }: World, domain: string, path = '/'): Promise<Visit> {
  const at = performance.now()
  const [address] = await addressOf(nodes.nodo1, domain)
  const node = address === ADDRESSES.nodo2 ? 'nodo2' : address === ADDRESSES.nodo1 ? 'nodo1' : null
  if (node === null) return { at, status: 0, text: 'no address', node }
  const { status, text } = await visitAt(nodes[node], domain, path)
  return { at, status, text, node }
}

export async function visitAt(panel: Panel, domain: string, path = '/') {
  try {
    const answer = await fetch(`http://127.0.0.1:${panel.httpPort}${path}`, {
      headers: { host: domain },
      keepalive: false,
      signal: AbortSignal.timeout(5_000),
    })
    return { status: answer.status, text: await answer.text() }
  } catch (error) {
    return { status: 0, text: String(error) }
  }
}
