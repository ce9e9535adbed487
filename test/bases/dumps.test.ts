import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { enrol, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { sql, stays } from './sql.ts'
import { addClient, createBase, startBases, type World } from './world.ts'

let world: World
let usuario: string
let ana: SignedIn

/** Of 48 MB that no compression makes small: more than all pipes on the way hold. */
const MUCH = `create table large (a mediumblob); insert into large select random_bytes(1024) from seq_1_to_48000;`

beforeAll(async () => {
  world = await startBases()
  await addClient(world, 'ana')
  await addClient(world, 'bea')
  usuario = (await createBase(world, 'ana', 'tienda')).usuario
  const words = `create table t (a int, b varchar(50)) default charset utf8mb4;
    insert into t values (41, 'ñandú 🐦');
    create view v as select a + 1 as b from t;
    create procedure p() select 'hecho';
    create trigger tr before insert on t for each row set new.a = new.a + 1;`
  expect(await sql(world, usuario, words, { database: 'ana_tienda' })).toMatchObject({ code: 0, error: '' })
}, 60_000)
afterAll(() => world?.stop())

const ask = (base: string, signal?: AbortSignal) =>
  world.panel.fetch(`/api/bases/${base}/volcado`, {
    headers: { authorization: `Bearer ${world.token}` },
    ...(signal ? { signal } : {}),
  })
const dumping = async () => (await sql(world, null, 'show processlist')).out.includes('mysql\tlocalhost')

test('a dump is a whole one as gzip, from which its client makes the same database again', async () => {
  const answer = await ask('ana_tienda')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/sql+gzip'])
  expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''ana_tienda.sql.gz")
  const dump = new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(await answer.arrayBuffer())))
  expect(dump.trimEnd().split('\n').at(-1)).toStartWith('-- Dump completed')
  expect(dump).not.toContain('USE `')
  await createBase(world, 'ana', 'copia')
  expect(await sql(world, usuario, dump, { database: 'ana_copia' })).toMatchObject({ code: 0, error: '' })
  const words = 'select a, b from t; select b from v; call p()'
  expect((await sql(world, usuario, words, { database: 'ana_copia' })).out).toBe('41\tñandú 🐦\n42\nhecho')
})

test('a session that has a table locked and does nothing ends where a dump waits for it, and no other does', async () => {
  const at = { database: 'ana_tienda' }
  const holds = await stays(world, usuario, 'lock tables t write;', at)
  const idle = await stays(world, (await createBase(world, 'bea', 'otra')).usuario, 'select 1;', {
    database: 'bea_otra',
  })
  const began = performance.now()
  const dump = Bun.gunzipSync(new Uint8Array(await (await ask('ana_tienda')).arrayBuffer()))
  expect(new TextDecoder().decode(dump).trimEnd().split('\n').at(-1)).toStartWith('-- Dump completed')
  expect(performance.now() - began).toBeLessThan(20_000)
  expect([await holds.ends(), await idle.ends()]).toEqual([true, false])
}, 60_000)

test('a customer has dumps of its own databases alone', async () => {
  await createBase(world, 'bea', 'suya')
  await world.done('POST', '/clientes/ana/acceso', { correo: 'ana@cliente.es' })
  const { link } = await world.panel.mailTo('ana@cliente.es')
  ana = await enrol(world.panel, link ?? '', 'ana@cliente.es')
  const status = async (base: string) => {
    const headers = { authorization: `Bearer ${ana.bearer}` }
    const answer = await world.panel.fetch(`/api/bases/${base}/volcado`, { headers })
    await answer.arrayBuffer()
    return answer.status
  }
  expect([await status('ana_tienda'), await status('bea_suya')]).toEqual([200, 404])
})

test('a suspended client’s is not dumped, and no session on it begins', async () => {
  await world.done('POST', '/clientes/bea/suspender')
  const answer = await ask('bea_suya')
  expect([answer.status, (await answer.json()).codigo]).toEqual([409, 'cliente_suspendido'])
  expect(await dumping()).toBe(false)
  await world.done('POST', '/clientes/bea/activar')
})

test('a dump whose program is killed breaks off, and cannot be taken for a complete file', async () => {
  expect(await sql(world, usuario, MUCH, { database: 'ana_tienda' })).toMatchObject({ code: 0, error: '' })
  const answer = await ask('ana_tienda')
  const reader = answer.body?.getReader()
  const parts: Uint8Array[] = []
  const first = await reader?.read()
  if (first?.value) parts.push(first.value)
  expect(await dumping()).toBe(true)
  const killed = Bun.spawnSync(['pkill', '-KILL', '-f', `mariadb-dump .*--socket=${world.socket}`])
  expect(killed.exitCode).toBe(0)
  const rest = async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      parts.push(part.value)
  }
  await expect(rest()).rejects.toThrow()
  expect(() => Bun.gunzipSync(Buffer.concat(parts))).toThrow()
})

test('two are read at a time, one for a client, a further one is told to wait, and who leaves ends his', async () => {
  const leaving = new AbortController()
  await addClient(world, 'cris')
  await createBase(world, 'cris', 'suya')
  const large = await ask('ana_tienda', leaving.signal)
  const again = await ask('ana_copia')
  expect([large.status, again.status, again.headers.get('retry-after')]).toEqual([200, 503, '10'])
  const { usuario } = await createBase(world, 'bea', 'grande')
  expect(await sql(world, usuario, MUCH, { database: 'bea_grande' })).toMatchObject({ code: 0, error: '' })
  expect((await ask('bea_grande', leaving.signal)).status).toBe(200)
  expect((await ask('cris_suya')).status).toBe(503)
  leaving.abort()
  await eventually(async () => !(await dumping()), 'the end of both')
  await eventually(async () => (await ask('bea_suya')).status === 200, 'room for the next')
})

