import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { connect } from 'node:tls'
import { ROOMY } from '../api/people.ts'
import { addClient, command, createBase, startBases, type World } from '../bases/world.ts'
import { partDirectory } from '../support/consistency.ts'
import { type Json, Panel } from '../support/panel.ts'
import { newToken } from '../support/people.ts'
import { PANEL_PROGRAM } from '../support/program.ts'
import { eventually } from '../support/wait.ts'
import { workEnded } from '../support/work.ts'

const PASSWORD = 'una frase que nadie sabe'
const LOST = ['ana', 'bea', 'caro'] as const
const LONG_MS = 240_000

let world: World
let store: string
let fresh: string
let recovered: Panel | undefined
/** A token that was revoked before the node was copied, and one that was made after it. */
let revoked: string
let late: string
/** What each site's program is asked with. */
const queries = new Map<string, string>()

/** What a customer's site looks like to an application: many files, PHP, and rows that it shows. */
const PROGRAM = `<?php
$db = new PDO('mysql:host=localhost;dbname=' . $_GET['base'], $_GET['usuario']);
echo $db->query('select texto from wp_posts order by id')->fetchAll(PDO::FETCH_COLUMN) == ['uno', 'dós'] ? 'shown' : 'lost';`
const FILLS = `<?php
$db = new PDO('mysql:host=localhost;dbname=' . $_GET['base'], $_GET['usuario']);
$db->exec("create table wp_posts (id int primary key, texto varchar(20)) charset utf8mb4");
$db->exec("insert into wp_posts values (1, 'uno'), (2, 'dós')");`

beforeAll(async () => {
  store = mkdtempSync(join(tmpdir(), 'store-'))
  fresh = join(mkdtempSync(join(tmpdir(), 'otra-')), 'datos')
  world = await startBases({ ...ROOMY, PANEL_IPS: '192.0.2.7' })
  for (const name of LOST) await makeSite(name)
  await world.done('POST', '/clientes/caro/suspender')
  const body = { tipo: 'carpeta', url: store, contrasena: PASSWORD }
  await world.panel.api('PUT', '/copias/destino', { bearer: world.admin.bearer, body })
}, LONG_MS)
afterAll(async () => {
  if (recovered) await recovered.stop()
  else await world?.stop()
  for (const path of [store, dirname(fresh)]) rmSync(path, { recursive: true, force: true })
})

async function makeSite(name: string): Promise<void> {
  const root = await addClient(world, name)
  const { uid, gid } = statSync(root)
  const put = (path: string, content: string, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content, { mode })
    for (let at = join(root, path); at !== root; at = dirname(at)) chownSync(at, uid, gid)
  }
  put('index.php', PROGRAM)
  put('llena.php', FILLS)
  put('wp-config.php', `<?php // ${name} keeps this to itself`, 0o640)
  for (let at = 0; at < 40; at++) put(`wp-content/uploads/2026/ñ ${at}.txt`, `${name} ${at}`.repeat(at))
  const { usuario, base } = await createBase(world, name, 'wp')
  const query = `usuario=${usuario}&base=${base}`
  queries.set(name, query)
  await world.get(`${name}.es`, `/llena.php?${query}`)
  await world.done('POST', `/zonas/${name}.es/dnssec`)
  await world.done('PUT', `/zonas/${name}.es/registros/propio/TXT`, { ttl: 300, valores: [`"${name}"`] })
  await world.done('POST', `/sitios/${name}.es/programadas`, { cuando: '0 3 1 1 *', orden: ['true'] })
}

/** Names, kinds, modes, owners, link targets and bytes of a site below what is served. */
function tree(panel: Panel, clientId: number, siteId: number): string {
  const at = join(partDirectory(panel, 'web'), 'c', String(clientId), String(siteId), 'public')
  const list = `cd "$1" && find . -printf '%P %y %m %U %l\\n' | sort && find . -type f -print0 | sort -z | xargs -0 sha256sum`
  return Bun.spawnSync(['sh', '-c', list, 'sh', at]).stdout.toString()
}

const dig = (panel: Panel, ...words: string[]) =>
  Bun.spawnSync(['dig', '+short', '+tcp', '@127.0.0.1', '-p', String(panel.dnsPort), ...words])
    .stdout.toString()
    .trim()

