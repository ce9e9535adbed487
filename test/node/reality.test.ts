import { dlopen, FFIType } from 'bun:ffi'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { DesiredSite } from '../../lib/endpoint/node-port.ts'
import { startNode, type TestNode } from './support.ts'

let node: TestNode

/** As setfacl(1) does with `--remove-all`, which is not on every machine. */
function removeList(path: string): void {
  const { symbols } = dlopen('libc.so.6', {
    removexattr: { args: [FFIType.cstring, FFIType.cstring], returns: FFIType.i32 },
  })
  const name = Buffer.from('system.posix_acl_access\0')
  if (symbols.removexattr(Buffer.from(`${path}\0`), name) !== 0) throw new Error('no list was removed')
}

const RULES = {
  webRoot: 'public',
  singlePage: true,
  redirects: [{ from: '/a', to: '/b', status: 301 }],
  guards: [{ path: '/privado', user: 'ana', secret: null }],
}
const SETTINGS = {
  rules: RULES,
  cache: { pages: { seconds: 60, parameters: [] }, longLivedFiles: true },
  phpSettings: {
    ...{ memoryBytes: 2 ** 25, uploadBytes: 2 ** 22, seconds: 9, inputVariables: 100, showErrors: false },
  },
}
let sites: DesiredSite[]
const reality = () => node.node.reality
const differences = () => reality().differencesOf({ clientId: 1, suspended: false, sftp: [] }, sites)
const repair = async () => {
  await node.client(1)
  await node.site(1, 10, 'uno.es', { aliases: ['www.uno.es'], ...SETTINGS })
}

beforeAll(async () => {
  node = await startNode()
  await repair()
  const php = node.node.phpVersions().at(-1) ?? null
  const plain = { siteId: 10, clientId: 1, domain: 'uno.es', aliases: ['www.uno.es'] }
  sites = [{ ...plain, suspended: false, httpsOnly: false, php, ...SETTINGS }]
  node.put(1, 10, 'php.php', '<?php echo "PHP";')
}, 60_000)
afterAll(() => node[Symbol.asyncDispose](), 60_000)

test('a client that is as wanted differs in nothing', () => {
  expect(differences()).toEqual([])
})

