import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { hostName, id } from '../../deploy/node/files/layout.ts'
import { ensureDirectory } from '../../deploy/node/host/files.ts'
import { DEFAULT_USERS, ownerOf } from '../../deploy/node/users/users.ts'
import { startNode, step, type TestNode } from './support.ts'

let node: TestNode
let outside: string

beforeAll(async () => {
  node = await startNode()
  for (const clientId of [1, 2]) {
    await node.client(clientId)
    await node.site(clientId, clientId * 10, `c${clientId}.es`)
  }
  outside = join(node.directory, 'fuera')
  mkdirSync(outside)
  writeFileSync(join(outside, 'valioso'), 'intacto')
})
afterAll(() => node[Symbol.asyncDispose]())

const passwd = (clientId: number) =>
  new RegExp(`^${node.options.users?.prefix}${clientId}:.*$`, 'm').exec(
    readFileSync('/etc/passwd', 'utf8'),
  )?.[0]

describe('users', () => {
  test('are made once, without shell, and go with their client', async () => {
    await node.client(3)
    await node.client(3)
    expect(passwd(3)).toEndWith(
      `:x:${node.uid(3)}:${node.uid(3)}::${node.node.layout.client(3)}:/usr/sbin/nologin`,
    )
    await node.node.removeClient({ clientId: 3, hosts: [], name: 'c3' }, step)
    await node.node.removeClient({ clientId: 3, hosts: [], name: 'c3' }, step)
    expect(passwd(3)).toBeUndefined()
  })

  test('whose number or name somebody else has are refused, and nothing is changed', async () => {
    const prefix = node.options.users?.prefix
    spawnSync('/usr/sbin/groupadd', ['-g', String(node.uid(4)), `${prefix}otro`])
    expect(node.client(4)).rejects.toThrow('do not belong together')
    await node.client(4).catch(() => undefined)
    expect(existsSync(node.node.layout.client(4))).toBe(false)
    spawnSync('/usr/sbin/groupdel', [`${prefix}otro`])
  })

  test('never get a number of the system’s, of nobody’s or of the dynamic range', () => {
    for (const clientId of [1, 39_999, 40_000, 41_184, 45_534, 45_535, 100_000, 10_000_000]) {
      const { uid } = ownerOf(DEFAULT_USERS, clientId)
      expect([clientId, uid > 20_000 && (uid < 60_000 || uid > 65_535)]).toEqual([clientId, true])
    }
    expect(
      new Set([39_999, 40_000, 45_535, 180_000].map((one) => ownerOf(DEFAULT_USERS, one).uid)).size,
    ).toBe(4)
  })
})

describe('ownership', () => {
  test('everything above a document root belongs to root, the document root to its customer', () => {
    const root = node.path(1, 10)
    expect([statSync(root).uid, statSync(root).mode & 0o7777]).toEqual([node.uid(1), 0o2750])
    for (let path = dirname(root); path !== '/'; path = dirname(path)) {
      const { uid, mode } = lstatSync(path)
      expect([
        path,
        uid,
        path === '/tmp' || (mode & 0o022) === 0 || path === node.node.layout.client(1),
      ]).toEqual([path, 0, true])
    }
  })

  test('the mode that a customer gave its document root stays when the site is applied again', async () => {
    spawnSync('/usr/bin/chmod', ['2755', node.path(1, 10)])
    await node.site(1, 10, 'c1.es')
    expect(statSync(node.path(1, 10)).mode & 0o7777).toBe(0o2755)
  })

  test('a directory that is a link is refused instead of followed', () => {
    const link = join(node.directory, 'enlace')
    symlinkSync(outside, link)
    expect(() =>
      ensureDirectory(link, { mode: 0o777, owner: { uid: node.uid(1), gid: node.uid(1) } }),
    ).toThrow()
    expect([statSync(outside).uid, statSync(outside).mode & 0o777]).toEqual([0, 0o755])
  })
})

