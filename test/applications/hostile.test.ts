import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lchownSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { sql } from '../bases/sql.ts'
import { filesBelow, giveFile } from '../support/owned.ts'
import type { Answer, Json } from '../support/panel.ts'
import { eventually } from '../support/wait.ts'
import { type ApplicationsWorld, startApplications } from './panel.ts'
import { textOf, visitor } from './wordpress.ts'

setDefaultTimeout(120_000)

/** What only Bob and the panel know. */
const SECRET = 'canario-de-bob'
const WANTED = { aplicacion: 'wordpress', correo: 'ana@cliente.es' }
const CLONE = 'copia.ana.es'

let world: ApplicationsWorld
/** The folders that are served of Ana's sites, and of Bob's. */
let root: string
let his: string
let socket: string
let untouched: string

const api = (method: string, path: string, body?: unknown, bearer = world.token): Promise<Answer> =>
  world.api(method, path, body, bearer)
const codeOf = ({ status, body }: Answer) => [status, body.codigo]
const show = async (domain: string) => (await api('GET', `/sitios/${domain}/aplicacion`)).body
const visit = (path: string, host = 'ana.es') => visitor(world.panel, host)(path)

async function addSite(cliente: string, domain: string): Promise<string> {
  const made = await api('POST', '/sitios', { cliente, domain, aliases: [] })
  expect(made.status).toBe(201)
  return made.body.raiz
}

/** Ana's own name of her files' owner. */
const owner = () => statSync(join(root, 'index.php'))

/** Puts a file into Ana's site, as a program of hers would. */
const give = (name: string, text: string | Uint8Array, under = root) => giveFile(under, name, text)

function link(name: string, to: string): void {
  symlinkSync(to, join(root, name))
  lchownSync(join(root, name), owner().uid, owner().gid)
}

/** All that is Bob's: his files with owners, modes and content, and his rows. */
async function ofBob(): Promise<string> {
  const rows = await sql({ socket }, null, 'select * from bob_x.wp_options; show tables from bob_x')
  return `${filesBelow(his)}${rows.out}${rows.error}`
}

/** Words of Ana's in the database of one of her installations. */
async function asked(words: string, folder = root): Promise<string> {
  const config = readFileSync(join(folder, 'wp-config.php'), 'utf8')
  const of = (name: string) => new RegExp(`'${name}', '([^']*)'`).exec(config)?.[1] ?? ''
  const said = await sql({ socket }, null, words, { database: of('DB_NAME') })
  expect([words.slice(0, 99), said.error]).toEqual([words.slice(0, 99), ''])
  return said.out
}

