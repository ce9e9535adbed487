import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { measureGroups } from '../../deploy/node/confinement/use.ts'
import { waitUntil } from '../../deploy/node/services/process.ts'
import { daemon } from '../support/native.ts'
import { type Kept, LIMIT_MS, limits, startKept } from './keeper.ts'

let node: Kept['node']
let running: Kept['running']
let asleep: Kept['asleep']
let ask: Kept['ask']
let native: Kept['native']

beforeAll(async () => {
  ;({ node, running, asleep, ask, native } = await startKept())
}, 60_000)
afterAll(() => node[Symbol.asyncDispose](), 60_000)

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
