import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { clientGroups, measureGroups, watchedClients } from '../../deploy/node/confinement/use.ts'
import {
  commandLine,
  findProcesses,
  isAlive,
  type ProcessState,
  readProcess,
  userOf,
  waitUntil,
} from '../../deploy/node/services/process.ts'
import { daemon, giveNative } from '../support/native.ts'
import { startNode, type TestNode } from './support.ts'

const LIMIT_MS = 60_000
/** Says that it has begun, and is busy until it is told to end. */
const HELD = `<?php
touch("empezada-$_GET[n]");
for (; !file_exists("acaba-$_GET[n]"); clearstatcache()) usleep(5000);
echo 'acabada';
`
let node: TestNode

beforeAll(async () => {
  node = await startNode({ phpIdleSeconds: 1 })
  for (const clientId of [1, 2, 3]) {
    await node.client(clientId)
    await node.site(clientId, clientId * 10, `c${clientId}.es`)
    node.put(clientId, clientId * 10, 'quien.php', '<?php echo posix_getuid();')
    node.put(clientId, clientId * 10, 'espera.php', HELD)
    node.put(clientId, clientId * 10, 'lenta.php', '<?php usleep(intval($_GET["ms"]) * 1000); echo "lenta";')
    giveNative(node.path(clientId, clientId * 10))
  }
}, 60_000)
afterAll(() => node[Symbol.asyncDispose](), 60_000)

const running = (clientId: number): ProcessState[] =>
  findProcesses(({ pid }) => userOf(pid) === node.uid(clientId))
const master = (clientId: number): ProcessState | undefined =>
  running(clientId).find(({ pid }) => commandLine(pid).startsWith('php-fpm: master'))
const asleep = (clientId: number) => waitUntil(() => running(clientId).length === 0, { timeoutMs: LIMIT_MS })
const keeper = () => node.node.supervisor.processOf('php')

/** A request that does not block this process, as many visitors at once make them. */
async function ask(clientId: number, path: string, body?: string): Promise<string> {
  const url = `http://127.0.0.1:${node.options.httpPort}${path}`
  const options = {
    headers: { host: `c${clientId}.es` },
    keepalive: false,
    signal: AbortSignal.timeout(LIMIT_MS),
  }
  const answer = await fetch(url, body === undefined ? options : { ...options, method: 'POST', body })
  return `${answer.status} ${await answer.text()}`
}

/** A request that has begun, and is not over until `end`. */
async function held(clientId: number): Promise<{ end(): Promise<string> }> {
  const n = crypto.randomUUID()
  const note = (name: string) => node.path(clientId, clientId * 10, `${name}-${n}`)
  const answer = ask(clientId, `/espera.php?n=${n}`)
  expect(await waitUntil(() => existsSync(note('empezada')), { timeoutMs: LIMIT_MS })).toBe(true)
  return {
    end() {
      writeFileSync(note('acaba'), '')
      return answer
    },
  }
}

/** Runs a shell's command as native code inside the client's PHP, and answers what it printed. */
async function native(clientId: number, order: string): Promise<string> {
  const note = node.path(clientId, clientId * 10, `n-${crypto.randomUUID()}`)
  expect(await ask(clientId, '/n.php', `(${order}) > ${note} 2>&1`)).toBe('200 mailed')
  return readFileSync(note, 'utf8')
}

/** Shuts every listening socket that a client's program inherited. */
const SHUT = `for (0 .. 63) {
  open my $file, "<&=", $_ or next;
  my $listens = getsockopt($file, SOL_SOCKET, SO_ACCEPTCONN) or next;
  shutdown $file, $ARGV[0] if unpack "i", $listens;
}`

test('the use of a client’s PHP is counted, from its start, in the groups that the keeper reports', async () => {
  expect(await ask(3, '/quien.php')).toStartWith('200 ')
  const groups = clientGroups(node.node.layout.run)
  expect(groups && watchedClients(groups)).toContain(3)
  const [use] = measureGroups(node.node.layout.run, [3])
  expect(use?.memoryBytes).toBeGreaterThan(1_000_000)
  expect(use?.processes).toBeGreaterThanOrEqual(2)
  expect(use?.counters.cpuMicros).toBeGreaterThan(1000)
  expect(use?.counters).toMatchObject({ memory: 0, processes: 0 })
})

