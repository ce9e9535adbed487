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
import { dirname, join } from 'node:path'
import { ROOMY } from '../api/people.ts'
import { sql } from '../bases/sql.ts'
import { addClient, createBase, startBases, type World } from '../bases/world.ts'
import { clientsOf, keyPair } from '../sftp/client.ts'
import { partDirectory } from '../support/consistency.ts'
import { filesBelow, giveFile } from '../support/owned.ts'
import type { Answer, Json } from '../support/panel.ts'
import { enrol, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { workEnded } from '../support/work.ts'

setDefaultTimeout(60_000)

const SECRET = 'canario-de-bob'
/** What a terminal obeys, beside what a browser does. */
const TERMINAL = '\u001b]0;mio\u0007\u001b[2J\u009b31m'
const MARKUP = '<img src=x onerror=alert(1)>'

let world: World
let ana: SignedIn
/** The folders that are served of Ana's site and of Bob's. */
let root: string
let his: string
let hers: string
let sftpPort: number
let untouched: string

/** The number of a site is the name of its folder. */
const siteIdOf = (served: string) => dirname(served).split('/').at(-1) ?? ''

const as =
  (bearer: string) =>
  (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.panel.api(method, path, { bearer, ...(body === undefined ? {} : { body }) })
const byAna = (method: string, path: string, body?: unknown) => as(ana.bearer)(method, path, body)
const codeOf = ({ status, body }: Answer) => [status, body.codigo]

/** All that is Bob's: files with owners, modes and content, rows, accounts, settings. */
async function ofBob(): Promise<string> {
  const rows = await sql(
    world,
    null,
    'select * from bob_x.t; show tables from bob_x; show grants for current_user',
  )
  const shown = await Promise.all(
    ['/clientes/bob/cuentas-sftp', '/bases/bob_x', '/sitios/bob.es/programadas'].map((path) =>
      world.call('GET', path),
    ),
  )
  const told = shown.map(({ body }) => JSON.stringify(body).replace(/"(?:medido|bytes)":[^,]*/g, ''))
  return `${filesBelow(his)}${rows.out}${rows.error}${told}`
}

const give = (name: string, text: string | Uint8Array) => giveFile(root, name, text)
const put = (ruta: string, raw: string | Uint8Array) =>
  world.panel.api('PUT', `/sitios/ana.es/archivos/contenido?ruta=${encodeURIComponent(ruta)}`, {
    bearer: ana.bearer,
    raw,
  })

beforeAll(async () => {
  sftpPort = await freePort()
  world = await startBases({ ...ROOMY, PANEL_SFTP_PORT: String(sftpPort) })
  root = await addClient(world, 'ana')
  his = await addClient(world, 'bob')
  writeFileSync(join(his, 'secreto.html'), SECRET, { mode: 0o644 })
  hers = (await createBase(world, 'ana', 'x')).usuario
  const { usuario } = await createBase(world, 'bob', 'x')
  const rows = (database: string, as: string) =>
    sql(world, as, `create table t (a varchar(20)); insert into t values ('${SECRET}')`, { database })
  expect([(await rows('bob_x', usuario)).error, (await rows('ana_x', hers)).error]).toEqual(['', ''])
  await world.done('POST', '/clientes/bob/cuentas-sftp', { cuenta: 'bob' })
  await world.done('POST', '/clientes/ana/cuentas-sftp', { cuenta: 'ana' })
  await world.done('POST', '/clientes/ana/acceso', { correo: 'ana@cliente.es' })
  const { link } = await world.panel.mailTo('ana@cliente.es')
  ana = await enrol(world.panel, link ?? '', 'ana@cliente.es')
}, 120_000)
afterAll(() => world?.stop())
beforeEach(async () => {
  untouched = await ofBob()
})
afterEach(async () => {
  expect(await ofBob()).toBe(untouched)
})

describe('a key for SFTP', () => {
  const path = '/clientes/ana/cuentas-sftp/ana/llaves'
  const set = (llaves: string[]) => byAna('PUT', path, { llaves })
  let good: { file: string; line: string }
  beforeAll(async () => {
    good = await keyPair('-t', 'ed25519')
  })
  const bare = () => good.line.split(' ').slice(0, 2).join(' ')

  test.each([
    ['an environment', (key: string) => `environment="LD_PRELOAD=/sitios/ana.es/x.so" ${key}`],
    ['a command', (key: string) => `restrict,command="/bin/sh" ${key}`],
    ['an option without a value', (key: string) => `no-pty ${key}`],
    ['an address', (key: string) => `from="*" ${key}`],
    ['an authority', (key: string) => `cert-authority,principals="bob" ${key}`],
    ['ports', (key: string) => `permitopen="*:*",permitlisten="*:*" ${key}`],
    ['a tunnel', (key: string) => `tunnel="0" ${key}`],
    ['options after blanks', (key: string) => `\t command="id" ${key}`],
    ['a second line', (key: string) => `${key}\ncommand="id" ${key}`],
    ['a carriage return', (key: string) => `${key}\rcommand="id" ${key}`],
    ['a NUL', (key: string) => `${key} a\0b`],
    ['what a terminal obeys', (key: string) => `${key} ${TERMINAL}`],
    ['a comment for a key', (key: string) => `# ${key}`],
    ['another type’s name', (key: string) => key.replace('ssh-ed25519', 'ssh-rsa')],
    ['a token’s type', (key: string) => key.replace('ssh-ed25519', 'sk-ssh-ed25519@openssh.com')],
    ['a certificate’s type', (key: string) => key.replace('ssh-ed25519', 'ssh-ed25519-cert-v01@openssh.com')],
    ['the old type', (key: string) => key.replace('ssh-ed25519', 'ssh-dss')],
    ['more than a key', (key: string) => `${key.slice(0, -2)}AAAAAAAA`],
    ['nothing', () => ''],
  ])('with %s is refused, and none is set', async (_, line) => {
    const answer = await set([good.line, line(bare())])
    expect([answer.status, answer.body.campos?.[0]?.campo]).toEqual([422, 'llaves.1'])
    const { datos } = (await byAna('GET', '/clientes/ana/cuentas-sftp')).body
    expect(datos[0].llaves).toEqual([])
  })

  test('that is a certificate is refused, also one that its owner signed', async () => {
    const authority = await keyPair('-t', 'ed25519')
    const forBob = ['-I', 'ana', '-n', 'bob,root,ana', `${good.file}.pub`]
    const signed = Bun.spawnSync(['ssh-keygen', '-q', '-s', authority.file, ...forBob])
    expect(signed.exitCode).toBe(0)
    const certificate = readFileSync(`${good.file}-cert.pub`, 'utf8').trim()
    expect((await set([certificate])).status).toBe(422)
    await set([good.line])
    // The certificate names Bob, and the server knows no authority.
    for (const account of ['bob', 'root'])
      expect((await clientsOf(sftpPort).sftp({ account, key: good.file }, 'pwd')).code).toBe(255)
  })

  test('whose remark is an order gives files and no more', async () => {
    expect((await set([`${bare()} command="id" $(id) ${MARKUP}`])).status).toBe(200)
    const tools = clientsOf(sftpPort)
    expect((await tools.ssh({ account: 'ana', key: good.file }, [], ['id'])).out).not.toContain('uid=')
    expect((await tools.sftp({ account: 'ana', key: good.file }, 'pwd')).out).toContain('/sitios')
  })
})

test.each([
  ...[
    'root',
    'bob',
    'bob_x',
    'sshd',
    'ana_',
    'ana_X',
    'ana_../x',
    'ana_a:0:0',
    'ana_a\nroot',
    'ana_x y',
    '-ana',
  ],
  ...['ana-x', `ana_${'x'.repeat(17)}`, 'ana_$(id)', 'ANA_x', 'ana_ñ', 'ana_x\0', '_ana'],
])('an account of Ana’s named %p is not made', async (cuenta) => {
  const answer = await byAna('POST', '/clientes/ana/cuentas-sftp', { cuenta })
  expect([cuenta, answer.status]).toEqual([cuenta, 422])
  const others = await byAna('POST', '/clientes/bob/cuentas-sftp', { cuenta: 'bob_y' })
  expect(codeOf(others)).toEqual([404, 'cliente_no_existe'])
  const into = await byAna('POST', '/clientes/ana/cuentas-sftp', { cuenta: 'ana_y', sitio: 'bob.es' })
  expect(into.body.codigo).toBe('sitio_no_existe')
  expect((await byAna('GET', '/clientes/ana/cuentas-sftp')).body.datos).toHaveLength(1)
})

describe('a link into a database', () => {
  const visit = (url: string, init: RequestInit = {}) =>
    fetch(url, { redirect: 'manual', keepalive: false, ...init, tls: { ca: world.panel.ca } })
  const enter = async (base: string, bearer: string) => {
    const { body } = await as(bearer)('POST', `/bases/${base}/sesion`)
    const answer = await visit(body.url)
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    return { url: String(body.url), path: answer.headers.get('location') ?? '', cookie }
  }
  const origin = () => `https://localhost:${world.basesPort}`

  test('works for one of twenty that follow it at once', async () => {
    const { body } = await byAna('POST', '/bases/ana_x/sesion')
    const answers = await Promise.all(Array.from({ length: 20 }, () => visit(body.url)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(19).fill(404)])
    expect(answers.filter((one) => one.headers.has('set-cookie'))).toHaveLength(1)
  })

  test('is not made for another’s database, and the session of one opens no other', async () => {
    expect(codeOf(await byAna('POST', '/bases/bob_x/sesion'))).toEqual([404, 'base_no_existe'])
    const [own, other] = [await enter('ana_x', ana.bearer), await enter('bob_x', world.admin.bearer)]
    const statuses = []
    for (const [path, cookie] of [
      [other.path, own.cookie],
      [other.path, own.cookie.replace(/^[^=]*/, other.cookie.split('=')[0] ?? '')],
      [other.path, other.cookie.replace(/=.*/, own.cookie.slice(own.cookie.indexOf('=')))],
      [`${own.path}/../${other.path.split('/').at(-2)}/`, own.cookie],
    ] as const) {
      const answer = await visit(origin() + path, { headers: { cookie } })
      statuses.push(answer.status)
      expect(await answer.text()).not.toContain(SECRET)
    }
    expect(statuses).toEqual([404, 404, 404, 404])
    const elsewhere = await visit(
      `${origin()}${own.path}?db=bob_x&select=t&ns=&server=127.0.0.1&username=root`,
      {
        headers: { cookie: own.cookie },
      },
    )
    expect(await elsewhere.text()).not.toContain('bob_x.t')
    for (const bad of ['', `${own.url.slice(-43)}x`, '%00', '../../', own.url.split('=').at(-1)])
      expect((await visit(`${origin()}/abrir?llave=${bad}`)).status).toBe(404)
  })
})

describe('a task', () => {
  const ended = (path: string) =>
    eventually(async () => {
      const { datos } = (await byAna('GET', `${path}/ejecuciones`)).body
      return datos[0]?.motivo ? (datos[0] as Json) : null
    }, 'the run')
  const run = async (orden: string[]) => {
    const made = await byAna('POST', '/sitios/ana.es/programadas', { cuando: '0 3 1 1 *', orden })
    expect(made.status).toBe(201)
    const path = (made.headers.get('location') ?? '').replace('/api', '')
    expect((await byAna('POST', `${path}/ejecutar`)).status).toBe(202)
    return { path, run: await ended(path) }
  }

  test('may say anything, as much as it likes: the end of it is kept, as text', async () => {
    const code = `echo ${JSON.stringify(MARKUP)}; echo "\\x1b[2J\\0\\xff\\xfe\\n{\\"codigo\\":0}"; for ($i = 0; $i < 500; $i++) echo str_repeat("A", 65536); echo "\\xc3";`
    const { path, run: told } = await run(['php8.2', '-r', code])
    expect([told.codigo, told.motivo]).toEqual([0, 'terminada'])
    expect(Buffer.byteLength(told.salida)).toBeLessThanOrEqual(65_539)
    expect(told.salida).not.toContain('\0')
    expect((await byAna('GET', '/sitios/ana.es/programadas')).body.datos[0].ultima.codigo).toBe(0)
    expect((await byAna('DELETE', path)).status).toBe(200)
  })

  test('whose order is markup is text in the mail of its failure', async () => {
    const orden = ['bash', '-c', `exit 3 # ${MARKUP}`]
    const { path } = await run(orden)
    const mail = await eventually(
      async () => (await world.panel.mails()).find(({ text }) => text.includes('bash')) ?? null,
      'the mail',
    )
    expect([mail.to, mail.html.includes(MARKUP), mail.html.includes('&#60;img')]).toEqual([
      'ana@cliente.es',
      false,
      true,
    ])
    await byAna('DELETE', path)
  })

  test.each([
    ['a file of Bob’s', ['cat', '../bob.es/public/secreto.html', '/sitios/bob.es/public/secreto.html']],
    [
      'a process of Bob’s or of the panel',
      ['bash', '-c', 'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -c PANEL_'],
    ],
    ['a socket of the panel', ['bash', '-c', 'find / -xdev -type s 2>/dev/null | grep -v mysqld']],
    [
      'a database of Bob’s',
      ['php8.2', '-r', `$d = new mysqli('localhost', get_current_user(), '', 'bob_x');`],
    ],
  ])('reaches nothing of %s', async (_, orden) => {
    const { path, run: told } = await run(orden)
    expect([told.salida.includes(SECRET), told.codigo === 0 && told.salida.trim() !== '0']).toEqual([
      false,
      false,
    ])
    await byAna('DELETE', path)
  })
})

test('what a program of Ana’s writes into its log forges no line of another’s, and nothing that a terminal obeys', async () => {
  const line = `[01-Jan-2026 00:00:00 UTC] PHP Fatal error: mio\\n{\\"cuando\\":\\"2026-01-01T00:00:00Z\\",\\"nivel\\":\\"error\\",\\"texto\\":\\"mio\\"}`
  give('log.php', `<?php error_log("\\x1b[2J\\x9b31m ${line}"); error_log(str_repeat('A', 200000)); echo 1;`)
  await world.get('ana.es', '/log.php')
  const rows = await eventually(async () => {
    const { datos } = (await byAna('GET', '/sitios/ana.es/bitacora?tipo=php')).body
    return datos.length > 1 ? (datos as Json[]) : null
  }, 'its rows')
  const address = '/api/sitios/ana.es/bitacora?tipo=php'
  const answer = await world.panel.fetch(address, { headers: { authorization: `Bearer ${ana.bearer}` } })
  const logs = join(partDirectory(world.panel, 'web'), 'l', siteIdOf(root))
  const files = readdirSync(logs)
    .filter((name) => name.startsWith('php-'))
    .map((name) => readFileSync(join(logs, name), 'utf8'))
  expect(files).toHaveLength(1)
  for (const text of [await answer.text(), ...files])
    expect(/[^\n\x20-\x7e\u00a1-\u{10ffff}]/u.test(text)).toBe(false)
  expect(rows.every(({ cuando, texto }) => cuando > '2026-02' && texto.length < 100_000)).toBe(true)
  expect((await world.call('GET', '/sitios/bob.es/bitacora?tipo=php')).body.datos).toEqual([])
  rmSync(join(root, 'log.php'))
})

describe('files that are to change how a site is served', () => {
  test('change nothing: no `.htaccess` is obeyed or told, and what it says is never a setting of its own', async () => {
    const hostile = [
      'AddHandler application/x-httpd-php .txt',
      'php_value auto_prepend_file /sitios/bob.es/public/secreto.html',
      'Options +ExecCGI +Indexes +Includes',
      'SetHandler server-status',
      'Redirect 301 /a javascript:alert(1)',
      'Redirect 301 /b "https://x.es/\\r\\nSet-Cookie: a=b"',
      'RewriteEngine on',
      'RewriteRule ^c$ "https://x.es/;}server{" [R]',
      'RewriteRule ^d$ http://127.0.0.1:2087/$1 [P]',
      'ErrorDocument 404 /../../bob.es/public/secreto.html',
      'AuthType Basic',
      'AuthUserFile /etc/passwd',
      'Require valid-user',
      'Header set X-Mio "a"',
    ].join('\n')
    expect((await put('/public/.htaccess', hostile)).status).toBe(201)
    expect((await put('/public/programa.txt', '<?php echo 6 * 7;')).status).toBe(201)
    expect(await world.get('ana.es', '/programa.txt')).toBe('<?php echo 6 * 7;')
    expect(await world.get('ana.es', '/.htaccess')).not.toContain('AddHandler')
    const { body } = await byAna('POST', '/sitios/ana.es/htaccess')
    const set = JSON.stringify(body.ajustes)
    expect(set).not.toMatch(/javascript|Set-Cookie|server\{|passwd|bob\.es|2087/)
    expect(await world.get('bob.es', '/secreto.html')).toBe(SECRET)
    await byAna('PATCH', '/sitios/ana.es', { redirecciones: [], protegidas: [], paginas_error: {} })
  })

  test('as `.user.ini` reach no further than the program itself does', async () => {
    const ini =
      'auto_prepend_file=/sitios/bob.es/public/secreto.html\nopen_basedir=/\ndisable_functions=\nsendmail_path=/usr/bin/id\nextension=/x.so\n'
    await put('/public/sub/.user.ini', ini)
    give(
      'sub/hola.php',
      '<?php echo "yo ", @file_get_contents("/etc/shadow"), ini_get("sendmail_path") === "/usr/bin/id" ? "malo" : "";',
    )
    give('sub/.user.ini', ini)
    const said = await world.get('ana.es', '/sub/hola.php')
    expect(said).not.toMatch(new RegExp(`${SECRET}|root:|malo`))
  })

  test('as a page for errors that is a link, or a program, show nothing of another’s', async () => {
    const { uid, gid } = statSync(root)
    for (const [name, to] of [
      ['404.html', join(his, 'secreto.html')],
      ['relativa.html', '../../bob.es/public/secreto.html'],
      ['sistema.html', '/etc/passwd'],
    ] as const) {
      symlinkSync(to, join(root, name))
      lchownSync(join(root, name), uid, gid)
      expect((await byAna('PATCH', '/sitios/ana.es', { paginas_error: { 404: `/${name}` } })).status).toBe(
        200,
      )
      const said = await world.get('ana.es', '/no-hay')
      expect([name, said.includes(SECRET) || said.includes('root:')]).toEqual([name, false])
      rmSync(join(root, name))
    }
    for (const page of [
      '/../bob.es/x.html',
      '/a.php',
      '/a.html;}',
      '/a\n.html',
      '//x.es/a.html',
      '/$uri.html',
      'javascript:a.html',
    ])
      expect([
        page,
        (await byAna('PATCH', '/sitios/ana.es', { paginas_error: { 404: page } })).status,
      ]).toEqual([page, 422])
    await byAna('PATCH', '/sitios/ana.es', { paginas_error: {} })
  })
})

describe('an archive', () => {
  /** One that Python makes, whose own checks are off. */
  function archive(kind: 'tar' | 'zip', members: string): Buffer {
    const made = spawnSync('python3', [
      '-c',
      `
import io, sys, tarfile, zipfile
out = io.BytesIO()
if '${kind}' == 'tar':
    a = tarfile.open(fileobj=out, mode='w:gz')
    def add(name, data=b'x', type=tarfile.REGTYPE, link='', mode=0o644):
        i = tarfile.TarInfo(name); i.size = len(data) if type == tarfile.REGTYPE else 0; i.type = type; i.linkname = link; i.mode = mode; i.uid = i.gid = 0
        a.addfile(i, io.BytesIO(data))
    LINK, HARD, FIFO, DIR = tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE
else:
    a = zipfile.ZipFile(out, 'w')
    def add(name, data=b'x', mode=0o100644):
        i = zipfile.ZipInfo(name); i.external_attr = mode << 16; a.writestr(i, data)
${members}
a.close(); sys.stdout.buffer.write(out.getvalue())`,
    ])
    if (made.status !== 0) throw new Error(String(made.stderr))
    return made.stdout
  }
  const extract = async (name: string) => {
    const answer = await byAna('POST', '/sitios/ana.es/archivos/operaciones', {
      ...{ operacion: 'extraer', rutas: [`/public/${name}`], destino: '/public/sale' },
    })
    return answer.status === 202 ? (await workEnded(byAna, answer.body.tarea.id)).estado : answer.body.codigo
  }

  test.each([
    ['tar', 'a hard link out', `add('duro', type=HARD, link='../../../bob.es/public/secreto.html')`],
    [
      'tar',
      'a hard link by its whole path',
      `add('duro', type=HARD, link='/sitios/bob.es/public/secreto.html')`,
    ],
    [
      'tar',
      'a file through a link to a folder',
      `add('l', type=LINK, link='/sitios'); add('l/bob.es/public/x', b'mio')`,
    ],
    [
      'tar',
      'a file through two links',
      `add('a', type=LINK, link='.'); add('a/b', type=LINK, link='../../..'); add('a/b/x', b'mio')`,
    ],
    [
      'tar',
      'a hard link to its own link, then written',
      `add('l', type=LINK, link='/etc/passwd'); add('d', type=HARD, link='l'); add('d', b'mio')`,
    ],
    ['tar', 'a whole path', `add('/sitios/bob.es/public/x', b'mio')`],
    ['zip', 'a path above', `add('../../../bob.es/public/x', b'mio')`],
    [
      'zip',
      'a link, then a file through it',
      `add('l', b'/sitios/bob.es', 0o120777); add('l/public/x', b'mio')`,
    ],
    ['zip', 'backslashes', `add('..\\\\..\\\\bob.es\\\\x', b'mio')`],
  ] as const)('of %s with %s puts nothing out of its folder', async (kind, _, members) => {
    const name = `malo.${kind === 'tar' ? 'tar.gz' : 'zip'}`
    await put(`/public/${name}`, archive(kind, members))
    const end = await extract(name)
    expect(['archivo_peligroso', 'ruta_invalida', 'hecha', undefined]).toContain(end)
    if (end === 'archivo_peligroso' || end === 'ruta_invalida')
      expect(existsSync(join(root, 'sale'))).toBe(false)
    for (const out of ['../x', '../../x', '../../../x']) expect(existsSync(join(root, out))).toBe(false)
    expect(await world.get('ana.es', '/sale/duro')).not.toContain(SECRET)
    expect(readdirSync(join(root, '../.controlpanel')).filter((one) => one !== 'papelera')).toEqual([])
    rmSync(join(root, 'sale'), { recursive: true, force: true })
    rmSync(join(root, name))
  })

  test('gives no file another owner, or rights that run as it', async () => {
    await put(
      '/public/derechos.tar.gz',
      archive('tar', `add('su', mode=0o6755); add('sg', mode=0o2777); add('k', type=DIR, mode=0o7777)`),
    )
    expect(await extract('derechos.tar.gz')).toBeUndefined()
    const { uid } = statSync(root)
    const found = ['su', 'sg', 'k'].map((name) => statSync(join(root, 'sale', name)))
    // A folder's set-group-id has what is made in it belong to the web server's group.
    const bits = (one: (typeof found)[number]) => one.mode & (one.isDirectory() ? 0o5002 : 0o6002)
    expect(found.map((one) => [one.uid === uid, bits(one)])).toEqual([
      [true, 0],
      [true, 0],
      [true, 0],
    ])
    rmSync(join(root, 'sale'), { recursive: true })
  })
})

describe('a dump', () => {
  const load = async (words: string) => {
    give('malo.sql', words)
    const { status, body } = await byAna('POST', '/bases/ana_x/cargar', {
      ruta: '/sitios/ana.es/public/malo.sql',
    })
    if (status !== 202) return body.codigo
    const end = await workEnded(byAna, body.tarea.id)
    return end.estado === 'hecha' ? 'hecha' : end.resultado.codigo
  }
  const MARK = '/tmp/marca-de-ana'

  test.each([
    ['\\u bob_x'],
    ['\\r bob_x'],
    ['\\. /etc/passwd'],
    [`\\T ${MARK}`],
    [`\\P touch ${MARK}`],
    ['\\e'],
    [`select 1; \\! touch ${MARK}`],
    [`/* x */ \\! touch ${MARK}`],
    [`/*\n*/\\! touch ${MARK}\n`],
    [`delimiter //\n\\! touch ${MARK}//\n`],
    [`delimiter \\!\nselect 1\\! touch ${MARK}\n`],
    [`-- x\n\\! touch ${MARK}\n`],
    [`SYSTEM touch ${MARK}`],
    ['SoUrCe /etc/passwd'],
    ['connect bob_x'],
    ['USE bob_x'],
    ['use `bob_x`;'],
    ['/*!50003 use bob_x */;'],
    ['/*M!100100 drop table bob_x.t */;'],
    ['create table z like bob_x.t;'],
    ['create table z as select * from bob_x.t;'],
    ['create or replace view w as select * from bob_x.t;'],
    ['rename table t to bob_x.t2;'],
    ['handler bob_x.t open;'],
    ["create server s foreign data wrapper mysql options (host '127.0.0.1', user 'root');"],
    ['create event e on schedule every 1 second do insert into bob_x.t values (1);\nselect sleep(0);'],
    ["load data local infile '/etc/passwd' into table t;"],
    ["load data local infile '/etc/passwd' into table bob_x.t;"],
    [`select '<?php' into dumpfile '${MARK}';`],
    ["set password for 'root'@'localhost' = password('x');"],
    ['set global event_scheduler = on;'],
    ['flush tables with read lock;'],
    ['kill 1;'],
    ['install plugin x soname "x.so";'],
    ['change master to master_host="127.0.0.1";'],
  ])('with %p changes nothing of another’s, and runs nothing', async (words) => {
    const end = await load(`create table if not exists fresh (a int);\n${words}\n`)
    expect([words, end === 'hecha' && !words.startsWith('create event')]).toEqual([words, false])
    expect(existsSync(MARK)).toBe(false)
    expect((await sql(world, null, 'select @@event_scheduler')).out).not.toBe('ON')
  })
})

test('an upload of Bob’s is not there for Ana, whatever she sends to it', async () => {
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-length': '10',
    'upload-metadata': `ruta ${Buffer.from('/public/suyo.bin').toString('base64')}`,
  }
  const begun = await world.panel.api('POST', '/sitios/bob.es/subidas', { bearer: world.token, headers })
  const address = begun.headers.get('location') ?? ''
  const parts = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  for (const path of [address, address.replace('bob.es', 'ana.es')])
    for (const method of ['PATCH', 'DELETE', 'HEAD']) {
      const answer = await world.panel.fetch(path, {
        method,
        headers: { authorization: `Bearer ${ana.bearer}`, 'tus-resumable': '1.0.0', ...parts },
        ...(method === 'PATCH' ? { body: 'x' } : {}),
      })
      expect([path, method, answer.status]).toEqual([path, method, 404])
    }
  const removed = await world.panel.request('DELETE', address, {
    bearer: world.token,
    headers: { 'tus-resumable': '1.0.0' },
  })
  expect(removed.status).toBe(204)
})