/** What a visitor gets: the page with its rows, or a status. */
async function page(panel: Panel, name: string): Promise<string> {
  const url = `http://127.0.0.1:${panel.httpPort}/index.php?${queries.get(name)}`
  const answer = await fetch(url, { headers: { host: `${name}.es` }, keepalive: false })
  return answer.status === 200 ? answer.text() : String(answer.status)
}

const certificate = (panel: Panel, name: string) =>
  new Promise<string>((done, fail) => {
    const at = { host: '127.0.0.1', port: panel.httpsPort, servername: name, rejectUnauthorized: false }
    const socket = connect(at, () => {
      done(socket.getPeerCertificate().fingerprint256)
      socket.destroy()
    })
    socket.on('error', fail)
  })

/** All that has to be as it was, as the world sees it. */
async function seen(panel: Panel) {
  const get = async (path: string) => (await panel.api('GET', path, { bearer: world.token })).body
  const of = async (name: string, at: number) => ({
    ...{ name, files: tree(panel, at + 1, at + 1), page: await page(panel, name) },
    certificate: await certificate(panel, `${name}.es`),
    keys: dig(panel, `${name}.es`, 'DNSKEY'),
    text: dig(panel, `propio.${name}.es`, 'TXT'),
    address: dig(panel, `${name}.es`, 'A'),
    tasks: (await get(`/sitios/${name}.es/programadas`)).datos.map(({ id }: Json) => id),
    state: (await get(`/clientes/${name}`)).estado,
  })
  const bearer = async (token: string) => (await panel.api('GET', '/conexion', { bearer: token })).status
  return {
    clients: await Promise.all(LOST.map(of)),
    session: (await panel.api('GET', '/yo', { bearer: world.admin.bearer })).status,
    tokens: [await bearer(world.token), await bearer(revoked)],
    panel: panel.ca,
  }
}

async function recover(password: string, more: string[] = [], env: Record<string, string> = {}) {
  // Without a name of its own: the host has another one than the node that was lost.
  const { PANEL_NODE: _node, PANEL_TEST_CLOCK: _clock, ...own } = world.panel.env
  const args = ['recuperar', '--tipo', 'carpeta', '--url', store, '--json', ...more]
  const child = Bun.spawn(['bun', PANEL_PROGRAM, ...args], {
    env: { ...own, PANEL_DATA: fresh, ...env },
    ...{ stdin: new Blob([`${password}\n`]), stdout: 'pipe', stderr: 'pipe' },
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  await child.exited
  return { killed: child.signalCode === 'SIGKILL', told: out === '' ? null : JSON.parse(out), error }
}

let before: Awaited<ReturnType<typeof seen>>

test(
  'clients are copied, then the node; one client comes after that, and the machine is lost',
  async () => {
    const body = {
      nombre: 'retirado',
      caduca: new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10),
    }
    const made = await world.panel.api('POST', '/tokens', { bearer: world.admin.bearer, body })
    revoked = made.body.token
    expect(
      (await world.panel.api('DELETE', `/tokens/${made.body.id}`, { bearer: world.admin.bearer })).status,
    ).toBe(200)
    await world.done('POST', '/clientes/caro/activar')
    for (const name of LOST) await copied(name)
    await world.done('POST', '/clientes/caro/suspender')
    before = await seen(world.panel)
    expect(before.clients.map(({ page }) => page)).toEqual(['shown', 'shown', '503'])
    expect(before.clients.every(({ keys, text }) => keys !== '' && text !== '')).toBe(true)
    expect([before.session, before.tokens]).toEqual([200, [200, 401]])
    expect(await command(world, 'cron', 'copia_nodo')).toMatchObject({ resultado: { hechas: 1 } })
    late = await newToken(world.panel, world.admin, 'tarde')
    await makeSite('dani')
    expect(await page(world.panel, 'dani')).toBe('shown')
    await world.panel.stop()
    destroyUsers(world.panel)
  },
  LONG_MS,
)

async function copied(name: string): Promise<void> {
  const { tarea } = await world.done('POST', `/clientes/${name}/copias`)
  const job = await workEnded(world.call, tarea.id)
  expect([job.estado, job.resultado?.estado]).toEqual(['hecha', 'completa'])
}

/** The Unix users of a panel under test, and no others (deploy/node/driver.ts). */
function destroyUsers({ httpPort }: Panel): void {
  for (const file of ['/etc/passwd', '/etc/group', '/etc/shadow']) {
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, lines.filter((line) => !line.startsWith(`t${httpPort}x`)).join('\n'))
  }
}