describe('a client’s PHP', () => {
  test('does not run before the first request, which wakes it and is answered', async () => {
    expect(running(1)).toEqual([])
    expect(await ask(1, '/quien.php')).toBe(`200 ${node.uid(1)}`)
    expect(master(1)).toBeDefined()
    expect(running(2)).toEqual([])
  })

  test('ends when nobody asks, with the programs that were left behind, and comes back', async () => {
    await native(1, daemon('sleep 300'))
    const left = () => running(1).some(({ pid }) => commandLine(pid).includes('sleep 300'))
    expect(await waitUntil(left, { timeoutMs: LIMIT_MS })).toBe(true)
    expect(await asleep(1)).toBe(true)
    expect(await ask(1, '/quien.php')).toBe(`200 ${node.uid(1)}`)
  }, 60_000)

  test('loses no request while it is started and ended again and again', async () => {
    const answers: string[] = []
    const masters = new Set<number>()
    const workers = (clientId: number) =>
      running(clientId).filter(({ pid }) => commandLine(pid).startsWith('php-fpm: pool')).length
    const again = async (clientId: number) => {
      // All at the moment when the one that ran before is ending.
      await waitUntil(() => workers(clientId) < 2, { timeoutMs: LIMIT_MS, everyMs: 1 })
      const asked = Array.from({ length: 20 }, () => ask(clientId, '/quien.php'))
      answers.push(...(await Promise.all(asked)))
      const woken = () => master(clientId) !== undefined && workers(clientId) > 1
      await waitUntil(woken, { timeoutMs: LIMIT_MS })
      masters.add(master(clientId)?.pid ?? 0)
    }
    for (let round = 0; round < 5; round++) await Promise.all([again(1), again(2)])
    expect(answers).toHaveLength(200)
    expect(new Set(answers)).toEqual(new Set([1, 2].map((clientId) => `200 ${node.uid(clientId)}`)))
    expect(masters.size).toBe(10)
  }, 120_000)

  test('answers what takes longer than its idle time, and whoever asks meanwhile', async () => {
    const long = await held(1)
    // Meanwhile the idle time of another, who asks nothing more, is over.
    expect(await ask(2, '/quien.php')).toBe(`200 ${node.uid(2)}`)
    expect(await asleep(2)).toBe(true)
    expect(await ask(1, '/quien.php')).toBe(`200 ${node.uid(1)}`)
    expect(await long.end()).toBe('200 acabada')
  }, 60_000)

  test('answers seven requests at once while an eighth takes long', async () => {
    expect(await asleep(1)).toBe(true)
    const long = await held(1)
    const seven = await Promise.all(Array.from({ length: 7 }, () => ask(1, '/lenta.php?ms=100')))
    expect(seven).toEqual(seven.map(() => '200 lenta'))
    expect(await long.end()).toBe('200 acabada')
  }, 60_000)

  test('that was killed comes back with the next request, and so does one whose cage was killed', async () => {
    for (const name of ['php-fpm: master', '/usr/bin/bwrap']) {
      expect(await ask(1, '/quien.php')).toBe(`200 ${node.uid(1)}`)
      const [found, before] = [master(1), running(1)]
      const parent = found && readProcess(readProcess(found.parent)?.parent ?? 0)
      const victim = name === '/usr/bin/bwrap' ? parent : found
      expect(commandLine(victim?.pid ?? 0)).toStartWith(name)
      process.kill(victim?.pid ?? 0, 'SIGKILL')
      expect(await waitUntil(() => found !== undefined && !isAlive(found), { timeoutMs: LIMIT_MS })).toBe(
        true,
      )
      // Its workers end a moment later.
      expect(await waitUntil(() => !before.some(isAlive), { timeoutMs: LIMIT_MS })).toBe(true)
      expect(await ask(1, '/quien.php')).toBe(`200 ${node.uid(1)}`)
    }
  }, 60_000)

  test.each([
    ['reading', 0],
    ['anything', 2],
  ])(
    'is served again after a program shut the socket that it listens at, for %s',
    async (_name, how) => {
      expect(await ask(1, '/quien.php')).toBe(`200 ${node.uid(1)}`)
      const socket = join(node.node.layout.fpmVersion('8.2'), '1.s')
      const before = lstatSync(socket).ino
      await native(1, `perl -MSocket -e '${SHUT}' ${how}`).catch(String)
      await waitUntil(() => lstatSync(socket).ino !== before, { timeoutMs: LIMIT_MS })
      await waitUntil(async () => (await ask(1, '/quien.php')) === `200 ${node.uid(1)}`, {
        timeoutMs: LIMIT_MS,
      })
      expect(lstatSync(socket).ino).not.toBe(before)
      expect(await ask(1, '/quien.php')).toBe(`200 ${node.uid(1)}`)
    },
    60_000,
  )

  test('has a cache of its own', async () => {
    node.put(
      1,
      10,
      'cache.php',
      '<?php echo ini_get("opcache.memory_consumption"), fileinode("/proc/self/ns/ipc");',
    )
    node.put(
      2,
      20,
      'cache.php',
      '<?php echo ini_get("opcache.memory_consumption"), fileinode("/proc/self/ns/ipc");',
    )
    const [one, two] = [await ask(1, '/cache.php'), await ask(2, '/cache.php')]
    expect(one).toStartWith('200 64')
    expect(one).not.toBe(two)
    const [first, second] = [master(1), master(2)]
    expect(first?.pid).not.toBe(second?.pid)
  })
})

