import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

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
  const ran = Bun.spawnSync([...become, '/bin/sh', join(checkout, 'deploy/panel'), ...args], {
    cwd: elsewhere,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: elsewhere, DEPENDENCIES: ONLY_NEEDED, ...env },
    stdin: 'ignore',
  })
  return { status: ran.exitCode, output: ran.stdout.toString(), error: ran.stderr.toString() }
}

const asUser = ['/usr/bin/setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups']

test('the panel’s command works from any directory without a Bun on the PATH, with the checkout’s data', () => {
  const listed = panel(['cron'])
  expect([listed.status, listed.error]).toEqual([0, ''])
  expect(listed.output).toContain('caducidad')
  expect(existsSync(join(checkout, 'data/panel.db'))).toBe(true)
  expect(panel(['nada'])).toMatchObject({ status: 2, output: '' })
})

test('a file that is named is looked for where the command was given', () => {
  expect(panel(['backup', 'copia.db'])).toMatchObject({ status: 0, error: '' })
  expect(statSync(join(elsewhere, 'copia.db')).mode & 0o777).toBe(0o600)
  expect(existsSync(join(checkout, 'copia.db'))).toBe(false)
  expect(panel(['restore', 'copia.db'])).toMatchObject({ status: 0, error: '' })
})

test('somebody without root uses it with data of their own, in a checkout that root installed', () => {
  const data = join(elsewhere, 'propio')
  mkdirSync(data)
  Bun.spawnSync(['chown', `${USER}:${USER}`, data])
  const listed = panel(['cron'], { PANEL_DATA: data }, asUser)
  expect([listed.status, listed.error]).toEqual([0, ''])
  expect(listed.output).toContain('caducidad')
})

test('what goes wrong in a command is one line that says where to look, never a stack', () => {
  const data = join(elsewhere, 'prohibido')
  mkdirSync(data, { mode: 0o755 })
  const refused = panel(['doctor'], { PANEL_DATA: data }, asUser)
  expect([refused.status > 0, refused.error.trimEnd().split('\n').length]).toEqual([true, 1])
  expect(panel(['backup', 'no/existe/x.db'])).toMatchObject({ status: 1, output: '' })
  const { error } = panel(['backup', 'no/existe/x.db'])
  expect(error.trimEnd().split('\n').length).toBe(1)
  expect(error).not.toMatch(/\n\s+at /)
  expect(error).toContain('sh deploy/panel backup: ')
  expect(error).toContain('sh deploy/panel doctor')
})
