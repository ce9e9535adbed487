import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { COMMANDS } from '../../deploy/node/commands/index.ts'
import { integrityOf, type Published, serveRegistry } from '../support/registry.ts'

const DEPLOY = resolve(import.meta.dir, '../../deploy')
const LOCKED = join('deploy/bun', process.arch === 'arm64' ? 'aarch64' : 'x86_64')
const NAME = process.arch === 'arm64' ? '@oven/bun-linux-aarch64' : '@oven/bun-linux-x64'

let folder: string
let version: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bootstrap-'))
  version = JSON.parse(readFileSync(join(DEPLOY, '..', LOCKED, 'package.json'), 'utf8')).dependencies[NAME]
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What stands for Bun: it tells its version and, as Bun itself would, installs what the checkout needs: nothing. */
function bunSaying(words: string): Published {
  const root = mkdtempSync(join(folder, 'package-'))
  mkdirSync(join(root, 'package/bin'), { recursive: true })
  writeFileSync(join(root, 'package/package.json'), JSON.stringify({ name: NAME, version }))
  writeFileSync(
    join(root, 'package/bin/bun'),
    `#!/bin/sh\n[ "$1" != --version ] || echo ${version}\n# ${words}\n`,
    { mode: 0o755 },
  )
  const packed = Bun.spawnSync(['tar', '-C', root, '-czf', '-', 'package'])
  return { name: NAME, version, tarball: packed.stdout }
}