/** Though client 2 is asked all the time, so that it is never idle. */
async function expectReplaced(first: ProcessState | undefined): Promise<void> {
  const gone = async () => {
    expect(await ask(2, '/quien.php')).toBe(`200 ${node.uid(2)}`)
    return first !== undefined && !isAlive(first)
  }
  expect(await waitUntil(gone, { timeoutMs: LIMIT_MS })).toBe(true)
}

describe('the keeper', () => {
  test('that is killed comes back by itself, and requests are answered', async () => {
    await ask(2, '/quien.php')
    const before = keeper()
    process.kill(before?.pid ?? 0, 'SIGKILL')
    // Its clients' PHP ends with it.
    expect(await asleep(2)).toBe(true)
    expect(
      await waitUntil(() => ![null, before?.pid].includes(keeper()?.pid ?? null), { timeoutMs: LIMIT_MS }),
    ).toBe(true)
    await waitUntil(async () => (await ask(2, '/quien.php')).startsWith('200'), { timeoutMs: LIMIT_MS })
    expect(await ask(2, '/quien.php')).toBe(`200 ${node.uid(2)}`)
    expect(await ask(3, '/quien.php')).toBe(`200 ${node.uid(3)}`)
  }, 60_000)

  test('that is stopped and started adds to what the client had taken and been refused before', async () => {
    const { run } = node.node.layout
    const counted = () => measureGroups(run, [2])[0]?.counters
    await ask(2, '/quien.php')
    const limit = join(clientGroups(run)?.pids ?? '', 'cp2/pids.max')
    writeFileSync(limit, String(measureGroups(run, [2])[0]?.processes))
    await ask(2, '/n.php', 'sleep 1')
    const refused = () => (counted()?.processes ?? 0) > 0
    expect(await waitUntil(refused, { timeoutMs: LIMIT_MS })).toBe(true)
    const [earlier, before] = [counted(), keeper()]
    process.kill(before?.pid ?? 0, 'SIGTERM')
    const another = () => ![null, before?.pid].includes(keeper()?.pid ?? null)
    expect(await waitUntil(another, { timeoutMs: LIMIT_MS })).toBe(true)
    const again = async () => (await ask(2, '/quien.php')) === `200 ${node.uid(2)}`
    expect(await waitUntil(again, { timeoutMs: LIMIT_MS })).toBe(true)
    const { processes, cpuMicros } = counted() ?? {}
    expect(processes).toBeGreaterThanOrEqual(earlier?.processes ?? Number.POSITIVE_INFINITY)
    expect(cpuMicros).toBeGreaterThan(earlier?.cpuMicros ?? Number.POSITIVE_INFINITY)
  }, 60_000)

  test('that gets another version of itself loses neither sockets nor running requests', async () => {
    const long = ask(2, '/lenta.php?ms=1500')
    await waitUntil(() => master(2) !== undefined, { timeoutMs: LIMIT_MS })
    const [before, first] = [keeper(), master(2)]
    process.kill(before?.pid ?? 0, 'SIGHUP')
    const meanwhile = await Promise.all(Array.from({ length: 20 }, () => ask(3, '/quien.php')))
    expect(new Set(meanwhile)).toEqual(new Set([`200 ${node.uid(3)}`]))
    expect(await long).toBe('200 lenta')
    expect(keeper()).toEqual(before)
    expect(first !== undefined && isAlive(first)).toBe(true)
    expect(await asleep(2)).toBe(true)
  }, 60_000)

  test('replaces what was started under other settings in its next pause, and no earlier', async () => {
    const long = ask(2, '/lenta.php?ms=1500')
    await waitUntil(() => master(2) !== undefined, { timeoutMs: LIMIT_MS })
    const first = master(2)
    const conf = join(node.node.layout.fpm, 'keeper.conf')
    const before = readFileSync(conf, 'utf8')
    // As an upgrade of the package does.
    writeFileSync(conf, before.replace(/^(version 8.2 \S+ )\w+$/m, '$1another'))
    process.kill(keeper()?.pid ?? 0, 'SIGHUP')
    expect(await long).toBe('200 lenta')
    await expectReplaced(first)
    writeFileSync(conf, before)
    process.kill(keeper()?.pid ?? 0, 'SIGHUP')
  }, 60_000)

  test('takes up a package of PHP that was upgraded', async () => {
    await ask(2, '/quien.php')
    const first = master(2)
    const [program, other] = ['/usr/sbin/php-fpm8.2', join(node.directory, 'php-fpm8.2')]
    copyFileSync(program, other)
    expect(spawnSync('/usr/bin/mount', ['--bind', other, program]).status).toBe(0)
    try {
      await node.node.renewPhp()
      await expectReplaced(first)
    } finally {
      spawnSync('/usr/bin/umount', ['--lazy', program])
    }
    await node.node.renewPhp()
  }, 60_000)

  test('refuses what is no plain number, version or path, and goes on with the rest', async () => {
    const wanted = join(node.node.layout.fpmWanted, '3')
    const good = readFileSync(wanted, 'utf8')
    for (const bad of ['user 0 0\n', 'php ../8.2\n', 'php 8.2 x\n', 'memory 1; rm\n', 'home /root\n']) {
      writeFileSync(wanted, good + bad)
      await expect(
        node.client(3, { suspended: false, limits: limits({ processes: 77 }) }),
      ).resolves.toBeUndefined()
      expect(readFileSync(wanted, 'utf8')).not.toContain(bad.trim())
    }
    expect(await ask(3, '/quien.php')).toBe(`200 ${node.uid(3)}`)
  })
})