test(
  'recuperar says what it would do, refuses a wrong password, and ends well wherever it is killed',
  async () => {
    const told = { nodo: 'nodo1', clientes: 3, partes: 6, sin_copia: [], suspendidos: ['caro'] }
    // Its disk is mounted elsewhere on the new machine.
    const moved = `${store}-movido`
    renameSync(store, moved)
    store = moved
    expect((await recover('otra frase')).error).toContain('password is wrong')
    expect((await recover(PASSWORD, ['--simular'])).told).toMatchObject({
      ...told,
      ilegibles: [],
      faltan: [],
    })
    expect(existsSync(join(fresh, 'keys'))).toBe(false)
    for (const step of ['traer', 'preparar', 'keys', 'colocar']) {
      const run = await recover(PASSWORD, [], { PANEL_TEST_KILL: `recuperar:${step}:after` })
      expect([step, run.killed, existsSync(join(fresh, 'panel.db'))]).toEqual([step, true, false])
    }
    const start = await world.panel.commandWith({ PANEL_DATA: fresh }, 'start')
    expect([start.status, start.error]).toEqual([2, expect.stringContaining('run recuperar again')])
    // From then on it is the node, whatever happens next.
    expect((await recover(PASSWORD, [], { PANEL_TEST_KILL: 'recuperar:base:after' })).killed).toBe(true)
    expect((await recover(PASSWORD)).error).toContain('there is a panel')
  },
  LONG_MS,
)

test(
  'every byte, name, certificate, zone, session and token is then as at the copy, and what came after is not there',
  async () => {
    const { PANEL_DATA: _data, PANEL_TEST_CLOCK: _clock, ...env } = world.panel.env
    const panel = await Panel.start({
      dataDir: fresh,
      port: world.panel.port,
      env: { ...env, PANEL_DATA: fresh, PANEL_NODE: '' },
    })
    recovered = panel
    const get = async (path: string) => (await panel.api('GET', path, { bearer: world.token })).body
    const restores = async () =>
      ((await get('/tareas?limite=200')).datos as Json[]).filter(
        ({ operacion }) => operacion === 'copia.restaurar',
      )
    // Restored and served.
    const isOpen = ({ operacion, estado }: Json) =>
      ['copia.restaurar', 'sitio.aplicar'].includes(operacion) && !['hecha', 'fallida'].includes(estado)
    const answers = new Set<string>()
    await eventually(
      async () => {
        for (const name of ['ana', 'dani']) answers.add(await page(panel, name))
        return !((await get('/tareas?limite=200')).datos as Json[]).some(isOpen) || null
      },
      'what the copies hold',
      120_000,
    )
    expect([...answers].filter((one) => one !== '503' && one !== 'shown')).toEqual([])
    const failed = (await restores()).filter(({ estado }) => estado === 'fallida')
    expect(failed.map(({ cliente }) => cliente)).toEqual(['caro', 'caro'])
    const now = await seen(panel)
    expect(now.clients.slice(0, 2)).toEqual(before.clients.slice(0, 2))
    expect({ ...now, clients: [] }).toEqual({ ...before, clients: [] })
    expect([now.clients[2]?.state, now.clients[2]?.page]).toEqual(['suspendido', '503'])

    // A suspended client's programs do not run: its files follow once it is active.
    await panel.api('POST', '/clientes/caro/activar', { bearer: world.token })
    await eventually(async () => (await page(panel, 'caro')) === 'shown' || null, 'the page', 60_000)
    expect(tree(panel, 3, 3)).toBe(before.clients[2]?.files ?? '')

    const { datos } = await get('/clientes/ana/copias')
    expect([datos.length, (await get('/copias/destino')).url]).toEqual([1, store])
    expect((await panel.api('GET', '/conexion', { bearer: late })).status).toBe(401)
    expect((await panel.api('GET', '/clientes/dani', { bearer: world.token })).status).toBe(404)
    await eventually(async () => (await page(panel, 'dani')) === '404' || null, 'that dani has no site')
    expect(dig(panel, 'dani.es', 'A')).toBe('')
    const left = Bun.spawnSync(['grep', '-rl', 'dani keeps this to itself', fresh]).stdout.toString()
    expect(left).toBe('')
    const { lines } = await panel.command('doctor')
    const wrong = lines[0].filter(({ bien }: Json) => !bien)
    expect(wrong.map(({ comprobacion }: Json) => comprobacion)).not.toContain('diferencias')
  },
  LONG_MS,
)
