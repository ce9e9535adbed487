import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { partDirectory } from '../support/consistency.ts'
import type { Json } from '../support/panel.ts'
import { eventually } from '../support/wait.ts'
import { sql, stays } from './sql.ts'
import { addClient, command, createBase, startBases, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await startBases()
}, 60_000)
afterAll(() => world?.stop())

const WRITES = `<?php
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$db = new mysqli('localhost', $_GET['usuario'], '', $_GET['base']);
$db->query('create table if not exists t (a varchar(100))');
$db->query("insert into t values ('escrito')");
echo $db->query('select max(a) as a, current_user() as u from t')->fetch_assoc()['a'];`

const READS_WITH_PDO = `<?php
try {
  $db = new PDO('mysql:host=localhost;dbname=' . $_GET['base'], $_GET['usuario']);
  echo $db->query('select max(a) from t')->fetchColumn();
} catch (PDOException $e) { echo 'refused ' . $e->getCode(); }`

test('PHP of a client writes and reads its database by the socket without a password, another client is refused', async () => {
  const root = await addClient(world, 'ana')
  const other = await addClient(world, 'bea')
  writeFileSync(join(root, 'escribe.php'), WRITES, { mode: 0o644 })
  writeFileSync(join(root, 'lee.php'), READS_WITH_PDO, { mode: 0o644 })
  writeFileSync(join(other, 'lee.php'), READS_WITH_PDO, { mode: 0o644 })
  const base = await createBase(world, 'ana', 'tienda')
  expect(base).toMatchObject({ base: 'ana_tienda', cliente: 'ana', motor: 'mariadb', estado: 'activa' })
  const query = `usuario=${base.usuario}&base=ana_tienda`
  expect(await world.get('ana.es', `/escribe.php?${query}`)).toBe('escrito')
  expect(await world.get('ana.es', `/lee.php?${query}`)).toBe('escrito')
  expect(await world.get('bea.es', `/lee.php?${query}`)).toStartWith('refused')
})

test('a database of the same client again is 200, of another 409, and the whole name is told', async () => {
  await addClient(world, 'punto.y-guion')
  const made = await world.call('POST', '/bases', { cliente: 'punto.y-guion', base: 'wp' })
  expect([made.status, made.body.base, made.headers.get('location')]).toEqual([
    201,
    'punto_y_guion_wp',
    '/api/bases/punto_y_guion_wp',
  ])
  const again = await world.call('POST', '/bases', { cliente: 'punto.y-guion', base: 'punto_y_guion_wp' })
  expect([again.status, again.body.base]).toEqual([200, 'punto_y_guion_wp'])
  await addClient(world, 'punto-y-guion')
  const other = await world.call('POST', '/bases', { cliente: 'punto-y-guion', base: 'wp' })
  expect([other.status, other.body.codigo]).toEqual([409, 'ya_existe'])
})

test('a suspended client is locked out within a second, its sessions end, and it comes back with what it had', async () => {
  await addClient(world, 'sara')
  const { usuario } = await createBase(world, 'sara', 'uno')
  await sql(world, usuario, 'create table t (a int); insert into t values (7)', { database: 'sara_uno' })
  const open = sql(world, usuario, 'select sleep(50)', { database: 'sara_uno' })
  await eventually(
    async () => (await sql(world, null, 'show processlist')).out.includes(usuario),
    'its session',
  )
  await world.done('POST', '/clientes/sara/suspender')
  const suspendedAt = performance.now()
  expect((await open).code).not.toBe(0)
  expect(performance.now() - suspendedAt).toBeLessThan(1000)
  expect((await sql(world, usuario, 'select 1')).error).toContain('account is locked')
  expect((await world.done('GET', '/bases/sara_uno')).estado).toBe('bloqueada')
  await world.done('POST', '/clientes/sara/activar')
  expect((await sql(world, usuario, 'select a from t', { database: 'sara_uno' })).out).toBe('7')
})

