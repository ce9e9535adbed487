import { afterEach, beforeEach, expect, test } from 'bun:test'
import { appendFile, copyFile, mkdir, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseLine } from '../../deploy/node/usage/log-line.ts'
import { readTraffic } from '../../deploy/node/usage/traffic.ts'
import type { Traffic } from '../../lib/endpoint/node-port.ts'
import { answering } from '../certificates/pebble.ts'
import { freePort } from '../support/ports.ts'

const ALL = 1_000_000_000
let directory: string
let log: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'traffic-'))
  log = join(directory, 'access.log')
  await writeFile(log, '')
})
afterEach(() => rm(directory, { recursive: true }))

let clock = 1_795_219_200
/** A line as the web server writes it; each has a time of its own. */
function line(client: number | string, sent: number, received = 1): string {
  clock += 0.001
  return `{"t":${clock.toFixed(3)},"c":"${client}","h":"a.es","s":200,"o":${sent},"i":${received}}\n`
}

/** A reader that keeps its cursor, as the database does. */
function reader() {
  let cursor: string | null = null
  const total = new Map<number, number>()
  const read = async (options: { maxBytes?: number; lost?: boolean } = {}): Promise<Traffic[]> => {
    const { cursor: next, traffic } = await readTraffic(log, cursor, options.maxBytes ?? ALL)
    // Killed before its transaction: neither the cursor nor the sums are kept.
    if (options.lost) return traffic
    cursor = next
    for (const one of traffic) total.set(one.clientId, (total.get(one.clientId) ?? 0) + one.bytesOut)
    return traffic
  }
  return { read, total, cursor: () => cursor }
}

test('traffic adds up by client and UTC day, in both directions', async () => {
  const at = (seconds: number, client: number, out: number, received: number) =>
    `{"t":${seconds},"c":"${client}","h":"a.es","s":200,"o":${out},"i":${received}}\n`
  const midnight = Date.parse('2026-11-22T00:00:00Z') / 1000
  await appendFile(log, at(midnight - 0.001, 1, 10, 1) + at(midnight, 1, 20, 2) + at(midnight, 1, 30, 3))
  await appendFile(log, at(midnight, 2, 5, 5))
  expect(await reader().read()).toEqual([
    { clientId: 1, day: '2026-11-21', bytesIn: 1, bytesOut: 10 },
    { clientId: 1, day: '2026-11-22', bytesIn: 5, bytesOut: 50 },
    { clientId: 2, day: '2026-11-22', bytesIn: 5, bytesOut: 5 },
  ])
})

test('before the first log there is no traffic', async () => {
  expect(await readTraffic(join(directory, 'none/access.log'), null, ALL)).toEqual({
    cursor: '[]',
    traffic: [],
  })
})

test('a line being written is counted once it is whole, and a read without news keeps the cursor', async () => {
  const one = reader()
  const whole = line(1, 7)
  await appendFile(log, line(1, 5) + whole.slice(0, 20))
  await one.read()
  expect(one.total.get(1)).toBe(5)
  const before = one.cursor()
  await one.read()
  expect(one.cursor()).toBe(before)
  await appendFile(log, whole.slice(20))
  await one.read()
  expect(one.total.get(1)).toBe(12)
})

test('a long log is read in parts of the size asked for, each line once', async () => {
  const lines = Array.from({ length: 40_000 }, () => line(3, 2))
  await appendFile(log, lines.join(''))
  const one = reader()
  let before: string | null = 'none'
  let rounds = 0
  for (; one.cursor() !== before; rounds += 1) {
    before = one.cursor()
    await one.read({ maxBytes: 100_000 })
  }
  expect(rounds).toBeGreaterThan(2)
  expect(one.total.get(3)).toBe(80_000)
})

test('a late line in a rotated file is counted, and the rotated file is not counted again', async () => {
  const one = reader()
  await appendFile(log, line(1, 1))
  await one.read()
  await rename(log, `${log}.1`)
  await appendFile(`${log}.1`, line(1, 10))
  await writeFile(log, line(1, 100))
  await one.read()
  await appendFile(`${log}.1`, line(1, 1000))
  await rename(`${log}.1`, `${log}.2`)
  await one.read()
  await one.read()
  expect(one.total.get(1)).toBe(1111)
})

test('a file that is missed while it is being renamed is not counted from its start', async () => {
  const one = reader()
  await appendFile(log, line(1, 1))
  await one.read()
  await rename(log, join(directory, 'elsewhere'))
  await one.read()
  await rename(join(directory, 'elsewhere'), `${log}.1`)
  await one.read()
  expect(one.total.get(1)).toBe(1)
})

test('a new file with the inode of a deleted one is read from its start', async () => {
  const one = reader()
  await appendFile(log, line(1, 1).repeat(3))
  await one.read()
  // In place, so that the inode stays: what a file system does that gives a freed inode out again.
  await truncate(log)
  await appendFile(log, Array.from({ length: 9 }, () => line(1, 10)).join(''))
  await one.read()
  expect(one.total.get(1)).toBe(93)
})

