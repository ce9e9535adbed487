import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import type { Json } from '../support/panel.ts'
import { eventually } from '../support/wait.ts'
import { sql } from './sql.ts'
import { addClient, command, createBase, startBases, type World } from './world.ts'

let world: World
let usuario: string

beforeAll(async () => {
  world = await startBases(ROOMY)
  await addClient(world, 'ana')
  usuario = (await createBase(world, 'ana', 'tienda')).usuario
  await createBase(world, 'ana', 'otra')
}, 120_000)
afterAll(() => world?.stop())

/** As root, behind the panel's back. */
const behind = async (statement: string) => {
  expect(await sql(world, null, statement)).toMatchObject({ code: 0, error: '' })
}
const compared = async () => (await command(world, 'cron', 'diferencias')).resultado
/** Once doctor says that about what was compared. */
const told = (words: string) =>
  eventually(
    async () => {
      const { lines } = await world.panel.command('doctor')
      const found = lines[0].filter(({ comprobacion }: Json) => comprobacion === 'diferencias')
      return found.some(({ consejo }: Json) => consejo?.includes(words))
    },
    words,
    60_000,
  )

test('an account that was taken away comes back, and one of nobody’s is ended', async () => {
  await behind(`drop user '${usuario}'@'localhost'; create user 'ana_nadie'@'%' identified by 'x'`)
  expect(await compared()).toMatchObject({ reparados: 1, cuentas_ajenas: 1, bases_ajenas: 0 })
  const works = async () => (await sql(world, usuario, 'select 7', { database: 'ana_tienda' })).out === '7'
  await eventually(works, 'the account', 60_000)
  const users = await sql(world, null, "select count(*) from mysql.user where User = 'ana_nadie'")
  expect(users.out).toBe('0')
  expect(await compared()).toMatchObject({ reparados: 0, cuentas_ajenas: 0 })
}, 180_000)

test('a base of nobody’s goes to the bin: who makes one of its name finds none of its rows', async () => {
  await behind(
    'create database ana_vieja; create table ana_vieja.t (a int); insert into ana_vieja.t values (42)',
  )
  await behind(`grant select on \`ana\\_vieja\`.* to '${usuario}'@'localhost'`)
  expect(await compared()).toMatchObject({ bases_ajenas: 1, cuentas_ajenas: 0 })
  const bin = (await world.panel.command('papelera')).lines[0]
  const [entry] = bin.filter(({ nombre }: Json) => nombre === 'ana_vieja')
  expect(entry).toMatchObject({ tipo: 'base', cliente: null })
  const { status } = await world.panel.command('papelera', 'restaurar', entry.id)
  expect(status).toBe(0)
  await createBase(world, 'ana', 'vieja')
  expect((await sql(world, usuario, 'show tables', { database: 'ana_vieja' })).out).toBe('')
}, 180_000)

test('a base that is away is told of and not made anew, as if it had been empty', async () => {
  await behind('drop database ana_otra')
  expect(await compared()).toMatchObject({ sin_carpeta: 1, reparados: 0 })
  // At its start the panel looks by itself, and doctor says so.
  await world.panel.kill()
  await world.panel.up()
  await told('no database ana_otra')
  expect((await sql(world, null, "show databases like 'ana_otra'")).out).toBe('')
}, 180_000)

test('a base that is away keeps nothing else of its client from being repaired', async () => {
  await behind(`drop user '${usuario}'@'localhost'`)
  expect(await compared()).toMatchObject({ sin_carpeta: 1, reparados: 1 })
  const works = async () => (await sql(world, usuario, 'select 7', { database: 'ana_tienda' })).out === '7'
  await eventually(works, 'the account', 60_000)
  expect((await sql(world, null, "show databases like 'ana_otra'")).out).toBe('')
}, 180_000)

test('what a client has whom an older backup does not know is kept, closed, and served again after a later one', async () => {
  const { panel } = world
  const [older, later] = [join(panel.dataDir, 'antes.db'), join(panel.dataDir, 'luego.db')]
  await command(world, 'backup', older)
  writeFileSync(join(await addClient(world, 'otro'), 'a.txt'), 'suyo', { mode: 0o644 })
  const { usuario: account } = await createBase(world, 'otro', 'a')
  const asked = (words: string) => sql(world, account, words, { database: 'otro_a' })
  expect((await asked('create table t (a int); insert into t values (1), (2), (3)')).code).toBe(0)
  await command(world, 'backup', later)
  await panel.kill()
  expect((await panel.command('restore', older, '--misma-identidad')).status).toBe(0)
  await panel.up()
  await told('otro_a')
  expect((await sql(world, null, 'select count(*) from otro_a.t')).out).toBe('3')
  expect((await asked('select 1')).code).not.toBe(0)
  const names = (await panel.command('papelera')).lines[0].map(({ nombre }: Json) => nombre)
  expect(names).not.toContain('otro_a')
  await panel.kill()
  expect((await panel.command('restore', later, '--misma-identidad')).status).toBe(0)
  await panel.up()
  await eventually(async () => (await asked('select count(*) from t')).out === '3', 'the rows', 60_000)
  await eventually(async () => (await world.get('otro.es', '/a.txt')) === 'suyo', 'the site', 60_000)
}, 240_000)