test('a deleted database lies in the bin as a whole dump, and nothing of it is left at the server', async () => {
  await addClient(world, 'dora')
  const { usuario } = await createBase(world, 'dora', 'x')
  const words = `create table t (a int); insert into t values (41);
    create view v as select a + 1 as b from t;
    create procedure p() select 'hecho';
    create trigger tr before insert on t for each row set new.a = new.a + 1;
    create table w (a int); create view lost as select a from w; drop table w;`
  expect(await sql(world, usuario, words, { database: 'dora_x' })).toMatchObject({ code: 0, error: '' })
  const gone = await world.call('DELETE', '/bases/dora_x')
  expect([gone.status, gone.body]).toEqual([200, { base: 'dora_x', eliminado: true }])
  expect((await world.call('GET', '/bases/dora_x')).status).toBe(404)
  expect((await sql(world, null, "show databases like 'dora%'")).out).toBe('')
  expect((await sql(world, null, "select Db from mysql.db where Db like 'dora%'")).out).toBe('')
  const [entry] = (await command(world, 'papelera')).filter((one: Json) => one.nombre === 'dora_x')
  expect(entry).toMatchObject({ tipo: 'base', nombre: 'dora_x', cliente: 'dora' })
  expect(entry.bytes).toBeGreaterThan(100)
  const given = await command(world, 'papelera', 'restaurar', entry.id)
  const dump = new TextDecoder().decode(Bun.gunzipSync(readFileSync(join(given.ruta, 'volcado.sql.gz'))))
  for (const part of ['(41)', 'VIEW `v`', 'PROCEDURE `p`', 'trigger tr', '-- Dump completed']) {
    expect(dump).toContain(part)
  }
  // MariaDB cannot read it, and it would not load.
  expect(dump).not.toContain('`lost`')
  expect(world.panel.log).toContain('views that refer to what is gone are left out of a dump: lost')
})

test('a dump from the bin goes into the database that an operator names', async () => {
  await addClient(world, 'gala')
  const { usuario } = await createBase(world, 'gala', 'again')
  await sql(world, usuario, 'create table t (a int); insert into t values (41)', { database: 'gala_again' })
  await world.call('DELETE', '/bases/gala_again')
  await createBase(world, 'gala', 'again')
  const [entry] = (await command(world, 'papelera')).filter((one: Json) => one.nombre === 'gala_again')
  const refused = await world.panel.command('papelera', 'restaurar', entry.id, '--base', 'gala_none')
  expect(refused.status).toBe(2)
  const given = await command(world, 'papelera', 'restaurar', entry.id, '--base', 'gala_again')
  expect(given).toMatchObject({ restaurado: entry.id, base: 'gala_again' })
  const read = await sql(world, usuario, 'select a from t', { database: 'gala_again' })
  expect(read.out.trim().split('\n').at(-1)).toBe('41')
})

test('a deleted database’s last rows lie in the bin, also where it has a dump of it from a move before', async () => {
  const home = (id: string) => join(partDirectory(world.panel, 'web'), 'bin', id, 'entry.json')
  const entries = async (name: string): Promise<Json[]> =>
    (await command(world, 'papelera')).filter((one: Json) => one.nombre === name)
  await createBase(world, 'dora', 'w')
  await world.done('DELETE', '/bases/dora_w')
  const [before] = await entries('dora_w')
  const note = JSON.parse(readFileSync(home(before.id), 'utf8'))
  const { usuario } = await createBase(world, 'dora', 'y')
  writeFileSync(home(before.id), JSON.stringify({ ...note, databaseId: note.databaseId + 1 }))
  await sql(world, usuario, 'create table t (a int); insert into t values (97)', { database: 'dora_y' })
  await world.done('DELETE', '/bases/dora_y')
  const [entry] = await entries('dora_y')
  expect(JSON.parse(readFileSync(home(entry.id), 'utf8')).databaseId).toBe(note.databaseId + 1)
  const given = await command(world, 'papelera', 'restaurar', entry.id)
  const dump = Bun.gunzipSync(readFileSync(join(given.ruta, 'volcado.sql.gz')))
  expect(new TextDecoder().decode(dump)).toContain('(97)')
})

test('a deleted client leaves its databases in the bin and no account at the server', async () => {
  await addClient(world, 'eva')
  const { usuario } = await createBase(world, 'eva', 'a')
  await createBase(world, 'eva', 'b')
  await sql(world, usuario, 'create table t (a int)', { database: 'eva_a' })
  await world.done('POST', '/clientes/eva/suspender')
  await world.done('DELETE', '/clientes/eva')
  await eventually(async () => (await world.call('GET', '/clientes/eva')).status === 404, 'its end')
  expect((await sql(world, null, `select User from mysql.user where User = '${usuario}'`)).out).toBe('')
  expect((await sql(world, null, "show databases like 'eva%'")).out).toBe('')
  const names = (await command(world, 'papelera')).map((one: Json) => one.nombre)
  expect(names).toEqual(expect.arrayContaining(['eva', 'eva_a', 'eva_b']))
})

