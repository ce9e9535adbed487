import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOMY } from '../api/people.ts'
import { enrol } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { workEnded } from '../support/work.ts'
import { sql, stays } from './sql.ts'
import { addClient, createBase, startBases, type World } from './world.ts'

let world: World
/** Ana's site's folder, and her account at the server. */
let folder: string
let usuario: string

const OWN_WORDS = `create table p (id int primary key, b varchar(50)) default charset utf8mb4;
  create table c (id int primary key, pid int, constraint fk_p foreign key (pid) references p (id));
  insert into p values (41, 'ñandú 🐦'), (1, 'DEFINER=\`x\`@\`y\` stays'); insert into c values (1, 41);
  create view v as select id + 1 as x from p;
  create procedure hace() select 'hecho';
  create function f() returns int deterministic return 3;
  create view v2 as select x, f() as y from v;
  create sequence s;
  create event ev on schedule every 1 day do delete from c;
  create trigger tr before insert on c for each row set new.id = new.id + 1;`

beforeAll(async () => {
  world = await startBases(ROOMY)
  folder = dirname(await addClient(world, 'ana'))
  await addClient(world, 'bea')
  usuario = (await createBase(world, 'ana', 'tienda')).usuario
  await createBase(world, 'ana', 'otra')
  await createBase(world, 'bea', 'suya')
  expect(await sql(world, usuario, OWN_WORDS, { database: 'ana_tienda' })).toMatchObject({
    code: 0,
    error: '',
  })
  expect((await sql(world, usuario, 'create table aqui (a int)', { database: 'ana_otra' })).code).toBe(0)
}, 60_000)
afterAll(() => world?.stop())

/** Puts a file into Ana's site as hers; answers its path as she sees it. */
function put(name: string, content: string | Uint8Array, into = folder): string {
  const { uid, gid } = statSync(join(into, 'public'))
  const path = join(into, name)
  writeFileSync(path, content, { mode: 0o640 })
  chownSync(path, uid, gid)
  return `/sitios/ana.es/${name}`
}

const load = (base: string, ruta: string) => world.call('POST', `/bases/${base}/cargar`, { ruta })
const task = async (id: string) => (await world.call('GET', `/tareas/${id}`)).body
const ended = (id: string) => workEnded(world.call, id)
const tables = async (base: string) => (await sql(world, null, `show tables from ${base}`)).out
const leftovers = async () => [
  (await sql(world, null, "show databases like 'LOADING%'")).out,
  (await sql(world, null, "select User from mysql.user where User like 'LOADING%'")).out,
  (await sql(world, null, "select Db from mysql.db where Db like 'LOADING%'")).out,
]
const NOTHING = ['', '', '']

async function dumpOf(base: string): Promise<Uint8Array<ArrayBuffer>> {
  const headers = { authorization: `Bearer ${world.token}` }
  const answer = await world.panel.fetch(`/api/bases/${base}/volcado`, { headers })
  return new Uint8Array(await answer.arrayBuffer())
}

/** Loads what is expected to be taken. */
async function loaded(base: string, ruta: string): Promise<void> {
  const { status, body } = await load(base, ruta)
  expect([status, body.codigo]).toEqual([202, undefined])
  expect(await ended(body.tarea.id)).toMatchObject({ estado: 'hecha', resultado: { base } })
}

