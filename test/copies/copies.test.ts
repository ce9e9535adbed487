import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { clientGroups } from '../../deploy/node/confinement/use.ts'
import { sql } from '../bases/sql.ts'
import { command, createBase } from '../bases/world.ts'
import { partDirectory } from '../support/consistency.ts'
import { giveFile } from '../support/owned.ts'
import type { Json } from '../support/panel.ts'
import { eventually } from '../support/wait.ts'
import { type CopiesWorld, PASSWORD, startCopies } from './world.ts'

let world: CopiesWorld
/** Ana's account at the server. */
let usuario: string

beforeAll(async () => {
  world = await startCopies()
  usuario = (await createBase(world, 'ana', 'tienda')).usuario
  await run("create table t (a varchar(20)); insert into t values ('antes')")
  put('sub/ñ a.txt', 'dentro')
}, 240_000)
afterAll(() => world?.stop())

const run = async (words: string) => {
  expect(await sql(world, usuario, words, { database: 'ana_tienda' })).toMatchObject({ code: 0, error: '' })
}
const rowsOf = async () => (await sql(world, null, 'select a from ana_tienda.t')).out
const put = (name: string, content: string) => giveFile(join(world.folder, 'public'), name, content)
const read = (name: string) => readFileSync(join(world.folder, 'public', name), 'utf8')

describe('where copies go', () => {
  test('is entered by a person, checked, and never tells its secrets', async () => {
    const nightly = async () => (await world.call('GET', '/clientes/ana/copias')).body.cada_noche
    expect(await nightly()).toBe(false)
    expect((await world.call('POST', '/clientes/ana/copias')).body.codigo).toBe('destino_no_existe')
    expect((await world.call('GET', '/copias/destino')).body.codigo).toBe('destino_no_existe')
    const body = { tipo: 'carpeta', url: world.store, contrasena: PASSWORD }
    expect((await world.call('PUT', '/copias/destino', body)).body.codigo).toBe('no_con_token')
    const set = await world.putDestination(body)
    expect([set.status, set.body]).toEqual([
      200,
      expect.objectContaining({ tipo: 'carpeta', url: world.store }),
    ])
    expect(JSON.stringify(set.body)).not.toContain(PASSWORD)
    expect(await nightly()).toBe(true)
    expect((await world.putDestination(body)).status).toBe(200)
    expect((await world.call('GET', '/copias/destino')).body).toMatchObject({ con_credencial: false })
  }, 240_000)

  test('is refused where it cannot be used, and the one before it stays', async () => {
    const at = { tipo: 'carpeta', url: world.store, contrasena: PASSWORD }
    const refused = async (change: Json) => (await world.putDestination({ ...at, ...change })).body.codigo
    expect(await refused({ contrasena: 'otra contraseña' })).toBe('destino_contrasena')
    expect(await refused({ url: `${world.store}/falta` })).toBe('destino_fallo')
    expect(await refused({ url: '/tmp/../etc' })).toBe('datos_invalidos')
    expect(await refused({ tipo: 'rest', url: 'http://ejemplo.es/x' })).toBe('datos_invalidos')
    expect(await refused({ tipo: 'sftp', url: 'sftp://a@b/-oProxyCommand=x', credencial: 'x' })).toBe(
      'datos_invalidos',
    )
    expect((await world.call('GET', '/copias/destino')).body.url).toBe(world.store)
  }, 240_000)

  test('is no folder of the system, and none that holds anything but copies', async () => {
    const full = mkdtempSync(join(tmpdir(), 'lleno-'))
    writeFileSync(join(full, 'fotos'), 'x')
    try {
      for (const [url, code] of [
        ['/etc', 'carpeta_del_sistema'],
        [full, 'carpeta_ocupada'],
      ]) {
        const { status, body } = await world.putDestination({ tipo: 'carpeta', url, contrasena: PASSWORD })
        expect([status, body.codigo]).toEqual([422, 'datos_invalidos'])
        expect(body.campos).toMatchObject([{ campo: 'url', codigo: code }])
      }
      expect([existsSync('/etc/nodo'), readdirSync(full)]).toEqual([false, ['fotos']])
    } finally {
      rmSync(full, { recursive: true })
      rmSync('/etc/nodo', { recursive: true, force: true })
      const back = { tipo: 'carpeta', url: world.store, contrasena: PASSWORD }
      expect((await world.putDestination(back)).status).toBe(200)
    }
  }, 240_000)
})