test('a rotation by copying neither repeats nor loses what stood in the log', async () => {
  const one = reader()
  await appendFile(log, line(1, 1) + line(1, 1))
  await one.read()
  await appendFile(log, line(1, 10))
  await copyFile(log, `${log}.1`)
  await one.read()
  expect(one.total.get(1)).toBe(12)
  await truncate(log)
  await appendFile(log, line(1, 100))
  await one.read()
  await one.read()
  expect(one.total.get(1)).toBe(112)
})

test('the tail of a log that a power cut took is not made up for by counting the rest again', async () => {
  const one = reader()
  const first = Array.from({ length: 10 }, () => line(1, 1)).join('')
  await appendFile(log, first + line(1, 1))
  await one.read()
  await truncate(log, first.length)
  await one.read()
  await appendFile(log, line(1, 100))
  await one.read()
  expect(one.total.get(1)).toBe(111)
})

test('over 300 random appends, rotations and lost reads, every line counts exactly once', async () => {
  let seed = 20_261_121
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const one = reader()
  const written = new Map<number, number>()
  const append = async (file: string) => {
    let text = ''
    for (let n = random(30); n >= 0; n -= 1) {
      const [client, bytes] = [1 + random(3), random(10_000)]
      written.set(client, (written.get(client) ?? 0) + bytes)
      text += line(client, bytes)
    }
    await appendFile(file, text)
  }
  await append(log)
  for (let round = 0; round < 300; round += 1) {
    const action = random(6)
    if (action <= 2) await append(log)
    else if (action === 3) await one.read({ lost: random(2) === 0, maxBytes: 500 + random(3000) })
    else if (action === 4) {
      for (let age = 6; age >= 1; age -= 1)
        await rename(`${log}.${age}`, `${log}.${age + 1}`).catch(() => null)
      await rename(log, `${log}.1`)
      if (random(2) === 0) await one.read()
      await append(`${log}.1`)
      await append(log)
      // The oldest goes only after it has been read.
      await one.read()
      await rm(`${log}.7`, { force: true })
    }
  }
  await one.read()
  await one.read()
  expect(one.total).toEqual(written)
})

test('malformed lines, unknown clients and impossible numbers count for nobody and end nothing', async () => {
  const bad = [
    'not json',
    '',
    'null',
    '[]',
    '{"t":1,"c":1,"h":"a","s":200,"o":1,"i":1}',
    '{"t":1,"c":"","h":"a","s":200,"o":1,"i":1}',
    '{"t":1,"c":"0","h":"a","s":200,"o":1,"i":1}',
    '{"t":1,"c":"-1","h":"a","s":200,"o":1,"i":1}',
    '{"t":1,"c":"1","h":"a","s":200,"o":-5,"i":1}',
    '{"t":1,"c":"1","h":"a","s":200,"o":1.5,"i":1}',
    '{"t":1e300,"c":"1","h":"a","s":200,"o":1,"i":1}',
    '{"t":"x","c":"1","h":"a","s":200,"o":1,"i":1}',
    '{"t":1,"c":"9999999999999999999","h":"a","s":200,"o":1,"i":1}',
  ]
  for (const text of bad) expect(parseLine(text)).toBeNull()
  await appendFile(log, `${bad.join('\n')}\n${'\0'.repeat(2_500_000)}\n${line(9, 4)}`)
  const one = reader()
  await one.read()
  expect([...one.total]).toEqual([[9, 4]])
})

test('what a visitor sends cannot charge another client, in the log of a real nginx', async () => {
  const port = await freePort()
  await mkdir(join(directory, 'c/7/1/public'), { recursive: true })
  await writeFile(join(directory, 'c/7/1/public/page'), 'x'.repeat(5000))
  const config = `daemon off; master_process off; pid ${directory}/pid; events {} http {
    map $realpath_root $client { "~^${directory}/c/(?<found>[0-9]+)/" $found; }
    log_format use escape=json '{"t":$msec,"c":"$client","h":"$host","s":$status,"o":$bytes_sent,"i":$request_length}';
    access_log ${log} use; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join(' ')}
    server { listen 127.0.0.1:${port}; root ${directory}/c/7/1/public; } }`
  await writeFile(join(directory, 'nginx.conf'), config)
  const argv = ['nginx', '-c', join(directory, 'nginx.conf'), '-e', join(directory, 'error.log')]
  const nginx = Bun.spawn(argv, { stdout: 'ignore', stderr: 'ignore' })
  try {
    await answering(`http://127.0.0.1:${port}/page`)
    const hosts = ['a","c":"8', 'a\\","c":"8","x":"', "a'}", 'ñ.es', 'a.es']
    for (const host of hosts) {
      await Bun.spawn([
        'curl',
        '-s',
        '-o',
        '/dev/null',
        '-H',
        `Host: ${host}`,
        '-H',
        'X: "c":"8"',
        `http://127.0.0.1:${port}/page?"c":"8"`,
      ]).exited
    }
  } finally {
    nginx.kill()
    await nginx.exited
  }
  const traffic = await reader().read()
  expect(traffic.map(({ clientId }) => clientId)).toEqual([7])
  expect(traffic[0]?.bytesOut).toBeGreaterThan(10_000)
  expect(traffic[0]?.bytesIn).toBeGreaterThan(100)
})
