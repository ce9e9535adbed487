import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CageRefused } from '../../deploy/node/cage/cage.ts'
import { commandLine, findProcesses, userOf, waitUntil } from '../../deploy/node/services/process.ts'
import type { CagedProgram } from '../../lib/endpoint/node-port.ts'
import { startNode, type TestNode } from '../node/support.ts'

const LIMIT_MS = 20_000
let node: TestNode

beforeAll(async () => {
  node = await startNode()
  for (const clientId of [1, 2]) {
    await node.client(clientId)
    await node.site(clientId, clientId * 10, `c${clientId}.es`)
  }
  await node.site(1, 11, 'otro.es')
  node.put(2, 20, 'secreto.txt', 'canary-of-another')
}, 60_000)
afterAll(() => node[Symbol.asyncDispose](), 60_000)

const SITES = [
  { siteId: 10, domain: 'c1.es' },
  { siteId: 11, domain: 'otro.es' },
]
const run = (argv: CagedProgram['argv'], more: Partial<CagedProgram> = {}) =>
  node.node.runCaged({
    client: { clientId: 1, sites: SITES },
    sees: 'client',
    argv,
    deadlineMs: LIMIT_MS,
    ...more,
  })

/** What a shell's script says inside the cage; the shell is the customer's own program here. */
async function says(script: string, more: Partial<CagedProgram> = {}) {
  const caged = await run(['/bin/bash', '-c', script], more)
  const out = await new Response(caged.stdout).text()
  return { out: out.trim(), ...(await caged.ended) }
}
const running = (word: string) =>
  findProcesses(({ pid }) => userOf(pid) === node.uid(1)).filter(({ pid }) => commandLine(pid).includes(word))

describe('a caged program', () => {
  test('runs as the client, in its group, and tells its words, its errors and its code', async () => {
    const { out, stderr, code, signal, reason } = await says('id -u; echo no >&2; exit 7')
    expect({ out, stderr, code, signal, reason }).toEqual({
      out: String(node.uid(1)),
      stderr: 'no\n',
      code: 7,
      signal: null,
      reason: 'exit',
    })
    expect(await says('kill -9 $$')).toMatchObject({ code: null, signal: 9, reason: 'exit' })
    expect(await says('cat', { stdin: 'ignore' })).toMatchObject({ out: '', code: 0 })
  })

  test('reads what it is given to its end, and says as much as anybody takes', async () => {
    const caged = await run(['/usr/bin/cat'], { stdin: 'pipe' })
    const part = new Uint8Array(1_000_000).fill(65)
    const writing = (async () => {
      for (let i = 0; i < 30; i++) await caged.stdin?.write(part)
      caged.stdin?.end()
    })()
    let bytes = 0
    for await (const chunk of caged.stdout) bytes += chunk.length
    await writing
    expect(bytes).toBe(30_000_000)
    expect(await caged.ended).toMatchObject({ code: 0 })
  })

  test('has its sites under their names, or one alone, and writes as the client', async () => {
    expect((await says('echo /sitios/*')).out).toBe('/sitios/c1.es /sitios/otro.es')
    expect((await says('cd /sitios/c1.es/public && echo hallo > a.txt && stat -c %u:%g a.txt')).out).toMatch(
      new RegExp(`^${node.uid(1)}:\\d+$`),
    )
    expect(readFileSync(node.path(1, 10, 'a.txt'), 'utf8')).toBe('hallo\n')
    const one = { sees: { site: 'otro.es' } } as const
    expect((await says('test -e /sitios/c1.es || test -d /sitios/otro.es/public && echo one', one)).out).toBe(
      'one',
    )
    expect((await says('echo x > /sitios/c1.es/public/b.txt', { readOnly: true })).stderr).toContain(
      'Read-only file system',
    )
    expect((await says('pwd', { directory: '/sitios/c1.es/public' })).out).toBe('/sitios/c1.es/public')
  })

  test('that ends before a busy panel reads its output still delivers all of it', async () => {
    const short = async (n: number) => {
      const caged = await run(['/bin/echo', `hello ${n}`])
      // The panel is at something else.
      for (const until = performance.now() + 5; performance.now() < until; );
      expect(await new Response(caged.stdout).text()).toBe(`hello ${n}\n`)
      expect(await caged.ended).toMatchObject({ code: 0, reason: 'exit' })
    }
    for (let n = 0; n < 10; n++) await Promise.all([n, n + 100, n + 200, n + 300].map(short))
  }, 60_000)

  test('ends with its deadline, and with it what it left behind', async () => {
    const { reason, signal } = await says('(setsid sleep 4711 &) ; sleep 4711', { deadlineMs: 300 })
    expect({ reason, signal }).toEqual({ reason: 'deadline', signal: 9 })
    expect(await waitUntil(() => running('sleep 4711').length === 0, { timeoutMs: LIMIT_MS })).toBe(true)
  })

  test('leaves nothing running when it ends by itself', async () => {
    expect(await says('setsid sleep 4712 >/dev/null 2>&1 </dev/null & disown; exit 0')).toMatchObject({
      code: 0,
    })
    expect(running('sleep 4712')).toEqual([])
  })

  test('is stopped when it is asked to, at once and once', async () => {
    const caged = await run(['/bin/sleep', '4713'])
    caged.stop()
    caged.stop()
    expect(await caged.ended).toMatchObject({ reason: 'stopped', signal: 9 })
    expect(running('sleep 4713')).toEqual([])
  })
})