describe('a difference is found, and repaired by bringing the client about again:', () => {
  const layout = () => node.node.layout
  const root = () => layout().publicOf(1, 10)
  const socket = () => join(layout().fpmVersion(node.node.phpVersions().at(-1) ?? ''), '1.s')
  const cases: [string, () => void, () => { part: string; where: string }[]][] = [
    [
      'a name that leads nowhere',
      () => unlinkSync(layout().host('uno.es')),
      () => [{ part: 'name', where: 'uno.es' }],
    ],
    [
      'a name that leads to another’s site',
      () => {
        unlinkSync(layout().host('www.uno.es'))
        symlinkSync('../k/2/20', layout().host('www.uno.es'))
      },
      () => [{ part: 'name', where: 'www.uno.es' }],
    ],
    [
      'a mark of HTTPS alone that nobody asked for',
      () => symlinkSync('.', layout().httpsOnlyMark('uno.es')),
      () => [{ part: 'name', where: 'uno.es' }],
    ],
    [
      'a certificate that is away',
      () => rmSync(layout().certificate('uno.es')),
      () => [{ part: 'certificate', where: 'uno.es' }],
    ],
    [
      'a site’s certificate that its names lead to and is away',
      () => rmSync(layout().siteCertificate(10)),
      () => [
        { part: 'certificate', where: 'uno.es' },
        { part: 'certificate', where: 'www.uno.es' },
      ],
    ],
    [
      'a client’s link that suspends it',
      () => {
        unlinkSync(layout().clientLink(1))
        symlinkSync('../x/1', layout().clientLink(1))
      },
      () => [{ part: 'state', where: layout().clientLink(1) }],
    ],
    [
      'PHP that is away',
      () => unlinkSync(layout().phpLink(10)),
      () => [{ part: 'php', where: layout().phpLink(10) }],
    ],
    [
      'PHP that nobody listens for',
      () => rmSync(join(layout().fpmWanted, '1')),
      () => [{ part: 'php', where: layout().fpmVersion(node.node.phpVersions().at(-1) ?? '') }],
    ],
    ['a socket of PHP that is away', () => rmSync(socket()), () => [{ part: 'php', where: socket() }]],
    [
      'a socket of PHP that is away, and nobody wants',
      () => {
        rmSync(socket())
        rmSync(join(layout().fpmWanted, '1'))
      },
      () => [{ part: 'php', where: layout().fpmVersion(node.node.phpVersions().at(-1) ?? '') }],
    ],
    [
      'redirects and protected parts that are away',
      () => rmSync(join(layout().rules, readdirSync(layout().rules)[0] ?? '-'), { recursive: true }),
      () => [{ part: 'settings', where: layout().settingsMark(10) }],
    ],
    [
      'settings of which the names do not tell',
      () => {
        unlinkSync(layout().shownHost('www.uno.es'))
        symlinkSync('1_10_s', layout().shownHost('www.uno.es'))
      },
      () => [{ part: 'name', where: 'www.uno.es' }],
    ],
    [
      'a page cache that is away, and limits of PHP that are others',
      () => {
        unlinkSync(layout().pageSwitch(10))
        writeFileSync(layout().fpmSite(10), 'memory 1\n')
      },
      () => [
        { part: 'settings', where: layout().pageSwitch(10) },
        { part: 'settings', where: layout().fpmSite(10) },
      ],
    ],
    ['a document root of root’s', () => chownSync(root(), 0, 0), () => [{ part: 'owner', where: root() }]],
    [
      'a client’s directory of the client’s own',
      () => chownSync(layout().client(1), node.uid(1), node.uid(1)),
      () => [{ part: 'owner', where: layout().client(1) }],
    ],
    [
      'an access list that is lost, as by a copy without lists',
      () => removeList(layout().client(1)),
      () => [{ part: 'access', where: layout().client(1) }],
    ],
    [
      'a directory that lets all others pass',
      () => chmodSync(layout().client(1), 0o755),
      () => [{ part: 'access', where: layout().client(1) }],
    ],
    [
      'a Unix user that is away',
      () => spawnSync('/usr/sbin/userdel', ['--force', `${node.options.users?.prefix}1`]),
      () => [{ part: 'user', where: String(node.uid(1)) }],
    ],
  ]
  test.each(cases)('%s', async (_what, spoil, wanted) => {
    spoil()
    expect(differences()).toEqual(wanted() as ReturnType<typeof differences>)
    await repair()
    expect(differences()).toEqual([])
    expect(node.get('uno.es', '/').status).not.toBe(404)
    expect(node.get('uno.es', '/php.php').body).toBe('PHP')
  })
})

test('a client of whom nothing is here yet differs in nothing until it has a site or an account', async () => {
  const client = { clientId: 7, suspended: false, sftp: [] }
  expect(reality().differencesOf(client, [])).toEqual([])
  const site = { ...(sites[0] as DesiredSite), clientId: 7, siteId: 70, domain: 'siete.es', aliases: [] }
  expect(
    reality()
      .differencesOf(client, [site])
      .map(({ part }) => part),
  ).toContain('state')
  await node.client(7)
  unlinkSync(node.node.layout.clientLink(7))
  expect(reality().differencesOf(client, [])).toEqual([
    { part: 'state', where: node.node.layout.clientLink(7) },
  ])
  await node.client(7)
})

test('with a document root of root’s, what is root’s in it is given to its client, and no file that has a name elsewhere', async () => {
  const { layout } = node.node
  const root = layout.publicOf(1, 10)
  mkdirSync(join(root, 'de/dentro'), { recursive: true })
  writeFileSync(join(root, 'de/dentro/a.txt'), 'suyo')
  symlinkSync('/etc/passwd', join(root, 'enlace'))
  writeFileSync(join(layout.temporary, 'ajeno'), 'de root')
  linkSync(join(layout.temporary, 'ajeno'), join(root, 'ajeno'))
  spawnSync('/usr/bin/mknod', [join(root, 'null'), 'c', '1', '3'])
  chownSync(root, 0, 0)
  await repair()
  const ownerOf = (name: string) => lstatSync(join(root, name)).uid
  for (const name of ['.', 'de', 'de/dentro', 'de/dentro/a.txt', 'enlace'])
    expect([name, ownerOf(name)]).toEqual([name, node.uid(1)])
  for (const name of ['ajeno', 'null']) expect([name, ownerOf(name)]).toEqual([name, 0])
  expect(lstatSync('/etc/passwd').uid).toBe(0)
  for (const name of ['ajeno', 'null', 'enlace']) rmSync(join(root, name))
  rmSync(join(layout.temporary, 'ajeno'))
})

