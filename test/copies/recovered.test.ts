import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import { embeddedClient } from '../../deploy/database/embedded/database.ts'
import { selfSigned } from '../../deploy/node/certificates/self-signed.ts'
import { sealDestination } from '../../lib/secrets/copies.ts'
import { newKeyLine, parseKeyRing } from '../../lib/secrets/keys.ts'
import { destinationPlace, repositoryPlace } from '../../lib/secrets/sealed.ts'
import { createDatabase } from '../../lib/store/database.ts'
import { backupDestinations, backupRepositories, copies, jobs } from '../../schema/tables.ts'
import type { Json } from '../support/panel.ts'
import { PANEL_PROGRAM } from '../support/program.ts'
import { random } from '../support/seed.ts'
import { addClient, addNode, addSite, NOW, testServices } from '../usage/store.ts'

const PASSWORD = 'una frase que nadie sabe'
const KEY = 'the key of that client'
const ring = newKeyLine(random)
const keys = parseKeyRing(ring)

/** Where the store is now; the panel that was lost knows it at another address. */
let store: string
const temporary: string[] = []
const directory = (name: string) => {
  const made = mkdtempSync(join(tmpdir(), name))
  temporary.push(made)
  return made
}

function restic(name: string, password: string, argv: string[], input?: Uint8Array): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    ['restic', '--no-cache', '-r', join(store, name), ...argv],
    {
      env: { ...process.env, RESTIC_PASSWORD: password, HOME: store },
      stdin: input ?? 'ignore',
    },
  )
  if (exitCode !== 0) throw new Error(stderr.toString())
  return stdout.toString()
}

function keep(name: string, password: string, content: Uint8Array, time: string): string {
  const argv = [
    'backup',
    '--stdin',
    '--stdin-filename',
    'contenido',
    '--host',
    'panel',
    '--time',
    time,
    '--json',
  ]
  return /"snapshot_id":"([0-9a-f]+)"/.exec(restic(name, password, argv, content))?.[1] ?? ''
}

const packs = (name: string) => [...new Glob(`${name}/data/*/*`).scanSync({ cwd: store, absolute: true })]

/** Replaces a file of a store. */
function put(path: string, content: Uint8Array = new Uint8Array()): void {
  chmodSync(path, 0o600)
  writeFileSync(path, content)
}

/** Of the latest copy of the node alone. */
let latest: string[]

beforeAll(async () => {
  store = directory('store-')
  restic('nodo', PASSWORD, ['init'])
  restic('c1-abcdef0123', KEY, ['init'])
  const snapshot = keep('c1-abcdef0123', KEY, new Uint8Array(10), '2026-11-20 03:00:00')
  const { services, directory: made, close } = await testServices()
  const { db } = services
  await addNode(services, 'nodo1')
  const clientId = await addClient(services, { name: 'ana' })
  await addSite(services, clientId, 'ana.es')
  const part = {
    kind: 'sitio' as const,
    name: 'ana.es',
    bytes: 10,
    snapshot,
    index: null,
    sha256: '',
    fault: null,
  }
  const copy = {
    id: 'cop_1',
    clientId,
    destination: 'carpeta /lost',
    state: 'completa' as const,
    whole: true,
  }
  const sealed = await sealDestination(keys, 'nodo1', { credential: null, password: 'antes', random })
  const destination = { node: 'nodo1', kind: 'carpeta' as const, url: '/lost', ...sealed, checkedAt: NOW }
  const name = 'c1-abcdef0123'
  const key = await keys.seal(repositoryPlace(name), KEY, random)
  await db.write(async (tx) =>
    tx.later(
      tx.insert(backupDestinations).values(destination),
      tx.insert(backupRepositories).values({ clientId, name, key }),
      tx.insert(copies).values({ ...copy, parts: [part], startedAt: NOW }),
    ),
  )
  const staging = directory('node-')
  const client = embeddedClient(join(made, 'panel.db'))
  await client.execute(`vacuum into '${join(staging, 'panel.db')}'`)
  client.close()
  await close()
  writeFileSync(join(staging, 'keys'), `${ring}\n`)
  mkdirSync(join(staging, 'tls'))
  const { certPem } = await selfSigned({ names: ['lost.example', 'localhost'], addresses: [], years: 1 })
  writeFileSync(join(staging, 'tls/panel.pem'), certPem)
  const packed = () => Bun.spawnSync(['tar', '--create', '-C', staging, 'panel.db', 'keys', 'tls']).stdout
  keep('nodo', PASSWORD, packed(), '2026-11-20 05:10:00')
  const before = packs('nodo')
  writeFileSync(join(staging, 'keys'), `${ring}\n${newKeyLine(random)}\n`)
  keep('nodo', PASSWORD, packed(), '2026-11-21 05:10:00')
  latest = packs('nodo').filter((one) => !before.includes(one))
}, 120_000)
afterAll(() => {
  for (const path of temporary) rmSync(path, { recursive: true, force: true })
})