describe('whose client may not run anything', () => {
  test('is ended when the client is suspended, and begun again only after that', async () => {
    const caged = await run(['/bin/sleep', '4714'])
    await node.client(1, { suspended: true })
    expect(await caged.ended).toMatchObject({ reason: 'stopped' })
    expect(running('sleep 4714')).toEqual([])
    expect(await run(['/bin/true']).catch((error) => error)).toBeInstanceOf(CageRefused)
    await node.client(1)
    expect(await says('echo again')).toMatchObject({ out: 'again' })
  }, 60_000)

  test('is not begun: one that nobody knows, and one in a tree that is not its own', async () => {
    const stranger = node.node.runCaged({
      ...{ client: { clientId: 77, sites: [] }, sees: 'client', deadlineMs: 1000 },
      argv: ['/bin/true'],
    })
    expect(await stranger.catch((error) => error)).toBeInstanceOf(CageRefused)
    const other = run(['/bin/true'], { client: { clientId: 1, sites: [{ siteId: 20, domain: 'c2.es' }] } })
    expect(await other.catch((error) => error)).toBeInstanceOf(CageRefused)
  })
})

test('a program dies with the panel that runs it', async () => {
  const child = Bun.spawn(['bun', resolve(import.meta.dir, 'child.ts'), node.options.base, '4715'], {
    stdout: 'pipe',
    env: { ...process.env, CAGE_USERS: JSON.stringify(node.options.users) },
  })
  expect(await waitUntil(() => running('sleep 4715').length > 0, { timeoutMs: LIMIT_MS })).toBe(true)
  child.kill(9)
  expect(await waitUntil(() => running('sleep 4715').length === 0, { timeoutMs: 2000 })).toBe(true)
})

