import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eventually } from '../support/wait.ts'
import { sql, stays } from './sql.ts'
import { addClient, createBase, startBases, type World } from './world.ts'

/** Of a client at once, and of a statement. */
const [CONNECTIONS, SECONDS] = [6, 8]

let world: World

beforeAll(async () => {
  world = await startBases({
    PANEL_BASES_CONEXIONES: String(CONNECTIONS),
    PANEL_BASES_SEGUNDOS: String(SECONDS),
    PANEL_BASES_MEMORIA: String(64 * 1024 * 1024),
    PANEL_BASES_TEMPORALES: String(64 * 1024 * 1024),
  })
}, 60_000)
afterAll(() => world?.stop())

test('sorts that fill the disk end with the statements of their client, and no other client is disturbed', async () => {
  const [bad, good] = ['ordena', 'vecina']
  for (const name of [bad, good]) await addClient(world, name)
  const { usuario } = await createBase(world, bad, 'x')
  const neighbour = await createBase(world, good, 'x')
  const at = { database: 'ordena_x' }
  const rows = 'create table t (a int); insert into t values (1),(2),(3),(4),(5),(6),(7),(8),(9),(10);'
  await sql(world, usuario, `${rows} insert into t select 1 from t a, t b, t c, t d limit 5000`, at)
  const sorts = `select concat(rand(), repeat('x', 400)) k from t a, t b order by k limit 30000000, 1`
  const asked = [1, 2, 3, 4].map(() => sql(world, usuario, sorts, at))
  const ended = `statements of ${usuario} end: what is sorted takes too much of the disk`
  await eventually(async () => world.panel.log.includes(ended), 'word of who fills the disk', 60_000)
  expect((await sql(world, neighbour.usuario, 'select 1 + 1')).out).toBe('2')
  for (const { error } of await Promise.all(asked))
    expect(error).toMatch(/interrupted|Lost connection|killed/)
}, 60_000)

test('a transaction that keeps too much of what rows were before ends, and those that keep little go on', async () => {
  for (const name of ['deshace', 'guarda']) await addClient(world, name)
  const { usuario } = await createBase(world, 'deshace', 'x')
  const other = (await createBase(world, 'guarda', 'x')).usuario
  const [at, theirs] = [{ database: 'deshace_x' }, { database: 'guarda_x' }]
  await sql(world, other, 'create table t (a int)', theirs)
  const filled = `create table t (n int, a varchar(4000)) character set latin1;
    insert into t select 0, repeat('x', 4000) from seq_1_to_15000;`
  expect((await sql(world, usuario, filled, at)).error).toBe('')
  const open = await stays(world, other, 'begin; insert into t values (1);', theirs)
  const changes = [1, 2, 3, 4, 5, 6].map(
    (n) => `update t set n = ${n}, a = repeat('${n}', 4000); do sleep(1);`,
  )
  expect((await sql(world, usuario, `begin; ${changes.join(' ')}`, at)).error).toMatch(
    /Lost connection|Connection was killed|gone away/,
  )
  expect(await open.ends()).toBe(false)
}, 60_000)

test('who has a row of a lasting table locked has no other client pay for its temporary tables', async () => {
  for (const name of ['culpa', 'paga']) await addClient(world, name)
  const { usuario } = await createBase(world, 'culpa', 'x')
  const shop = (await createBase(world, 'paga', 'x')).usuario
  const [at, theirs] = [{ database: 'culpa_x' }, { database: 'paga_x' }]
  await sql(world, usuario, 'create table t (a int)', at)
  await sql(world, shop, 'create table t (a int)', theirs)
  const open = await Promise.all(
    [1, 2, 3].map((row) => stays(world, shop, `begin; insert into t values (${row});`, theirs)),
  )
  const fills = `begin; insert into t values (1); create temporary table tt (a longtext);
    insert into tt select repeat('x', 4000000) from seq_1_to_400;`
  expect((await sql(world, usuario, fills, at)).error).toMatch(
    /Lost connection|Connection was killed|gone away/,
  )
  expect(world.panel.log).toMatch(new RegExp(`the session \\d+ of ${usuario} that wrote most ends`))
  for (const one of open) expect(await one.ends()).toBe(false)
  const makes = 'create temporary table z (a int)'
  expect((await sql(world, shop, makes, theirs)).error).toBe('')
  expect((await sql(world, usuario, makes, at)).error).toBe('')
}, 60_000)