async function recover(
  ...more: string[]
): Promise<{ told: Json; error: string; data: string; status: number }> {
  return recoverInto(join(directory('otra-'), 'datos'), more)
}

async function recoverInto(
  data: string,
  more: string[] = [],
  host = 'panel.example',
): Promise<{ told: Json; error: string; data: string; status: number }> {
  const args = ['recuperar', '--tipo', 'carpeta', '--url', store, '--json', ...more]
  const child = Bun.spawn(['bun', PANEL_PROGRAM, ...args], {
    env: { PATH: process.env.PATH, PANEL_TEST: '1', PANEL_DATA: data, PANEL_HOST: host },
    ...{ stdin: new Blob([`${PASSWORD}\n`]), stdout: 'pipe', stderr: 'pipe' },
  })
  const [out, error, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { told: out === '' ? null : JSON.parse(out), error, data, status }
}

test('a node that is recovered from where its store is now restores its clients from there', async () => {
  const { told, data, error } = await recover()
  expect([told?.partes, told?.sin_copia, told?.ilegibles, error]).toEqual([1, [], [], ''])
  expect(told.host).toBe('lost.example')
  const client = embeddedClient(join(data, 'panel.db'))
  const { read, close } = createDatabase(client)
  const [row] = await read.select().from(backupDestinations)
  expect(row).toMatchObject({ url: store, store: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(await keys.open(destinationPlace('nodo1', 'password'), row?.password ?? '')).toBe(PASSWORD)
  expect((await read.select().from(copies))[0]?.destination).toBe(`carpeta ${store}`)
  const queued = (await read.select().from(jobs)).filter(({ kind }) => kind === 'copia.restaurar')
  expect(queued.map(({ payload }) => payload.copy)).toEqual(['cop_1'])
  close()
}, 120_000)

test('where the store has lost a part of the latest copy, the one before it is recovered, and that is said', async () => {
  const whole = latest.map((path) => readFileSync(path))
  for (const [at, path] of latest.entries())
    put(
      path,
      whole[at]?.map((byte) => byte ^ 1),
    )
  const { told, error } = await recover()
  expect(told).toMatchObject({ copia: expect.stringContaining('2026-11-20'), clientes: 1 })
  expect(told.ilegibles).toEqual([expect.stringContaining('2026-11-21')])
  expect(error).toContain('cannot be read')
  for (const [at, path] of latest.entries()) put(path, whole[at])
  expect((await recover('--copia', '2026-11-20', '--simular')).told.copia).toContain('2026-11-20')
}, 300_000)

test('where there is no room for the latest copy, that is said, and no older one is taken in its place', async () => {
  const small = directory('small-')
  expect(Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', small]).exitCode).toBe(0)
  try {
    const { told, error, status } = await recoverInto(join(small, 'datos'))
    expect([told, status]).toEqual([null, 2])
    expect(error).toContain(`there is no room for the copy in ${small}`)
    expect(error).not.toContain('the destination has lost')
  } finally {
    Bun.spawnSync(['umount', small])
  }
  expect((await recover('--simular')).told.copia).toContain('2026-11-21')
}, 300_000)

test('simulated, it looks into the repositories of the clients and names what is missing', async () => {
  const { told: whole, data } = await recover('--simular')
  expect(whole).toMatchObject({ partes: 1, faltan: [] })
  expect(existsSync(data)).toBe(false)
  mkdirSync(data)
  await recoverInto(data, ['--simular'])
  expect(readdirSync(data)).toEqual([])
  const [index = ''] = new Glob('c1-abcdef0123/index/*').scanSync({ cwd: store, absolute: true })
  put(index, readFileSync(index).subarray(0, 20))
  expect((await recover('--simular')).told.faltan).toEqual([expect.stringMatching(/^ana: .*lost/)])
  rmSync(join(store, 'c1-abcdef0123'), { recursive: true })
  const { told } = await recover('--simular')
  expect(told.faltan).toEqual(['ana: its repository is not there (ana.es)'])
}, 300_000)

test('a copy is asked for by a day or a moment, and else it is said how', async () => {
  expect((await recover('--copia', '2026-11-21T05:09', '--simular')).told.copia).toContain('2026-11-20')
  const { told, error, status } = await recover('--copia', 'ayer')
  expect([told, status, error]).toEqual([null, 2, expect.stringContaining('as 2026-11-25 ')])
  const none = await recover('--copia', '2026-11-01')
  expect([none.status, existsSync(none.data)]).toEqual([2, false])
}, 120_000)

test('on a machine that has the name of the lost one nothing is said of that', async () => {
  const { told } = await recoverInto(join(directory('otra-'), 'datos'), ['--simular'], 'lost.example')
  expect(told.host).toBe(null)
}, 120_000)

test('a directory that is not there is said to be that', async () => {
  renameSync(store, `${store}-away`)
  expect((await recover()).error).toContain('there is no such directory')
  mkdirSync(store)
}, 60_000)