describe('names', () => {
  const bad = [
    '',
    'a',
    'a..b',
    '-a.es',
    'a-.es',
    '*.es',
    '~^.*$',
    'a.es;',
    'a.es{',
    'a\n.es',
    'a\0.es',
    '$(id).es',
    '../x',
    '/etc',
    'Á.es',
    'A.es',
    'a.es.',
    `${'a'.repeat(64)}.es`,
    `${'a.'.repeat(126)}es`,
    'a b.es',
    '.',
    '..',
    '_.es',
    'a.es/..',
    '%2e%2e',
  ]

  test('that are no host names are refused before any file is touched', async () => {
    const before = readdirSync(node.node.layout.hosts)
    for (const name of bad) {
      expect(() => hostName(name)).toThrow(TypeError)
      expect(node.site(1, 50, name)).rejects.toThrow(TypeError)
      await node.site(1, 50, name).catch(() => undefined)
      await node.site(1, 50, 'bien.es', { aliases: [name] }).catch(() => undefined)
      expect(
        node.node.removeSite({ siteId: 50, clientId: 1, hosts: [name], domain: name }, step),
      ).rejects.toThrow(TypeError)
    }
    expect(readdirSync(node.node.layout.hosts)).toEqual(before)
  })

  test('of 253 characters are served', async () => {
    const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.es`
    expect(long.length).toBe(253)
    await node.site(1, 51, long)
    expect(node.get(long).status).toBe(200)
    expect(node.getSecure(long).status).toBe(200)
    await node.node.removeSite({ siteId: 51, clientId: 1, hosts: [long], domain: long }, step)
    expect(node.get(long).status).toBe(404)
  })

  test('identifiers are whole positive numbers and nothing else', () => {
    for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      expect(() => id(value)).toThrow(TypeError)
  })
})

describe('the bin', () => {
  const plant = (root: string) => {
    symlinkSync(outside, join(root, 'enlace'))
    symlinkSync('/', join(root, 'raiz'))
    linkSync(join(outside, 'valioso'), join(root, 'duro'))
    for (const name of [
      '-rf',
      '--no-preserve-root',
      '$(touch fuera)',
      'a\nb',
      '`id`',
      ' ',
      '*',
      '\u202e',
      'ñ'.repeat(100),
    ]) {
      mkdirSync(join(root, name), { recursive: true })
      writeFileSync(join(root, name, name.slice(0, 40)), 'x')
    }
  }

  beforeEach(() => node.node.bin.purge({ before: new Date(Date.now() + 1000) }))

  test('keeps a deleted site as it was, can be listed, gives it back to another site, and is purged', async () => {
    await node.site(1, 60, 'papel.es')
    node.put(1, 60, 'a/b.txt', 'contenido')
    const bytes = Buffer.concat([Buffer.from(`${node.path(1, 60)}/`), Buffer.from([0xff, 0xfe])])
    writeFileSync(bytes, 'no es texto')
    lchownSync(bytes, node.uid(1), node.uid(1))
    plant(node.path(1, 60))
    await node.node.removeSite({ siteId: 60, clientId: 1, hosts: ['papel.es'], domain: 'papel.es' }, step)
    expect(node.node.bin.list()).toEqual([
      {
        id: 'sitio-60',
        kind: 'site',
        clientId: 1,
        siteId: 60,
        domain: 'papel.es',
        deletedAt: expect.any(Date),
      },
    ])
    await node.site(2, 61, 'nuevo.es')
    const target = await node.node.bin.restore('sitio-60', { clientId: 2, siteId: 61 })
    expect(target).toBe(node.path(2, 61))
    expect(node.get('nuevo.es', '/a/b.txt').body).toBe('contenido')
    expect([statSync(node.path(2, 61)).uid, lstatSync(node.path(2, 61, 'a/b.txt')).uid]).toEqual([
      node.uid(2),
      node.uid(2),
    ])
    const there = spawnSync('/usr/bin/find', [node.path(2, 61), '-user', String(node.uid(1))])
    expect(there.stdout.toString()).toBe('')
    // The hard link to a file of root's has not changed hands.
    expect(statSync(join(outside, 'valioso')).uid).toBe(0)
    expect(node.node.bin.list()).toEqual([])
    await node.node.removeSite({ siteId: 61, clientId: 2, hosts: ['nuevo.es'], domain: 'nuevo.es' }, step)
    expect(await node.node.bin.purge({ before: new Date(0) })).toEqual([])
    expect(await node.node.bin.purge({ id: '../../c' })).toEqual([])
    expect(await node.node.bin.purge({ before: new Date(Date.now() + 1000) })).toEqual(['sitio-61'])
    expect(readdirSync(node.node.layout.bin)).toEqual([])
    expect(readFileSync(join(outside, 'valioso'), 'utf8')).toBe('intacto')
    expect(readdirSync(outside)).toEqual(['valioso'])
  })

  test('gives to another client what is nested deeper than any path can name, all of it, and leaves no file open', async () => {
    await node.site(1, 64, 'hondo.es')
    const nest = ['-e', 'for (1..3000) { mkdir "d"; chdir "d" or die } open F, ">hondo.txt"; print F "fondo"']
    const user = [`--reuid=${node.uid(1)}`, `--regid=${node.uid(1)}`, '--clear-groups']
    const made = spawnSync('/usr/bin/setpriv', [...user, '/usr/bin/perl', ...nest], { cwd: node.path(1, 64) })
    expect([made.status, made.stderr.toString()]).toEqual([0, ''])
    await node.node.removeSite({ siteId: 64, clientId: 1, hosts: ['hondo.es'], domain: 'hondo.es' }, step)
    await node.site(2, 65, 'recibe.es')
    expect(await node.node.bin.restore('sitio-64', { clientId: 2, siteId: 65 })).toBe(node.path(2, 65))
    expect(openBelow(node.node.layout.bin, node.path(2, 65))).toEqual([])
    const ownedBy = (uid: number) =>
      spawnSync('/usr/bin/find', [node.path(2, 65), '-user', String(uid), '-printf', '.'], {
        maxBuffer: 2 ** 20,
      }).stdout.toString().length
    // The document root, 3,000 directories and the file at their end.
    expect([ownedBy(node.uid(1)), ownedBy(node.uid(2))]).toEqual([0, 3002])
    await node.node.removeSite({ siteId: 65, clientId: 2, hosts: ['recibe.es'], domain: 'recibe.es' }, step)
    expect(await node.node.bin.purge({ id: 'sitio-65' })).toEqual(['sitio-65'])
  })

  test('does not give back over files that are there', async () => {
    await node.site(1, 62, 'lleno.es')
    node.put(1, 62, 'index.html', 'lo suyo')
    await node.node.removeSite({ siteId: 62, clientId: 1, hosts: ['lleno.es'], domain: 'lleno.es' }, step)
    node.put(2, 20, 'index.html', 'lo mío')
    expect(node.node.bin.restore('sitio-62', { clientId: 2, siteId: 20 })).rejects.toMatchObject({
      codigo: 'sitio_no_vacio',
    })
    await node.node.bin.restore('sitio-62', { clientId: 2, siteId: 20 }).catch(() => undefined)
    expect(node.node.bin.list()).toHaveLength(1)
    expect(await node.node.bin.restore('sitio-62')).toStartWith(node.node.layout.restored)
    expect(await node.node.bin.restore('sitio-62')).toBeNull()
  })

  test('gets nothing of a site that had no file', async () => {
    const before = node.node.bin.list()
    await node.site(1, 63, 'vacio.es')
    await node.node.removeSite({ siteId: 63, clientId: 1, hosts: ['vacio.es'], domain: 'vacio.es' }, step)
    expect(node.node.bin.list()).toEqual(before)
    expect(existsSync(node.node.layout.site(1, 63))).toBe(false)
  })

  test('is entered by root alone', () => {
    expect([statSync(node.node.layout.bin).uid, statSync(node.node.layout.bin).mode & 0o777]).toEqual([
      0, 0o700,
    ])
  })

  test('nothing outside is read, changed or removed while a customer swaps directories for links during deletion', async () => {
    for (let round = 0; round < 5; round++) {
      await node.client(5)
      await node.site(5, 70, 'carrera.es')
      const root = node.path(5, 70)
      // As the customer: a directory and a link to the outside change places as fast as they can.
      const uid = String(node.uid(5))
      const program = `import os,sys
os.chdir(sys.argv[1]); os.mkdir("d"); open("d/valioso","w").write("propio"); os.symlink(sys.argv[2],"l")
print("listo", flush=True)
while True:
    try:
        os.rename("d","t"); os.rename("l","d"); os.rename("d","l"); os.rename("t","d")
    except OSError: pass`
      await using racer = Bun.spawn(
        [
          '/usr/bin/setpriv',
          `--reuid=${uid}`,
          `--regid=${uid}`,
          '--clear-groups',
          '/usr/bin/python3',
          '-c',
          program,
          root,
          outside,
        ],
        { stdout: 'pipe', stderr: 'ignore' },
      )
      await racer.stdout.getReader().read()
      for (let asked = 0; asked < 20; asked++) {
        expect(['intacto', 'propio'].indexOf(node.get('carrera.es', '/d/valioso').body)).not.toBe(0)
      }
      await node.node.removeSite(
        { siteId: 70, clientId: 5, hosts: ['carrera.es'], domain: 'carrera.es' },
        step,
      )
      await node.node.bin.purge({ id: 'sitio-70' })
      await node.node.removeClient({ clientId: 5, hosts: ['carrera.es'], name: 'c5' }, step)
      // Whatever the customer had running ended with it.
      expect(await racer.exited).not.toBe(0)
      await node.node.bin.purge({ before: new Date(Date.now() + 1000) })
      expect(node.node.bin.list()).toEqual([])
      expect([readdirSync(outside), readFileSync(join(outside, 'valioso'), 'utf8')]).toEqual([
        ['valioso'],
        'intacto',
      ])
    }
  }, 60_000)
})

test('a full file system leaves nothing half made, and the same change succeeds when there is room', async () => {
  const mount = join(node.directory, 'pequeno')
  mkdirSync(mount, { mode: 0o755 })
  expect(
    spawnSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=8m,nr_inodes=600,mode=755', 'tmpfs', mount])
      .status,
  ).toBe(0)
  const small = await startNode({ base: join(mount, 'web') })
  try {
    await small.client(1)
    await small.site(1, 1, 'cabe.es')
    small.put(1, 1, 'index.html', 'cabe')
    const packed = join(small.path(1, 1), 'lleno.tar')
    spawnSync('/usr/bin/bsdtar', ['-cf', packed, '-C', small.path(1, 1), 'index.html'])
    // The socket to which programs in cages connect is made by the first of them.
    const page = { after: undefined, limit: 10 }
    const place = { clientId: 1, siteId: 1, domain: 'cabe.es', path: '/public' }
    expect(await small.node.files?.list(place, page)).toHaveLength(2)
    const filler = join(mount, 'relleno')
    mkdirSync(filler)
    fillInodes(filler)
    expect(small.site(1, 2, 'nocabe.es', { aliases: ['www.nocabe.es'] })).rejects.toThrow('ENOSPC')
    await small.site(1, 2, 'nocabe.es').catch(() => undefined)
    expect(small.get('nocabe.es').status).toBe(404)
    expect(small.get('cabe.es').body).toBe('cabe')
    expect(readdirSync(small.node.layout.temporary)).toEqual([])
    fillInodes(filler)
    const growing = ['carpeta', 'write', 'upload', 'copiar', 'extraer']
    expect(await refusedFiles(small)).toEqual([...growing, 'papelera'])
    rmSync(filler, { recursive: true })
    // Now inodes are there, and no byte.
    spawnSync('/usr/bin/dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M'])
    expect(await refusedFiles(small)).toEqual(['write', 'upload', 'copiar', 'extraer', 'papelera'])
    rmSync(filler)
    await small.site(1, 2, 'nocabe.es', { aliases: ['www.nocabe.es'] })
    expect(small.get('www.nocabe.es').status).toBe(200)
  } finally {
    await small.node.stop()
    await small.node.removeClient({ clientId: 1, hosts: [], name: 'x' }, step)
    // A helper of the client's may still have it open for a moment.
    spawnSync('/usr/bin/umount', ['-l', mount])
    await small[Symbol.asyncDispose]().catch(() => undefined)
  }
})

function fillInodes(folder: string): void {
  for (;;) {
    try {
      writeFileSync(join(folder, crypto.randomUUID()), '')
    } catch {
      return
    }
  }
}

/** What of a customer's own changes a full disk refuses; each leaves nothing of itself. */
async function refusedFiles(small: TestNode): Promise<string[]> {
  const { files, layout } = small.node
  if (!files) throw new Error('a node without files')
  const at = (path: string) => ({ clientId: 1, siteId: 1, domain: 'cabe.es', path })
  const operate = (
    kind: 'carpeta' | 'copiar' | 'extraer' | 'papelera',
    path: string,
    target: string | null,
  ) =>
    files.operate(at('/'), {
      ...{ id: `job_${'0'.repeat(25)}${kind.length}`, again: false, kind, paths: [path], entries: null },
      ...{ target, permissions: null, existing: null, room: null, signal: new AbortController().signal },
    })
  const large = () => new Blob(['x'.repeat(1024 * 1024)]).stream()
  const any = { ifMatch: null, ifNoneMatch: null, length: null, room: null }
  const upload = async () => {
    const place = at('/public/subida.txt')
    const { id } = await files.beginUpload(place, { length: 1024 * 1024, replaces: false, room: null })
    // What has come of it stays until it is continued, or given up.
    await files.append(place, { id, offset: 0, content: large() }).finally(() => files.dropUpload(place, id))
  }
  const tried: [string, () => Promise<unknown>][] = [
    ['carpeta', () => operate('carpeta', '/public/carpeta', null)],
    ['write', () => files.write(at('/public/escrito.txt'), { ...any, content: large() })],
    ['upload', upload],
    ['copiar', () => operate('copiar', '/public/lleno.tar', '/public/copia.tar')],
    ['extraer', () => operate('extraer', '/public/lleno.tar', '/public/fuera')],
    ['papelera', () => operate('papelera', '/public/lleno.tar', null)],
  ]
  const refused: string[] = []
  for (const [what, work] of tried) {
    const before = readdirSync(small.path(1, 1)).sort()
    const error = await work().then(
      () => null,
      (thrown) => thrown,
    )
    if (error === null) continue
    refused.push(what)
    const left = readdirSync(layout.staging(1, 1))
    expect([what, error.codigo, readdirSync(small.path(1, 1)).sort(), left]).toEqual([
      ...[what, 'sin_espacio', before],
      [],
    ])
  }
  return refused
}

/** Files and directories below some directories that this process holds open. */
function openBelow(...directories: string[]): string[] {
  const links = spawnSync('/usr/bin/find', [`/proc/${process.pid}/fd/`, '-printf', '%l\\n']).stdout.toString()
  return links.split('\n').filter((path) => directories.some((directory) => path.startsWith(directory)))
}

test('programs of the same name planted in PATH are not the ones that run', async () => {
  const planted = join(node.directory, 'plantado')
  mkdirSync(planted)
  for (const name of ['useradd', 'userdel', 'groupadd', 'nginx', 'rm', 'nice', 'ionice']) {
    writeFileSync(join(planted, name), `#!/bin/sh\ntouch ${planted}/corrio\n`, { mode: 0o755 })
  }
  const before = process.env.PATH
  process.env.PATH = planted
  try {
    await node.client(6)
    await node.node.removeClient({ clientId: 6, hosts: [], name: 'c6' }, step)
    await node.node.bin.purge({ id: 'cliente-6' })
  } finally {
    process.env.PATH = before
  }
  expect(existsSync(join(planted, 'corrio'))).toBe(false)
})