describe('a dump of our own', () => {
  test('becomes all that another database holds, with views, routines, triggers and events, packed or not', async () => {
    const packed = await dumpOf('ana_tienda')
    const plain = Bun.gunzipSync(new Uint8Array(packed))
    const files = [
      put('d.sql.gz', packed),
      put('d.sql', plain),
      put('d.sql.zst', await Bun.zstdCompress(plain)),
    ]
    for (const [round, ruta] of files.entries()) {
      const base = `ana_copia${round}`
      await createBase(world, 'ana', base)
      const before = `create table gone (a int); create trigger old before insert on gone for each row set new.a = 1;
        create view vgone as select 1; create procedure pgone() select 1`
      expect((await sql(world, usuario, before, { database: base })).code).toBe(0)
      await loaded(base, ruta)
      const words = `select id, b from p order by id desc; select x, y from v2 where x = 42; call hace();
        insert into c values (5, 1); select max(id) from c; select nextval(s);
        select event_name, definer from information_schema.events; show triggers; show tables like '%gone'`
      const { out, code } = await sql(world, usuario, words, { database: base })
      expect([code, out.split('\n').slice(0, 6)]).toEqual([
        0,
        ['41\tñandú 🐦', '1\tDEFINER=`x`@`y` stays', '42\t3', 'hecho', '6', '1'],
      ])
      expect(out).toContain(`ev\t${usuario}@localhost`)
      expect(out).toContain('tr\tINSERT\tc')
      expect(out).not.toContain('gone')
      expect((await sql(world, usuario, 'insert into c values (9, 77)', { database: base })).error).toContain(
        'foreign key constraint fails',
      )
    }
    expect(await leftovers()).toEqual(NOTHING)
  })

  test('is loaded again in place of itself, and its old content is not there twice', async () => {
    const ruta = put('again.sql.gz', await dumpOf('ana_copia0'))
    await sql(world, usuario, 'delete from c; drop view v2; create table later (a int)', {
      database: 'ana_copia0',
    })
    await loaded('ana_copia0', ruta)
    expect((await tables('ana_copia0')).split('\n').sort()).toEqual(['c', 'p', 's', 'v', 'v2'])
    expect((await world.done('GET', '/bases/ana_copia0')).estado).toBe('activa')
  })

  test('of a database without tables empties another', async () => {
    await createBase(world, 'ana', 'ana_vacia')
    await createBase(world, 'ana', 'ana_llena')
    await sql(world, usuario, 'create table gone (a int)', { database: 'ana_llena' })
    await loaded('ana_llena', put('none.sql.gz', await dumpOf('ana_vacia')))
    expect(await tables('ana_llena')).toBe('')
  })

  test('whose definers are accounts of elsewhere belongs to the client that loads it', async () => {
    const text = new TextDecoder().decode(Bun.gunzipSync(await dumpOf('ana_tienda')))
    const foreign = text.replaceAll(`DEFINER=\`${usuario}\`@\`localhost\``, 'DEFINER=`shop`@`db.example.com`')
    expect(foreign).toContain('shop')
    await createBase(world, 'ana', 'ajena')
    await loaded('ana_ajena', put('foreign.sql', foreign))
    const words =
      "select count(*) from v2; select definer from information_schema.triggers where trigger_name = 'tr' and trigger_schema = 'ana_ajena'"
    expect((await sql(world, usuario, words, { database: 'ana_ajena' })).out).toBe(`2\n${usuario}@localhost`)
  })
})

