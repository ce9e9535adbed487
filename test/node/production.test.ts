import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { waitUntil } from '../../deploy/node/services/process.ts'
import { unitIn } from '../../deploy/node/services/unit.ts'
import { nginxService } from '../../deploy/node/web/nginx.ts'
import { startNode, type TestNode } from './support.ts'

const SCRIPTS = resolve(import.meta.dir, '../../deploy/systemd')
let directory: string

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'units-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

function script(name: string, env: Record<string, string>, ...args: string[]) {
  const result = Bun.spawnSync(['/bin/sh', join(SCRIPTS, name), ...args], {
    env: { PATH: '/usr/bin:/bin', ...env },
  })
  return { status: result.exitCode, output: result.stdout.toString(), error: result.stderr.toString() }
}

/** What systemd itself finds wrong with a unit. */
function verify(name: string, text: string): string {
  const path = join(directory, name)
  writeFileSync(path, text)
  const result = Bun.spawnSync(['/usr/bin/systemd-analyze', 'verify', '--man=no', path])
  return result.stdout.toString() + result.stderr.toString()
}

describe('the panel’s unit', () => {
  test('is understood by systemd, every line of it', () => {
    const prefix = join(directory, 'opt')
    const bun = join(prefix, 'current/.tools/bin/bun')
    mkdirSync(dirname(bun), { recursive: true })
    symlinkSync(process.execPath, bun)
    const { output } = script('install.sh', { PREFIX: prefix, DATA: join(directory, 'data') }, '--print-unit')
    expect(output).toContain(`ExecStart=${bun} ${prefix}/current/deploy/node/panel.ts start`)
    expect(output).toContain(`PANEL_DATA=${join(directory, 'data')}`)
    expect(
      output
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .join(),
    ).not.toMatch(/@[A-Z]+@/)
    expect(verify('controlpanel.service', output)).toBe('')
    expect(verify('broken.service', `${output}\nNonsense=1`)).toContain('Nonsense')
  })

  test('is not made for a path that could be read as more than a path', () => {
    for (const path of ['relative', '/a b', '/a;b', '/a/../b', '/a|b', '/a&b', '/a"']) {
      const { status, output } = script('install.sh', { PREFIX: path }, '--print-unit')
      expect([path, status, output]).toEqual([path, 1, ''])
    }
  })

  test('limits of a service’s own unit are understood by systemd', async () => {
    const node = await startNode({}, false)
    const { layout } = node.node
    const { argv, unitProperties = [] } = nginxService({
      layout,
      bind: [],
      httpPort: 1,
      httpsPort: 2,
      workerUser: null,
    })
    const text = ['[Service]', 'Type=exec', ...unitProperties, `ExecStart=${argv.join(' ')}`].join('\n')
    expect(verify('controlpanel-nginx.service', text)).toBe('')
    await node[Symbol.asyncDispose]()
  })

  test('the scripts change nothing where there is no systemd, and say what to do', () => {
    for (const name of ['install.sh', 'upgrade.sh', 'uninstall.sh']) {
      const { status, error } = script(name, { PREFIX: join(directory, 'opt') })
      expect([name, status]).toEqual([name, 1])
      expect(error).toContain('deploy/start')
    }
  })
})

describe('rotation of the log', () => {
  let node: TestNode
  beforeAll(async () => {
    node = await startNode()
    await node.client(1)
    await node.site(1, 1, 'uno.es')
  })
  afterAll(() => node[Symbol.asyncDispose]())

  test('loses no line: what comes after it goes to a new file of the same name', async () => {
    const { accessLog, layout } = node.node
    const count = (path: string) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"uno.es"')).length
    for (let asked = 0; asked < 10; asked++) node.get('uno.es')
    renameSync(accessLog, `${accessLog}.1`)
    // Between renaming and signal the old file goes on.
    node.get('uno.es')
    process.kill(Number(readFileSync(join(layout.nginx, 'nginx.pid'), 'utf8')), 'SIGUSR1')
    let after = 0
    const reopened = async () => {
      node.get('uno.es')
      after += 1
      return count(accessLog) > 0
    }
    expect(
      await waitUntil(async () => (await Bun.file(accessLog).exists()) && (await reopened()), {
        timeoutMs: 10_000,
      }),
    ).toBe(true)
    expect(count(`${accessLog}.1`) + count(accessLog)).toBe(11 + after)
  })
})

describe('the services’ units', () => {
  test('carry the name of the panel’s unit where it is a system service, and none where a person started it', () => {
    const of = (...lines: string[]) => unitIn(`${lines.join('\n')}\n`)
    expect(of('0::/system.slice/controlpanel.service')).toBe('controlpanel')
    expect(of('4:memory:/', '1:name=systemd:/system.slice/controlpanel.service', '0::/x')).toBe(
      'controlpanel',
    )
    expect(of('0::/system.slice/controlpanel-orden-812.service')).toBe('controlpanel')
    expect(of('0::/user.slice/user-0.slice/session-4.scope')).toBe(null)
    expect(of('0::/user.slice/user-1000.slice/user@1000.service/app.slice/x.service')).toBe(null)
    expect(of('0::/')).toBe(null)
    expect(unitIn('')).toBe(null)
  })
})
