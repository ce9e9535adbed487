import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { findProcesses, userOf } from '../../deploy/node/services/process.ts'
import { inconsistencies, settled } from '../support/consistency.ts'
import { daemon, giveNative } from '../support/native.ts'
import { startWorld, type World } from '../support/node-world.ts'
import { eventually } from '../support/wait.ts'

/** As many programs as a pool runs at once are busy; what comes then waits. */
const BUSY = 8
const WAITING = 6

/** Never the same process twice: whoever looks for it and then kills it comes too late. */
const CHAIN = 'perl -e "while (1) { fork and exit }"'
const SEGMENTS = 'ipcmk -M 65536; ipcmk -Q; ipcmk -S 1; touch /dev/shm/$UID; mkdir /dev/shm/$UID.d'

let world: World

beforeAll(async () => {
  world = await startWorld()
  await world.prober.stop()
}, 60_000)
afterAll(() => world[Symbol.asyncDispose](), 60_000)

/** A customer that has programs run on, memory kept and requests wait. */
async function attacker(name: string) {
  const root = await world.client(name)
  const { uid, gid } = lstatSync(root)
  giveNative(root)
  const mark = join(tmpdir(), `tarde-${uid}`)
  const give = (file: string, content: string) => {
    writeFileSync(join(root, file), content, { mode: 0o640 })
    chownSync(join(root, file), uid, gid)
  }
  give('ocupa.php', '<?php touch("ocupado-" . getmypid()); ignore_user_abort(true); sleep(30);')
  const ask = (path: string, body?: string) =>
    fetch(`http://127.0.0.1:${world.panel.httpPort}${path}`, {
      headers: { host: `${name}.es` },
      keepalive: false,
      ...(body === undefined ? {} : { method: 'POST', body }),
    }).then((answer) => answer.text(), String)
  const running = () => findProcesses(({ pid }) => userOf(pid) === uid)
  for (const order of [
    'sleep 300',
    CHAIN,
    'trap "" TERM HUP INT QUIT; while :; do sleep 1; done',
    SEGMENTS,
  ]) {
    expect(await ask('/n.php', daemon(order))).toBe('mailed')
  }
  await eventually(async () => keptBy(uid).length === 5, 'the segments')
  const taken = () => readdirSync(root).filter((file) => file.startsWith('ocupado-')).length
  const busy: Promise<string>[] = []
  while (busy.length < BUSY) {
    // One by one: of several at once, an idle pool takes some only when the next one comes.
    busy.push(ask('/ocupa.php'))
    await eventually(async () => taken() === busy.length, 'a program that is busy')
  }
  // These wait in the pool's queue: what was opened long ago runs on whatever becomes of the web server's routes.
  const late = daemon(`touch ${mark}; sleep 300`)
  const waiting = Array.from({ length: WAITING }, () => ask('/n.php', late))
  await eventually(async () => queued(root) >= WAITING, 'requests that wait')
  return { uid, root, running, mark, ended: Promise.all([...busy, ...waiting]) }
}

/** How many connections wait in the pool of the client whose document root this is. */
function queued(root: string): number {
  const socket = `/${basename(dirname(dirname(root)))}.s`
  const lines = spawnSync('/usr/bin/ss', ['-Hxl']).stdout.toString().split('\n')
  return Math.max(
    0,
    ...lines.flatMap((line) => (line.includes(socket) ? Number(line.trim().split(/\s+/)[2]) : [])),
  )
}

/** What the kernel keeps for a user without any process or file of its tree. */
function keptBy(uid: number): string[] {
  const segments = ['shm', 'msg', 'sem'].flatMap((kind) => {
    const [head = '', ...rows] = readFileSync(`/proc/sysvipc/${kind}`, 'utf8').trim().split('\n')
    const at = head.trim().split(/\s+/).indexOf('uid')
    return rows.flatMap((row) => (row.trim().split(/\s+/)[at] === String(uid) ? [kind] : []))
  })
  const shared = readdirSync('/dev/shm').filter((name) => lstatSync(`/dev/shm/${name}`).uid === uid)
  return [...segments, ...shared]
}

const ENDINGS = [
  ['suspended', 'POST', '/clientes/malo1/suspender', 'malo1'],
  ['deleted', 'DELETE', '/clientes/malo2', 'malo2'],
] as const

test.each(ENDINGS)(
  'of a client that was %s nothing runs, waits or is kept, whatever it had started',
  async (_what, method, path, name) => {
    const { uid, running, mark, ended } = await attacker(name)
    await world.done(method, path)
    await settled(world.panel)
    await ended
    // A fresh worker of PHP-FPM's, which has run nothing, may still wait for what does not come.
    await eventually(async () => running().length === 0, 'the end of all processes', 15_000)
    expect(keptBy(uid)).toEqual([])
    expect(existsSync(mark)).toBe(false)
    expect(await inconsistencies(world.panel)).toEqual([])
  },
  60_000,
)

test('a client that is activated again runs as before', async () => {
  await world.done('POST', '/clientes/malo1/activar')
  const answer = await fetch(`http://127.0.0.1:${world.panel.httpPort}/n.php`, {
    method: 'POST',
    headers: { host: 'malo1.es' },
    body: 'exit 0',
  })
  expect(await answer.text()).toBe('mailed')
})

test('a program that belongs to root and runs as root gives a customer nothing', async () => {
  const root = await world.client('sube')
  giveNative(root)
  const copy = join(world.panel.dataDir, 'web', 'identidad')
  spawnSync('/usr/bin/install', ['-m', '4755', '/usr/bin/id', copy])
  const note = join(tmpdir(), `quien-${process.pid}`)
  await fetch(`http://127.0.0.1:${world.panel.httpPort}/n.php`, {
    method: 'POST',
    headers: { host: 'sube.es' },
    body: `${copy} -u > ${note}`,
  })
  expect(readFileSync(note, 'utf8').trim()).toBe(String(lstatSync(root).uid))
  rmSync(note)
  rmSync(copy)
}, 30_000)

test('a customer’s program inherits no file that it could not open itself', async () => {
  const root = await world.client('hereda')
  giveNative(root)
  const { uid } = lstatSync(root)
  const order = daemon(`ls -l /proc/self/fd > ${root}/heredados`)
  const asked = await fetch(`http://127.0.0.1:${world.panel.httpPort}/n.php`, {
    headers: { host: 'hereda.es' },
    method: 'POST',
    body: order,
  })
  expect(await asked.text()).toBe('mailed')
  const list = () =>
    existsSync(join(root, 'heredados')) ? readFileSync(join(root, 'heredados'), 'utf8') : ''
  await eventually(async () => list().includes('/fd'), 'the list')
  const files = [...list().matchAll(/-> (\/.*)$/gm)].map(([, path = '']) => path)
  const foreign = files.filter((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found?.isFile() === true && found.uid !== uid
  })
  expect(files).toContain('/dev/null')
  expect(foreign).toEqual([])
})