describe('a dump that is refused leaves the database as it was', () => {
  const PLAIN = 'create table fresh (a int); insert into fresh values (1);\n'

  test.each([
    ['goes to another database of the client', 'use ana_otra; drop table aqui;', 'volcado_ajeno'],
    ['names one', 'drop table ana_otra.aqui;', 'volcado_ajeno'],
    ['writes into one', 'insert into `ana_otra`.aqui values (1);', 'volcado_ajeno'],
    ['hides it', '/*!50000 use ana_otra */; delete from aqui;', 'volcado_ajeno'],
    ['prepares it', "prepare x from concat('drop table ana_', 'otra.aqui'); execute x;", 'volcado_ajeno'],
    [
      'prepares it otherwise',
      "set @x = 'drop table ana_otra.aqui'; prepare x from @x; execute x;",
      'volcado_ajeno',
    ],
    [
      'has a routine of its own do it',
      'delimiter //\ncreate procedure z() drop table ana_otra.aqui//\ncall z()//\n',
      'volcado_ajeno',
    ],
    ['names itself', 'use ana_tienda; drop table c;', 'volcado_ajeno'],
    ['changes the server', 'set global max_connections = 2;', 'volcado_ajeno'],
    ['acts for root', 'create definer=root@localhost view w as select 1;', 'volcado_ajeno'],
    ['makes a database', 'create database ana_mas;', 'volcado_ajeno'],
    ['gives rights', "grant select on ana_tienda.* to 'mysql'@'localhost';", 'volcado_ajeno'],
    ['reads a file of the server', "load data infile '/etc/passwd' into table fresh;", 'volcado_ajeno'],
    [
      'reads a file of the loader',
      "load data local infile '/etc/passwd' into table fresh;",
      'volcado_rechazado',
    ],
    ['writes a file', "select 1 into outfile '/tmp/x';", 'volcado_ajeno'],
    ['is no SQL', 'esto no es SQL;', 'volcado_rechazado'],
    [
      'has a view of what is not there',
      'create view w as select * from fresh; drop table fresh;',
      'volcado_incompleto',
    ],
    ['says that it has more', '-- MariaDB dump 10.19\ncreate table x (a int);', 'volcado_incompleto'],
    ['leaves its last statement open', "insert into fresh values ('", 'volcado_rechazado'],
  ])('that %s', async (_, words, codigo) => {
    const before = await tables('ana_tienda')
    const started = words.startsWith('-- ') ? words : PLAIN + words
    const { status, body } = await load('ana_tienda', put('bad.sql', started))
    const code = status === 202 ? (await ended(body.tarea.id)).estado : body.codigo
    expect([words, code]).toEqual([words, codigo])
    expect(await tables('ana_tienda')).toBe(before)
    expect((await sql(world, usuario, 'show triggers', { database: 'ana_tienda' })).out).toContain('tr\t')
    expect(await tables('ana_otra')).toBe('aqui')
    expect(await leftovers()).toEqual(NOTHING)
    expect((await world.done('GET', '/bases/ana_tienda')).estado).toBe('activa')
  })

  test.each(['\\! id', 'system id', 'source /etc/passwd', 'tee /tmp/x', 'pager cat'])(
    'that has the program which loads it do something: %s',
    async (words) => {
      const { body } = await load('ana_tienda', put('bad.sql', `${PLAIN}${words}\n`))
      expect([words, body.codigo]).toEqual([words, 'volcado_rechazado'])
      expect(await tables('ana_tienda')).not.toContain('fresh')
    },
  )

  test('tells the line and the error number of the server, and none of its words', async () => {
    const { body } = await load('ana_tienda', put('bad.sql', `${PLAIN}create table s3cret (a nonsense);`))
    expect(body).toMatchObject({ codigo: 'volcado_rechazado', linea: 2, numero: 4161 })
    expect(JSON.stringify(body)).not.toContain('s3cret')
  })

  test('that defines more beside its rows than the panel keeps at a time', async () => {
    const long = `create procedure lo_ng() select '${'x'.repeat(17 * 1_048_576)}';`
    const { body } = await load('ana_tienda', put('long.sql', `${PLAIN}${long}\n`))
    const told = body.tarea ? (await ended(body.tarea.id)).error : body
    expect(told).toMatchObject({ codigo: 'volcado_rechazado', linea: 0, numero: 1153 })
    expect([await leftovers(), (await tables('ana_tienda')).includes('fresh')]).toEqual([NOTHING, false])
  })

  test('that holds nothing, as an upload that failed leaves it', async () => {
    const before = await tables('ana_tienda')
    for (const [name, content] of [
      ['void.sql', ''],
      ['blank.sql', ' \n'.repeat(3)],
      ['zeros.sql', '\0'.repeat(300)],
      ['void.sql.gz', gzipSync('')],
      ['mark.sql', '\uFEFF'],
      ['words.sql', '-- nothing\n# more\n/* nor here */\n'],
      ['settings.sql', '\uFEFF-- a mark, and\nset names utf8mb4;\n'],
    ] as const)
      expect([name, (await load('ana_tienda', put(name, content))).body.codigo]).toEqual([
        name,
        'volcado_incompleto',
      ])
    expect(await tables('ana_tienda')).toBe(before)
    expect(await leftovers()).toEqual(NOTHING)
  })

  test('that is packed and cut off, or is not what its name says', async () => {
    const packed = await dumpOf('ana_tienda')
    const half = packed.subarray(0, packed.length - 20)
    const codes = []
    for (const [name, content] of [
      ['half.sql.gz', half],
      ['plain.sql.gz', PLAIN],
      ['plain.sql.zst', PLAIN],
    ] as const)
      codes.push((await load('ana_tienda', put(name, content))).body.codigo)
    expect(codes).toEqual(Array(3).fill('volcado_incompleto'))
    expect(await leftovers()).toEqual(NOTHING)
  })

  test('that is not there, is another’s, leads out of the client’s tree or is no dump by its name', async () => {
    symlinkSync('/etc/passwd', join(folder, 'link.sql'))
    const ask = async (ruta: string) => (await load('ana_tienda', ruta)).body.codigo
    expect(await ask('/sitios/ana.es/none.sql')).toBe('archivo_no_existe')
    expect(await ask('/sitios/bea.es/d.sql')).toBe('archivo_no_existe')
    expect(await ask('/sitios/nobody.es/d.sql')).toBe('archivo_no_existe')
    expect(['ruta_invalida', 'archivo_no_existe']).toContain(await ask('/sitios/ana.es/link.sql'))
    for (const ruta of [
      '/sitios/ana.es/../bea.es/d.sql',
      '/etc/passwd',
      '/sitios/ana.es/d.zip',
      'd.sql',
      '/sitios/ana.es/public',
    ])
      expect([ruta, await ask(ruta)]).toEqual([ruta, 'ruta_invalida'])
    expect((await load('ana_nada', '/sitios/ana.es/d.sql')).body.codigo).toBe('base_no_existe')
  })

  test('whose tables a forgotten transaction holds', async () => {
    const at = { database: 'ana_tienda' }
    await sql(world, usuario, 'create table h (a int)', at)
    // In another database, so that it is not among those whose sessions end.
    const words = 'start transaction; insert into ana_tienda.h values (1);'
    const held = await stays(world, usuario, words, { database: 'ana_otra' })
    const { body } = await load('ana_tienda', put('good.sql', PLAIN))
    expect((await ended(body.tarea.id)).error).toContain('held')
    await held.leave()
    expect((await sql(world, usuario, 'show triggers', at)).out).toContain('tr\t')
    expect(await tables('ana_tienda')).toContain('v2')
    expect(await leftovers()).toEqual(NOTHING)
  }, 60_000)
})

