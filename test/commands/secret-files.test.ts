import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Json, Panel } from '../support/panel.ts'

setDefaultTimeout(60_000)

const ROOT = resolve(import.meta.dir, '../..')
const SECRET = 'canary-of-a-scheduler'
let panel: Panel
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secretos-'))
  panel = await Panel.start()
})
afterAll(async () => {
  await panel.stop()
  rmSync(folder, { recursive: true })
})

const mode = (path: string) => statSync(path).mode & 0o777
const inFolder = (name: string, text: string, bits: number) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, bits)
  return path
}

describe('a file of the operator’s with secrets that others can read', () => {
  /** The refusal of the start and of another command, while the panel is up. */
  async function refusals(env: Record<string, string>) {
    const both = [await panel.commandWith(env, 'doctor'), await panel.commandWith(env, 'start')]
    return both.map(({ status, error, lines }) => ({ status, lines, error }))
  }
  const refused = (start: string, path: string) => ({
    status: 2,
    lines: [],
    error: `${start}: it holds secrets and others can read it: chmod 600 ${path}\n`,
  })

  test.each(['644', '640', '604'])('as panel.env is refused in one line with the mode %s', async (bits) => {
    const path = join(panel.dataDir, 'panel.env')
    writeFileSync(path, `PANEL_CRON_SECRET=${SECRET}\n`)
    chmodSync(path, bits)
    expect(await refusals({})).toEqual([refused(path, path), refused(path, path)])
    chmodSync(path, 0o600)
    expect((await panel.command('cron')).status).toBe(0)
    rmSync(path)
  })

  test('as the settings that systemd has read is refused, and as none where it holds no secret', async () => {
    const path = inFolder('controlpanel.env', `PANEL_SMTP_URL="smtp://u:${SECRET}@x.es"\n`, 0o644)
    expect((await refusals({ PANEL_SETTINGS: path }))[0]).toEqual(refused(path, path))
    writeFileSync(path, 'PANEL_SMTP_URL=smtp://x.es\nPANEL_HOST=x.es\n')
    expect((await panel.commandWith({ PANEL_SETTINGS: path }, 'cron')).status).toBe(0)
    writeFileSync(join(panel.dataDir, 'panel.env'), 'PANEL_PAPELERA_DIAS=3\n')
    expect((await panel.command('cron')).status).toBe(0)
    rmSync(join(panel.dataDir, 'panel.env'))
  })

  test('as key ring or as TLS key is refused under the name of its setting', async () => {
    const keys = inFolder('llaves', readFileSync(join(panel.dataDir, 'keys'), 'utf8'), 0o644)
    expect(await refusals({ PANEL_KEY_FILE: keys })).toEqual([
      refused(`PANEL_KEY_FILE ${keys}`, keys),
      refused(`PANEL_KEY_FILE ${keys}`, keys),
    ])
    const key = inFolder("la llave'.pem", readFileSync(join(panel.dataDir, 'tls/panel.key'), 'utf8'), 0o640)
    const [first] = await refusals({ PANEL_TLS_CERT: panel.certPath, PANEL_TLS_KEY: key })
    expect(first?.error).toContain(`PANEL_TLS_KEY ${key}: `)
    const [, told = ''] = /: (chmod 600 .*)\n$/.exec(first?.error ?? '') ?? []
    expect(Bun.spawnSync(['/bin/sh', '-c', told]).exitCode).toBe(0)
    expect(mode(key)).toBe(0o600)
  })

  test('as a copy to restore is refused, and nothing is replaced', async () => {
    const copy = join(folder, 'copia.db')
    expect((await panel.command('backup', copy)).status).toBe(0)
    chmodSync(copy, 0o644)
    await panel.kill()
    const before = Bun.hash(readFileSync(join(panel.dataDir, 'panel.db')))
    const { status, lines, error } = await panel.command('restore', copy)
    expect({ status, lines, error }).toEqual(refused(copy, copy))
    expect(Bun.hash(readFileSync(join(panel.dataDir, 'panel.db')))).toBe(before)
    await panel.up()
  })
})

test('a file of the panel’s own that others can read is named by the doctor; the next start closes it and says so', async () => {
  const names = [
    'panel.db',
    'panel.db.before-2026-01-01T00-00-00-000Z',
    'keys',
    'tls/panel.key',
    'correo/uno.eml',
  ]
  const paths = names.map((name) => join(panel.dataDir, name))
  mkdirSync(join(panel.dataDir, 'correo'), { recursive: true, mode: 0o700 })
  copyFileSync(paths[0] ?? '', paths[1] ?? '')
  writeFileSync(paths.at(-1) ?? '', '')
  for (const path of paths) chmodSync(path, 0o644)
  const { lines } = await panel.command('doctor')
  const told = (lines[0] as Json[]).filter(({ comprobacion }) => comprobacion === 'permisos')
  expect(told.map(({ bien }) => bien)).toEqual(paths.map(() => false))
  for (const path of paths) expect(JSON.stringify(told)).toContain(`chmod 600 ${path}"`)
  await panel.kill()
  await panel.up()
  for (const path of paths) {
    expect([path, mode(path)]).toEqual([path, 0o600])
    expect(panel.log).toContain(`${path} could be read by others; it is closed again`)
  }
  expect(mode(panel.certPath)).toBe(0o644)
})

test.each(['deploy/start', 'deploy/panel', 'deploy/systemd/common.sh', 'deploy/systemd/controlpanel.sh'])(
  '%s closes what it makes from its first command on',
  (script) => {
    const commands = readFileSync(join(ROOT, script), 'utf8')
      .split('\n')
      .filter((line) => !/^(#|$|set -eu)/.test(line) && !line.startsWith('. '))
    expect(commands[0]).toBe('umask 077')
  },
)