/** The directories of a client's group, by controller. */
function groupOf(clientId: number): Record<string, string> {
  const { version: _, ...told } = JSON.parse(readFileSync(join(node.node.layout.run, 'groups.json'), 'utf8'))
  return Object.fromEntries(
    Object.entries(told).map(([name, parent]) => [name, join(String(parent), `cp${clientId}`)]),
  )
}

/** The client's group of a controller, under either version of control groups. */
function groupFor(clientId: number, controller: string): string {
  const told = groupOf(clientId)
  return told[controller] ?? told.unified ?? ''
}

const limits = (some: Partial<Record<'cpuPercent' | 'memoryBytes' | 'processes', number>>) => ({
  cpuPercent: null,
  memoryBytes: null,
  processes: null,
  ...some,
})

describe('the cage', () => {
  test('shows a program the client’s own tree, and nothing of others, the panel or the machine’s services', async () => {
    const { layout } = node.node
    await ask(2, '/quien.php')
    const hidden = [
      layout.client(2),
      layout.run,
      layout.fpm,
      layout.certificates,
      layout.nginx,
      layout.logs,
      join(node.directory, 'panel.db'),
      '/run',
      '/var/lib',
      '/var/log',
      '/root',
      '/home',
      '/sys',
      '/boot',
      '/etc/shadow',
      '/etc/ssl/private',
      '/proc/1/root/etc/shadow',
    ]
    for (const path of hidden)
      expect([path, await native(1, `ls -d ${path}/. || ls ${path}`)]).toEqual([
        path,
        expect.stringMatching(/No such file|Permission denied/),
      ])
    expect((await native(1, `ls ${layout.clients}`)).trim()).toBe('1')
    expect((await native(1, 'cut -d: -f1 /etc/passwd')).split('\n')).not.toContain(`c2`)
    expect(await native(1, 'cat /proc/[0-9]*/cmdline')).not.toMatch(/nginx|bun|cp2|keeper/)
  }, 60_000)

  test('can be written to in the client’s own tree alone', async () => {
    const home = node.node.layout.client(1)
    const order = `find / -xdev -writable -not -type l; touch /x /tmp/x /etc/x /dev/x /usr/x /proc/x /var/x; stat -c %i /var/tmp /dev/shm`
    const found = (await native(1, order)).trim().split('\n')
    const own = lstatSync(join(home, 'tmp')).ino
    expect(found.slice(-2)).toEqual([String(own), String(own)])
    // A device that swallows or counts, and what is a mount of the client's own directory.
    const devices = /^\/dev\/(?:null|zero|full|random|urandom|tty|shm|pts\/ptmx|ptmx)$/
    const writable = found.filter(
      (line) => line.startsWith('/') && !line.startsWith(`${home}/`) && line !== '/var/tmp',
    )
    expect(writable.filter((path) => !devices.test(path))).toEqual([])
    expect(found.filter((line) => line.startsWith('touch:'))).toHaveLength(7)
  })

  test('gives no rights, no set-uid program and no other user', async () => {
    const status = await native(1, 'grep -E "^(Uid|Gid|Groups|Cap|NoNewPrivs|Seccomp):?" /proc/self/status')
    expect(status).toContain(`Uid:\t${node.uid(1)}\t${node.uid(1)}\t${node.uid(1)}\t${node.uid(1)}`)
    expect(status).toMatch(/Groups:\t\s*\n/)
    expect(status).toContain('NoNewPrivs:\t1')
    expect(status).toContain('Seccomp:\t2')
  })
})

