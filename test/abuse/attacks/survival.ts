import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../support/wait.ts'
import { arm, give, type Machine, native, type Site, type Stage } from './stage.ts'

/** Way of native/stay.c, and what is said of it. */
const WAYS = {
  daemon: 'a daemon with another parent and session, deaf to signals',
  headless: 'a process whose first thread has ended',
  memory: 'a program that runs from memory, without a file',
  pair: 'a pair of processes of which each begins the other anew',
  watchful: 'a process that multiplies when its directory changes',
  chain: 'a chain of processes of which none lives for long',
  kept: 'a holder of segments, queues and semaphores',
  apart: 'the first process of a process namespace of its own',
  vfork: 'a process that waits in the kernel for its child',
  stopped: 'a process that has stopped itself',
  holding: 'a writer to a file that has no name any more',
  every: 'a timer that starts a program again and again',
  worker: 'a process under the name of a worker of PHP',
  main: 'a process under the name of PHP’s main process',
} as const

/** A PHP program that nobody waits for, and that asks for itself again by way of the web server. */
const RESPAWNER = `<?php
ignore_user_abort(true); set_time_limit(0);
touch('respawned');
register_shutdown_function(function () { @file_get_contents('http://127.0.0.1:' . $_GET['port'] . '/otra.php?port=' . $_GET['port'], false, stream_context_create(['http' => ['header' => 'Host: ' . $_SERVER['HTTP_HOST'], 'timeout' => 1]])); });
for ($end = microtime(true) + 300; microtime(true) < $end;) usleep(50000);
`

/** A busy machine is slow to begin all of them. */
const BEGUN_MS = 90_000

/** As many programs of a customer as its PHP runs; what comes then waits. */
const AT_ONCE = 8

const ENDINGS = [
  ['suspension', 'POST', (name: string) => `/clientes/${name}/suspender`],
  ['deletion', 'DELETE', (name: string) => `/clientes/${name}`],
] as const

/** Everything is begun at once and ended by one suspension, or one deletion. */
export function defineSurvival(stage: () => Stage): void {
  describe.each(ENDINGS)('nothing outlives its customer’s %s:', (what, method, path) => {
    const name = `queda-${what}`
    let site: Site
    let lived: string[] = []
    let momentary: Promise<unknown> = Promise.resolve()

    beforeAll(async () => {
      site = await stage().site(name)
      lived = await begin(stage(), site)
      let on = true
      momentary = atTheVeryMoment(stage(), site, () => on)
      const answer = await stage().api(method, path(name))
      on = false
      if (answer.status >= 300) throw new Error(`${path(name)}: ${JSON.stringify(answer.body)}`)
    }, 3 * BEGUN_MS)
    afterAll(() => momentary)

    for (const [way, told] of Object.entries(WAYS)) {
      test(told, () => {
        expect(lived).toContain(way)
        expect(lives(stage(), site, way, { looks: 30 })).toBe(false)
      })
    }

    test('a page that asks for itself again', () => {
      expect(lived).toContain('respawner')
      expect(runningWith(stage(), site, 'php-fpm: pool')).toEqual([])
    })

    test('a program that was started in the very moment, and one that waited for its turn', async () => {
      await momentary
      expect(lived).toContain('waiting')
      expect(runningWith(stage(), site, 'queda-momento')).toEqual([])
      expect(runningWith(stage(), site, 'queda-tarde')).toEqual([])
    })

    test('whatever else of the user’s runs or is kept in memory', async () => {
      await eventually(async () => runningWith(stage(), site, '').length === 0, 'the end of all', 10_000)
      expect(keptBy(stage(), site.uid)).toEqual([])
      expect(groupsOf(stage(), site)).toEqual([])
    })
  })
}

