import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inconsistencies, partDirectory, settled, statusOf, surroundings } from '../support/consistency.ts'
import { type ProbedWorld, startProbedWorld } from '../support/node-world.ts'

const CANARY = 'canario-55217'
/** Programs that the node uses, in a directory that stands first in PATH; each notes that it ran. */
const PLANTED = [
  'nginx',
  'php-fpm8.2',
  'pdns_server',
  'useradd',
  'groupadd',
  'userdel',
  'groupdel',
  'rm',
  'cp',
]
PLANTED.push('nice', 'ionice', 'setquota', 'btrfs', 'find', 'du', 'sh', 'systemctl', 'openssl')

let world: ProbedWorld
let planted: string
let outside: string
let roots: Record<'ana' | 'bea', string>

beforeAll(async () => {
  planted = mkdtempSync(join(tmpdir(), 'path-'))
  for (const name of PLANTED)
    writeFileSync(join(planted, name), `#!/bin/bash\necho ${name} >> ${planted}/ran\n`, { mode: 0o755 })
  world = await startProbedWorld({ env: { PATH: `${planted}:${process.env.PATH}` } })
  outside = join(world.panel.dataDir, 'fuera')
  mkdirSync(outside, { mode: 0o755 })
  writeFileSync(join(outside, 'valioso'), CANARY.repeat(1000), { mode: 0o644 })
  roots = { ana: await world.client('ana'), bea: await world.client('bea') }
  give('bea', 'config.php', `<?php // ${CANARY}\nsession_start(); $_SESSION["n"] = "${CANARY}"; echo "bea";`)
  give('bea', 'datos.txt', CANARY)
  // A mail with a link, among what nobody else may read.
  await world.done('POST', '/clientes/bea/acceso', { correo: 'bea@cliente.es' })
  await world.panel.mailTo('bea@cliente.es')
}, 60_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  rmSync(planted, { recursive: true, force: true })
}, 60_000)
afterEach(async () => {
  await settled(world.panel)
  expect(await inconsistencies(world.panel)).toEqual([])
  expect(readFileSync(join(outside, 'valioso'), 'utf8')).toBe(CANARY.repeat(1000))
})

/** The Unix user of a client, from its document root. */
const uidOf = (name: 'ana' | 'bea') => lstatSync(roots[name]).uid

/** A file of a client's own. */
function give(name: 'ana' | 'bea', path: string, content: string): string {
  const file = join(roots[name], path)
  writeFileSync(file, content, { mode: 0o640 })
  chownSync(file, uidOf(name), lstatSync(roots[name]).gid)
  return file
}

async function get(host: string, path: string): Promise<string> {
  const url = `http://127.0.0.1:${world.panel.httpPort}${path}`
  return (await fetch(url, { headers: { host }, keepalive: false })).text()
}

/** Every file, link and socket below a directory, without following links. */
function below(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? [path, ...below(path)] : [path]
  })
}

const HOSTILE = [
  '\n',
  '; return 200',
  '}',
  '{',
  '"',
  "'",
  '\\',
  '$host',
  '#',
  '$\u007bx}',
  '%s',
  '`id`',
  '$(id)',
  '\u2028',
  '\0',
]

