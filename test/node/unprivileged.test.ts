import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/ports.ts'
import { certificateFor } from './support.ts'

const USER = 54_321
let directory: string

beforeAll(() => {
  // That user may not enter everywhere where a checkout may lie, so it gets copies.
  directory = mkdtempSync(join(tmpdir(), 'user-'))
  chmodSync(directory, 0o755)
  copyFileSync(process.execPath, join(directory, 'bun'))
  chmodSync(join(directory, 'bun'), 0o755)
  const script = join(import.meta.dir, 'unprivileged-child.ts')
  const built = Bun.spawnSync([
    process.execPath,
    'build',
    '--target=bun',
    `--outfile=${directory}/child.js`,
    script,
  ])
  expect(built.exitCode).toBe(0)
  chmodSync(join(directory, 'child.js'), 0o644)
})
afterAll(() => rmSync(directory, { recursive: true }))

async function run(phpWithoutIsolation: boolean) {
  const home = join(directory, String(phpWithoutIsolation))
  mkdirSync(home)
  chownSync(home, USER, USER)
  const ports = { httpPort: await freePort(), httpsPort: await freePort() }
  const task = {
    base: join(home, 'web'),
    ...ports,
    phpWithoutIsolation,
    certificate: certificateFor('localhost'),
  }
  const become = ['/usr/bin/setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups']
  const argv = [...become, join(directory, 'bun'), join(directory, 'child.js'), JSON.stringify(task)]
  const child = Bun.spawn(argv, { cwd: home, env: { PATH: '/usr/bin:/bin', HOME: home }, stdout: 'pipe' })
  const output = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  return JSON.parse(output)
}

test('without root, sites are served, suspended and removed, and PHP is off: one user cannot be confined', async () => {
  expect(await run(false)).toEqual({
    active: ['texto', '404'],
    suspended: '503',
    removed: '404',
    services: ['nginx true', 'php false'],
    bin: 1,
  })
}, 60_000)

test('without root, PHP runs as the panel’s own user where the operator has asked for that', async () => {
  const result = await run(true)
  expect(result.active).toEqual(['texto', String(USER)])
  expect(result.suspended).toBe('503')
}, 60_000)