test('temporary tables that fill the disk end with the sessions of their client, which makes none for a day', async () => {
  for (const name of ['llena', 'usa']) await addClient(world, name)
  const { usuario } = await createBase(world, 'llena', 'x')
  const neighbour = (await createBase(world, 'usa', 'x')).usuario
  const [at, theirs] = [{ database: 'llena_x' }, { database: 'usa_x' }]
  const row = "insert into tt values (repeat('x', 16000000));"
  const kept = await stays(world, neighbour, `create temporary table tt (a longtext); ${row}`, theirs)
  // Of two sessions one sleeps on what it has.
  const sleeps = await stays(world, usuario, `create temporary table tt (a longtext); ${row}`, at)
  const fills = `create temporary table tt (a longtext);
    insert into tt select repeat('x', 16000000) from seq_1_to_100;`
  expect((await sql(world, usuario, fills, at)).error).toMatch(
    /Lost connection|Connection was killed|gone away/,
  )
  expect(world.panel.log).toContain(`temporary tables of ${usuario} take too much of the disk`)
  expect(await sleeps.ends()).toBe(true)
  const data = join(dirname(dirname(world.socket)), 'data')
  expect(statSync(join(data, 'ibtmp1')).size).toBeLessThan(600 * 1024 * 1024)
  const refused = async () => (await sql(world, usuario, 'create temporary table z (a int)', at)).error
  expect(await refused()).toContain('Access denied')
  expect((await sql(world, usuario, 'create table t (a int)', at)).error).toBe('')
  // What sets its rights anew does not give it back, nor does the next panel.
  await world.done('POST', '/clientes/llena/suspender')
  await world.done('POST', '/clientes/llena/activar')
  await world.panel.kill()
  await world.panel.up()
  await createBase(world, 'llena', 'y')
  expect(await refused()).toContain('Access denied')
  expect(
    (await sql(world, usuario, 'create temporary table z (a int)', { database: 'llena_y' })).error,
  ).toContain('Access denied')
  expect(await kept.ends()).toBe(false)
}, 60_000)