test('the node is not copied to where another panel keeps its copies, and that is told', async () => {
  const there = mkdtempSync(join(tmpdir(), 'store-'))
  const nodo = (directory: string, ...argv: string[]) => {
    const env = { ...process.env, RESTIC_REPOSITORY: join(directory, 'nodo'), RESTIC_PASSWORD: PASSWORD }
    const stdin = Buffer.from('x')
    const { exitCode, stdout } = Bun.spawnSync(['restic', '--no-cache', '--json', ...argv], { env, stdin })
    expect(exitCode).toBe(0)
    return stdout.toString()
  }
  const stranger = 'nodo1.0123456789abcdef'
  const other = ['backup', '--stdin', '--stdin-filename', 'contenido', '--host', stranger]
  const kept = (): Json[] => JSON.parse(nodo(world.store, 'snapshots'))
  try {
    nodo(there, 'init')
    nodo(there, ...other)
    const refused = await world.putDestination({ tipo: 'carpeta', url: there, contrasena: PASSWORD })
    expect([refused.status, refused.body.codigo]).toEqual([409, 'destino_ajeno'])
    expect((await world.call('GET', '/copias/destino')).body.url).toBe(world.store)

    expect(await command(world, 'cron', 'copia_nodo')).toMatchObject({ resultado: { hechas: 1 } })
    expect(kept()).toMatchObject([{ hostname: expect.stringMatching(/^nodo1\.[0-9a-f]{16}$/) }])
    nodo(world.store, ...other)
    const { lines } = await world.panel.command('cron', 'copia_nodo')
    expect(JSON.stringify(lines)).not.toContain('hechas')
    expect(kept()).toHaveLength(2)
    const checks: Json[] = (await world.panel.command('doctor')).lines[0] ?? []
    const told = checks.find(({ comprobacion }) => comprobacion === 'destino de copias')
    expect([told?.bien, told?.consejo]).toEqual([false, expect.stringContaining('Another panel')])
    nodo(world.store, 'forget', kept().find(({ hostname }) => hostname === stranger)?.id)
  } finally {
    rmSync(there, { recursive: true, force: true })
  }
}, 240_000)