describe('a database that a person looks into by a browser', () => {
  const link = async (base = 'ana_tienda', bearer = world.admin.bearer) =>
    world.panel.api('POST', `/bases/${base}/sesion`, { bearer })
  const visit = (url: string, init: RequestInit = {}) =>
    fetch(url, { redirect: 'manual', ...init, tls: { ca: world.panel.ca } })
  const origin = () => `https://localhost:${world.basesPort}`
  const accounts = async () =>
    (await sql(world, null, "select User from mysql.user where User like 'VIEW%'")).out

  /** Where a link leads, and what a browser shows there. */
  async function enter(bearer?: string) {
    const { body } = await link('ana_tienda', bearer)
    const answer = await visit(body.url)
    expect(answer.status).toBe(303)
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^__Host-base-\w+=\S+; Path=\/; Secure; HttpOnly; SameSite=Strict/)
    const address = origin() + (answer.headers.get('location') ?? '')
    return { address, headers: { cookie: cookie.split(';')[0] ?? '' }, url: String(body.url) }
  }

  /** Sends a form as a browser that stands on a page. */
  async function send(at: Awaited<ReturnType<typeof enter>>, query: string, fields: Record<string, string>) {
    const page = await (await visit(at.address + query, { headers: at.headers })).text()
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const headers = { ...at.headers, origin: origin() }
    return visit(at.address + query, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ ...fields, token }),
    })
  }

  test('is shown by Adminer to who follows the link, once, and to nobody without it', async () => {
    const { status, body, headers } = await link()
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(body.url).toStartWith(`${origin()}/abrir?llave=`)
    // A scanner that only looks spends nothing.
    expect((await visit(body.url, { method: 'HEAD' })).status).toBe(404)
    const at = await enter()
    const page = await visit(at.address, { headers: at.headers })
    const text = await page.text()
    expect([page.status, text.includes('>t<'), text.includes('Adminer')]).toEqual([200, true, true])
    const nonce = /script-src 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1]
    expect(text).toContain(`nonce="${nonce}"`)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const other = { cookie: at.headers.cookie.replace(/.$/, '_') }
    const refused = [
      await visit(at.url),
      await visit(at.address),
      await visit(at.address, { headers: other }),
      await visit(`${origin()}/`, { headers: at.headers }),
      await visit(`${origin()}/abrir?llave=x`),
    ]
    const answers = await Promise.all(refused.map(async (one) => [one.status, await one.text()]))
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(answers[0]?.[0]).toBe(404)
  }, 60_000)

  test('is changed by a form of its own pages alone, and no other is within reach', async () => {
    const at = await enter()
    const made = await send(at, '?sql=', {
      query: 'create table hecho (a int); insert into hecho values (7)',
    })
    // The answer begins before the statements have run.
    expect([made.status, /class='error'/.test(await made.text())]).toEqual([200, false])
    expect((await sql(world, usuario, 'select a from hecho', { database: 'ana_tienda' })).out).toBe('7')
    for (const words of [
      'select * from bea_suya.t',
      'select * from ana_copia.t',
      "load data local infile '/etc/passwd' into table hecho",
    ]) {
      const text = await (await send(at, '?sql=', { query: words })).text()
      expect([words, /class='error'/.test(text)]).toEqual([words, true])
    }
    const foreign = await visit(`${at.address}?sql=`, {
      method: 'POST',
      headers: { ...at.headers, origin: world.panel.origin },
      body: new URLSearchParams({ query: 'drop table hecho' }),
    })
    expect(foreign.status).toBe(403)
    const elsewhere = await visit(`${at.address}?server=127.0.0.1&username=root&db=mysql`, {
      headers: at.headers,
    })
    expect(await elsewhere.text()).toContain('hecho')
    const dump = await send(at, '?dump=', {
      ...{ output: 'file', format: 'sql', 'tables[]': 'hecho', 'data[]': 'hecho' },
      ...{ table_style: 'DROP+CREATE', data_style: 'INSERT' },
    })
    expect(dump.headers.get('content-disposition')).toStartWith('attachment')
    expect(await dump.text()).toContain('CREATE TABLE `hecho`')
  }, 60_000)

  test('is closed by its own button, by the end of the session and by the suspension of the client', async () => {
    const own = await enter()
    await send(own, '', { logout: 'x' })
    const hers = await enter(ana.bearer)
    const admins = await enter()
    const status = async (at: typeof own) => (await visit(at.address, { headers: at.headers })).status
    expect([await status(own), await status(hers), await status(admins)]).toEqual([404, 200, 200])
    const open = (await accounts()).split('\n').length
    const running = send(admins, '?sql=', { query: 'select sleep(50)' })
      .then((answer) => answer.text())
      .catch(() => '')
    await eventually(
      async () => (await sql(world, null, 'show processlist')).out.includes('select sleep(50)'),
      'its statement',
    )
    await world.panel.access('/salir', undefined, { cookie: ana.cookie })
    expect(await status(hers)).toBe(404)
    expect((await accounts()).split('\n').length).toBe(open - 1)
    await world.done('POST', '/clientes/ana/suspender')
    await running
    expect([await status(admins), await accounts()]).toEqual([404, ''])
    expect((await link()).body.codigo).toBe('cliente_suspendido')
    await world.done('POST', '/clientes/ana/activar')
  }, 60_000)
})