/** A checkout of a machine without Bun, whose lock file names this file by its hash. */
function checkout(locked: Uint8Array): string {
  const root = mkdtempSync(join(folder, 'checkout-'))
  for (const name of ['bootstrap.sh', 'packages.sh', 'bun'])
    cpSync(join(DEPLOY, name), join(root, 'deploy', name), { recursive: true })
  const lock = join(root, LOCKED, 'package-lock.json')
  const text = readFileSync(lock, 'utf8')
  writeFileSync(lock, text.replace(/"sha512-[^"]+"/, JSON.stringify(integrityOf(locked))))
  return root
}

async function bootstrap(root: string, registry: string, env: Record<string, string> = {}) {
  const started = performance.now()
  const child = Bun.spawn(['/bin/sh', '-c', '. deploy/bootstrap.sh; command -v bun'], {
    cwd: root,
    env: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: root,
      npm_config_registry: registry,
      npm_config_fetch_retries: '0',
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, error, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { status, output: output.trim(), error, ms: performance.now() - started }
}

describe('a machine without Bun', () => {
  test('gets the one whose hash the checkout names, and asks for it once', async () => {
    const bun = bunSaying('right')
    const registry = serveRegistry([bun])
    const root = checkout(bun.tarball)
    const first = await bootstrap(root, registry.url)
    expect([first.status, first.output]).toEqual([0, join(root, '.tools/node_modules/.bin/bun')])
    const { length } = registry.asked
    expect(length).toBeGreaterThan(0)
    expect((await bootstrap(root, registry.url)).status).toBe(0)
    expect(registry.asked.length).toBe(length)
    await registry.stop()
  })

  test('refuses another file under the same name and version, with a line that says what was refused', async () => {
    const registry = serveRegistry([bunSaying('tampered')])
    const { status, output, error } = await bootstrap(checkout(bunSaying('right').tarball), registry.url)
    expect([status, output]).toEqual([1, ''])
    expect(error).toContain('EINTEGRITY')
    expect(error).toContain(`Bun ${version} could not be installed`)
    await registry.stop()
  })

  test('ends in bounded time when the registry never answers, with a line that says what to do', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    const { status, error, ms } = await bootstrap(
      checkout(new Uint8Array()),
      `http://127.0.0.1:${silent.port}/`,
      {
        PACKAGES_SECONDS: '3',
      },
    )
    silent.stop(true)
    expect(status).toBe(1)
    expect(error).toMatch(/npm had not finished after 3 seconds.*registry.*PACKAGES_SECONDS=/s)
    expect(ms).toBeLessThan(20_000)
  })

  test('ends in bounded time when Bun itself waits for packages for ever', async () => {
    const root = checkout(new Uint8Array())
    const bin = join(root, '.tools/node_modules/.bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(
      join(bin, 'bun'),
      `#!/bin/sh\n[ "$1" != --version ] || { echo ${version}; exit; }\nexec sleep 600\n`,
    )
    chmodSync(join(bin, 'bun'), 0o755)
    const { status, error } = await bootstrap(root, 'http://127.0.0.1:9/', { PACKAGES_SECONDS: '1' })
    expect(status).toBe(1)
    expect(error).toMatch(/bun had not finished after 1 seconds/)
  })
})

describe('a Bun that is on the PATH already', () => {
  function onPath(program: (path: string) => void): string {
    const bin = mkdtempSync(join(folder, 'path-'))
    program(join(bin, 'bun'))
    return bin
  }

  test('is not run by root, whatever it says it is, unless it is the very file whose hash the checkout names', async () => {
    const other = onPath((path) =>
      writeFileSync(path, `#!/bin/sh\necho ran >>${folder}/ajeno\necho ${version}\n`, { mode: 0o755 }),
    )
    const bun = bunSaying('right')
    const registry = serveRegistry([bun])
    const root = checkout(bun.tarball)
    const env = { PATH: `${other}:/usr/sbin:/usr/bin:/sbin:/bin` }
    const { status, output, error } = await bootstrap(root, registry.url, env)
    expect([status, output]).toEqual([0, join(root, '.tools/node_modules/.bin/bun')])
    expect(error).toContain(`${other}/bun is not the file whose hash is in ${LOCKED}`)
    expect(existsSync(join(folder, 'ajeno'))).toBe(false)
    await registry.stop()
  })

  test('is used where it is that file, and nothing is asked for', async () => {
    const ours = onPath((path) => symlinkSync(process.execPath, path))
    const root = checkout(new Uint8Array())
    writeFileSync(join(root, 'package.json'), '{}')
    const env = { PATH: `${ours}:/usr/sbin:/usr/bin:/sbin:/bin` }
    const { status, output } = await bootstrap(root, 'http://127.0.0.1:9/', env)
    expect([status, output]).toEqual([0, join(ours, 'bun')])
  })
})

/** A checkout whose Bun and package clients only note that they were called. */
function noting(files: string[]) {
  const root = checkout(bunSaying('noting').tarball)
  for (const file of files) cpSync(resolve(DEPLOY, '..', file), join(root, file))
  const bin = join(root, '.tools/node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  const programs = {
    bun: `[ "$1" != --version ] || { echo ${version}; exit; }`,
    'dpkg-query': '',
    'apt-get': '',
  }
  for (const [name, first] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${first}\necho ${name} "$@" >>${root}/ran\n`, { mode: 0o755 })
  }
  return (script: string, ...args: string[]) => {
    rmSync(join(root, 'ran'), { force: true })
    const { exitCode, stdout, stderr } = Bun.spawnSync(['/bin/sh', join(root, script), ...args], {
      env: { PATH: `${bin}:/usr/bin:/bin`, HOME: root },
    })
    const ran = existsSync(join(root, 'ran')) ? readFileSync(join(root, 'ran'), 'utf8') : ''
    return {
      status: exitCode,
      output: stdout.toString(),
      error: stderr.toString(),
      ran: ran.trimEnd().split('\n'),
    }
  }
}

test('the quick tests ask for no Debian package', () => {
  const { status, error, ran } = noting(['test/run'])('test/run', 'quick')
  expect([status, error]).toEqual([0, ''])
  expect(ran.map((line) => line.split(' ')[0])).toEqual(['bun', 'bun'])
  expect(ran.at(-1)).toBe('bun test/run.ts quick')
})

test('deploy/start refuses what it does not know, and tells its usage, before it installs anything', () => {
  const run = noting(['deploy/start'])
  for (const args of [['--nope'], ['--json', 'start'], ['--dejar-servicio']]) {
    const { status, output, error, ran } = run('deploy/start', ...args)
    expect([status, output, ran]).toEqual([2, '', ['']])
    expect(error.split('\n')).toEqual([
      `start: what is '${args.at(-1)}'?`,
      expect.stringMatching(/^usage: /),
      '',
    ])
  }
  const { options = [] } = COMMANDS.find(({ words }) => words[0] === 'start') ?? {}
  const known = [...options.map(({ name }) => `--${name}`), '--json']
  expect(run('deploy/start', '--help')).toMatchObject({
    status: 0,
    output: `usage: sh deploy/start ${known.map((name) => `[${name}]`).join(' ')}\n`,
    ran: [''],
  })
  expect(run('deploy/start', ...known).ran.at(-1)).toBe(`bun deploy/node/panel.ts start ${known.join(' ')}`)
})

test('tests that do not exist are refused with the names of those that do, before anything is installed', () => {
  const root = resolve(DEPLOY, '..')
  const refused = Bun.spawnSync(['bun', 'test/run.ts', 'lint', 'nada'], { cwd: root })
  expect([refused.exitCode, refused.stdout.toString()]).toEqual([2, ''])
  expect(refused.stderr.toString()).toStartWith("there are no tests called 'nada': quick, types, lint, ")
  for (const name of ['commands', "'api in Deno'", "'interface build'"])
    expect(refused.stderr.toString()).toContain(name)
  const { ran } = noting(['test/run'])('test/run', 'lint', 'nada')
  const [, named, next] = ran
  expect([named, next?.startsWith('dpkg-query')]).toEqual(['bun test/run.ts --named lint nada', true])
  const all = Bun.spawnSync(['bun', 'test/run.ts', '--named', 'lint', 'commands', 'api in Deno'], {
    cwd: root,
  })
  expect([all.exitCode, all.stdout.toString(), all.stderr.toString()]).toEqual([0, '', ''])
})

test.each(['x86_64', 'aarch64'])('Bun for %s is named by its hash and by no address', (machine) => {
  const lock = JSON.parse(readFileSync(join(DEPLOY, 'bun', machine, 'package-lock.json'), 'utf8'))
  const packages = Object.entries<Record<string, string>>(lock.packages).filter(([path]) => path !== '')
  expect(packages.length).toBe(1)
  for (const [, entry] of packages) {
    expect(entry.version).toBe(version)
    expect(entry.integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    expect(Object.keys(entry)).not.toContain('resolved')
  }
  expect(readFileSync(join(DEPLOY, 'bun', machine, 'bun.sha256'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
})