describe('the bytes of a plan', () => {
  test('over them nothing grows, also in open sessions, rows can be deleted, and below them it grows again', async () => {
    await world.done('POST', '/planes', { plan: 'pequeno', bases: 2, bases_bytes: 12_000_000 })
    await addClient(world, 'gema', 'pequeno')
    const { usuario } = await createBase(world, 'gema', 'crece')
    const at = { database: 'gema_crece' }
    await sql(world, usuario, 'create table t (a longblob)', at)
    const open = Bun.spawn(
      [
        'setpriv',
        `--reuid=${usuario}`,
        `--regid=${usuario}`,
        '--clear-groups',
        '--',
        'mariadb',
        '--no-defaults',
        '--unbuffered',
        '--batch',
        '-N',
        `--socket=${world.socket}`,
        `--user=${usuario}`,
        'gema_crece',
      ],
      { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' },
    )
    open.stdin.write("insert into t values (repeat('x', 20000000)); select 'lleno';\n")
    await open.stdin.flush()
    await open.stdout.getReader().read()
    await command(world, 'cron', 'uso')
    const state = async () => (await world.done('GET', '/bases/gema_crece')).estado
    await eventually(async () => (await state()) === 'solo_lectura', 'the state')
    open.stdin.write("insert into t values ('más');\n")
    await open.stdin.end()
    expect(await open.exited).not.toBe(0)
    expect((await sql(world, usuario, "insert into t values ('y')", at)).error).toContain('command denied')
    expect((await sql(world, usuario, 'create table u (a int)', at)).error).toContain('command denied')
    expect((await sql(world, usuario, 'select count(*) from t', at)).out).toBe('1')
    const use = await world.done('GET', '/clientes/gema/uso')
    expect(use.consumo.bases_bytes).toMatchObject({ limite: 12_000_000, nivel: 'superado' })
    expect(use.consumo.bases).toMatchObject({ usado: 1, limite: 2 })
    expect((await sql(world, usuario, 'delete from t', at)).code).toBe(0)
    await eventually(async () => {
      await command(world, 'cron', 'uso')
      return (await state()) === 'activa'
    }, 'room')
    expect((await sql(world, usuario, "insert into t values ('y')", at)).code).toBe(0)
  }, 60_000)

  test('are not gone beyond by much between two measurements', async () => {
    await world.done('POST', '/planes', { plan: 'apretado', bases: 1, bases_bytes: 30_000_000 })
    await addClient(world, 'crece', 'apretado')
    const { usuario } = await createBase(world, 'crece', 'x')
    const words = `create table t (a longtext);
      ${`insert into t select repeat('x', 4000000) from seq_1_to_2; do sleep(0.2);`.repeat(250)}`
    const said = await sql(world, usuario, words, { database: 'crece_x' })
    expect(said.error).toMatch(/command denied|Lost connection|Connection was killed|gone away/)
    // The measurement ends the session, and is stored with the end of its look.
    const { bytes } = await eventually(async () => {
      const base = await world.done('GET', '/bases/crece_x')
      return base.estado === 'solo_lectura' && base
    }, 'the end of writing')
    const held = statSync(join(dirname(dirname(world.socket)), 'data', 'crece_x', 't.ibd')).size
    expect([held, bytes].every((one) => one > 30_000_000 && one < 200_000_000)).toBe(true)
  }, 60_000)

  test('are not those of rows that were deleted, whose room is given back each minute', async () => {
    await world.done('POST', '/planes', { plan: 'holgado', bases: 1, bases_bytes: 60_000_000 })
    await addClient(world, 'borra', 'holgado')
    const { usuario } = await createBase(world, 'borra', 'x')
    const at = { database: 'borra_x' }
    const tables = 'create table a (a longtext); create table b (a longtext);'
    const rows = "select repeat('x', 4000000) from"
    await sql(world, usuario, `${tables} insert into a ${rows} seq_1_to_10; delete from a;`, at)
    const free = `select data_free from information_schema.tables where table_schema = 'borra_x' and table_name = 'a'`
    await eventually(
      async () => Number((await sql(world, null, free)).out) > 30_000_000,
      'the room that they left',
    )
    const grows = `insert into b ${rows} seq_1_to_2; do sleep(0.4);`.repeat(4)
    const goesOn = "insert into b values ('y'); do sleep(0.5);".repeat(6)
    expect((await sql(world, usuario, grows + goesOn, at)).error).toBe('')
    expect((await world.done('GET', '/bases/borra_x')).estado).toBe('activa')
  }, 60_000)

  test.each([
    ['procedure', 'create procedure lo_ng() select TEXT', 'drop procedure lo_ng'],
    ['view', 'create view lo_ng as select TEXT as a', 'drop view lo_ng'],
    ['trigger', 'create trigger lo_ng before insert on t for each row set @a = TEXT', 'drop table t'],
    ['event', 'create event lo_ng on schedule every 1 day do set @a = TEXT', null],
  ])(
    'are taken by the text of a %s too, and given back with what may be dropped',
    async (kind, words, ends) => {
      const name = `textos-${kind}`
      await world.done('POST', '/planes', { plan: name, bases: 1, bases_bytes: 6_000_000 })
      await addClient(world, name, name)
      const { usuario, base } = await createBase(world, name, 'x')
      const says = async (told: string) => (await sql(world, usuario, told, { database: base })).error
      await says('create table t (a int)')
      expect(await says(words.replace('TEXT', `'${'x'.repeat(8_000_000)}'`))).toBe('')
      const told = async () => {
        await command(world, 'cron', 'uso')
        return world.done('GET', `/bases/${base}`)
      }
      await eventually(async () => (await told()).estado === 'solo_lectura', 'the state')
      expect((await told()).bytes).toBeGreaterThan(8_000_000)
      expect(await says('create table u (a int)')).toContain('command denied')
      // Who may drop an event may make another.
      if (ends === null) return expect(await says('drop event lo_ng')).toContain('Access denied')
      expect(await says(ends)).toBe('')
      await eventually(async () => (await told()).estado === 'activa', 'room')
    },
    60_000,
  )

  test('another plan counts at once', async () => {
    await world.done('POST', '/clientes/gema/plan', { plan: null })
    await world.done('POST', '/planes', { plan: 'nada', bases: 1, bases_bytes: 1 })
    await world.done('POST', '/clientes/gema/plan', { plan: 'nada' })
    await eventually(
      async () => (await world.done('GET', '/bases/gema_crece')).estado === 'solo_lectura',
      'the state',
    )
    const more = await world.call('POST', '/bases', { cliente: 'gema', base: 'otra' })
    expect([more.status, more.body.codigo, more.body.recurso]).toEqual([409, 'limite_del_plan', 'bases'])
    await world.done('POST', '/planes', { plan: 'sin', funciones: ['php'] })
    await world.done('POST', '/clientes/gema/plan', { plan: 'sin' })
    const paid = await world.call('POST', '/bases', { cliente: 'gema', base: 'otra' })
    expect([paid.status, paid.body.codigo]).toEqual([402, 'funcion_de_pago'])
  })
})

describe('accounts with a password', () => {
  test('come in by the port and the socket with the password that one answer told, and go with their sessions', async () => {
    await addClient(world, 'iria')
    const { usuario } = await createBase(world, 'iria', 'x')
    await createBase(world, 'iria', 'y')
    await sql(world, usuario, 'create table t (a int); insert into t values (5)', { database: 'iria_x' })
    const ask = (body: object) =>
      world.panel.api('POST', '/bases/iria_x/cuentas', { bearer: world.admin.bearer, body })
    const made = await ask({ usuario: 'informes', solo_lectura: true })
    expect([made.status, made.body.usuario, made.headers.get('cache-control')]).toEqual([
      201,
      'iria_informes',
      'no-store',
    ])
    expect((await ask({ usuario: 'informes' })).body.codigo).toBe('ya_existe')
    const args = [`--password=${made.body.contrasena}`]
    const as = (words: string, database = 'iria_x', more: string[] = []) =>
      sql(world, null, words, { account: 'iria_informes', database, args: [...args, ...more] })
    const tcp = ['--protocol=tcp', '--host=127.0.0.1', `--port=${world.mariadbPort}`]
    expect((await as('select a from t', 'iria_x', tcp)).out).toBe('5')
    expect((await as('insert into t values (6)')).error).toContain('denied')
    expect((await as('select 1', 'iria_y')).error).toContain('denied')
    expect((await world.done('GET', '/bases/iria_x')).cuentas).toMatchObject([
      { usuario: 'iria_informes', solo_lectura: true },
    ])
    const token = await world.call('POST', '/bases/iria_x/cuentas', { usuario: 'otra' })
    expect([token.status, token.body.codigo]).toEqual([403, 'no_con_token'])
    const open = as('select sleep(50)')
    await eventually(
      async () => (await sql(world, null, 'show processlist')).out.includes('iria_informes'),
      'its session',
    )
    await world.done('DELETE', '/bases/iria_x/cuentas/iria_informes')
    expect((await open).code).not.toBe(0)
    expect((await as('select 1')).error).toContain('Access denied')
    expect((await world.call('DELETE', '/bases/iria_x/cuentas/iria_informes')).body.codigo).toBe(
      'cuenta_no_existe',
    )
  })
})

describe('MariaDB', () => {
  const pidOf = () =>
    Number(readFileSync(join(dirname(dirname(world.socket)), 'data', 'mariadbd.pid'), 'utf8'))
  const told = async () => {
    const { body } = await world.call('GET', '/nodos/nodo1')
    return body.servicios.find(({ servicio }: Json) => servicio === 'mariadb')
  }
  const reads = async (usuario: string) =>
    (await sql(world, usuario, 'select max(a) from t', { database: 'nuria_x' })).out

  test('goes on while the panel is killed, and the next panel finds it', async () => {
    expect(await told()).toMatchObject({ estado: 'activo', version: expect.stringMatching(/^10\.11/) })
    const before = pidOf()
    await world.panel.kill()
    await world.panel.up()
    expect(pidOf()).toBe(before)
    expect(await told()).toMatchObject({ estado: 'activo' })
  }, 60_000)

  test('that is killed or hangs is started again with what was acknowledged', async () => {
    await addClient(world, 'nuria')
    const { usuario } = await createBase(world, 'nuria', 'x')
    await sql(world, usuario, 'create table t (a int); insert into t values (77)', { database: 'nuria_x' })
    expect(await told()).toMatchObject({ estado: 'activo', version: expect.stringMatching(/^10\.11/) })
    const at = { database: 'nuria_x' }
    await stays(world, usuario, "xa start 'q'; delete from t; xa end 'q'; xa prepare 'q';", at)
    const first = pidOf()
    process.kill(first, 'SIGKILL')
    await eventually(async () => (await reads(usuario)) === '77', 'its return', 30_000)
    await eventually(async () => (await sql(world, null, 'xa recover')).out === '', 'nothing prepared', 5_000)
    expect((await sql(world, usuario, 'delete from t where a = 1', at)).error).toBe('')
    const second = pidOf()
    expect(second).not.toBe(first)
    process.kill(second, 'SIGSTOP')
    await eventually(async () => pidOf() !== second && (await reads(usuario)) === '77', 'its return', 45_000)
    // By its port too, which the one that was ended had until its last thread was gone.
    expect((await sql(world, null, 'select @@skip_networking, @@port')).out).toBe(`0\t${world.mariadbPort}`)
  }, 90_000)

  test('whose data directory is missing is reported with what to do, and no new one is made', async () => {
    const data = join(dirname(dirname(world.socket)), 'data')
    renameSync(data, `${data}-aparte`)
    process.kill(Number(readFileSync(join(`${data}-aparte`, 'mariadbd.pid'), 'utf8')), 'SIGKILL')
    const advice = await eventually(async () => {
      const found = await told()
      return found?.consejo?.includes(data) ? found.consejo : null
    }, 'the service to be told')
    expect(advice).toContain('missing or not whole')
    expect(existsSync(data)).toBe(false)
    expect(await world.get('ana.es', '/')).toBeTruthy()
    renameSync(`${data}-aparte`, data)
    await eventually(async () => (await told())?.estado === 'activo', 'its return', 60_000)
    const { usuario } = await world.done('GET', '/bases/nuria_x')
    expect(await reads(usuario)).toBe('77')
  }, 120_000)
})
