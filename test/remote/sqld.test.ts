import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { remoteClient } from '../../deploy/database/remote/database.ts'
import { createDatabase } from '../../lib/store/database.ts'
import { clients, settings } from '../../schema/tables.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { type Sqld, sqldProgram, startSqld } from '../support/libsql/sqld.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

/** As deploy/database/remote/README.md says: sqld with its key on loopback, nginx with TLS before it, a node that moves. */
let folder: string
let store: string
let dataDir: string
let port: number
let sqld: Sqld
let nginx: Bun.Subprocess
let panel: Panel
let bearer: string
let env: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sqld-'))
  ;[store, dataDir] = [join(folder, 'store'), join(folder, 'panel')]
  await mkdir(join(store, 'dbs/default'), { recursive: true })
  await mkdir(dataDir)
  sh('openssl genpkey -algorithm ed25519 -out token.key')
  sh('openssl pkey -in token.key -pubout -out token.pub')

  const before = await onFile()
  bearer = await newToken(before, await firstAdmin(before))
  expect((await create(before, 'mudado')).status).toBe(201)
  const { status } = await before.command('backup', join(store, 'dbs/default/data'))
  expect(status).toBe(0)
  await before.stop()

  sqld = await start()
  const { caPath, cert, key } = await loopbackCertificate()
  const tlsPort = await freePort()
  await writeFile(join(folder, 'cert.pem'), cert)
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 })
  nginx = Bun.spawn(['/usr/sbin/nginx', '-p', folder, '-c', await nginxConfig(tlsPort), '-g', 'daemon off;'])
  env = {
    PANEL_DB_URL: `libsql://localhost:${tlsPort}`,
    PANEL_DB_TOKEN: token('token.key'),
    NODE_EXTRA_CA_CERTS: caPath,
  }
  panel = await Panel.start({ dataDir, env })
  panel.keepData = true
})

afterAll(async () => {
  await panel.stop()
  nginx.kill()
  await nginx.exited
  await sqld.stop()
  await rm(folder, { recursive: true, force: true })
})

async function onFile(): Promise<Panel> {
  const one = await Panel.start({ dataDir })
  one.keepData = true
  return one
}

async function start(): Promise<Sqld> {
  const program = sqldProgram()
  if (!program) throw new Error('there is no sqld')
  port ??= await freePort()
  return startSqld(program, store, ['--auth-jwt-key-file', join(folder, 'token.pub')], port)
}

/** The configuration that the folder brings, with this test's name, ports and files. */
async function nginxConfig(tlsPort: number): Promise<string> {
  const ours = await readFile(resolve(import.meta.dir, '../../deploy/database/remote/nginx.conf'), 'utf8')
  const server = ours
    .replace('127.0.0.1:8080', `127.0.0.1:${port}`)
    .replace('listen 8443', `listen 127.0.0.1:${tlsPort}`)
    .replace('db.example.org;', 'localhost;')
    .replaceAll('/etc/ssl/db.example.org', folder)
  const path = join(folder, 'nginx.conf')
  await writeFile(
    path,
    `pid nginx.pid; error_log error.log; events {} http { access_log off; client_body_temp_path body; ${server} }`,
  )
  return path
}

/** The commands of the README, in its folder. */
function sh(script: string): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(['/bin/sh', '-euc', script], { cwd: folder })
  if (exitCode !== 0) throw new Error(`${script}: ${stderr}`)
  return stdout.toString().trim()
}

function token(key: string, rights = 'rw'): string {
  return sh(`
    b64() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
    printf '%s.%s' "$(printf '{"alg":"EdDSA","typ":"JWT"}' | b64)" "$(printf '{"a":"${rights}"}' | b64)" > token.body
    printf '%s.%s\\n' "$(cat token.body)" "$(openssl pkeyutl -sign -rawin -inkey ${key} -in token.body | b64)"`)
}