/** Calls of the kernel, by number, as a program of the client's makes them. */
const CALLS = `
use Socket;
my %tried = (
  bind => sub { socket my $s, AF_INET, SOCK_STREAM, 0 or return; bind $s, sockaddr_in(0, INADDR_LOOPBACK) },
  listen => sub { socket my $s, AF_INET, SOCK_STREAM, 0 or return; listen $s, 5 },
  unix => sub { socket my $s, AF_UNIX, SOCK_STREAM, 0 or return; bind $s, sockaddr_un("s") },
  packet => sub { socket my $s, 17, SOCK_DGRAM, 0 },
  vsock => sub { socket my $s, 40, SOCK_STREAM, 0 },
  alg => sub { socket my $s, 38, SOCK_SEQPACKET, 0 },
  unshare => sub { 0 == syscall 272, 0x10000000 },
  clone => sub { my $p = syscall 56, 0x10000000 | 17, 0, 0, 0, 0; exit 0 if $p == 0; $p > 0 },
  clone3 => sub { 0 <= syscall 435, 0, 0 },
  mount => sub { my ($a, $b, $c) = ("a", "/tmp", "tmpfs"); 0 == syscall 165, $a, $b, $c, 0, 0 },
  ptrace => sub { 0 == syscall 101, 0, 0, 0, 0 },
  keyctl => sub { 0 <= syscall 250, 0, -3, 1 },
  bpf => sub { 0 <= syscall 321, 0, 0, 0 },
  uring => sub { 0 <= syscall 425, 1, 0 },
  perf => sub { 0 <= syscall 298, 0, 0, -1, -1, 0 },
  fault => sub { 0 <= syscall 323, 1 },
  personality => sub { 0 <= syscall 135, 0x0400000 },
  x32 => sub { 0 < syscall 0x40000000 + 39 },
  later => sub { 0 <= syscall 467, 0, 0, 0 },
);
for (sort keys %tried) { $! = 0; my $got = $tried{$_}->(); print "$_ ", $got ? "done" : 0 + $!, "\\n" }
socket my $s, AF_INET, SOCK_STREAM, 0; print "connect ", connect($s, sockaddr_in($ARGV[0], INADDR_LOOPBACK)) ? "done" : $!, "\\n";
`

test('no system call of a client’s program takes a port or leads out of its cage', async () => {
  node.put(1, 10, 'llamadas.pl', CALLS)
  const printed = await native(1, `perl ${node.path(1, 10, 'llamadas.pl')} ${node.options.httpPort}`)
  const got = Object.fromEntries(
    printed
      .trim()
      .split('\n')
      .map((line) => line.split(' ')),
  )
  const [EPERM, EACCES, ENOSYS, EAFNOSUPPORT] = ['1', '13', '38', '97']
  expect(got).toEqual({
    alg: EAFNOSUPPORT,
    bind: EACCES,
    bpf: EPERM,
    clone: EPERM,
    clone3: ENOSYS,
    connect: 'done',
    fault: EPERM,
    keyctl: EPERM,
    later: ENOSYS,
    listen: EACCES,
    mount: EPERM,
    packet: EAFNOSUPPORT,
    perf: EPERM,
    personality: EPERM,
    ptrace: EPERM,
    unix: EACCES,
    unshare: EPERM,
    uring: EPERM,
    vsock: EAFNOSUPPORT,
    x32: ENOSYS,
  })
})