describe('a hostile program', () => {
  const tree = (...name: string[]) => join(node.options.base, ...name)
  /** Runs native code that tries something, and answers what it managed to say. */
  const attempt = async (script: string, more: Partial<CagedProgram> = {}) => {
    const { out, stderr } = await says(script, { deadlineMs: 5000, ...more })
    return `${out}\n${stderr}`
  }

  test('sees no other client’s tree, no data of the panel, no socket of its services', async () => {
    const seen = await attempt(
      `cat ${node.path(2, 20, 'secreto.txt')} ${tree('f', 'keeper.conf')}; ls ${tree('run')} ${tree('c')} /run /home /root /srv /var/lib;
       find / -xdev -name 'control.s' -o -xdev -name 'secreto.txt' 2>/dev/null; cat /etc/shadow; cut -d: -f1 /etc/passwd`,
    )
    expect(seen).not.toContain('canary-of-another')
    expect(seen).not.toMatch(/control\.s$|keeper\.pl|version 8/m)
    expect(seen.match(/No such file or directory/g)?.length).toBeGreaterThanOrEqual(8)
    expect(seen).toMatch(/^root\ncp1\nnobody$/m)
  })

  test('sees its own processes alone, and can neither trace nor signal another', async () => {
    const mine = await attempt(
      'ls -d /proc/[0-9]* | wc -l; cat /proc/1/environ /proc/1/maps | wc -c; kill -9 1; echo alive',
    )
    expect(Number(mine.split('\n')[0])).toBeLessThan(8)
    expect(mine).toContain('alive')
    const before = findProcesses(({ pid }) => userOf(pid) === 0).length
    await attempt('kill -9 -1')
    expect(findProcesses(({ pid }) => userOf(pid) === 0).length).toBeGreaterThanOrEqual(before - 2)
    expect(node.node.supervisor.processOf('php')).not.toBeNull()
  })

  test('has no capability, gains none by set-uid programs, and makes no namespace or mount', async () => {
    const status = await attempt('grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status')
    expect(status.match(/^Cap\w+:\t0{16}$/gm)).toHaveLength(5)
    expect(status).toMatch(/NoNewPrivs:\t1/)
    expect(status).toMatch(/Seccomp:\t2/)
    const tried = await attempt(
      'unshare -U true; unshare -m true; mount -t tmpfs x /tmp; chroot / true; /usr/bin/su -c id; mknod /tmp/sda b 8 0; cp /usr/bin/id /tmp/i && chmod 6755 /tmp/i && /tmp/i -u',
    )
    expect(tried).not.toContain('uid=0')
    expect(tried.match(/not permitted|denied|superuser|root/gi)?.length).toBeGreaterThanOrEqual(4)
  })

  test('writes to no kernel file, no device, and nowhere but its tree and its own small /tmp', async () => {
    const tried = await attempt(
      `echo 1 > /proc/sys/kernel/panic; echo b > /proc/sysrq-trigger; ls /dev | sort | tr '\\n' ' ';
       for at in / /usr /etc /etc/php /dev /sitios /sitios/c1.es /var/tmp /dev/shm /proc; do touch $at/x 2>/dev/null && echo "wrote $at"; done;
       ls -A /tmp; head -c 100000000 /dev/zero > /tmp/x; stat -c %s /tmp/x`,
    )
    expect(tried).toContain('fd full null random shm stderr stdin stdout tty urandom zero')
    expect(tried).not.toContain('wrote')
    expect(tried).toContain('No space left on device')
    expect((await attempt('ls -A /tmp')).trim()).toBe('')
  })

  test('reaches no network where it was not given one, nor waits on any port where it was', async () => {
    const ask = `exec 3<>/dev/tcp/127.0.0.1/${node.options.httpPort} && echo connected`
    expect(await attempt(ask)).not.toContain('connected')
    expect(await attempt(ask, { network: true })).toContain('connected')
    const listen = `perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(Listen=>1,LocalPort=>40123) ? "listens" : "refused"'`
    expect(await attempt(listen, { network: true })).toContain('refused')
  })

  test('inherits nothing but its three streams, and an environment of the panel’s making', async () => {
    expect((await attempt('ls /proc/self/fd | tr "\\n" " "')).trim()).toBe('0 1 2 3')
    const [environment] = (await attempt('env | cut -d= -f1 | sort | tr "\\n" " "')).split('\n')
    expect(environment?.trim()).toBe('HOME LANG PATH PHP_INI_SCAN_DIR PWD SHLVL TZ _')
  })

  test('is bounded in files, memory and processes, and its bombs end with it', async () => {
    expect(
      await attempt('head -c 2000000 /dev/zero > /sitios/c1.es/public/gross', { fileBytes: 1_000_000 }),
    ).toMatch(/File size limit|File too large|^\s*$/)
    expect(readFileSync(node.path(1, 10, 'gross')).length).toBe(1_000_000)
    await node.client(1, { limits: { cpuPercent: null, memoryBytes: 128 * 1_048_576, processes: 40 } })
    const forks = await attempt('bomb() { bomb | bomb & }; bomb; sleep 1; echo over', { deadlineMs: 3000 })
    expect(forks).toMatch(/Resource temporarily unavailable|over/)
    const memory = await says(`perl -e '$x = "a" x 400_000_000; print length $x'`)
    expect(memory.out).not.toBe('400000000')
    await node.client(1)
    expect(await waitUntil(() => running('bomb').length === 0, { timeoutMs: LIMIT_MS })).toBe(true)
    expect(await says('echo fine')).toMatchObject({ out: 'fine', code: 0 })
  }, 60_000)

  test('that floods a reader who does not read waits, and takes no memory of the panel’s', async () => {
    const before = process.memoryUsage().rss
    const caged = await run(['/usr/bin/yes'], { deadlineMs: 1000 })
    expect(await caged.ended).toMatchObject({ reason: 'deadline' })
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1_048_576)
    const noisy = await says('yes >&2', { deadlineMs: 500 })
    expect(noisy.stderr.length).toBe(65_536)
  })

  test('swaps its own directories for links in vain: a site is never seen elsewhere than where it is', async () => {
    const swap = await run([
      ...(['/bin/bash', '-c'] as const),
      'cd /sitios/c1.es/public; while :; do mkdir d 2>/dev/null; rmdir d; ln -s /etc d; rm -f d; mv ../public ../p 2>/dev/null; done',
    ])
    for (let n = 0; n < 15; n++) {
      const inside = await says('pwd -P; ls /sitios', { directory: '/sitios/c1.es/public' })
      expect(inside.out).toBe('/sitios/c1.es/public\nc1.es\notro.es')
    }
    swap.stop()
    await swap.ended
  }, 60_000)
})

test('a client without PHP runs programs too, and goes on with them when it is applied again', async () => {
  await node.client(3, { php: [] })
  const own = { client: { clientId: 3, sites: [] } }
  const caged = await run(['/bin/sleep', '4716'], own)
  await node.client(3, { php: [] })
  const before = await Promise.race([caged.ended, says('echo here', own)])
  expect(before).toMatchObject({ out: 'here' })
  caged.stop()
  expect(await caged.ended).toMatchObject({ reason: 'stopped' })
})

test('the keeper that takes over at a new start of the panel knows the programs that run', async () => {
  const caged = await run(['/bin/sleep', '4717'])
  const keeper = node.node.supervisor.processOf('php')
  process.kill(keeper?.pid ?? 0, 'SIGHUP')
  expect(await says('echo here')).toMatchObject({ out: 'here' })
  expect(running('sleep 4717')).not.toEqual([])
  caged.stop()
  expect(await caged.ended).toMatchObject({ reason: 'stopped', signal: 9 })
  expect(running('sleep 4717')).toEqual([])
})
