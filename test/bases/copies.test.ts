import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { clientGroups } from '../../deploy/node/confinement/use.ts'
import { ROOMY } from '../api/people.ts'
import { partDirectory } from '../support/consistency.ts'
import type { Json } from '../support/panel.ts'
import { enrol } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { workEnded } from '../support/work.ts'
import { sql } from './sql.ts'
import { addClient, command, createBase, startBases, type World } from './world.ts'

let world: World
/** Ana's site's folder, and her account at the server. */
let folder: string
let usuario: string
let store: string

const PASSWORD = 'una frase que nadie sabe'

beforeAll(async () => {
  store = mkdtempSync(join(tmpdir(), 'store-'))
  world = await startBases(ROOMY)
  folder = dirname(await addClient(world, 'ana'))
  await addClient(world, 'bea')
  usuario = (await createBase(world, 'ana', 'tienda')).usuario
  await run("create table t (a varchar(20)); insert into t values ('antes')")
  put('index.html', 'antes')
  put('sub/ñ a.txt', 'dentro')
}, 240_000)
afterAll(async () => {
  await world?.stop()
  rmSync(store, { recursive: true, force: true })
})

const run = async (words: string) => {
  expect(await sql(world, usuario, words, { database: 'ana_tienda' })).toMatchObject({ code: 0, error: '' })
}
const rowsOf = async () => (await sql(world, null, 'select a from ana_tienda.t')).out

/** Writes a file of Ana's below what is served, as hers. */
function put(name: string, content: string): void {
  const path = join(folder, 'public', name)
  const { uid, gid } = statSync(join(folder, 'public'))
  const above = dirname(path)
  if (!existsSync(above)) {
    Bun.spawnSync(['mkdir', '-p', above])
    chownSync(above, uid, gid)
  }
  writeFileSync(path, content, { mode: 0o640 })
  chownSync(path, uid, gid)
}
const read = (name: string) => readFileSync(join(folder, 'public', name), 'utf8')

const ended = (id: string): Promise<Json> => workEnded(world.call, id, 180_000)

async function result(path: string, body?: Json): Promise<Json> {
  const { tarea } = await world.done('POST', path, body)
  const job = await ended(tarea.id)
  expect([job.estado, job.error]).toEqual(['hecha', null])
  return job.resultado
}
const copied = async () => (await result('/clientes/ana/copias')).copia as string
const putDestination = (body: Json) =>
  world.panel.api('PUT', '/copias/destino', { bearer: world.admin.bearer, body })