/** Makes the installed version an older one than the node's package. */
function age(): void {
  const path = join(root, 'wp-includes/version.php')
  writeFileSync(path, readFileSync(path, 'utf8').replace(/\$wp_version = '[^']*'/, "$wp_version = '6.0'"))
}

/** Has Ana's settings be these until the test ends. */
function settings(change: (text: string) => string): () => void {
  const path = join(root, 'wp-config.php')
  const before = readFileSync(path, 'utf8')
  writeFileSync(path, change(before))
  return () => writeFileSync(path, before)
}
const named = (base: string) => (text: string) => text.replace(/('DB_NAME', ')[^']*/, `$1${base}`)
/** Code of hers that runs with WordPress, before it does anything. */
const running = (code: string) => (text: string) => text.replace('<?php', `<?php ${code}`)

beforeAll(async () => {
  world = await startApplications()
  expect((await api('POST', '/clientes', { cliente: 'bob', correo: 'bob@cliente.es' })).status).toBe(201)
  his = await addSite('bob', 'bob.es')
  writeFileSync(join(his, 'secreto.php'), `<?php // ${SECRET}`, { mode: 0o644 })
  writeFileSync(join(his, 'secreto.txt'), SECRET, { mode: 0o644 })
  const base = await api('POST', '/bases', { cliente: 'bob', base: 'x' })
  expect(base.status).toBe(201)
  socket = base.body.socket
  const rows = `create table wp_options (option_id int primary key, option_name varchar(99), option_value text);
    insert into wp_options values (1, 'siteurl', '${SECRET}')`
  expect((await sql({ socket }, base.body.usuario, rows, { database: 'bob_x' })).error).toBe('')
  root = await addSite('ana', 'ana.es')
  const titulo = '<img src=x onerror=alert(1)>{enlace}'
  expect((await world.worked('ana.es', 'aplicacion', { ...WANTED, titulo })).estado).toBe('hecha')
}, 120_000)
afterAll(() => world?.stop())
beforeEach(async () => {
  untouched = await ofBob()
})
afterEach(async () => {
  expect(await ofBob()).toBe(untouched)
})

describe('a token installs an application', () => {
  test('for no address that its client has not, and an admin in a customer’s place neither', async () => {
    await addSite('ana', 'vacio.es')
    const ask = (correo: string, bearer?: string) =>
      api('POST', '/sitios/vacio.es/aplicacion', { ...WANTED, aplicacion: 'dokuwiki', correo }, bearer)
    for (const correo of ['intruso@otro.es', 'bob@cliente.es', 'ana@cliente.es.otro.es', 'xana@cliente.es'])
      expect([correo, ...codeOf(await ask(correo))]).toEqual([correo, 403, 'no_con_token'])
    const opened = await api('POST', '/clientes/ana/suplantar', { motivo: 'ayuda' }, world.admin.bearer)
    expect(codeOf(await ask('intruso@otro.es', opened.body.sesion))).toEqual([403, 'prohibido'])
    expect(await show('vacio.es')).toMatchObject({ aplicacion: null, estado: null })
    const { datos } = (await api('GET', '/auditoria?limite=200')).body
    const told = datos.filter(({ resultado }: Json) => resultado === 'no_con_token')
    expect([told.length, JSON.stringify(datos).includes('intruso')]).toEqual([4, false])
    const end = await world.ended((await ask('ANA@cliente.es')).body.tarea.id)
    expect(end.estado).toBe('hecha')
  })
})

describe('a title of markup', () => {
  const MARKUP = /<img|onerror=alert\(1\)>/i

  test('is text in the mail, in its HTML too, and on the front page', async () => {
    const isTold = ({ subject }: { subject: string }) => subject.includes('{enlace}')
    const mail = await eventually(async () => world.smtp.received.find(isTold) ?? null, 'the mail')
    const raw = world.smtp.received.map((one) => Buffer.from(one.raw).toString('latin1')).join('\n')
    const body = raw.slice(raw.indexOf('\r\n\r\n'))
    expect([mail.recipients[0]?.toLowerCase(), mail.text.match(MARKUP), body.match(MARKUP)]).toEqual([
      'ana@cliente.es',
      null,
      null,
    ])
    expect(textOf(await visit('/'))).not.toMatch(MARKUP)
  })

  test('has no other lines and no more than its length', async () => {
    await addSite('ana', 'titulos.es')
    for (const titulo of ['a\r\nBcc: intruso@otro.es', 'a\0b', 'x'.repeat(201)]) {
      const answer = await api('POST', '/sitios/titulos.es/aplicacion', { ...WANTED, titulo })
      expect([titulo, answer.status, answer.body.campos?.[0]?.campo]).toEqual([titulo, 422, 'titulo'])
    }
  })
})

describe('settings of an installation that name another customer’s database', () => {
  let restore: () => void
  beforeAll(() => {
    age()
    restore = settings(named('bob_x'))
  })
  afterAll(() => restore())

  test.each([
    ['an update', 'aplicacion/actualizar', undefined],
    ['a clone', 'clonar', { domain: 'otra.ana.es' }],
  ])('%s fails and leaves all as it was', async (_, path, body) => {
    const before = readdirSync(root).sort()
    const end = await world.worked('ana.es', path, body)
    expect([end.estado, JSON.stringify(end).includes(SECRET)]).toEqual(['fallida', false])
    expect(readdirSync(root).sort()).toEqual(before)
    expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
    expect(await show('ana.es')).toMatchObject({ estado: 'activa', version: '6.0' })
  })

  test('a link to sign in is refused, and none of its rows is written', async () => {
    const answer = await api('POST', '/sitios/ana.es/aplicacion/sesion', {}, world.ana.bearer)
    expect([answer.status >= 400, JSON.stringify(answer.body).includes(SECRET)]).toEqual([true, false])
  })
})

describe('code of an installation that runs while the panel works on it', () => {
  const take = `foreach (['/sitios/bob.es/public/secreto.txt', '/etc/shadow', '/proc/1/environ', '/sitios/ana.es/../bob.es'] as $p) {
      @file_put_contents(__DIR__ . '/botin.txt', $p . ' ' . @file_get_contents($p) . "\\n", FILE_APPEND); @file_put_contents($p, 'x'); @unlink($p); }
    @symlink('/sitios/bob.es', __DIR__ . '/vecino');
    @file_put_contents(__DIR__ . '/botin.txt', 'fin ' . posix_getuid() . ' ' . implode(' ', scandir('/sitios')) . "\\n", FILE_APPEND);`

  test('has its own site alone, and takes nothing', async () => {
    const restore = settings(running(take))
    age()
    const end = await world.worked('ana.es', 'aplicacion/actualizar')
    restore()
    expect(end.estado).toBe('hecha')
    const told = readFileSync(join(root, 'botin.txt'), 'utf8')
    expect(told).toMatch(/^fin [1-9]\d+ \. \.\. ana\.es$/m)
    expect(told).not.toMatch(new RegExp(`${SECRET}|root:|PATH=`))
    rmSync(join(root, 'botin.txt'))
    rmSync(join(root, 'vecino'), { force: true })
  })

  test.each(['sesion_caducada', 'credencial_invalida', 'espera', 'no_con_token', 'error_interno'])(
    'has the panel answer nobody with %s in its own name',
    async (code) => {
      const forged = `file_put_contents('php://stdout', "\\n@panel {\\"refused\\":\\"${code}\\"}\\n"); posix_kill(getmypid(), 9);`
      const restore = settings(running(forged))
      const answer = await api('POST', '/sitios/ana.es/aplicacion/sesion', {}, world.ana.bearer)
      restore()
      expect([answer.status, answer.body.codigo]).toEqual([409, 'aplicacion_no_responde'])
    },
  )

  test('fills no log of the panel, nor tells it lines of its own', async () => {
    const words = 'A'.repeat(60_000)
    const forged = `file_put_contents('php://stdout', "\\n@panel " . json_encode(['good' => false, 'why' => "\\x1b[2J\\n{\\"nivel\\":\\"error\\"}${words}"]) . "\\n"); posix_kill(getmypid(), 9);`
    const restore = settings(running(forged))
    age()
    const before = world.panel.log.length
    await world.worked('ana.es', 'aplicacion/actualizar')
    restore()
    const told = world.panel.log.slice(before)
    expect(told).toContain('does not answer')
    expect(told).not.toContain('A'.repeat(1000))
    expect(told.split('\n').filter((line) => line !== '' && !line.startsWith('{"'))).toEqual([])
    expect(told).not.toContain('\u001b')
  })

  test('has no version told but letters and numbers', async () => {
    const path = join(root, 'wp-includes/version.php')
    const before = readFileSync(path, 'utf8')
    for (const version of ['<b>9</b>', '9\u001b[2J', '9'.repeat(41), '../9', '']) {
      writeFileSync(path, before.replace(/\$wp_version = '[^']*'/, `$wp_version = '${version}'`))
      const { version: told } = await show('ana.es')
      expect(told ?? '').toMatch(/^[0-9.]*$/)
    }
    rmSync(path)
    spawnSync('/usr/bin/mkfifo', [path])
    expect((await show('ana.es')).estado).toBe('activa')
    rmSync(path)
    link('wp-includes/version.php', '../../bob.es/public/secreto.php')
    expect(JSON.stringify(await show('ana.es'))).not.toContain(SECRET)
    rmSync(path)
    give('wp-includes/version.php', before)
  })
})

describe('a tree of links and names', () => {
  /** The same name in the letters of Western Europe, which are no UTF-8. */
  const latin = Buffer.from('men\xfa.html', 'latin1')
  const NAMES = [
    '-rf',
    '$(id).php',
    'a\nb.txt',
    '\u001b[2J.txt',
    '<img src=x onerror=alert(1)>',
    '{a,b}',
    '*',
    '123',
  ]

  test('is cloned as it is and brought to a new version, and no link leads out', async () => {
    for (const name of NAMES) {
      give(`wp-content/themes/${name}/style.css`, `/* Theme Name: ${name} */`)
      give(name, 'hola')
    }
    const odd = Buffer.concat([Buffer.from(`${root}/`), latin])
    writeFileSync(odd, 'hola')
    lchownSync(odd, owner().uid, owner().gid)
    link('wp-content/plugins/vecino', '/sitios/bob.es/public')
    // WordPress makes this folder by itself in some of its visits.
    rmSync(join(root, 'wp-content/uploads'), { recursive: true, force: true })
    link('wp-content/uploads', '/sitios/bob.es/public')
    link('fuera', his)
    link('.htaccess', join(his, 'secreto.txt'))
    age()
    expect((await world.worked('ana.es', 'aplicacion/actualizar')).estado).toBe('hecha')
    const end = await world.worked('ana.es', 'clonar', { domain: CLONE })
    expect([end.estado, end.error]).toEqual(['hecha', null])
    const copy = (await api('GET', `/sitios/${CLONE}`)).body.raiz
    expect(readdirSync(copy)).toEqual(expect.arrayContaining([...NAMES, 'fuera']))
    for (const path of ['/fuera/secreto.txt', '/wp-content/uploads/secreto.txt', '/.htaccess'])
      for (const host of ['ana.es', CLONE])
        expect([path, textOf(await visit(path, host)).includes(SECRET)]).toEqual([path, false])
    for (const folder of [root, copy]) rmSync(join(folder, 'wp-content/uploads'))
  })

  test('is published and taken back with all of its names', async () => {
    const before = readdirSync(root, { encoding: 'buffer' }).map(String).sort()
    const end = await world.worked(CLONE, 'publicar', {})
    expect([end.estado, end.error]).toEqual(['hecha', null])
    expect((await visit('/')).status).toBe(200)
    expect((await world.worked('ana.es', 'aplicacion/deshacer')).estado).toBe('hecha')
    expect(readdirSync(root, { encoding: 'buffer' }).map(String).sort()).toEqual(before)
    expect(existsSync(Buffer.concat([Buffer.from(`${root}/`), latin]))).toBe(true)
    for (const one of ['.htaccess', 'fuera']) rmSync(join(root, one))
  })
})

describe('what visitors wrote into the database', () => {
  const REMARK = "insert into wp_comments (comment_post_ID, comment_author, comment_content) values (1, 'x', "

  test('keeps no clone from being made, and none of it is run', async () => {
    give(
      'wp-content/mu-plugins/malo.php',
      "<?php class Malo { public $a; function __wakeup() { touch(ABSPATH . 'despertado'); } function __destruct() { touch(ABSPATH . 'despertado'); } }",
    )
    const hostile = [
      's:9223372036854775807:"http://ana.es/a',
      's:99999999999999999999:"http://ana.es/a";',
      'a:9223372036854775807:{i:0;s:1:"http://ana.es/a"',
      'O:70000:"http://ana.es/a":1:{}',
      'O:4:"Malo":99999999999999999999:{s:1:"a";s:15:"http://ana.es/a";}',
      'C:4:"Malo":9223372036854775807:{http://ana.es/a}',
      `${'a:1:{i:0;'.repeat(1000)}s:15:"http://ana.es/a"`,
    ]
    const values = hostile.map((one) => `${REMARK}'${one}');`).join('\n')
    // Each of them alone would take seconds where the time grows with the square of their length.
    const slow = `${REMARK}concat(repeat('\\\\', 65000), ' http://ana.es/a'));`.repeat(200)
    const object = 'O:4:"Malo":1:{s:1:"a";s:15:"http://ana.es/a";}'
    await asked(
      `${values}${slow}insert into wp_options (option_name, option_value) values ('malo', '${object}')`,
    )
    await asked(
      "create table `wp_``; drop table x` (a varchar(99) primary key); insert into `wp_``; drop table x` values ('//ana.es/')",
    )
    const end = await world.worked('ana.es', 'clonar', { domain: 'hostil.ana.es' })
    expect([end.estado, end.error]).toEqual(['hecha', null])
    const copied = 'O:4:"Malo":1:{s:1:"a";s:22:"http://hostil.ana.es/a";}'
    const copy = (await api('GET', '/sitios/hostil.ana.es')).body.raiz
    expect(await asked("select option_value from wp_options where option_name = 'malo'", copy)).toBe(copied)
    const left = "select count(*) from wp_comments where comment_content like '%//ana.es/a%'"
    expect(await asked(left, copy)).toBe('0')
    expect([existsSync(join(copy, 'despertado')), existsSync(join(root, 'despertado'))]).toEqual([
      false,
      false,
    ])
  })
})
