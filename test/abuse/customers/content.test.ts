import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, lchownSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from '../../bases/sql.ts'
import { workEnded } from '../../support/work.ts'
import { leavesBobAlone, type Neighbours, SECRET, startNeighbours } from './neighbours.ts'

setDefaultTimeout(60_000)

let world: Neighbours

beforeAll(async () => {
  world = await startNeighbours()
}, 120_000)
afterAll(() => world?.stop())
leavesBobAlone(() => world)

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
    expect((await world.put('/public/.htaccess', hostile)).status).toBe(201)
    expect((await world.put('/public/programa.txt', '<?php echo 6 * 7;')).status).toBe(201)
    expect(await world.get('ana.es', '/programa.txt')).toBe('<?php echo 6 * 7;')
    expect(await world.get('ana.es', '/.htaccess')).not.toContain('AddHandler')
    const { body } = await world.byAna('POST', '/sitios/ana.es/htaccess')
    const set = JSON.stringify(body.ajustes)
    expect(set).not.toMatch(/javascript|Set-Cookie|server\{|passwd|bob\.es|2087/)
    expect(await world.get('bob.es', '/secreto.html')).toBe(SECRET)
    await world.byAna('PATCH', '/sitios/ana.es', { redirecciones: [], protegidas: [], paginas_error: {} })
  })

  test('as `.user.ini` reach no further than the program itself does', async () => {
    const ini =
      'auto_prepend_file=/sitios/bob.es/public/secreto.html\nopen_basedir=/\ndisable_functions=\nsendmail_path=/usr/bin/id\nextension=/x.so\n'
    await world.put('/public/sub/.user.ini', ini)
    world.give(
      'sub/hola.php',
      '<?php echo "yo ", @file_get_contents("/etc/shadow"), ini_get("sendmail_path") === "/usr/bin/id" ? "malo" : "";',
    )
    world.give('sub/.user.ini', ini)
    const said = await world.get('ana.es', '/sub/hola.php')
    expect(said).not.toMatch(new RegExp(`${SECRET}|root:|malo`))
  })

  test('as a page for errors that is a link, or a program, show nothing of another’s', async () => {
    const { uid, gid } = statSync(world.root)
    for (const [name, to] of [
      ['404.html', join(world.his, 'secreto.html')],
      ['relativa.html', '../../bob.es/public/secreto.html'],
      ['sistema.html', '/etc/passwd'],
    ] as const) {
      symlinkSync(to, join(world.root, name))
      lchownSync(join(world.root, name), uid, gid)
      expect(
        (await world.byAna('PATCH', '/sitios/ana.es', { paginas_error: { 404: `/${name}` } })).status,
      ).toBe(200)
      const said = await world.get('ana.es', '/no-hay')
      expect([name, said.includes(SECRET) || said.includes('root:')]).toEqual([name, false])
      rmSync(join(world.root, name))
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
        (await world.byAna('PATCH', '/sitios/ana.es', { paginas_error: { 404: page } })).status,
      ]).toEqual([page, 422])
    await world.byAna('PATCH', '/sitios/ana.es', { paginas_error: {} })
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
    const answer = await world.byAna('POST', '/sitios/ana.es/archivos/operaciones', {
      ...{ operacion: 'extraer', rutas: [`/public/${name}`], destino: '/public/sale' },
    })
    return answer.status === 202
      ? (await workEnded(world.byAna, answer.body.tarea.id)).estado
      : answer.body.codigo
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
    await world.put(`/public/${name}`, archive(kind, members))
    const end = await extract(name)
    expect(['archivo_peligroso', 'ruta_invalida', 'hecha', undefined]).toContain(end)
    if (end === 'archivo_peligroso' || end === 'ruta_invalida')
      expect(existsSync(join(world.root, 'sale'))).toBe(false)
    for (const out of ['../x', '../../x', '../../../x']) expect(existsSync(join(world.root, out))).toBe(false)
    expect(await world.get('ana.es', '/sale/duro')).not.toContain(SECRET)
    expect(readdirSync(join(world.root, '../.controlpanel')).filter((one) => one !== 'papelera')).toEqual([])
    rmSync(join(world.root, 'sale'), { recursive: true, force: true })
    rmSync(join(world.root, name))
  })

  test('gives no file another owner, or rights that run as it', async () => {
    await world.put(
      '/public/derechos.tar.gz',
      archive('tar', `add('su', mode=0o6755); add('sg', mode=0o2777); add('k', type=DIR, mode=0o7777)`),
    )
    expect(await extract('derechos.tar.gz')).toBeUndefined()
    const { uid } = statSync(world.root)
    const found = ['su', 'sg', 'k'].map((name) => statSync(join(world.root, 'sale', name)))
    // A folder's set-group-id has what is made in it belong to the web server's group.
    const bits = (one: (typeof found)[number]) => one.mode & (one.isDirectory() ? 0o5002 : 0o6002)
    expect(found.map((one) => [one.uid === uid, bits(one)])).toEqual([
      [true, 0],
      [true, 0],
      [true, 0],
    ])
    rmSync(join(world.root, 'sale'), { recursive: true })
  })
})

describe('a dump', () => {
  const load = async (words: string) => {
    world.give('malo.sql', words)
    const { status, body } = await world.byAna('POST', '/bases/ana_x/cargar', {
      ruta: '/sitios/ana.es/public/malo.sql',
    })
    if (status !== 202) return body.codigo
    const end = await workEnded(world.byAna, body.tarea.id)
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
        headers: { authorization: `Bearer ${world.ana.bearer}`, 'tus-resumable': '1.0.0', ...parts },
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