/** Of some 100 MB, which stops half way for longer than any test here looks. */
const LARGE = () => {
  const half = `insert into big values ('${'x'.repeat(500_000)}');\n`.repeat(100)
  return `create table big (a longtext);\n${half}select sleep(40);\n${half}`
}

describe('while a dump is loaded', () => {
  let large: string
  beforeAll(() => {
    large = put('large.sql', LARGE())
  })

  test('the old content is there, progress is told, another load waits, and it can be given up', async () => {
    const { body } = await load('ana_tienda', large)
    const { id } = body.tarea
    expect((await world.done('GET', '/bases/ana_tienda')).estado).toBe('cargando')
    expect((await load('ana_tienda', large)).body.codigo).toBe('ya_en_curso')
    const progreso = await eventually(async () => (await task(id)).progreso, 'its progress')
    expect(progreso).toMatchObject({ unidad: 'bytes' })
    expect(progreso.hecho).toBeLessThan(progreso.total)
    expect((await sql(world, usuario, 'select count(*) from p', { database: 'ana_tienda' })).out).toBe('2')
    await world.done('DELETE', `/tareas/${id}`)
    expect((await ended(id)).estado).toBe('cancelada')
    expect(await leftovers()).toEqual(NOTHING)
    expect((await world.done('GET', '/bases/ana_tienda')).estado).toBe('activa')
  }, 60_000)

  test('a plan’s bytes end it midway', async () => {
    await world.done('POST', '/planes', { plan: 'poco', bases_bytes: 30_000_000 })
    await world.done('POST', '/clientes/ana/plan', { plan: 'poco' })
    const { body, status } = await load('ana_tienda', large)
    const codigo = status === 202 ? (await ended(body.tarea.id)).error : body.detail
    expect(codigo).toContain("The plan's limit")
    expect(await leftovers()).toEqual(NOTHING)
    expect(await tables('ana_tienda')).not.toContain('big')
    await world.done('POST', '/clientes/ana/plan', { plan: null })
  }, 60_000)

  test('suspending its client ends it with the old content, and no other begins', async () => {
    const { body } = await load('ana_tienda', large)
    await eventually(async () => (await task(body.tarea.id)).progreso, 'its progress')
    await world.done('POST', '/clientes/ana/suspender')
    expect((await load('ana_tienda', large)).body.codigo).toBe('cliente_suspendido')
    const { estado, error } = await ended(body.tarea.id)
    expect([estado, error]).toEqual(['fallida', 'The account is suspended.'])
    expect(await leftovers()).toEqual(NOTHING)
    await world.done('POST', '/clientes/ana/activar')
    expect((await sql(world, usuario, 'select count(*) from p', { database: 'ana_tienda' })).out).toBe('2')
  }, 60_000)

  test('what a suspension cut short once the dump was whole is brought to its end when the client is active again', async () => {
    await createBase(world, 'ana', 'media')
    using database = new Database(join(world.panel.dataDir, 'panel.db'), { readonly: true })
    const row = database.query<{ id: number }, []>("select id from databases where name = 'ana_media'").get()
    const home = join(dirname(dirname(world.socket)), 'loads', String(row?.id))
    // As it is left between the exchange of the tables and what is defined beside them.
    const plan = { job: 'one', isDone: false, triggers: '', definitions: 'create view visto as select 9;' }
    await world.done('POST', '/clientes/ana/suspender')
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'plan.json'), JSON.stringify(plan))
    const at = `LOADING_${row?.id}_at`
    await sql(world, null, `create database ${at}; create table ${at}.done (a int)`)
    await world.done('POST', '/clientes/ana/activar')
    await eventually(async () => (await leftovers()).join('') === '', 'its end')
    const seen = () => sql(world, usuario, 'select * from visto', { database: 'ana_media' })
    await eventually(async () => (await seen()).out === '9', 'its rights')
  }, 60_000)

  test('deleting the database ends it too', async () => {
    await createBase(world, 'ana', 'breve')
    const { body } = await load('ana_breve', large)
    await eventually(async () => (await task(body.tarea.id)).progreso, 'its progress')
    await world.done('DELETE', '/bases/ana_breve')
    await eventually(async () => (await world.call('GET', '/bases/ana_breve')).status === 404, 'its end')
    await ended(body.tarea.id)
    expect(await leftovers()).toEqual(NOTHING)
    expect(readdirSync(join(dirname(dirname(world.socket)), 'loads')).length).toBeLessThan(10)
  }, 60_000)
})

test('a customer loads into its own databases alone', async () => {
  await world.done('POST', '/clientes/ana/acceso', { correo: 'ana@cliente.es' })
  const { link } = await world.panel.mailTo('ana@cliente.es')
  const { bearer } = await enrol(world.panel, link ?? '', 'ana@cliente.es')
  const ruta = put('mine.sql', 'create table fresh (a int)')
  const ask = (base: string) => world.panel.api('POST', `/bases/${base}/cargar`, { bearer, body: { ruta } })
  expect((await ask('bea_suya')).body.codigo).toBe('base_no_existe')
  expect((await ask('ana_otra')).status).toBe(202)
  await eventually(async () => (await tables('ana_otra')) === 'fresh', 'its content')
})