const create = (on: Panel, cliente: string) => on.api('POST', '/clientes', { bearer, body: { cliente } })
const names = async (on: Panel): Promise<string[]> =>
  (await on.api('GET', '/clientes', { bearer })).body.datos.map(({ cliente }: Json) => cliente)

test('a node moves to the server with everything it has, and its tokens still work', async () => {
  expect(await names(panel)).toEqual(['mudado'])
  expect((await create(panel, 'nuevo')).status).toBe(201)
  expect((await names(panel)).sort()).toEqual(['mudado', 'nuevo'])
})

test('a search finds a part of a name there too, of what came along and of what is new', async () => {
  const found = async (part: string) =>
    (await panel.api('GET', `/clientes?buscar=${part}`, { bearer })).body.datos.map(
      ({ cliente }: Json) => cliente,
    )
  expect([await found('udad'), await found('uev'), await found('dadn')]).toEqual([['mudado'], ['nuevo'], []])
})

test('a killed server means 503 until it is back, and has everything that was acknowledged', async () => {
  expect((await create(panel, 'a-salvo')).status).toBe(201)
  await sqld.stop('SIGKILL')
  const answer = await create(panel, 'perdido')
  expect([answer.status, answer.body.codigo]).toEqual([503, 'no_disponible'])
  expect(answer.headers.get('retry-after')).not.toBeNull()
  sqld = await start()
  await eventually(async () => (await create(panel, 'despues')).status === 201, 'the database')
  expect((await names(panel)).sort()).toEqual(['a-salvo', 'despues', 'mudado', 'nuevo'])
})

test('a node with a token that the server refuses does not start, and does not print the token', async () => {
  sh('openssl genpkey -algorithm ed25519 -out other.key')
  const wrong = token('other.key')
  const refused = Panel.start({
    env: { ...env, PANEL_NODE: 'nodo2', PANEL_DB_TOKEN: wrong },
  })
  const error = await refused.catch((error) => error as Error)
  expect(String(error)).toEndWith('database unavailable: status 401, it does not know PANEL_DB_TOKEN\n')
  expect(String(error)).not.toContain(wrong)
})

test('a token that may only read says so where something is to be written', async () => {
  const client = remoteClient({ url: sqld.url, token: token('token.key', 'ro') })
  const db = createDatabase(client)
  expect((await db.read.select().from(clients)).length).toBeGreaterThan(0)
  const write = db.write(async (tx) => tx.later(tx.insert(settings).values({ name: 'a', value: 'b' })))
  await expect(write).rejects.toThrow('status 403, PANEL_DB_TOKEN may not write')
})

test('a backup of a server’s database is refused, and left to the server’s own tools', async () => {
  const copy = join(folder, 'mine.db')
  const { status, error } = await panel.command('backup', copy)
  expect([status, error]).toEqual([2, 'a database server is backed up with its own tools\n'])
  expect(await Bun.file(copy).exists()).toBe(false)
})

test('nobody reads it without a token', async () => {
  const body = JSON.stringify({ requests: [{ type: 'execute', stmt: { sql: 'select * from persons' } }] })
  const answer = await fetch(`${sqld.url}/v2/pipeline`, { method: 'POST', body })
  expect(answer.status).toBe(401)
})

test('a node goes back to a file by restoring a copy of the server’s', async () => {
  const there = await names(panel)
  await panel.stop()
  await sqld.stop()
  const file = new Database(join(store, 'dbs/default/data'))
  file.query('vacuum into ?').run(join(folder, 'copy.db'))
  file.close()
  await chmod(join(folder, 'copy.db'), 0o600)
  const restored = ['bun', 'deploy/node/panel.ts', 'restore', join(folder, 'copy.db'), '--misma-identidad']
  const { exitCode } = Bun.spawnSync(restored, { env: { PATH: process.env.PATH, PANEL_DATA: dataDir } })
  expect(exitCode).toBe(0)
  const after = await onFile()
  expect(await names(after)).toEqual(there)
  expect((await create(after, 'en-casa')).status).toBe(201)
  await after.stop()
})
