import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import { plant } from '../api/store.ts'
import { sql } from '../bases/sql.ts'
import { addClient, createBase, startBases, type World } from '../bases/world.ts'
import type { Json } from '../support/panel.ts'
import { eventually } from '../support/wait.ts'
import { workEnded } from '../support/work.ts'

let world: World
let served: string
let store: string
let usuario: string
/** A copy of a site that says "old" and a base whose row does. */
let copy: string

const PASSWORD = 'una frase que nadie sabe'

beforeAll(async () => {
  store = mkdtempSync(join(tmpdir(), 'store-'))
  world = await startBases(ROOMY)
  served = join(dirname(await addClient(world, 'ana')), 'public')
  usuario = (await createBase(world, 'ana', 'tienda')).usuario
  await enter()
  put('old')
  await run("create table t (a varchar(20)); insert into t values ('old')")
  copy = (await result('/clientes/ana/copias')).copia
}, 240_000)
afterAll(async () => {
  await world?.stop()
  rmSync(store, { recursive: true, force: true })
})

async function enter(): Promise<void> {
  const body = { tipo: 'carpeta', url: store, contrasena: PASSWORD }
  const { status } = await world.panel.api('PUT', '/copias/destino', { bearer: world.admin.bearer, body })
  expect(status).toBe(200)
}
const ended = (id: string): Promise<Json> => workEnded(world.call, id, 180_000)
async function result(path: string, body?: Json): Promise<Json> {
  const { tarea } = await world.done('POST', path, body)
  const job = await ended(tarea.id)
  expect([job.estado, job.error]).toEqual(['hecha', null])
  return { ...job.resultado, tarea: tarea.id }
}

function put(content: string): void {
  const path = join(served, 'index.html')
  const { uid, gid } = statSync(served)
  writeFileSync(path, content, { mode: 0o640 })
  chownSync(path, uid, gid)
}
const packsOf = (folder: string) =>
  [...new Bun.Glob(`c1-*/${folder}/*/*`).scanSync({ cwd: store, absolute: true })].sort()
const shown = () => readFileSync(join(served, 'index.html'), 'utf8')
const run = async (words: string) => {
  expect(await sql(world, usuario, words, { database: 'ana_tienda' })).toMatchObject({ code: 0, error: '' })
}
const row = async () => (await sql(world, null, 'select a from ana_tienda.t')).out.trim().split('\n').at(-1)

const SITE = { sitio: 'ana.es', modo: 'sustituir' }
const BASE = { base: 'ana_tienda', modo: 'sustituir' }

let made = 0
/** A restore of a lost node's, as `recuperar` queues it, that ended in this way; answers its id. */
async function lost(
  wanted: Json,
  how: { state: string; step: string; result: Json | null },
): Promise<string> {
  const { tarea } = await result(`/clientes/ana/copias/${copy}/restaurar`, wanted)
  const own = (id: string) => `${id.slice(0, -3)}BR${made}`
  made += 1
  plant(
    world.panel,
    `update jobs set payload = json_set(payload, '$.bare', json('true'), '$.database', null, '$.undo', ?),
     id = ?, target = ?, attempts = 1, state = ?, step = ?, result = ?, finished_at = null where id = ?`,
    ...[own(copy), own(tarea), own(copy), how.state, how.step],
    ...[how.result === null ? null : JSON.stringify(how.result), tarea],
  )
  return own(tarea)
}
const WITHOUT_DESTINATION = { state: 'fallida', step: 'start', result: { codigo: 'destino_no_existe' } }

test('what a customer has put online since a node was recovered stays when its destination is entered at last', async () => {
  const jobs = [await lost(SITE, WITHOUT_DESTINATION), await lost(BASE, WITHOUT_DESTINATION)]
  put('new')
  await run("update t set a = 'new'")
  await enter()
  for (const [at, code] of ['sitio_no_vacio', 'base_no_vacia'].entries()) {
    const job = await ended(jobs[at] ?? '')
    expect([job.estado, job.resultado.codigo]).toEqual(['fallida', code])
  }
  expect([shown(), await row()]).toEqual(['new', 'new'])
  // Nobody waits for them any more: the next night copies what is there by now.
  const { lines } = await world.panel.command('cron', 'copias')
  expect(lines[0]).toMatchObject({ tarea: 'copias' })
}, 240_000)