describe('where copies go', () => {
  test('is entered by a person, checked, and never tells its secrets', async () => {
    const nightly = async () => (await world.call('GET', '/clientes/ana/copias')).body.cada_noche
    expect(await nightly()).toBe(false)
    expect((await world.call('POST', '/clientes/ana/copias')).body.codigo).toBe('destino_no_existe')
    expect((await world.call('GET', '/copias/destino')).body.codigo).toBe('destino_no_existe')
    const body = { tipo: 'carpeta', url: store, contrasena: PASSWORD }
    expect((await world.call('PUT', '/copias/destino', body)).body.codigo).toBe('no_con_token')
    const set = await putDestination(body)
    expect([set.status, set.body]).toEqual([200, expect.objectContaining({ tipo: 'carpeta', url: store })])
    expect(JSON.stringify(set.body)).not.toContain(PASSWORD)
    expect(await nightly()).toBe(true)
    expect((await putDestination(body)).status).toBe(200)
    expect((await world.call('GET', '/copias/destino')).body).toMatchObject({ con_credencial: false })
  }, 240_000)

  test('is refused where it cannot be used, and the one before it stays', async () => {
    const at = { tipo: 'carpeta', url: store, contrasena: PASSWORD }
    const refused = async (change: Json) => (await putDestination({ ...at, ...change })).body.codigo
    expect(await refused({ contrasena: 'otra contraseña' })).toBe('destino_contrasena')
    expect(await refused({ url: `${store}/falta` })).toBe('destino_fallo')
    expect(await refused({ url: '/tmp/../etc' })).toBe('datos_invalidos')
    expect(await refused({ tipo: 'rest', url: 'http://ejemplo.es/x' })).toBe('datos_invalidos')
    expect(await refused({ tipo: 'sftp', url: 'sftp://a@b/-oProxyCommand=x', credencial: 'x' })).toBe(
      'datos_invalidos',
    )
    expect((await world.call('GET', '/copias/destino')).body.url).toBe(store)
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
  const kept = (): Json[] => JSON.parse(nodo(store, 'snapshots'))
  try {
    nodo(there, 'init')
    nodo(there, ...other)
    const refused = await putDestination({ tipo: 'carpeta', url: there, contrasena: PASSWORD })
    expect([refused.status, refused.body.codigo]).toEqual([409, 'destino_ajeno'])
    expect((await world.call('GET', '/copias/destino')).body.url).toBe(store)

    expect(await command(world, 'cron', 'copia_nodo')).toMatchObject({ resultado: { hechas: 1 } })
    expect(kept()).toMatchObject([{ hostname: expect.stringMatching(/^nodo1\.[0-9a-f]{16}$/) }])
    nodo(store, ...other)
    const { lines } = await world.panel.command('cron', 'copia_nodo')
    expect(JSON.stringify(lines)).not.toContain('hechas')
    expect(kept()).toHaveLength(2)
    const checks: Json[] = (await world.panel.command('doctor')).lines[0] ?? []
    const told = checks.find(({ comprobacion }) => comprobacion === 'destino de copias')
    expect([told?.bien, told?.consejo]).toEqual([false, expect.stringContaining('Another panel')])
    nodo(store, 'forget', kept().find(({ hostname }) => hostname === stranger)?.id)
  } finally {
    rmSync(there, { recursive: true, force: true })
  }
}, 240_000)

describe('a copy', () => {
  test('holds sites, databases and settings, and shows its folders', async () => {
    const copia = await copied()
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
    const copia = await copied()
    const listed = async () => {
      const { datos } = await world.done('GET', '/clientes/ana/copias')
      return datos.map((one: Json) => one.copia)
    }
    const all = await listed()
    expect(all[0]).toBe(copia)
    const moved = `${store}-movido`
    const other = mkdtempSync(join(tmpdir(), 'otro-'))
    const put = (url: string) => putDestination({ tipo: 'carpeta', url, contrasena: PASSWORD })
    try {
      expect([(await put(other)).status, await listed()]).toEqual([200, []])
      renameSync(store, moved)
      expect([(await put(moved)).status, await listed()]).toEqual([200, all])
    } finally {
      renameSync(moved, store)
      rmSync(other, { recursive: true, force: true })
    }
    expect([(await put(store)).status, await listed()]).toEqual([200, all])
  }, 240_000)

  test('gives back a path, a site and a database, beside or in place, and what was there can come back', async () => {
    const copia = await copied()
    put('index.html', 'después')
    put('nuevo.txt', 'nuevo')
    await run("update t set a = 'después'")
    const restore = (body: Json) => result(`/clientes/ana/copias/${copia}/restaurar`, body)

    const beside = await restore({ sitio: 'ana.es', ruta: '/public/index.html', modo: 'aparte' })
    expect(readFileSync(join(folder, beside.ruta, 'public/index.html'), 'utf8')).toBe('antes')
    expect([read('index.html'), beside.deshacer]).toEqual(['después', null])

    const inPlace = await restore({ sitio: 'ana.es', modo: 'sustituir' })
    expect([read('index.html'), read('sub/ñ a.txt'), existsSync(join(folder, 'public/nuevo.txt'))]).toEqual([
      'antes',
      'dentro',
      false,
    ])
    expect(await world.get('ana.es', '/index.html')).toBe('antes')
    await result(`/clientes/ana/copias/${inPlace.deshacer}/restaurar`, {
      ...{ sitio: 'ana.es', ruta: '/public/index.html' },
      modo: 'sustituir',
    })
    expect(read('index.html')).toBe('después')
    expect(readdirSync(join(folder, '.controlpanel'))).toEqual([])

    const dump = await restore({ base: 'ana_tienda', sitio: 'ana.es', modo: 'aparte' })
    expect(readFileSync(join(folder, dump.ruta), 'utf8')).toContain('antes')
    const base = await restore({ base: 'ana_tienda', modo: 'sustituir' })
    expect(await rowsOf()).toBe('antes')
    await result(`/clientes/ana/copias/${base.deshacer}/restaurar`, { base: 'ana_tienda', modo: 'sustituir' })
    expect(await rowsOf()).toBe('después')
  }, 240_000)

  test('is incomplete where a file cannot be read, and has all others', async () => {
    put('cerrado.txt', 'x')
    Bun.spawnSync(['chmod', '0', join(folder, 'public/cerrado.txt')])
    const { copia, estado } = await result('/clientes/ana/copias')
    rmSync(join(folder, 'public/cerrado.txt'))
    const [first] = (await world.done('GET', '/clientes/ana/copias')).datos
    expect([first.copia, first.estado, estado]).toEqual([copia, 'incompleta', 'incompleta'])
    expect(first.contenido.map(({ error }: Json) => error === null)).toEqual([true, false, true])
  }, 240_000)

  test('leaves out what lies deeper than 256 folders, which would take hours, and says so', async () => {
    const folders = (count: number) => Array<string>(count).fill('d').join('/')
    put(`${folders(300)}/fondo.txt`, 'x')
    Bun.spawnSync(['chmod', '-R', 'a+rX', join(folder, 'public/d')])
    const { copia, estado } = await result('/clientes/ana/copias')
    rmSync(join(folder, 'public/d'), { recursive: true })
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
    const mine = `RESTIC_REPOSITORY=${store}/`
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
    Bun.spawnSync(['ln', '-s', 'index.html', join(folder, 'public/enlace')])
    copia = await copied()
    rmSync(join(folder, 'public/enlace'))
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
      appendFileSync(join(folder, 'public/large.bin'), crypto.getRandomValues(random))
    }
    copia = await copied()
    rmSync(join(folder, 'public/large.bin'))
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

/** Ana herself, once she has signed in. */
let ana: string

/** Has 19 of what is counted for Ana today. */
function countNineteen(nameOf: (client: number) => string): void {
  using database = new Database(join(world.panel.dataDir, 'panel.db'))
  const row = database.query<{ id: number }, []>("select id from clients where name = 'ana'").get()
  database.run(
    'insert into counters (name, "window", count) values (?, ?, 19) on conflict do update set count = 19',
    [nameOf(row?.id ?? 0), Math.floor(Date.now() / 1000)],
  )
}

test('a customer is kept from asking too often', async () => {
  await world.done('POST', '/clientes/ana/acceso', { correo: 'ana@cliente.es' })
  const { link } = await world.panel.mailTo('ana@cliente.es')
  ana = (await enrol(world.panel, link ?? '', 'ana@cliente.es')).bearer
  const copia = await copied()
  countNineteen(() => 'copias:ana')
  const restore = () => {
    const body = { sitio: 'ana.es', ruta: '/public/index.html', modo: 'aparte' }
    return world.panel.api('POST', `/clientes/ana/copias/${copia}/restaurar`, { bearer: ana, body })
  }
  const first = await restore()
  expect(first.status).toBe(202)
  await ended(first.body.tarea.id)
  const refused = await restore()
  expect([refused.status, refused.body.codigo]).toEqual([429, 'espera'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3600)
  // What its operator asks for is neither refused nor counted.
  expect(await copied()).toStartWith('cop_')
}, 240_000)

describe('what is deleted', () => {
  const gone = async (path: string) => {
    await world.done('DELETE', path)
    await eventually(async () => (await world.call('GET', path)).status === 404, 'its end', 180_000)
  }
  const add = async (domain: string) => {
    await world.done('POST', '/sitios', { cliente: 'ana', domain, aliases: [] })
    const path = `/sitios/${domain}/archivos/contenido?ruta=/public/index.html`
    const put = await world.panel.api('PUT', path, { bearer: world.token, raw: domain })
    expect(put.status).toBe(201)
  }
  const inBin = async (kind: string, name: string) =>
    (await command(world, 'papelera')).some(({ tipo, nombre }: Json) => tipo === kind && nombre === name)
  const latest = async () => (await world.done('GET', '/clientes/ana/copias')).datos[0]

  test('is copied first, and can be had from that copy although it is gone', async () => {
    await add('otra.es')
    await createBase(world, 'ana', 'otra')
    await gone('/sitios/otra.es')
    const ofSite = await latest()
    expect(ofSite.contenido).toMatchObject([{ tipo: 'sitio', nombre: 'otra.es', error: null }])
    await gone('/bases/ana_otra')
    const ofBase = await latest()
    expect(ofBase.contenido).toMatchObject([{ tipo: 'base', nombre: 'ana_otra', error: null }])
    expect([await inBin('sitio', 'otra.es'), await inBin('base', 'ana_otra')]).toEqual([true, true])
    for (const [copy, query] of [
      [ofSite, 'sitio=otra.es'],
      [ofBase, 'base=ana_otra'],
    ]) {
      const answer = await world.panel.fetch(`/api/clientes/ana/copias/${copy.copia}/archivo?${query}`, {
        headers: { authorization: `Bearer ${world.token}` },
      })
      expect(Bun.gunzipSync(await answer.arrayBuffer()).length).toBeGreaterThan(500)
    }
  }, 240_000)

  test('is copied twenty times a day for a customer, and then goes with the bin alone, which is told', async () => {
    countNineteen((client) => `copias_antes:${client}`)
    const removed = async (domain: string, bearer: string) => {
      await add(domain)
      const { status, body } = await world.panel.api('DELETE', `/sitios/${domain}`, { bearer })
      await eventually(
        async () => (await world.call('GET', `/sitios/${domain}`)).status === 404,
        'its end',
        180_000,
      )
      return { status, copied: body.copia_previa, kept: (await latest()).contenido[0]?.nombre === domain }
    }
    expect(await removed('veinte.es', ana)).toMatchObject({ copied: 'pedida', kept: true })
    expect(await removed('veintiuno.es', ana)).toEqual({ status: 200, copied: 'limite', kept: false })
    expect(await inBin('sitio', 'veintiuno.es')).toBe(true)
    const [told] = (await world.done('GET', `/auditoria?operacion=${encodeURIComponent('DELETE /sitios')}`))
      .datos
    expect(told?.detalle).toEqual({ copia_previa: 'limite' })
    expect(await removed('operador.es', world.token)).toMatchObject({ copied: 'pedida', kept: true })
  }, 240_000)

  test('is copied and goes, whenever the panel is killed meanwhile', async () => {
    const { panel } = world
    for (const point of ['copies.part:after', 'commit:after']) {
      await add('cortada.es')
      await panel.kill()
      await panel.up({ PANEL_TEST_KILL: `copia.antes:${point}` })
      await world.call('DELETE', '/sitios/cortada.es').catch(() => null)
      await panel.died()
      await panel.up()
      const isGone = async () => (await world.call('GET', '/sitios/cortada.es')).status === 404
      await eventually(isGone, `its end after ${point}`, 180_000)
      const { contenido, estado } = await latest()
      expect([contenido[0].nombre, estado]).toEqual(['cortada.es', 'completa'])
    }
  }, 240_000)

  test('goes to the bin all the same while the destination is away, and that is told', async () => {
    await add('sola.es')
    renameSync(store, `${store}-away`)
    try {
      await gone('/sitios/sola.es')
      expect(await inBin('sitio', 'sola.es')).toBe(true)
      expect(await latest()).toMatchObject({ estado: 'incompleta', contenido: [] })
      const jobs: Json[] = (await world.done('GET', '/tareas?cliente=ana')).datos
      const before = jobs.filter(({ operacion }) => operacion === 'copia.antes')
      expect(before.map(({ estado }) => estado)).toContain('fallida')
      const isTold = async () =>
        (await world.panel.mails()).some(({ subject }) => /copias que fallan|Backups fail/.test(subject))
      await eventually(isTold, 'the mail', 180_000)
    } finally {
      renameSync(`${store}-away`, store)
    }
  }, 240_000)
})

test('every night each client is copied, once', async () => {
  const night = new Date()
  night.setUTCDate(night.getUTCDate() + 3)
  night.setUTCHours(2, 2, 0, 0)
  await world.panel.setClock(Math.round((night.getTime() - Date.now()) / 1000))
  expect(await command(world, 'cron', 'copias')).toMatchObject({ resultado: { pedidas: 2 } })
  const latest = async (client: string) => (await world.done('GET', `/clientes/${client}/copias`)).datos[0]
  for (const client of ['ana', 'bea']) {
    const isNew = async () => (await latest(client))?.cuando.startsWith(night.toISOString().slice(0, 10))
    await eventually(async () => (await isNew()) || null, 'its copy', 60_000)
    expect((await latest(client)).estado).toBe('completa')
  }
  expect(await command(world, 'cron', 'copias')).toMatchObject({ resultado: { pedidas: 0 } })
}, 240_000)

test('a copy that does not read back as it was is told of, and doctor says how old the last good one is', async () => {
  const { panel } = world
  const named = (await panel.command('doctor')).lines[0]?.map(({ comprobacion }: Json) => comprobacion)
  expect(named).toEqual(expect.arrayContaining(['copias de clientes', 'copia del nodo']))
  const bearer = world.token
  const copies = async (): Promise<Json[]> =>
    (await panel.api('GET', '/clientes/bea/copias', { bearer })).body.datos
  // That of the night before may be under way still.
  const isIdle = async () => {
    const { datos } = (await panel.api('GET', '/tareas', { bearer })).body
    return datos.every(({ terminada }: Json) => terminada !== null)
  }
  await eventually(isIdle, 'the end of all work', 60_000)
  const before = new Set((await copies()).map(({ copia }) => copia))
  const packs = [...new Bun.Glob('c2-*/data/*/*').scanSync({ cwd: store, absolute: true })]
  expect(packs.length).toBeGreaterThan(0)
  for (const pack of packs) {
    const bytes = readFileSync(pack)
    Bun.spawnSync(['chmod', 'u+w', pack])
    writeFileSync(
      pack,
      bytes.map((byte) => byte ^ 1),
    )
  }
  // A week after whatever was read back before.
  await panel.setClock(11 * 86_400)
  // The night has come, too, and its copy may be under way already.
  const { status } = await panel.api('POST', '/clientes/bea/copias', { bearer })
  expect([202, 409]).toContain(status)
  const told = async () =>
    (await copies()).some(({ copia, estado }) => !before.has(copia) && estado === 'incompleta')
  await eventually(told, 'the copy that is incomplete', 60_000)
}, 240_000)
