import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import { sql } from '../bases/sql.ts'
import { addClient, command, createBase, startBases, type World } from '../bases/world.ts'
import type { Json } from '../support/panel.ts'
import { SmallDisk } from '../support/small-disk.ts'
import { eventually } from '../support/wait.ts'
import { workEnded } from '../support/work.ts'

setDefaultTimeout(400_000)

const MIB = 1_048_576

let world: World
let disk: SmallDisk
let folder: string
let usuario: string

beforeAll(async () => {
  disk = new SmallDisk('ext4', { mebibytes: 800, inodes: 16_000 })
  world = await startBases(ROOMY, disk.dataDir())
  folder = dirname(await addClient(world, 'ana'))
  usuario = (await createBase(world, 'ana', 'tienda')).usuario
  await createBase(world, 'ana', 'otra')
  const words = `create table t (a longtext); insert into t values ('de siempre');`
  for (const base of ['ana_tienda', 'ana_otra'])
    expect(await sql(world, usuario, words, { database: base })).toMatchObject({ code: 0, error: '' })
  const { uid, gid } = statSync(join(folder, 'public'))
  const path = join(folder, 'large.sql')
  writeFileSync(
    path,
    `create table big (a longtext);\n${`insert into big values ('${noise()}');\n`.repeat(100)}`,
  )
  chownSync(path, uid, gid)
})
afterAll(async () => {
  await disk.relieve()
  world.panel.keepData = true
  await world.stop()
  await disk.remove()
})

const noise = () =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)))
    .toString('hex')
    .repeat(4)
const held = async (base: string) => (await sql(world, usuario, 'select a from t', { database: base })).out
const leftovers = async () => [
  (await sql(world, null, "show databases like 'LOADING%'")).out,
  (await sql(world, null, "select User from mysql.user where User like 'LOADING%'")).out,
]

test('a dump that fills the disk ends with 507 and the old content, and is loaded once there is room', async () => {
  const load = () => world.call('POST', '/bases/ana_tienda/cargar', { ruta: '/sitios/ana.es/large.sql' })
  disk.leave({ bytes: 24 * MIB })
  const { status, body } = await load()
  const end = status === 202 ? (await workEnded(world.call, body.tarea.id)).resultado : body
  expect(end).toMatchObject({ codigo: 'sin_espacio', recurso: 'disco' })
  await disk.relieve()
  // MariaDB asks every minute only whether there is room again for a statement that found none.
  await eventually(async () => (await held('ana_tienda')) === 'de siempre', 'its old content', 120_000)
  await eventually(async () => (await leftovers()).join('') === '', 'the end of what was loaded', 150_000)
  expect((await world.done('GET', '/bases/ana_tienda')).estado).toBe('activa')
  const again = await load()
  expect((await workEnded(world.call, again.body.tarea.id)).estado).toBe('hecha')
  const rows = await sql(world, usuario, 'select count(*) from big', { database: 'ana_tienda' })
  expect(rows.out).toBe('100')
})

test('a database that is deleted while there is no room for its dump is kept whole until there is', async () => {
  const words = `insert into t values ${Array(40).fill(`('${noise()}')`).join()};`
  expect((await sql(world, usuario, words, { database: 'ana_otra' })).code).toBe(0)
  disk.leave({ bytes: 0 })
  const deleted = await world.call('DELETE', '/bases/ana_otra')
  expect(deleted.status).toBe(202)
  await Bun.sleep(5_000)
  expect((await sql(world, null, 'select count(*) from ana_otra.t')).out).toBe('41')
  const inBin = async () =>
    (await command(world, 'papelera')).filter(({ nombre }: Json) => nombre === 'ana_otra')
  expect(await inBin()).toEqual([])
  await disk.relieve()
  await eventually(
    async () => (await world.call('GET', '/bases/ana_otra')).status === 404,
    'its end',
    120_000,
  )
  const [entry] = await inBin()
  const given = await command(world, 'papelera', 'restaurar', entry.id)
  const dump = Buffer.from(Bun.gunzipSync(readFileSync(join(given.ruta, 'volcado.sql.gz')))).toString()
  expect(dump.match(/'de siempre'/g)).toHaveLength(1)
  expect(dump.trimEnd().split('\n').at(-1)).toStartWith('-- Dump completed')
  expect((await sql(world, null, "show databases like 'ana_otra'")).out).toBe('')
})