describe('no text of a caller reaches a rendered file:', () => {
  test.each(HOSTILE)('%j in every field', async (text) => {
    const { call, panel } = world
    const before = await surroundings(panel)
    const value = `${CANARY}${text}x`
    const answers = [
      await call('PATCH', '/clientes/ana', { nombre: value }),
      await call('PATCH', '/clientes/ana', { referencia: value }),
      await call('POST', '/planes', { plan: value }),
      await call('POST', '/clientes', { cliente: value }),
      await call('POST', '/clientes/ana/suspender', { motivo: value }),
      await call('POST', '/clientes/ana/activar'),
      await call('PATCH', '/sitios/ana.es', { php: value }),
      await call('PATCH', '/sitios/ana.es', { aliases: [`${value}.es`] }),
      await call('POST', '/sitios', { cliente: 'ana', domain: `${value}.es` }),
      await call('POST', '/zonas', { cliente: 'ana', zona: `${value}.es` }),
      await call('PUT', `/altas/${encodeURIComponent(value)}`, { correo: 'a@b.es', domain: 'nada.es' }),
      // What is allowed in an address is not refused, but its own client would be made.
      await call('PUT', '/altas/hostil?simular=si', { correo: `${value}@b.es`, domain: 'nada.es' }),
    ]
    for (const { status } of answers) expect([200, 201, 422]).toContain(status)
    expect(await surroundings(panel)).toEqual(before)
    const rendered = below(panel.dataDir).filter((path) => /\.(conf|json)$|\/(h|o|t|p|k)\//.test(path))
    expect(rendered.length).toBeGreaterThan(10)
    const found = rendered.filter(
      (path) =>
        path.includes(CANARY) || (lstatSync(path).isFile() && readFileSync(path, 'utf8').includes(CANARY)),
    )
    expect(found).toEqual([])
  })
})

test.each([
  ['a name outside the zone', 'www.bea.es.', 'A', ['192.0.2.1'], 422],
  ['a name with a dot too many', 'a..b', 'A', ['192.0.2.1'], 422],
  ['a name with a path', '..%2f..%2fx', 'A', ['192.0.2.1'], 422],
  ['a name with a newline', 'a%0ab', 'TXT', ['"x"'], 422],
  ['a name of 64', 'a'.repeat(64), 'A', ['192.0.2.1'], 422],
  ['a wildcard', '*', 'TXT', ['"comodín"'], 200],
  ['CNAME at the apex', '@', 'CNAME', ['bea.es.'], 422],
  ['CNAME beside others', 'www', 'CNAME', ['bea.es.'], 422],
  ['SOA', '@', 'SOA', ['a. b. 1 2 3 4 5'], 422],
  ['an unknown type', 'x', 'FOO', ['y'], 422],
  ['TTL 0', 'cero', 'A', ['192.0.2.1'], 422],
  ['many values', 'muchos', 'TXT', Array.from({ length: 200 }, (_, at) => `"${at}\\"\\\\"`), 200],
] as const)(
  'a record with %s is served exactly as stored, or refused',
  async (_, name, type, values, status) => {
    const path = `/zonas/ana.es/registros/${name}/${type}`
    const before = await surroundings(world.panel)
    const answer = await world.call('PUT', path, { ttl: name === 'cero' ? 0 : 300, valores: values })
    expect([path, answer.status]).toEqual([path, status])
    if (answer.status === 422) return expect(await surroundings(world.panel)).toEqual(before)
    expect(served(name === '*' ? 'cualquiera' : name, type)).toEqual(answer.body.valores.toSorted())
  },
)

describe('one client against another and the panel', () => {
  test('its Unix user can open nothing but its own, and no secret, by whatever path', async () => {
    await get('bea.es', '/config.php')
    const { panel } = world
    const own = join(roots.ana, '../..')
    const paths = below(panel.dataDir).filter((path) => !path.startsWith(own))
    expect(
      paths.filter((path) => /panel\.db$|\.eml$|clave|sess_|default$/.test(path)).length,
    ).toBeGreaterThan(4)
    const opens = (mode: string) => {
      const script = `while (<STDIN>) { chomp; print "$_\\n" if open(F, '${mode}', $_) }`
      return asClient('ana', ['/usr/bin/perl', '-e', script], paths.join('\n'))
    }
    const readable = opens('<').filter((path) => lstatSync(path).isFile())
    // The runtime keeps compiled sources below HOME, which in tests is the data directory.
    const harmless = (path: string) => path.includes('/.bun/') || path.endsWith('fuera/valioso')
    expect(readable.filter((path) => !harmless(path) && secret(path))).toEqual([])
    expect(opens('>>')).toEqual([])
  })

  test('its PHP reads no file of the panel, of the other or of its processes, and reaches no other pool', async () => {
    const { panel } = world
    const web = partDirectory(panel, 'web')
    const session = readdirSync(join(roots.bea, '../../sessions'))[0] ?? ''
    const paths = [
      join(panel.dataDir, 'panel.db'),
      join(partDirectory(panel, 'dns'), 'clave'),
      join(partDirectory(panel, 'dns'), 'pdns.conf'),
      join(web, 't/default'),
      join(web, 'log/access.log'),
      join(roots.bea, 'datos.txt'),
      join(roots.bea, '../../sessions', session),
      join(roots.ana, '../../../../h/bea.es/public/datos.txt'),
      `/proc/${panel.pid}/environ`,
      `/proc/${panel.pid}/cmdline`,
      '/etc/shadow',
    ]
    for (const path of paths) expect([path, existsSync(path)]).toEqual([path, true])
    const bea = /\/c\/(\d+)\//.exec(roots.bea)?.[1]
    const socket = join(web, 'f/8.2', `${bea}.s`)
    expect(existsSync(socket)).toBe(true)
    give(
      'ana',
      'prueba.php',
      `<?php foreach (${phpArray(paths)} as $p) { try { echo @file_get_contents($p); } catch (Throwable $e) {} }
       echo @stream_socket_client('unix://${socket}') ? 'connected' : '';`,
    )
    expect(await get('ana.es', '/prueba.php')).toBe('')
    give('ana', 'x.jpg', '<?php echo "ejecutado";')
    expect(await get('ana.es', '/x.jpg/a.php')).not.toContain('ejecutado')
  })
})

test('a directory swapped for a link while it is served, measured and deleted leads nowhere', async () => {
  const { call, done, panel } = world
  const site = await done('POST', '/sitios', { cliente: 'ana', domain: 'trampa.es' })
  const root: string = site.body.raiz
  mkdirSync(join(root, 'd'))
  writeFileSync(join(root, 'd/valioso'), 'propio', { mode: 0o644 })
  symlinkSync(outside, join(root, 'enlace'))
  for (const path of [join(root, 'd'), join(root, 'd/valioso'), join(root, 'enlace')])
    lchownSync(path, uidOf('ana'), lstatSync(roots.ana).gid)
  const script = `chdir($ARGV[0]) or die; for (;;) { rename 'd', 'e'; rename 'enlace', 'd'; rename 'd', 'enlace'; rename 'e', 'd' }`
  await using _swapping = Bun.spawn(argvAs('ana', ['/usr/bin/perl', '-e', script, root]))
  const answers: string[] = []
  for (let at = 0; at < 300; at++) answers.push(await get('trampa.es', '/d/valioso'))
  expect(answers.filter((answer) => answer.includes(CANARY))).toEqual([])
  expect(answers).toContain('propio')
  await panel.command('cron', 'uso')
  const use = (await call('GET', '/clientes/ana/uso')).body
  expect(use.consumo.disco_bytes.usado).toBeLessThan(CANARY.length * 1000 + 200_000)
  expect((await call('DELETE', '/sitios/trampa.es')).body).toEqual({ domain: 'trampa.es', eliminado: true })
  expect(await statusOf(panel, 'trampa.es')).toBe(404)
  const [entry] = (await panel.command('papelera')).lines.flat()
  expect((await panel.command('papelera', 'purgar', entry.id)).lines[0]).toEqual({ purgados: [entry.id] })
}, 60_000)

test('hostile file names and links are measured and deleted as any other', async () => {
  const { done, panel } = world
  const site = await done('POST', '/sitios', { cliente: 'bea', domain: 'nombres.es' })
  const root: string = site.body.raiz
  const names = [
    '-rf',
    '--help',
    '$(touch pwned)',
    '`id`',
    'a\nb',
    'ñ "\'\\',
    '*',
    '..a',
    'x'.repeat(255),
    '\x1b[2J',
    '%00',
  ]
  for (const name of names) {
    mkdirSync(join(root, `${name.slice(0, 250)}.d`))
    writeFileSync(join(root, `${name.slice(0, 250)}.d`, name), 'x')
  }
  symlinkSync('/', join(root, 'raiz'))
  linkSync(join(outside, 'valioso'), join(root, 'duro'))
  const inodes = async () => {
    await panel.command('cron', 'uso')
    return (await world.call('GET', '/clientes/bea/uso')).body.consumo.inodos.usado
  }
  expect(await inodes()).toBeGreaterThan(2 * names.length)
  await done('DELETE', '/sitios/nombres.es')
  for (const entry of (await panel.command('papelera')).lines.flat())
    await panel.command('papelera', 'purgar', entry.id)
  expect((await panel.command('papelera')).lines.flat()).toEqual([])
  expect(await inodes()).toBeLessThan(2 * names.length)
  expect(existsSync(join(outside, 'valioso'))).toBe(true)
}, 60_000)

test('the neighbour was answered all the time, and no program planted in PATH ever ran', async () => {
  expect(await world.prober.stop()).toEqual([])
  const ran = existsSync(join(planted, 'ran')) ? readFileSync(join(planted, 'ran'), 'utf8') : ''
  expect(ran).toBe('')
})

/** What the name server answers for a name of the zone, in presentation form. */
function served(name: string, type: string): string[] {
  const server = ['@127.0.0.1', '-p', String(world.panel.dnsPort)]
  const { stdout } = Bun.spawnSync(['dig', '+short', '+tcp', ...server, `${name}.ana.es`, type])
  return stdout.toString().split('\n').filter(Boolean).toSorted()
}

const phpArray = (values: string[]) => `[${values.map((value) => `'${value}'`).join(', ')}]`

/** Whether a file holds what only the panel or another client may know. */
function secret(path: string): boolean {
  const text = readFileSync(path, 'latin1')
  return /PRIVATE KEY|api-key|canario|cpt_|cps_|SQLite format|enlace#/.test(text) || path.includes('/c/')
}

function argvAs(name: 'ana' | 'bea', argv: string[]): string[] {
  const user = String(uidOf(name))
  return ['/usr/bin/setpriv', '--reuid', user, '--regid', user, '--clear-groups', ...argv]
}

/** Runs a program as a client's Unix user; answers the lines that it prints. */
function asClient(name: 'ana' | 'bea', argv: string[], input: string): string[] {
  const { stdout, stderr, exitCode } = Bun.spawnSync(argvAs(name, argv), { stdin: Buffer.from(input) })
  if (exitCode !== 0) throw new Error(stderr.toString())
  return stdout.toString().split('\n').filter(Boolean)
}
