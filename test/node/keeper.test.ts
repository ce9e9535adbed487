import { dlopen } from 'bun:ffi'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientGroups, measureGroups, watchedClients } from '../../deploy/node/confinement/use.ts'
import { tellKeeper } from '../../deploy/node/php/control.ts'
import {
  commandLine,
  isAlive,
  type ProcessState,
  readProcess,
  waitUntil,
} from '../../deploy/node/services/process.ts'
import { daemon } from '../support/native.ts'
import { type Kept, LIMIT_MS, limits, startKept } from './keeper.ts'

let node: Kept['node']
let running: Kept['running']
let master: Kept['master']
let asleep: Kept['asleep']
let keeper: Kept['keeper']
let ask: Kept['ask']
let held: Kept['held']
let native: Kept['native']

beforeAll(async () => {
  ;({ node, running, master, asleep, keeper, ask, held, native } = await startKept())
}, 60_000)
afterAll(() => node[Symbol.asyncDispose](), 60_000)

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

/** What the panel does not thaw: of the second version a group that is frozen can be ended all the same. */
const frozen = (state: 'FROZEN' | 'THAWED') => {
  const { pids } = clientGroups(node.node.layout.run) ?? {}
  const path = join(String(pids).replace('/pids/', '/freezer/'), 'freezer.state')
  if (!existsSync(path)) return false
  writeFileSync(path, state)
  return true
}

/** Has what loses its parent be this process's own, which does not collect it: as first process of a container. */
function adopting(on: boolean): void {
  const { symbols, close } = dlopen('libc.so.6', {
    prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' },
  })
  const SUBREAPER = 36
  expect(symbols.prctl(SUBREAPER, on ? 1 : 0, 0, 0, 0)).toBe(0)
  close()
}

test('a client whose dead processes nobody collects has ended', async () => {
  adopting(true)
  try {
    for (let round = 0; round < 3; round++) {
      expect(await ask(2, '/quien.php')).toStartWith('200 ')
      await tellKeeper(node.node.layout, 'stop 2')
    }
    const dead = new RegExp(`\\(bwrap\\) Z ${process.pid} `)
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/stat`))
    expect(all.some((pid) => dead.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))).toBe(true)
  } finally {
    adopting(false)
  }
}, 60_000)

test('what does not end is named, with what the kernel says of it', async () => {
  expect(await ask(2, '/quien.php')).toStartWith('200 ')
  if (!frozen('FROZEN')) return
  try {
    const named = /^PHP's keeper: processes of client 2 do not end: \S+ \(\d+, D\)(?:, \S+ \(\d+, D\))*$/
    const told = await tellKeeper(node.node.layout, 'stop 2').catch((error) => String(error.message))
    expect(told).toMatch(named)
  } finally {
    frozen('THAWED')
  }
  expect(await asleep(2)).toBe(true)
  expect(await ask(2, '/quien.php')).toStartWith('200 ')
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
  expect(spawnSync('/usr/bin/perl', ['-c', join(layout.fpm, 'keeper.pl')]).stderr.toString()).toContain(
    'syntax OK',
  )
})