test('a site’s directory that is away is told as that, and is there again once it is put back', () => {
  const path = node.node.layout.publicOf(1, 10)
  renameSync(path, `${path}-fuera`)
  expect(differences()).toEqual([{ part: 'folder', where: path }])
  renameSync(`${path}-fuera`, path)
  expect(differences()).toEqual([])
})

test('a suspended client differs where it is served', async () => {
  const suspended = sites.map((site) => ({ ...site, suspended: true }))
  const parts = () =>
    reality()
      .differencesOf({ clientId: 1, suspended: true, sftp: [] }, suspended)
      .map(({ part }) => part)
  expect(parts()).toEqual(['state', 'access'])
  await node.client(1, { suspended: true })
  expect(parts()).toEqual([])
  expect(differences().map(({ part }) => part)).toEqual(['state', 'access', 'php'])
  await repair()
})

test('names are told with the sites that they lead to, and one is dropped only where it leads there', async () => {
  const { layout } = node.node
  expect(reality().names()).toContainEqual({ host: 'uno.es', clientId: 1, siteId: 10 })
  symlinkSync('../k/1/10', layout.host('ajeno.es'))
  reality().unserve({ host: 'ajeno.es', clientId: 1, siteId: 11 })
  expect(
    reality()
      .names()
      .map(({ host }) => host),
  ).toContain('ajeno.es')
  reality().unserve({ host: 'ajeno.es', clientId: 1, siteId: 10 })
  expect(
    reality()
      .names()
      .map(({ host }) => host),
  ).toEqual(['uno.es', 'www.uno.es'])
  expect(node.get('ajeno.es', '/').status).toBe(404)
  // What the web server reads alone, as a copy by hand of the entry beside it.
  cpSync(layout.shownHost('uno.es'), layout.shownHost('ajeno.es'), { verbatimSymlinks: true })
  expect(node.get('ajeno.es', '/php.php').body).toBe('PHP')
  expect(reality().names()).toContainEqual({ host: 'ajeno.es', clientId: 1, siteId: 10 })
  reality().unserve({ host: 'ajeno.es', clientId: 1, siteId: 10 })
  expect(reality().names()).toHaveLength(2)
  expect(node.get('ajeno.es', '/php.php').status).toBe(404)
  expect(node.get('uno.es', '/php.php').body).toBe('PHP')
  await node.client(1)
  expect(differences()).toEqual([])
})

test('nothing is told before a comparison, and then what it found, in both languages', async () => {
  const told = async () => (await node.node.services()).find(({ name }) => name === 'diferencias')
  const empty = {
    at: new Date(0),
    compared: 1,
    repaired: [],
    left: [],
    dropped: [],
    databases: [],
    accounts: [],
    aside: [],
    pages: [],
  }
  expect(await told()).toBeUndefined()
  reality().tell(empty)
  expect(await told()).toBeUndefined()
  const differences = [{ part: 'name' as const, where: 'uno.es' }]
  reality().tell({ ...empty, repaired: [{ client: 'acme', differences }], dropped: ['ajeno.es'] })
  expect(await told()).toMatchObject({
    running: true,
    advice: {
      es: 'Al comparar con la base de datos (1970-01-01T00:00:00.000Z): se reparó: acme (nombre uno.es); ya no se sirve, por no ser de ningún sitio: ajeno.es',
      en: 'Compared with the database (1970-01-01T00:00:00.000Z): repaired: acme (name uno.es); not served any more, as no site has it: ajeno.es',
    },
  })
  reality().tell({
    ...empty,
    left: [{ client: 'acme', differences: [{ part: 'folder', where: join('/', 'x') }] }],
  })
  expect(await told()).toMatchObject({ running: false })
  reality().tell(empty)
  reality().tellZones({ at: new Date(0), repaired: ['uno.es'], removed: [], foreign: ['ajena.es'] })
  expect(await told()).toMatchObject({
    running: true,
    advice: {
      en: 'Zones compared (1970-01-01T00:00:00.000Z): published anew: uno.es; not made by the panel, which leaves them: ajena.es',
    },
  })
})