/** Starts all of it; answers which of it is running. */
async function begin(stage: Stage, site: Site): Promise<string[]> {
  arm(stage, site)
  give(stage, site, 'otra.php', RESPAWNER)
  const ways = Object.keys(WAYS)
  // The chain takes a processor for itself: it is begun last, by a word that a program waits for.
  const chain = "setsid sh -c 'until [ -e encadena ]; do sleep 0.2; done; ./stay chain queda-chain' &"
  const others = ways.filter((way) => way !== 'chain').map((way) => `./stay ${way} queda-${way}`)
  await native(stage, site, `${chain} ${others.join('; ')}`)
  const page = stage.visit(site, `/otra.php?port=${stage.ports.http}`)
  await eventually(async () => existsSync(stage.at(join(site.root, 'respawned'))), 'the page', BEGUN_MS)
  // More than run at once: the rest waits in the queue.
  const late = Array.from({ length: 14 }, () => stage.visit(site, `/otra.php?port=${stage.ports.http}`))
  const workers = () => runningWith(stage, site, 'php-fpm: pool').length
  await eventually(async () => workers() >= AT_ONCE, 'all programs that run at once', BEGUN_MS)
  const last = stage.visit(site, '/n.php', './stay daemon queda-tarde')
  void Promise.all([page, last, ...late])
  give(stage, site, 'encadena', '')
  let lived: string[] = []
  const living = async () => {
    lived = ways.filter((way) => lives(stage, site, way))
    return lived.length === ways.length
  }
  await eventually(living, 'all of them', BEGUN_MS).catch(() => undefined)
  return [...lived, 'respawner', 'waiting']
}

/** Whether what was begun in this way is running. Of a chain: whether it is in each of so many `looks`. */
function lives(stage: Machine, site: Site, way: string, { looks } = { looks: 1 }): boolean {
  if (way !== 'chain') return runningWith(stage, site, `queda-${way}`).length > 0
  // Nobody sees one of these, but they use up numbers: the last one given is told there (proc(5)). A chain never
  // pauses; other tests on the machine do.
  const given = () => Number(readFileSync(stage.at('/proc/loadavg'), 'utf8').split(' ').at(-1))
  const busy = () => {
    const before = given()
    Bun.sleepSync(300)
    return given() - before > 40
  }
  return Array.from({ length: looks }).every(busy)
}

/** Begins programs all the time, until it is told to end. */
async function atTheVeryMoment(stage: Stage, site: Site, isOn: () => boolean): Promise<void> {
  while (isOn()) {
    await Promise.race([
      stage.visit(site, '/n.php', './stay daemon queda-momento'),
      new Promise((resolve) => setTimeout(resolve, 50)),
    ])
  }
}

/** Processes of a customer's user with a text in their name or command line. */
export function runningWith({ at }: Machine, { uid }: Site, text: string): string[] {
  return readdirSync(at('/proc')).flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const status = readFileSync(at(`/proc/${pid}/status`), 'utf8')
      if (Number(/^Uid:\t(\d+)/m.exec(status)?.[1]) !== uid) return []
      const line = `${/^Name:\t(.*)/m.exec(status)?.[1]} ${readFileSync(at(`/proc/${pid}/cmdline`), 'utf8').replaceAll('\0', ' ')}`
      return line.includes(text) ? [`${pid} ${line}`] : []
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}

/** What the machine's own kernel memory keeps for a user without any process. */
function keptBy({ at, run }: Machine, uid: number): string[] {
  const listed = run('sh', '-c', 'cat /proc/sysvipc/shm /proc/sysvipc/msg /proc/sysvipc/sem').output
  const segments = listed.split('\n').filter((line) => line.trim().split(/\s+/).includes(String(uid)))
  const files = ['/dev/shm', '/dev/mqueue', '/tmp', '/var/tmp'].flatMap((directory) =>
    existsSync(at(directory))
      ? readdirSync(at(directory)).flatMap((name) =>
          lstatSync(at(join(directory, name)), { throwIfNoEntry: false })?.uid === uid
            ? [join(directory, name)]
            : [],
        )
      : [],
  )
  return [...segments, ...files]
}

/** Control groups of the client that hold a process; other panels' clients have the same numbers. */
function groupsOf({ run, web }: Machine, { clientId }: Site): string[] {
  const mark = run('stat', '-c', '%i', web).output.trim()
  const found = run(
    'sh',
    '-c',
    `find /sys/fs/cgroup -path '*controlpanel-*-${mark}/*' \\( -name 'cp${clientId}' -o -name 'c${clientId}' -o -name '${clientId}' \\) -type d`,
  )
  return found.output
    .split('\n')
    .filter((path) => path !== '' && run('cat', join(path, 'cgroup.procs')).output !== '')
}
