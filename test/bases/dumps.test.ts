import { afterAll, beforeAll, expect, test } from 'bun:test'
import { enrol } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { sql } from './sql.ts'
import { addClient, createBase, startBases, type World } from './world.ts'

let world: World
let usuario: string

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

test('a customer has dumps of its own databases alone', async () => {
  await createBase(world, 'bea', 'suya')
  await world.done('POST', '/clientes/ana/acceso', { correo: 'ana@cliente.es' })
  const { link } = await world.panel.mailTo('ana@cliente.es')
  const { bearer } = await enrol(world.panel, link ?? '', 'ana@cliente.es')
  const status = async (base: string) => {
    const headers = { authorization: `Bearer ${bearer}` }
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

test('two are read at a time, the third is told to wait, and who leaves ends his', async () => {
  const leaving = new AbortController()
  const held = await Promise.all([ask('ana_tienda', leaving.signal), ask('ana_tienda', leaving.signal)])
  expect(held.map(({ status }) => status)).toEqual([200, 200])
  const third = await ask('ana_tienda')
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '10'])
  leaving.abort()
  await eventually(async () => !(await dumping()), 'the end of both')
  await eventually(async () => (await ask('bea_suya')).status === 200, 'room for the next')
})