describe('what a session leaves prepared', () => {
  const prepares = (name: string) =>
    `xa start '${name}'; insert into t values (1); xa end '${name}'; xa prepare '${name}';`
  const prepared = async () => (await sql(world, null, 'xa recover')).out

  test('is rolled back, whoever it belongs to, and keeps no database from its end', async () => {
    await addClient(world, 'deja')
    const { usuario } = await createBase(world, 'deja', 'x')
    const at = { database: 'deja_x' }
    await sql(world, usuario, 'create table t (a int)', at)
    expect((await sql(world, usuario, prepares("it''s"), at)).error).toBe('')
    await eventually(async () => (await prepared()) === '', 'it to be gone', 5_000)
    expect((await sql(world, usuario, 'select count(*) from t', at)).out).toBe('0')
    const stayed = await stays(world, usuario, prepares('stays'), at)
    expect((await sql(world, usuario, prepares('left'), at)).error).toBe('')
    const began = performance.now()
    expect((await world.call('DELETE', '/bases/deja_x')).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(await stayed.ends()).toBe(true)
    await eventually(async () => (await prepared()) === '', 'both to be gone', 5_000)
  }, 60_000)
})

describe('a client that attacks others and the server', () => {
  let own: string
  let theirs: string

  beforeAll(async () => {
    for (const name of ['mala', 'buena']) await addClient(world, name)
    own = (await createBase(world, 'mala', 'x')).usuario
    theirs = (await createBase(world, 'buena', 'x')).usuario
    await sql(world, theirs, 'create table t (a int); insert into t values (1)', { database: 'buena_x' })
    // What the pattern `mala_x` would stand for, were it not escaped.
    await sql(world, null, 'create database malaQx')
  })

  test.each([
    ['names another client’s database', 'select * from buena_x.t'],
    ['goes to it', 'use buena_x'],
    ['drops it', 'drop database buena_x'],
    ['names one like its own', 'create table malaQx.t (a int)'],
    ['makes a database', 'create database mala_y'],
    ['makes an account', "create user 'z'@'%' identified by 'z'"],
    ['gives its rights away', "grant select on mala_x.* to 'mysql'@'localhost'"],
    ['reads the accounts', 'select * from mysql.global_priv'],
    ['changes the server', 'set global max_connections = 2'],
    ['lets itself more memory', 'set global max_session_mem_used = 99999999999'],
    ['leaves the measured engine', 'set enforce_storage_engine = NULL'],
    ['writes a file', "select 1 into outfile '/tmp/x'"],
    ['reads a file by the server', "load data infile '/etc/passwd' into table t"],
    [
      'reads a file by its client',
      "create table l (a text); load data local infile '/etc/passwd' into table l",
    ],
    ['brings code', "create function f returns string soname 'x.so'"],
    ['brings an engine', "install soname 'ha_federatedx'"],
    [
      'takes root’s name for its routine',
      'create definer = root@localhost procedure q() drop database buena_x',
    ],
    ['stops the server', 'shutdown'],
    ['writes the log away', 'flush logs'],
  ])('that %s is refused', async (_, words) => {
    const said = await sql(world, own, words, { database: 'mala_x', args: ['--local-infile=1'] })
    expect([words, said.code]).toEqual([words, 1])
    expect(said.error).toMatch(
      /ERROR (1044|1045|1049|1142|1227|1290|1370|1126|1148|4166|1410|1698|1146|1133)/,
    )
  })

  test('comes in by no other name', async () => {
    for (const account of ['root', 'mysql', theirs, 'mariadb.sys']) {
      const said = await sql(world, own, 'select current_user()', { account })
      expect([account, said.code]).toEqual([account, 1])
    }
    expect((await sql(world, null, 'select 1', { account: own })).code).toBe(1)
  })

  test('has all of it in its own measured files, whatever engine or directory it asks for', async () => {
    const words = `create table m (a int) engine = memory; create table i (a int) engine = myisam;
      create table d (a int) data directory = '/tmp'; create temporary table tt (a int) engine = memory;
      select group_concat(distinct engine) from information_schema.tables where table_schema = 'mala_x'`
    expect((await sql(world, own, words, { database: 'mala_x' })).out).toBe('InnoDB')
    const home = join(dirname(dirname(world.socket)), 'data', 'mala_x')
    expect(
      readdirSync(home)
        .filter((name) => /^(m|i|d)\./.test(name))
        .sort(),
    ).toEqual(['d', 'i', 'm'].flatMap((table) => [`${table}.frm`, `${table}.ibd`]))
  })

  test('sees nobody else’s sessions, and ends none', async () => {
    const open = sql(world, theirs, 'select sleep(3)')
    const id = await eventually(async () => {
      const { out } = await sql(
        world,
        null,
        `select id from information_schema.processlist where user = '${theirs}'`,
      )
      return out || null
    }, 'their session')
    expect((await sql(world, own, 'select distinct user from information_schema.processlist')).out).toBe(own)
    expect((await sql(world, own, `kill ${id}`)).error).toContain('ERROR 1095')
    expect((await open).code).toBe(0)
  })

  test('has no more sessions than are allowed, and others come in meanwhile', async () => {
    const held = Array.from({ length: CONNECTIONS + 3 }, () => sql(world, own, 'select sleep(2)'))
    await eventually(
      async () =>
        Number(
          (
            await sql(
              world,
              null,
              `select count(*) from information_schema.processlist where user = '${own}'`,
            )
          ).out,
        ) === CONNECTIONS,
      'its sessions',
    )
    expect((await sql(world, theirs, 'select 1')).out).toBe('1')
    expect((await Promise.all(held)).filter(({ code }) => code !== 0).length).toBe(3)
  })

  test('keeps no statement running beyond the limit, also where it lifts its own', async () => {
    const began = performance.now()
    const words = [
      'set max_statement_time = 0; select sleep(300), 1',
      'set timestamp = 4102444800; select sleep(300), 1',
      'begin not atomic declare i int default 0; while i < 1000000000 do set i = i + 1; end while; end',
    ]
    const said = await Promise.all(
      words.map((one) => sql(world, own, `${one}`, { args: ['--delimiter=//'] })),
    )
    expect(performance.now() - began).toBeLessThan(1000 * (SECONDS + 10))
    for (const { error, out } of said) expect(error !== '' || out.startsWith('1')).toBe(true)
  }, 60_000)

  test('takes no more memory in a session than is allowed', async () => {
    // Variables alone, of which the server's own limit ends none; then what it is to end at once.
    const many = Array.from({ length: 12 }, (_, i) => `set @v${i} = repeat('x', 20000000);`).join('\n')
    const said = await sql(world, own, `${many} select sleep(${SECONDS - 1}) as slept;`)
    expect([said.code, said.out]).toEqual([1, ''])
    const sorted = await sql(world, own, `${many} show session status like 'memory_used';`)
    expect(sorted.code).toBe(1)
  })

  test('takes no more memory with all of its sessions than twice as much, and its smaller sessions go on', async () => {
    const small = await stays(world, own, 'do 1;')
    const others = await stays(world, theirs, "set @a = repeat('x', 20000000);")
    const large: Awaited<ReturnType<typeof stays>>[] = []
    for (let at = 0; at < 4; at++)
      large.push(await stays(world, own, "set @a = repeat('x', 20000000), @b = repeat('x', 20000000);"))
    const bytes = `select sum(memory_used) < 128 * 1024 * 1024, count(*) from information_schema.processlist
      where user = '${own}'`
    await eventually(async () => (await sql(world, null, bytes)).out === '1\t4', 'one to end', 10_000)
    expect(await small.ends()).toBe(false)
    expect(await others.ends()).toBe(false)
    const ended = await Promise.all(large.map((one) => one.ends()))
    expect(ended.filter(Boolean)).toHaveLength(1)
  }, 30_000)

  test('takes no memory beyond that by a pattern, in several sessions at once, and plain patterns match on', async () => {
    const pid = readFileSync(join(dirname(dirname(world.socket)), 'data', 'mariadbd.pid'), 'utf8').trim()
    const peak = () => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    const before = peak()
    const greedy = "select repeat('a', 1000000) regexp '^(a|b)*c$';"
    const said = await Promise.all([greedy, greedy, greedy].map((words) => sql(world, own, words)))
    expect(said.map(({ out }) => out)).toEqual(['0', '0', '0'])
    expect((peak() - before) * 1024).toBeLessThan(64 * 1024 * 1024)
    const plain =
      "select repeat('a b, ', 200000) regexp '^[ab, ]*$', repeat('ab,', 4000) regexp '^(ab|c,?|,)*$'"
    expect((await sql(world, theirs, plain)).out).toBe('1\t1')
  })

  test('prepares as many statements as its memory holds, and there are others for everybody else', async () => {
    const words = Array.from({ length: 5_000 }, (_, at) => `prepare s${at} from 'select 1';`).join('\n')
    expect((await sql(world, own, words)).error).toContain('max-session-mem-used')
    expect((await sql(world, null, 'select @@max_prepared_stmt_count')).out).toBe('4294967295')
  })
})

test('a statement that no order ends goes with the server, which is there again at once, and its client is kept out, at the port too', async () => {
  const own = await createBaseOf('sinfin')
  const bad = own.usuario
  const body = { usuario: 'clave' }
  const asked = { bearer: world.admin.bearer, body }
  const { contrasena } = (await world.panel.api('POST', `/bases/${own.base}/cuentas`, asked)).body
  const args = [
    '--protocol=tcp',
    '--host=127.0.0.1',
    `--port=${world.mariadbPort}`,
    `--password=${contrasena}`,
  ]
  const byPort = () => sql(world, bad, 'select 1', { account: 'sinfin_clave', args })
  expect((await byPort()).out).toBe('1')
  const good = (await createBaseOf('vecino')).usuario
  const pid = () => readFileSync(join(dirname(dirname(world.socket)), 'data', 'mariadbd.pid'), 'utf8').trim()
  const before = pid()
  const endless = `begin; select length(extractvalue(concat('<a>', repeat('<b>x</b>', 1000000), '</a>'),
    '//b|//b|//b|//b')); commit;`
  const attack = sql(world, bad, endless)
  await eventually(() => Promise.resolve(world.panel.log.includes('do not end')), 'the word of it', 90_000)
  await attack
  const works = async () => pid() !== before && (await sql(world, good, 'select 1')).out === '1'
  await eventually(works, 'the server', 60_000)
  expect(world.panel.log).toContain('had statements that do not end: kept out for 60 s')
  const left = "select count(*) from information_schema.processlist where command = 'Killed'"
  expect((await sql(world, null, left)).out).toBe('0')
  expect((await byPort()).error).toContain('account is locked')
}, 240_000)

async function createBaseOf(client: string) {
  await addClient(world, client)
  return createBase(world, client, 'x')
}
