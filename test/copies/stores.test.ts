import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import { addClient, command, createBase, startBases, type World } from '../bases/world.ts'
import type { Json } from '../support/panel.ts'
import { plainSsh } from '../support/plain-ssh.ts'
import { PANEL_PROGRAM } from '../support/program.ts'
import { startRest } from '../support/stores/rest.ts'
import { type S3, startS3 } from '../support/stores/s3.ts'
import { eventually } from '../support/wait.ts'
import { workEnded } from '../support/work.ts'

const PASSWORD = 'una frase que nadie sabe'
const LONG_MS = 600_000

let world: World
let s3: S3
/** Ana's site's folder. */
let folder: string
const ending: (() => unknown)[] = []

beforeAll(async () => {
  world = await startBases(ROOMY)
  ending.push(() => world.stop())
  s3 = await startS3()
  ending.push(() => s3.away())
  folder = dirname(await addClient(world, 'ana'))
  await createBase(world, 'ana', 'tienda')
  put('index.html', 'antes')
}, LONG_MS)
afterAll(async () => {
  for (const end of ending.toReversed()) await end()
})

function temporary(prefix: string): string {
  const directory = mkdtempSync(join(tmpdir(), prefix))
  ending.push(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Writes a file of Ana's below what is served, as hers. */
function put(name: string, content: string): void {
  const path = join(folder, 'public', name)
  const { uid, gid } = statSync(join(folder, 'public'))
  writeFileSync(path, content, { mode: 0o640 })
  chownSync(path, uid, gid)
}
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

const job = async (id: string): Promise<Json> => await world.done('GET', `/tareas/${id}`)
const begun = async (path: string, body?: Json): Promise<string> =>
  (await world.done('POST', path, body)).tarea.id
const ended = (id: string): Promise<Json> => workEnded(world.call, id, 300_000)
async function result(path: string, body?: Json): Promise<Json> {
  const { estado, error, resultado } = await ended(await begun(path, body))
  expect([estado, error]).toEqual(['hecha', null])
  return resultado
}

type Store = { tipo: string; url: string; credencial: string; huella?: string }
const enter = ({ tipo, url, credencial, huella }: Store, contrasena = PASSWORD) => {
  const body = { tipo, url, credencial, huella, contrasena }
  return world.panel.api('PUT', '/copias/destino', { bearer: world.admin.bearer, body })
}

async function recover({ tipo, url, credencial, huella }: Store): Promise<{ told: Json; data: string }> {
  const data = join(temporary('otra-'), 'datos')
  const args = ['recuperar', '--tipo', tipo, '--url', url, '--json', ...(huella ? ['--huella', huella] : [])]
  const child = Bun.spawn(['bun', PANEL_PROGRAM, ...args], {
    env: { ...world.panel.env, PANEL_DATA: data },
    ...{ stdin: new Blob([`${PASSWORD}\n${credencial}\n`]), stdout: 'pipe', stderr: 'pipe' },
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(error)
  return { told: JSON.parse(out), data }
}

async function sftp(): Promise<Store & { huella: string; replace(): Promise<void> }> {
  const directory = temporary('ssh-')
  const key = join(directory, 'key')
  Bun.spawnSync(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key])
  const server = await plainSsh(readFileSync(`${key}.pub`, 'utf8').trim())
  ending.push(() => server.stop())
  const told = Bun.spawnSync(['ssh-keygen', '-lf', join(server.directory, 'host.pub')]).stdout.toString()
  const url = `sftp://root@127.0.0.1:${server.port}${directory}/copias`
  const huella = told.split(' ')[1] ?? ''
  return { tipo: 'sftp', url, credencial: readFileSync(key, 'utf8'), huella, replace: server.replace }
}
async function rest(): Promise<Store> {
  const server = await startRest()
  ending.push(() => server.stop())
  return { tipo: 'rest', url: server.url, credencial: server.credential }
}
const bucket = (): Store => ({ tipo: 's3', url: s3.url, credencial: s3.credential })

describe('a node is copied to, restored and recovered from', () => {
  test.each([
    ['an OpenSSH server', sftp],
    ['a REST server of restic', rest],
    ['an S3 server', async () => bucket()],
  ])(
    '%s',
    async (_, make) => {
      const store = await make()
      const set = await enter(store)
      expect([set.status, set.body.con_credencial, set.body.nodo_copiado]).toEqual([200, true, null])
      put('index.html', 'antes')
      const { copia, estado } = await result('/clientes/ana/copias')
      expect(estado).toBe('completa')
      put('index.html', 'después')
      const path = { sitio: 'ana.es', ruta: '/public/index.html', modo: 'sustituir' }
      await result(`/clientes/ana/copias/${copia}/restaurar`, path)
      expect(read('public/index.html')).toBe('antes')
      expect(await command(world, 'cron', 'copia_nodo')).toMatchObject({ resultado: { hechas: 1 } })
      const { cuando } = (await copies()).find((one) => one.copia === copia) ?? {}
      const { nodos } = await world.done('GET', '/resumen')
      expect(nodos[0].copias).toEqual({
        ...{ atrasada: false, nodo: expect.any(String), cliente: { cliente: 'ana', desde: cuando } },
      })
      const { told, data } = await recover(store)
      expect(told).toMatchObject({ clientes: 1, partes: 2, sin_copia: [] })
      expect(readFileSync(join(data, 'keys'), 'utf8')).toBe(
        readFileSync(join(world.panel.dataDir, 'keys'), 'utf8'),
      )
      expect(existsSync(join(data, 'panel.db'))).toBe(true)
      // It starts again with the next.
      await world.done('DELETE', '/copias/destino')
    },
    LONG_MS,
  )
})

/** Begins a copy of Ana's, and tells what it fails with at first, while it is tried again. */
async function failing(): Promise<{ id: string; error: string }> {
  const id = await begun('/clientes/ana/copias')
  const error = await eventually(async () => (await job(id)).error, 'its fault', 300_000)
  return { id, error }
}
/** The same copy, once the store is well again. */
const copied = async (id: string) => {
  const { estado, error, resultado } = await ended(id)
  return [estado, error, resultado?.estado]
}
const WHOLE = ['hecha', null, 'completa']
const copies = async (): Promise<Json[]> => (await world.done('GET', '/clientes/ana/copias')).datos
const destination = async () => {
  const { lines } = await world.panel.command('doctor')
  return lines[0].find(({ comprobacion }: Json) => comprobacion === 'destino de copias')
}
/** What the node's own page tells of its copies, among its services. */
const told = async () => {
  const { servicios } = await world.done('GET', '/nodos/nodo1')
  return servicios.find(({ servicio }: Json) => servicio === 'copias')
}
const metric = async (name: string) => {
  const text = await (await world.panel.fetch('/metrics')).text()
  return new RegExp(`^controlpanel_${name}{node="nodo1"} (.*)$`, 'm').exec(text)?.[1]
}
/** The latest of those that are kept: of a day it is one. */
const good = async () => (await copies()).find(({ estado }) => estado === 'completa')?.copia
/** Ana's repository. */
const theirs = () => [...s3.objects].filter(([key]) => /\/c1-\w+\//.test(key))
const packs = () => theirs().filter(([key]) => key.includes('/data/'))

test(
  'an SFTP server is known by the key that was entered, or by the one that it showed then',
  async () => {
    const { huella, replace, ...store } = await sftp()
    const other = { ...store, huella: `SHA256:${'A'.repeat(43)}` }
    expect((await enter(other)).body).toMatchObject({ codigo: 'destino_fallo', motivo: 'huella' })
    expect((await enter({ ...bucket(), huella })).body.codigo).toBe('datos_invalidos')
    expect((await enter(store)).body.huella).toBe(huella)
    // Another server answers there from then on.
    await replace()
    const { id, error } = await failing()
    expect(error).toContain('shows another key')
    await world.done('DELETE', `/tareas/${id}`)
    await ended(id)
    expect((await enter(store)).body.huella).not.toBe(huella)
  },
  LONG_MS,
)

describe('a store that fails is told of, and the copy goes on once it is well', () => {
  let warned: number
  const warnings = async () =>
    (await world.panel.mails()).filter(({ subject }) => subject.includes('copias que fallan'))
  beforeAll(async () => {
    warned = (await warnings()).length
    expect((await enter(bucket())).status).toBe(200)
    await result('/clientes/ana/copias')
    expect(await destination()).toMatchObject({ bien: true })
  }, LONG_MS)

  const restoreBeside = async () =>
    begun(`/clientes/ana/copias/${await good()}/restaurar`, {
      ...{ sitio: 'ana.es', ruta: '/public/index.html' },
      modo: 'aparte',
    })

  test(
    'full',
    async () => {
      s3.mood = 'full'
      const { id, error } = await failing()
      expect(error).toContain('no space left')
      expect(await destination()).toMatchObject({
        bien: false,
        consejo: expect.stringContaining('make room'),
      })
      await eventually(async () => (await told())?.estado === 'parado', 'it at the node', 60_000)
      expect(await told()).toMatchObject({ consejo: expect.stringContaining('ana') })
      const { nodos } = await world.done('GET', '/resumen')
      expect([nodos[0].estado, nodos[0].servicios]).toEqual([
        'con_fallos',
        expect.arrayContaining([expect.objectContaining({ servicio: 'copias', estado: 'parado' })]),
      ])
      expect(await metric('copies_destination_failing')).toBe('1')
      // What is there can be restored all the same.
      const { estado, resultado } = await ended(await restoreBeside())
      expect([estado, read(`${resultado.ruta}/public/index.html`)]).toEqual(['hecha', 'antes'])
      s3.mood = 'well'
      expect(await copied(id)).toEqual(WHOLE)
      expect(await destination()).toMatchObject({ bien: true })
      await eventually(async () => (await told()) === undefined, 'its end at the node', 60_000)
      expect(await metric('copies_destination_failing')).toBe('0')
    },
    LONG_MS,
  )

  test(
    'hanging',
    async () => {
      s3.mood = 'hangs'
      expect((await enter(bucket())).body).toMatchObject({ codigo: 'destino_fallo', motivo: 'inaccesible' })
      const { id, error } = await failing()
      expect(error).toContain('could not be used')
      s3.mood = 'well'
      expect(await copied(id)).toEqual(WHOLE)
    },
    LONG_MS,
  )

  test(
    'away',
    async () => {
      await s3.away()
      const { id, error } = await failing()
      expect(error).toContain('could not be used')
      expect(await destination()).toMatchObject({
        bien: false,
        consejo: expect.stringContaining('could not be used'),
      })
      expect((await enter(bucket())).body).toMatchObject({ codigo: 'destino_fallo', motivo: 'inaccesible' })
      const path = async () => `/clientes/ana/copias/${await good()}/archivos?ruta=/sitios/ana.es`
      expect((await world.call('GET', await path())).body.codigo).toBe('no_disponible')
      s3.back()
      expect(await copied(id)).toEqual(WHOLE)
      expect((await world.done('GET', await path())).datos.map(({ nombre }: Json) => nombre)).toEqual([
        'public',
      ])
    },
    LONG_MS,
  )

  test(
    'with its credential withdrawn',
    async () => {
      s3.mood = 'revoked'
      const { id, error } = await failing()
      expect(error).toContain('refuses the credential')
      expect((await enter(bucket())).body).toMatchObject({ codigo: 'destino_fallo', motivo: 'credencial' })
      s3.mood = 'well'
      expect(await copied(id)).toEqual(WHOLE)
    },
    LONG_MS,
  )

  test(
    'with another password than it had',
    async () => {
      expect((await enter(bucket(), 'otra frase que nadie sabe')).body.codigo).toBe('destino_contrasena')
      const keys = theirs().filter(([key]) => key.includes('/keys/'))
      const [[, others] = []] = [...s3.objects].filter(([key]) => key.includes('/nodo/keys/'))
      for (const [key] of keys) s3.objects.set(key, others ?? new Uint8Array())
      const { id, error } = await failing()
      expect(error).toContain('not opened by this key')
      for (const [key, content] of keys) s3.objects.set(key, content)
      expect(await copied(id)).toEqual(WHOLE)
    },
    LONG_MS,
  )

  const broken = (content: Uint8Array) => content.map((byte) => byte ^ 1)
  test.each([
    ['broken', (key: string, content: Uint8Array) => s3.objects.set(key, broken(content))],
    ['lost', (key: string) => s3.objects.delete(key)],
  ])(
    'with packs that are %s: a restore from it leaves everything as it is',
    async (_, spoil) => {
      const whole = packs()
      for (const [key, content] of whole) spoil(key, content)
      const path = async () => `/clientes/ana/copias/${await good()}/archivos?ruta=/sitios/ana.es`
      expect((await world.call('GET', await path())).body).toMatchObject({
        codigo: 'destino_fallo',
        motivo: 'danado',
      })
      const before = Bun.spawnSync(['find', folder]).stdout.toString()
      const asked = { sitio: 'ana.es', ruta: '/public/index.html', modo: 'aparte' }
      const { status, body } = await world.call(
        'POST',
        `/clientes/ana/copias/${await good()}/restaurar`,
        asked,
      )
      // One that ends at once is answered as such.
      if (status === 202) await ended(body.tarea.id)
      else expect([status, body.codigo]).toEqual([409, 'copia_danada'])
      const jobs: Json[] = (await world.done('GET', '/tareas?cliente=ana')).datos
      const { estado, intentos, error, resultado } =
        jobs.find(({ operacion }) => operacion === 'copia.restaurar') ?? {}
      expect([estado, intentos, resultado.codigo]).toEqual(['fallida', 1, 'copia_danada'])
      expect(error).toContain('lost or changed')
      expect(Bun.spawnSync(['find', folder]).stdout.toString()).toBe(before)
      for (const [key, content] of whole) s3.objects.set(key, content)
      expect((await result('/clientes/ana/copias')).estado).toBe('completa')
    },
    LONG_MS,
  )

  test(
    'with a lock that a killed restic left',
    async () => {
      const [id = '', secret = ''] = s3.credential.split(':')
      const restic = Bun.spawn(['restic', '--no-cache', 'backup', '--stdin'], {
        env: {
          ...{ PATH: process.env.PATH, HOME: temporary('restic-'), RESTIC_PASSWORD: PASSWORD },
          ...{ RESTIC_REPOSITORY: `s3:${s3.url}/nodo`, AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret },
        },
        ...{ stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' },
      })
      const locks = () => [...s3.objects.keys()].filter((key) => key.includes('/nodo/locks/'))
      await eventually(async () => locks().length > 0, 'its lock', 60_000)
      restic.kill('SIGKILL')
      await restic.exited
      expect(await command(world, 'cron', 'copia_nodo')).toMatchObject({ resultado: { hechas: 1 } })
      expect(locks()).toEqual([])
    },
    LONG_MS,
  )

  test(
    'empty, as where its disk is not mounted; what it has lost for good is not listed any more',
    async () => {
      const all = [...s3.objects]
      s3.objects.clear()
      const { id, error } = await failing()
      expect([error, s3.objects.size]).toEqual([expect.stringContaining('holds nothing of this node'), 0])
      for (const [key, content] of all) s3.objects.set(key, content)
      expect(await copied(id)).toEqual(WHOLE)
      for (const [key] of theirs()) s3.objects.delete(key)
      const { copia } = await result('/clientes/ana/copias')
      expect((await copies()).map((one) => one.copia)).toEqual([copia])
    },
    LONG_MS,
  )

  test('and its operators were written to, once', async () => {
    expect((await warnings()).length).toBe(warned + 1)
  })
})