test('into what is empty both come back', async () => {
  const jobs = [await lost(SITE, WITHOUT_DESTINATION), await lost(BASE, WITHOUT_DESTINATION)]
  rmSync(join(served, 'index.html'))
  await run('drop table t')
  await enter()
  for (const id of jobs) expect((await ended(id)).estado).toBe('hecha')
  expect([shown(), await row()]).toEqual(['old', 'old'])
}, 240_000)

test('what an attempt that was killed may have left is copied before it is replaced', async () => {
  const id = await lost(SITE, { state: 'pendiente', step: 'copies.restore', result: null })
  put('half')
  plant(world.panel, 'update jobs set next_at = 0 where id = ?', id)
  const job = await ended(id)
  expect([job.estado, shown()]).toEqual(['hecha', 'old'])
  await result(`/clientes/ana/copias/${job.resultado.deshacer}/restaurar`, SITE)
  expect(shown()).toBe('half')
}, 240_000)

describe('a site that was lost with its node', () => {
  const visit = () =>
    fetch(`http://127.0.0.1:${world.panel.httpPort}/`, { headers: { host: 'ana.es' }, keepalive: false })
  async function answers(wanted: string): Promise<void> {
    let last = ''
    const seen = async () => {
      const answer = await visit()
      last = [
        answer.status,
        answer.headers.get('retry-after') ?? '',
        answer.ok ? await answer.text() : '',
      ].join(' ')
      return last.trim() === wanted || null
    }
    await eventually(seen, `${wanted}`).catch(() => expect(last.trim()).toBe(wanted))
  }
  const serveAnew = () => world.done('PATCH', '/sitios/ana.es', { indice_spa: false })
  const told = async () => (await world.done('GET', '/sitios/ana.es')).error
  const AWAY = '503 60'

  test('answers 503 while its files are not back, and is served once they are', async () => {
    rmSync(join(served, 'index.html'))
    await lost(SITE, WITHOUT_DESTINATION)
    rmSync(join(served, 'index.html'))
    await serveAnew()
    await answers(AWAY)
    expect(await told()).toContain('could not be brought back')
    const { lines } = await world.panel.command('cron', 'diferencias')
    expect(lines[0]).toMatchObject({ resultado: { reparados: 0 } })
    await enter()
    await answers('200  old')
    expect(await told()).toBe(null)
  }, 240_000)

  test('is served as soon as another copy is restored into it', async () => {
    await lost(SITE, WITHOUT_DESTINATION)
    rmSync(join(served, 'index.html'))
    await serveAnew()
    await answers(AWAY)
    await result(`/clientes/ana/copias/${copy}/restaurar`, SITE)
    await answers('200  old')
    const { datos } = await world.done('GET', '/tareas?cliente=ana&estado=fallida&limite=200')
    expect(datos.filter(({ resultado }: Json) => resultado?.codigo === 'destino_no_existe')).toEqual([])
  }, 240_000)

  test('is served by another copy also while its own waits for its next try', async () => {
    const id = await lost(SITE, { state: 'pendiente', step: 'start', result: null })
    plant(world.panel, 'update jobs set next_at = next_at + 3600000 where id = ?', id)
    rmSync(join(served, 'index.html'))
    await serveAnew()
    await answers(AWAY)
    await result(`/clientes/ana/copias/${copy}/restaurar`, SITE)
    await answers('200  old')
    expect((await ended(id)).estado).toBe('cancelada')
  }, 240_000)

  test('comes back from an older copy where the latest does not read back', async () => {
    put('old')
    await serveAnew()
    const before = packsOf('data')
    put(Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('hex'))
    const { copia } = await result('/clientes/ana/copias')
    for (const pack of packsOf('data').filter((one) => !before.includes(one))) {
      const size = statSync(pack).size
      chmodSync(pack, 0o600)
      writeFileSync(pack, new Uint8Array(size))
    }
    const id = await lost(SITE, { state: 'pendiente', step: 'start', result: null })
    rmSync(join(served, 'index.html'))
    plant(
      world.panel,
      "update jobs set payload = json_set(payload, '$.copy', ?), next_at = 0 where id = ?",
      copia,
      id,
    )
    expect((await ended(id)).estado).toBe('hecha')
    expect(shown()).toBe('old')
    await answers('200  old')
  }, 240_000)

  test('is served with what was put there by hand, also where its copy is gone', async () => {
    const id = await lost(SITE, WITHOUT_DESTINATION)
    plant(world.panel, "update jobs set payload = json_set(payload, '$.copy', 'cop_gone') where id = ?", id)
    rmSync(join(served, 'index.html'))
    await world.done('POST', `/tareas/${id}/reintentar`)
    expect((await ended(id)).resultado.codigo).toBe('copia_no_existe')
    await answers(AWAY)
    put('by hand')
    await world.done('POST', `/tareas/${id}/reintentar`)
    await answers('200  by hand')
    expect(await told()).toBe(null)
  }, 240_000)

  test('whose programs find no database yet is not served before that is back', async () => {
    put('old')
    await serveAnew()
    await answers('200  old')
    const id = await lost(BASE, WITHOUT_DESTINATION)
    await run('drop table t')
    await serveAnew()
    await answers(AWAY)
    expect(await told()).toContain('database was lost')
    await enter()
    expect((await ended(id)).estado).toBe('hecha')
    await answers('200  old')
    expect([await told(), await row()]).toEqual([null, 'old'])
  }, 240_000)

  test('is served once its database has come from elsewhere, or is deleted', async () => {
    const away = async (name: string) => {
      const id = await lost(BASE, WITHOUT_DESTINATION)
      const gone = `update jobs set payload = json_set(payload, '$.copy', 'cop_gone', '$.wanted.base', ?) where id = ?`
      plant(world.panel, gone, name, id)
      await serveAnew()
      await answers(AWAY)
    }
    await away('ana_tienda')
    await result(`/clientes/ana/copias/${copy}/restaurar`, BASE)
    await answers('200  old')
    await away('ana_tienda')
    const dump = join(dirname(served), 'own.sql')
    const { uid, gid } = statSync(served)
    writeFileSync(dump, "create table t (a varchar(20)); insert into t values ('old');", {
      mode: 0o640,
    })
    chownSync(dump, uid, gid)
    await result('/bases/ana_tienda/cargar', { ruta: '/sitios/ana.es/own.sql' })
    rmSync(dump)
    await answers('200  old')
    await createBase(world, 'ana', 'otra')
    await world.done('DELETE', '/bases/ana_otra')
    const [entry] = (await world.done('GET', '/papelera')).datos.filter(
      ({ nombre }: Json) => nombre === 'ana_otra',
    )
    await createBase(world, 'ana', 'otra')
    await away('ana_otra')
    await result(`/papelera/${entry.id}/restaurar`, { base: 'ana_otra' })
    await answers('200  old')
    await away('ana_otra')
    await world.done('DELETE', '/bases/ana_otra')
    await answers('200  old')
    expect(await told()).toBe(null)
  }, 240_000)

  test('has visitors of a name that leads nowhere come again, until what was lost is back', async () => {
    const stranger = async (wanted: number) => {
      const url = `http://127.0.0.1:${world.panel.httpPort}/`
      const seen = async () =>
        (await fetch(url, { headers: { host: 'not-made.es' }, keepalive: false })).status === wanted || null
      await eventually(seen, `${wanted} for a name that leads nowhere`)
    }
    await stranger(404)
    const id = await lost(SITE, { state: 'pendiente', step: 'start', result: null })
    plant(world.panel, 'update jobs set next_at = next_at + 3600000 where id = ?', id)
    await world.panel.kill()
    await world.panel.up()
    await stranger(503)
    await world.call('DELETE', `/tareas/${id}`)
    await stranger(404)
  }, 240_000)
})
test("what is lost of one client's copies alone is told as that, ends when it is cancelled, and begins nothing anew", async () => {
  const before = shown()
  const [own = ''] = readdirSync(store).filter((name) => name.startsWith('c1-'))
  renameSync(join(store, own), join(store, `away-${own}`))
  try {
    const faultOf = async (id: string) => (await world.done('GET', `/tareas/${id}`)).error
    const asked = (await world.done('POST', `/clientes/ana/copias/${copy}/restaurar`, SITE)).tarea.id
    const bare = `${asked.slice(0, -3)}BR9`
    for (const id of [asked, bare]) {
      if (id === bare) {
        expect(shown()).toBe(before)
        // What a recovery brings back goes where nothing is.
        rmSync(join(served, 'index.html'))
        plant(world.panel, AS_BARE, bare, `${copy.slice(0, -3)}BR9`, asked)
      }
      const error = await eventually(() => faultOf(id), 'its fault', 180_000)
      expect(error).toContain('none of this client')
      await world.call('DELETE', `/tareas/${id}`)
      expect((await ended(id)).estado).toBe('cancelada')
    }
    expect(readdirSync(served)).not.toContain('index.html')
    put(before)
    const { datos } = await world.done('GET', '/clientes/ana/copias')
    expect(datos.map(({ copia }: Json) => copia)).toContain(copy)
    expect(readdirSync(store).filter((name) => name.startsWith('c1-'))).toEqual([])
    const doctor: Json[] = (await world.panel.command('doctor')).lines[0]
    const check = (name: string) => doctor.find(({ comprobacion }) => comprobacion === name)
    expect(check('destino de copias')).toMatchObject({ bien: true })
    expect(check('copias dañadas')).toMatchObject({ bien: false, consejo: expect.stringContaining('ana') })
  } finally {
    renameSync(join(store, `away-${own}`), join(store, own))
  }
}, 240_000)

