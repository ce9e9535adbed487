import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../support/ports.ts'

setDefaultTimeout(120_000)

const ROOT = resolve(import.meta.dir, '../..')
const ONLY_NEEDED = '--production'
const USER = 54_322
let checkout: string
let elsewhere: string

beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'checkout-'))
  elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'))
  for (const directory of [checkout, elsewhere]) chmodSync(directory, 0o755)
  for (const name of ['package.json', 'bun.lock', 'bunfig.toml', 'deploy', 'lib', 'handlers', 'schema'])
    cpSync(join(ROOT, name), join(checkout, name), { recursive: true })
  // As the first command has left it, with a Bun that is on nobody's PATH.
  const installed = ['bun', 'install', ONLY_NEEDED, '--frozen-lockfile', '--silent', '--cwd', checkout]
  expect(Bun.spawnSync(installed).exitCode).toBe(0)
  const bin = join(checkout, '.tools/node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  cpSync(process.execPath, join(checkout, '.tools/bun'))
  symlinkSync('../../bun', join(bin, 'bun'))
})
afterAll(() => {
  for (const directory of [checkout, elsewhere]) rmSync(directory, { recursive: true })
})

function panel(args: string[], env: Record<string, string> = {}, become: string[] = []) {
  return typed('deploy/panel', args, env, become)
}

function typed(script: string, args: string[], env: Record<string, string>, become: string[] = []) {
  const ran = Bun.spawnSync([...become, '/bin/sh', join(checkout, script), ...args], {
    cwd: elsewhere,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: elsewhere, DEPENDENCIES: ONLY_NEEDED, ...env },
    stdin: 'ignore',
  })
  return { status: ran.exitCode, output: ran.stdout.toString(), error: ran.stderr.toString() }
}

const asUser = ['/usr/bin/setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups']

/** Starts the checkout's panel as it is typed, and ends it once it serves. */
async function serveOnce(env: Record<string, string>, meanwhile = () => {}) {
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const [PANEL_PORT, PANEL_HTTP_PORT, PANEL_HTTPS_PORT, PANEL_DNS_PORT] = ports.map(String)
  const child = Bun.spawn(['/bin/sh', join(checkout, 'deploy/panel'), 'start', '--json'], {
    cwd: elsewhere,
    env: {
      ...{
        PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: elsewhere,
        DEPENDENCIES: ONLY_NEEDED,
        PANEL_TEST: '1',
      },
      ...{ PANEL_HOST: 'localhost', PANEL_BIND: '127.0.0.1' },
      ...{ PANEL_PORT, PANEL_HTTP_PORT, PANEL_HTTPS_PORT, PANEL_DNS_PORT, ...env },
    },
    stdin: 'ignore',
    stdout: 'pipe',
  })
  const { value } = await child.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).toContain('"enlace"')
  meanwhile()
  child.kill('SIGTERM')
  await child.exited
}

const COMMANDS = [
  ...['doctor', 'papelera', 'papelera purgar sitio-1', 'cron', 'cron uso', 'claves rotar', 'backup copia.db'],
  ...['nodo', 'nodo renombrar otro', 'admin invitar --correo a@b.es'],
]

test.each(COMMANDS)('%s where there is no panel yet makes none, and says what to do', (command) => {
  for (const data of [join(elsewhere, 'no-hay'), join(elsewhere, 'vacio')]) {
    if (data.endsWith('vacio')) mkdirSync(data, { recursive: true })
    const { status, error, output } = panel(command.split(' '), { PANEL_DATA: data })
    const [line = '', ...more] = error.trimEnd().split('\n')
    expect([status, output, more]).toEqual([2, '', []])
    expect(line).toContain(`there is no panel in ${data}: start one there first (sh deploy/start)`)
    expect(existsSync(data) ? readdirSync(data) : null).toEqual(data.endsWith('vacio') ? [] : null)
  }
  expect(existsSync(join(elsewhere, 'copia.db'))).toBe(false)
})

test.each(['doctor', 'backup copia.db'])(
  '%s after a recovery that was cut short says to repeat that',
  (command) => {
    const data = join(elsewhere, 'a-medias')
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'recuperando'), '')
    const { status, error, output } = panel(command.split(' '), { PANEL_DATA: data })
    const told = `the recovery of ${data} was cut short: run recuperar again`
    expect([status, output, error.includes(told), error.includes('start one')]).toEqual([2, '', true, false])
    expect(readdirSync(data)).toEqual(['recuperando'])
  },
)

test('the panel’s command works from any directory without a Bun on the PATH, with the checkout’s data', async () => {
  await serveOnce({})
  expect(existsSync(join(checkout, 'data/panel.db'))).toBe(true)
  const listed = panel(['cron'])
  expect([listed.status, listed.error]).toEqual([0, ''])
  expect(listed.output).toContain('caducidad')
  expect(panel(['nada'])).toMatchObject({ status: 2, output: '' })
})