describe('a copy', () => {
  test('holds sites, databases and settings, and shows its folders', async () => {
    const copia = await world.copied()
    const { datos } = await world.done('GET', '/clientes/ana/copias')
    expect(datos[0]).toMatchObject({ copia, estado: 'completa', probada: expect.any(String) })
    expect(datos[0].contenido.map(({ tipo, nombre, error }: Json) => [tipo, nombre, error])).toEqual([
      ['ajustes', 'ajustes', null],
      ['sitio', 'ana.es', null],
      ['base', 'ana_tienda', null],
    ])
    const names = async (ruta: string) => {
      const path = `/clientes/ana/copias/${copia}/archivos?ruta=${encodeURIComponent(ruta)}`
      return (await world.done('GET', path)).datos.map(({ nombre }: Json) => nombre)
    }
    expect(await names('/sitios')).toEqual(['ana.es'])
    expect(await names('/sitios/ana.es')).toEqual(['public'])
    expect(await names('/sitios/ana.es/public')).toContain('index.html')
    expect(await names('/sitios/ana.es/public/sub')).toEqual(['ñ a.txt'])
    const others = await world.call('GET', `/clientes/bea/copias/${copia}/archivos`)
    expect(others.body.codigo).toBe('copia_no_existe')
  }, 240_000)

  test('stays where its store goes, and is found again once that is entered again', async () => {
    const copia = await world.copied()
    const listed = async () => {
      const { datos } = await world.done('GET', '/clientes/ana/copias')
      return datos.map((one: Json) => one.copia)
    }
    const all = await listed()
    expect(all[0]).toBe(copia)
    const moved = `${world.store}-movido`
    const other = mkdtempSync(join(tmpdir(), 'otro-'))
    const put = (url: string) => world.putDestination({ tipo: 'carpeta', url, contrasena: PASSWORD })
    try {
      expect([(await put(other)).status, await listed()]).toEqual([200, []])
      renameSync(world.store, moved)
      expect([(await put(moved)).status, await listed()]).toEqual([200, all])
    } finally {
      renameSync(moved, world.store)
      rmSync(other, { recursive: true, force: true })
    }
    expect([(await put(world.store)).status, await listed()]).toEqual([200, all])
  }, 240_000)

  test('gives back a path, a site and a database, beside or in place, and what was there can come back', async () => {
    const copia = await world.copied()
    put('index.html', 'después')
    put('nuevo.txt', 'nuevo')
    await run("update t set a = 'después'")
    const restore = (body: Json) => world.result(`/clientes/ana/copias/${copia}/restaurar`, body)

    const beside = await restore({ sitio: 'ana.es', ruta: '/public/index.html', modo: 'aparte' })
    expect(readFileSync(join(world.folder, beside.ruta, 'public/index.html'), 'utf8')).toBe('antes')
    expect([read('index.html'), beside.deshacer]).toEqual(['después', null])

    const inPlace = await restore({ sitio: 'ana.es', modo: 'sustituir' })
    expect([
      read('index.html'),
      read('sub/ñ a.txt'),
      existsSync(join(world.folder, 'public/nuevo.txt')),
    ]).toEqual(['antes', 'dentro', false])
    expect(await world.get('ana.es', '/index.html')).toBe('antes')
    await world.result(`/clientes/ana/copias/${inPlace.deshacer}/restaurar`, {
      ...{ sitio: 'ana.es', ruta: '/public/index.html' },
      modo: 'sustituir',
    })
    expect(read('index.html')).toBe('después')
    expect(readdirSync(join(world.folder, '.controlpanel'))).toEqual([])

    const dump = await restore({ base: 'ana_tienda', sitio: 'ana.es', modo: 'aparte' })
    expect(readFileSync(join(world.folder, dump.ruta), 'utf8')).toContain('antes')
    const base = await restore({ base: 'ana_tienda', modo: 'sustituir' })
    expect(await rowsOf()).toBe('antes')
    await world.result(`/clientes/ana/copias/${base.deshacer}/restaurar`, {
      base: 'ana_tienda',
      modo: 'sustituir',
    })
    expect(await rowsOf()).toBe('después')
  }, 240_000)

  test('is incomplete where a file cannot be read, and has all others', async () => {
    put('cerrado.txt', 'x')
    Bun.spawnSync(['chmod', '0', join(world.folder, 'public/cerrado.txt')])
    const { copia, estado } = await world.result('/clientes/ana/copias')
    rmSync(join(world.folder, 'public/cerrado.txt'))
    const [first] = (await world.done('GET', '/clientes/ana/copias')).datos
    expect([first.copia, first.estado, estado]).toEqual([copia, 'incompleta', 'incompleta'])
    expect(first.contenido.map(({ error }: Json) => error === null)).toEqual([true, false, true])
  }, 240_000)

  test('leaves out what lies deeper than 256 folders, which would take hours, and says so', async () => {
    const folders = (count: number) => Array<string>(count).fill('d').join('/')
    put(`${folders(300)}/fondo.txt`, 'x')
    Bun.spawnSync(['chmod', '-R', 'a+rX', join(world.folder, 'public/d')])
    const { copia, estado } = await world.result('/clientes/ana/copias')
    rmSync(join(world.folder, 'public/d'), { recursive: true })
    const [first] = (await world.done('GET', '/clientes/ana/copias')).datos
    expect([first.copia, first.estado, estado]).toEqual([copia, 'incompleta', 'incompleta'])
    expect(first.contenido[1].error).toContain('256')
    const names = async (ruta: string) => {
      const asked = await world.done('GET', `/clientes/ana/copias/${copia}/archivos?ruta=${ruta}`)
      return asked.datos.map(({ nombre }: Json) => nombre)
    }
    expect(await names('/sitios/ana.es/public')).toContain('index.html')
    // The deepest that is kept is a folder, below `public` and 254 others.
    expect(await names(`/sitios/ana.es/public/${folders(254)}`)).toEqual(['d'])
    expect(await names(`/sitios/ana.es/public/${folders(255)}`)).toEqual([])
  }, 240_000)
})

/** Those processes have a quarter of what all clients have together of the processors, and their memory is bounded. */
function expectBehind(pids: string[]): void {
  const groups = clientGroups(join(partDirectory(world.panel, 'web'), 'run'))
  if (!groups) throw new Error('no control groups')
  const isNew = groups.version === 2
  const numbersIn = (controller: 'memory' | 'cpu', file: string) =>
    readFileSync(join(`${dirname(groups[controller] ?? '')}-behind`, file), 'utf8')
      .trim()
      .split('\n')
      .map(Number)
  for (const controller of ['memory', 'cpu'] as const)
    expect(numbersIn(controller, 'cgroup.procs')).toEqual(expect.arrayContaining(pids.map(Number)))
  expect(pids.length).toBeGreaterThan(0)
  const clients = `${basename(dirname(groups.cpu ?? ''))}`
  const [weight] = numbersIn('cpu', isNew ? 'cpu.weight' : 'cpu.shares')
  const [theirs] = numbersIn('cpu', `../${clients}/${isNew ? 'cpu.weight' : 'cpu.shares'}`)
  expect(4 * (weight ?? 0)).toBeWithin(4, (theirs ?? 0) + 1)
  const [bytes] = numbersIn('memory', isNew ? 'memory.max' : 'memory.limit_in_bytes')
  expect(bytes).toBeWithin(512 << 20, totalmem())
}