const AS_BARE = `update jobs set payload = json_set(payload, '$.bare', json('true')), id = ?, target = ?, attempts = 0,
  state = 'pendiente', step = 'start', result = null, error = null, finished_at = null, cancelled_at = null, next_at = 0
  where id = ?`

describe('a database that was lost at the server', () => {
  const drop = () => sql(world, null, 'drop database ana_tienda')
  /** By an account with a password, which the panel alone knows to be on it. */
  async function byPassword(): Promise<() => Promise<string>> {
    const body = { usuario: `u${made}` }
    const { bearer } = world.admin
    made += 1
    const account = (await world.panel.api('POST', '/bases/ana_tienda/cuentas', { bearer, body })).body
    const args = ['--protocol=tcp', '-P', String(world.mariadbPort), `-p${account.contrasena}`]
    const options = { args, account: account.usuario, database: 'ana_tienda' }
    const asked = async () => {
      const { code, out } = await sql(world, null, 'select a from t', options)
      return code === 0 ? out : null
    }
    return () => eventually(asked, 'an account with a password gets in')
  }

  test('comes back from its copy with all its accounts, though nothing can be copied first', async () => {
    const seen = await byPassword()
    expect(await seen()).toBe('old')
    await drop()
    const restored = await result(`/clientes/ana/copias/${copy}/restaurar`, BASE)
    expect([restored.base, restored.deshacer]).toEqual(['ana_tienda', null])
    expect([await row(), await seen()]).toEqual(['old', 'old'])
    await run("update t set a = 'again'")
    await run("update t set a = 'old'")
  }, 240_000)

  test('is made by the dump that is loaded into it', async () => {
    const seen = await byPassword()
    const dump = join(dirname(served), 'lost.sql')
    const { uid, gid } = statSync(served)
    writeFileSync(dump, "create table t (a varchar(20)); insert into t values ('loaded');", { mode: 0o640 })
    chownSync(dump, uid, gid)
    await drop()
    await result('/bases/ana_tienda/cargar', { ruta: '/sitios/ana.es/lost.sql' })
    expect([await row(), await seen()]).toEqual(['loaded', 'loaded'])
  }, 240_000)

  test('stays lost where the dump is refused', async () => {
    const dump = join(dirname(served), 'wrong.sql')
    const { uid, gid } = statSync(served)
    writeFileSync(dump, 'this is no dump;', { mode: 0o640 })
    chownSync(dump, uid, gid)
    await drop()
    const refused = await world.call('POST', '/bases/ana_tienda/cargar', { ruta: '/sitios/ana.es/wrong.sql' })
    expect([refused.status, refused.body.codigo]).toEqual([422, 'volcado_rechazado'])
    expect((await sql(world, null, "show databases like 'ana\\_tienda'")).out).toBe('')
  }, 240_000)
})