test('programs look names up and speak to other machines as before', async () => {
  const page = `http://127.0.0.1:${node.options.httpPort}/quien.php`
  node.put(
    1,
    10,
    'habla.php',
    `<?php error_reporting(0);
    $c = curl_init('${page}'); curl_setopt_array($c, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => ['Host: c2.es']]);
    $f = fsockopen('localhost', ${node.options.httpPort});
    $s = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
    $u = socket_create(AF_INET, SOCK_DGRAM, SOL_UDP);
    mysqli_report(MYSQLI_REPORT_OFF);
    $m = new mysqli('127.0.0.1', 'u', 'p', 'd', 1);
    echo json_encode([curl_exec($c), gethostbyname('localhost'), is_resource($f),
      socket_connect($s, '127.0.0.1', ${node.options.httpPort}), socket_sendto($u, 'x', 1, 0, '127.0.0.1', 9), $m->connect_errno]);`,
  )
  expect(await ask(1, '/habla.php')).toBe(
    `200 ${JSON.stringify([String(node.uid(2)), '127.0.0.1', true, true, 1, 2002])}`,
  )
})

describe('the control group of a client', () => {
  test('leaves one processor to the others where its plan says nothing, and what its plan says where it does', async () => {
    await node.client(3)
    await native(3, 'true')
    const place = groupFor(3, 'cpu')
    const quota = () => {
      const [name] = ['cpu.max', 'cpu.cfs_quota_us'].filter((one) => existsSync(join(place, one)))
      return readFileSync(join(place, name ?? ''), 'utf8')
        .trim()
        .split(' ')[0]
    }
    const rest = availableParallelism() - 1
    expect(quota()).toMatch(rest > 0 ? new RegExp(`^${rest}00000$`) : /^(?:max|-1)$/)
    await node.client(3, { limits: limits({ cpuPercent: 100 * (rest + 1) }) })
    expect(quota()).toBe(`${rest + 1}00000`)
    await node.client(3)
  })

  test('steps back behind the machine where the disk has weights, as the kernel of this machine offers them', async () => {
    await native(3, daemon('sleep 300'))
    const [own] = running(3)
    const lines = readFileSync(`/proc/${own?.pid}/cgroup`, 'utf8').split('\n')
    const version = groupOf(3).unified === undefined ? 1 : 2
    const name = version === 1 ? 'blkio' : ''
    const [, , group = ''] = lines.find((line) => line.split(':')[1] === name)?.split(':') ?? []
    expect(group).toEndWith('/clients/cp3')
    const place = version === 1 ? join('/sys/fs/cgroup/blkio', group) : groupFor(3, 'io')
    const weight = join(dirname(place), version === 1 ? 'blkio.bfq.weight' : 'io.weight')
    expect(readFileSync(weight, 'utf8').trim()).toBe(version === 1 ? '25' : 'default 25')
  })

  const inside = (clientId: number) => {
    return readFileSync(join(groupFor(clientId, 'pids'), 'cgroup.procs'), 'utf8')
      .trim()
      .split('\n')
      .map(Number)
  }

  test('holds everything that runs as the client', async () => {
    await native(1, daemon('sleep 300'))
    const ours = running(1).map(({ pid }) => pid)
    expect(ours.length).toBeGreaterThan(3)
    expect(inside(1)).toEqual(expect.arrayContaining(ours))
  })

  test('holds it to its plan’s processes, and a neighbour notices nothing', async () => {
    await node.client(1, { limits: limits({ processes: 20 }) })
    await native(1, daemon('for i in $(seq 100); do sleep 300 & done; wait'))
    const many = () => running(1).length
    await waitUntil(() => many() >= 15, { timeoutMs: LIMIT_MS })
    expect(many()).toBeLessThanOrEqual(20)
    expect(await ask(2, '/quien.php')).toBe(`200 ${node.uid(2)}`)
    // Another plan holds for what runs.
    await node.client(1, { limits: limits({ processes: 30 }) })
    expect(readFileSync(join(groupFor(1, 'pids'), 'pids.max'), 'utf8').trim()).toBe('30')
    await node.client(1)
    expect(readFileSync(join(groupFor(1, 'pids'), 'pids.max'), 'utf8').trim()).toBe('512')
  })

  test('answers many at once within the fewest processes that a plan may give', async () => {
    expect(await asleep(3)).toBe(true)
    await node.client(3, { limits: limits({ processes: 8 }) })
    const many = await Promise.all(Array.from({ length: 12 }, () => ask(3, '/lenta.php?ms=50')))
    expect(many).toEqual(many.map(() => '200 lenta'))
    expect(await native(3, 'echo started')).toBe('started\n')
    expect(measureGroups(node.node.layout.run, [3])[0]?.counters.processes).toBe(0)
    await node.client(3)
  })

  test('holds it to its plan’s memory: the program that takes more ends, and a neighbour notices nothing', async () => {
    await node.client(3, { limits: limits({ memoryBytes: 96 * 1048576, cpuPercent: 50 }) })
    expect(await native(3, `perl -e 'my $x = "a" x (300 * 1048576); print length $x'; echo " $?"`)).toMatch(
      /137/,
    )
    expect(await ask(2, '/quien.php')).toBe(`200 ${node.uid(2)}`)
    await waitUntil(async () => (await ask(3, '/quien.php')).startsWith('200'), { timeoutMs: LIMIT_MS })
    expect(await ask(3, '/quien.php')).toBe(`200 ${node.uid(3)}`)
  }, 60_000)
})