describe('a download of a copy', () => {
  let copia: string
  const ask = (query: string, signal?: AbortSignal, client = 'ana') =>
    world.panel.fetch(`/api/clientes/${client}/copias/${copia}/archivo?${query}`, {
      headers: { authorization: `Bearer ${world.token}` },
      ...(signal ? { signal } : {}),
    })
  const bytesOf = async (query: string) => {
    const answer = await ask(query)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
    return { name: answer.headers.get('content-disposition'), bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const listed = (bytes: Buffer) => {
    const { exitCode, stdout } = Bun.spawnSync(['tar', '-tzf', '-'], { stdin: bytes })
    expect(exitCode).toBe(0)
    return stdout.toString().split('\n').filter(Boolean)
  }
  const refusal = async (query: string, client = 'ana') =>
    (await (await ask(query, undefined, client)).json()).codigo
  const readers = () => {
    const mine = `RESTIC_REPOSITORY=${world.store}/`
    return readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mine)
      } catch {
        return false
      }
    })
  }

  test('is a site, a path of it or a database, as it was', async () => {
    put('[a] *.txt', 'con signos')
    Bun.spawnSync(['ln', '-s', 'index.html', join(world.folder, 'public/enlace')])
    copia = await world.copied()
    rmSync(join(world.folder, 'public/enlace'))
    const site = await bytesOf('sitio=ana.es')
    expect(site.name).toBe("attachment; filename*=UTF-8''ana.es.tar.gz")
    const names = listed(site.bytes)
    expect(names).toEqual(
      expect.arrayContaining(['./public/index.html', './public/enlace', './public/[a] *.txt']),
    )
    expect(names.some((name) => name.includes('registros'))).toBe(false)
    const path = (ruta: string) => `sitio=ana.es&ruta=${encodeURIComponent(ruta)}`
    expect(listed((await bytesOf(path('/public/[a] *.txt'))).bytes)).toEqual(['./public/[a] *.txt'])
    expect(listed((await bytesOf(path('/public/sub'))).bytes).at(-1)).toStartWith('./public/sub/')
    const base = await bytesOf('base=ana_tienda')
    const dump = Bun.gunzipSync(base.bytes)
    expect(new TextDecoder().decode(dump).trimEnd().split('\n').at(-1)).toStartWith('-- Dump completed')
  }, 240_000)

  test('is refused of what the copy has not, and of what is another client’s', async () => {
    expect(await refusal('sitio=bea.es')).toBe('sitio_no_existe')
    expect(await refusal('sitio=ana.es&ruta=/public/falta')).toBe('archivo_no_existe')
    expect(await refusal('')).toBe('datos_invalidos')
    expect(await refusal('sitio=ana.es', 'bea')).toBe('copia_no_existe')
  }, 240_000)

  test('is one at a time for a client, ends when its reader leaves, and breaks off with its program', async () => {
    const random = crypto.getRandomValues(new Uint8Array(65_536))
    put('large.bin', '')
    for (let at = 0; at < 800; at++) {
      random[0] = at % 256
      random[1] = at >> 8
      appendFileSync(join(world.folder, 'public/large.bin'), crypto.getRandomValues(random))
    }
    copia = await world.copied()
    rmSync(join(world.folder, 'public/large.bin'))
    const leaving = new AbortController()
    expect((await ask('sitio=ana.es', leaving.signal)).status).toBe(200)
    expect((await ask('base=ana_tienda')).status).toBe(503)
    expectBehind(readers())
    leaving.abort()
    await eventually(async () => readers().length === 0, 'the end of what it read', 60_000)
    const answer = await eventually(async () => {
      const again = await ask('sitio=ana.es')
      return again.status === 200 ? again : null
    }, 'room for the next')
    expect(Bun.spawnSync(['pkill', '-KILL', '-f', '^/usr/bin/restic .* dump --no-lock']).exitCode).toBe(0)
    await expect(answer.arrayBuffer()).rejects.toThrow()
  }, 240_000)
})