test('deploy/start beside a panel that serves, or by who may not, says so before it builds anything', async () => {
  const dist = join(checkout, 'web/dist')
  mkdirSync(dist, { recursive: true })
  const refused = (env: Record<string, string>, become: string[] = []) => {
    const { status, output, error } = typed('deploy/start', [], env, become)
    expect([status, output, error.trimEnd().split('\n').length]).toEqual([2, '', 1])
    return error
  }
  await serveOnce({}, () => {
    expect(refused({})).toStartWith(`a panel runs already on ${join(checkout, 'data')}: process `)
  })
  expect(refused({}, asUser)).toBe(`${join(checkout, 'data')} belongs to root: run this as root\n`)
  const own = { PANEL_DATA: join(elsewhere, 'suyo') }
  expect(refused(own, asUser)).toBe(`${join(checkout, 'web')} belongs to root: run this as root\n`)
  expect(existsSync(dist)).toBe(true)
})

test('a file that is named is looked for where the command was given', () => {
  expect(panel(['backup', 'copia.db'])).toMatchObject({ status: 0, error: '' })
  expect(statSync(join(elsewhere, 'copia.db')).mode & 0o777).toBe(0o600)
  expect(existsSync(join(checkout, 'copia.db'))).toBe(false)
  expect(panel(['restore', 'copia.db'])).toMatchObject({ status: 0, error: '' })
})

test('a panel that was restored and never served has an empty bin, and the doctor says that it does not run', () => {
  const data = join(elsewhere, 'restaurado')
  const env = { PANEL_DATA: data, PANEL_HOST: 'localhost' }
  const restored = panel(['restore', 'copia.db'], env)
  expect(restored).toMatchObject({ status: 0, error: '' })
  // The first admin's.
  expect(restored.output).toContain('\n1 link that was open is dead: ')
  expect(panel(['papelera', '--json'], env)).toMatchObject({ status: 0, output: '[]\n', error: '' })
  expect(panel(['papelera', 'purgar', 'sitio-1'], env)).toMatchObject({
    status: 2,
    error: 'there is no sitio-1 in the bin\n',
  })
  const { status, output, error } = panel(['doctor'], env)
  expect([status, error]).toEqual([1, ''])
  const words = output
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
  expect([...new Set(words)].sort()).toEqual(['advice', 'fault', 'ok'])
  expect(output).not.toMatch(/^ok .*: [A-Z]/m)
  expect(output).toContain('fault  panel: it does not run: sh deploy/start')
  expect(output).toContain('nobody listens: sh deploy/start')
})

test('somebody without root uses it with data of their own, in a checkout that root installed', () => {
  const data = join(elsewhere, 'propio')
  mkdirSync(data)
  cpSync(join(elsewhere, 'copia.db'), join(data, 'copia.db'))
  Bun.spawnSync(['chown', '-R', `${USER}:${USER}`, data])
  const env = { PANEL_DATA: data }
  expect(panel(['restore', join(data, 'copia.db')], env, asUser)).toMatchObject({ status: 0, error: '' })
  const listed = panel(['cron'], env, asUser)
  expect([listed.status, listed.error]).toEqual([0, ''])
  expect(listed.output).toContain('caducidad')
})

test.each(['doctor', 'cron', 'papelera', 'start'])(
  '%s by somebody whom the data do not belong to says in one line who may',
  (command) => {
    const data = join(checkout, 'data')
    const others = join(elsewhere, 'propio')
    const { status, error, output } = panel([command], {}, asUser)
    expect([status, output, error]).toEqual([2, '', `${data} belongs to root: run this as root\n`])
    const second = ['/usr/bin/setpriv', `--reuid=${USER + 1}`, `--regid=${USER + 1}`, '--clear-groups']
    expect(panel([command], { PANEL_DATA: others }, second).error).toBe(
      `${others} belongs to user ${USER}: run this as user ${USER} or root\n`,
    )
  },
)

test('a start without root on a port that the machine keeps for root says which setting and which port', () => {
  const data = join(elsewhere, 'propio')
  const apart = [
    'unshare',
    '--net',
    '/bin/sh',
    '-c',
    'ip link set lo up && echo 3000 >"$FIRST" && exec "$@"',
    'sh',
  ]
  const env = { PANEL_DATA: data, FIRST: '/proc/sys/net/ipv4/ip_unprivileged_port_start' }
  const { status, error } = panel(['start'], env, [...apart, ...asUser])
  expect(status).toBe(2)
  expect(error.trimEnd().split('\n').at(-1)).toBe(
    "port 2087: ports below 3000 are root's on this machine (net.ipv4.ip_unprivileged_port_start): " +
      'start the panel as root, or give it PANEL_PORT=3000 or above',
  )
})

test('a fault in a command is one line that says where to look, never a stack', () => {
  const data = join(elsewhere, 'prohibido')
  mkdirSync(data, { mode: 0o755 })
  const refused = panel(['doctor'], { PANEL_DATA: data }, asUser)
  expect([refused.status > 0, refused.error.trimEnd().split('\n').length]).toEqual([true, 1])
  expect(panel(['backup', 'no/existe/x.db'])).toMatchObject({
    status: 2,
    output: '',
    error: `there is no folder ${join(elsewhere, 'no/existe')}\n`,
  })
  expect(panel(['backup', '/proc/x.db'])).toMatchObject({ status: 1, output: '' })
  const { error } = panel(['backup', '/proc/x.db'])
  expect(error.trimEnd().split('\n').length).toBe(1)
  expect(error).not.toMatch(/\n\s+at /)
  expect(error).toContain('sh deploy/panel backup: ')
  expect(error).toContain('sh deploy/panel doctor')
})