test('a program of a client that crashes writes no core, whatever it asks for', async () => {
  const crash = 'ulimit -c unlimited; ulimit -Hc; cd ~/tmp && perl -e "kill 11, \\$\\$"'
  expect(await native(1, crash.replace('~', node.node.layout.client(1)))).toMatch(/\n0\n.*Segmentation fault/)
  const left = readdirSync(join(node.node.layout.client(1), 'tmp'))
  expect(left.filter((name) => name.startsWith('core'))).toEqual([])
})

describe('a client that is suspended', () => {
  test('runs no process from then on, and requests that wait start none', async () => {
    await native(2, daemon('while :; do (while :; do sleep 1 & wait; done) & sleep 0.2; done'))
    await native(2, daemon('trap "" TERM HUP INT QUIT; while :; do sleep 1; done'))
    const busy = Array.from({ length: 12 }, () => ask(2, '/lenta.php?ms=20000').catch(String))
    await waitUntil(() => running(2).length > 12, { timeoutMs: LIMIT_MS })
    const place = Object.values(groupOf(2))
    await node.client(2, { suspended: true })
    expect(running(2)).toEqual([])
    expect(place.length).toBeGreaterThan(groupOf(2).unified === undefined ? 2 : 0)
    for (const path of place) expect([path, existsSync(path)]).toEqual([path, false])
    expect(existsSync(join(node.node.layout.fpmVersion('8.2'), '2.s'))).toBe(false)
    await Promise.all(busy)
    expect(running(2)).toEqual([])
    await node.client(2)
    expect(await ask(2, '/quien.php')).toBe(`200 ${node.uid(2)}`)
  }, 60_000)
})

test('without control groups PHP runs all the same, and all of a suspended client’s processes end', async () => {
  const script = join(import.meta.dir, 'ungrouped-child.ts')
  const hidden = 'mount -t tmpfs tmpfs /sys/fs/cgroup && exec "$@"'
  const child = Bun.spawn(['unshare', '--mount', '/bin/sh', '-c', hidden, 'sh', process.execPath, script])
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual({ served: true, began: true, left: 0 })
}, 60_000)

test('the keeper’s files belong to root alone, and a client’s log to the client', () => {
  const { layout } = node.node
  for (const path of [
    layout.fpmWanted,
    join(layout.fpm, 'keeper.pl'),
    join(layout.fpm, 'keeper.conf'),
    join(layout.run, 'control.s'),
  ]) {
    expect([path, lstatSync(path).mode & 0o077, lstatSync(path).uid]).toEqual([path, 0, 0])
  }
  expect(readdirSync(layout.fpmWanted).sort()).toEqual(['1', '2', '3'])
  expect(lstatSync(join(layout.client(1), 'logs/php-fpm.log')).uid).toBe(node.uid(1))
  expect(
    spawnSync('/usr/bin/perl', [
      '-c',
      join(import.meta.dir, '../../deploy/node/php/keeper.pl'),
    ]).stderr.toString(),
  ).toContain('syntax OK')
})
