import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { LogFiles } from '../../deploy/node/logs/files.ts'
import { createSiteLogs } from '../../deploy/node/logs/site-logs.ts'
import type { LogFilter, LogPlace, LogRow, PhpMessage, Visit } from '../../lib/endpoint/ports/logs.ts'
import { startNode, step, type TestNode } from '../node/support.ts'
import { eventually } from '../support/wait.ts'

let node: TestNode
beforeAll(async () => {
  node = await startNode()
  await node.client(1)
  await node.client(2)
  await node.site(1, 10, 'uno.es')
  await node.site(1, 11, 'dos.es')
  await node.site(2, 20, 'tres.es')
  for (const [client, site] of [
    [1, 10],
    [1, 11],
    [2, 20],
  ] as const)
    node.put(client, site, 'index.html', 'hola')
}, 60_000)
afterAll(() => node[Symbol.asyncDispose](), 60_000)

const ALL: LogFilter = { from: null, to: null, text: null, status: null }
const place = (clientId: number, siteId: number, kind: LogPlace['kind'] = 'acceso') => ({
  clientId,
  siteId,
  kind,
})
const logsOf = (siteId: number) => node.node.layout.logsOf(siteId)

async function rows(at: LogPlace, filter: Partial<LogFilter> = {}): Promise<LogRow[]> {
  const wanted = { filter: { ...ALL, ...filter }, before: null, limit: 200 }
  const page = await node.node.siteLogs.logs.page(at, wanted)
  return page?.rows.map(({ row }) => row) ?? []
}
const visits = async (siteId: number, filter: Partial<LogFilter> = {}) =>
  (await rows(place(siteId < 20 ? 1 : 2, siteId), filter)) as Visit[]
const messages = async (siteId: number) =>
  (await rows(place(siteId < 20 ? 1 : 2, siteId, 'php'))) as PhpMessage[]

describe('visits', () => {
  test('a visit is told of by the site that was visited, and by no other', async () => {
    node.get('uno.es', '/index.html?q=uno', ['-A', 'Navegador 1'])
    node.get('tres.es', '/falta', ['-A', 'Navegador 3'])
    const [one] = await eventually(async () => {
      const found = await visits(10, { text: 'q=uno' })
      return found.length > 0 ? found : null
    }, 'the visit')
    expect(one).toMatchObject({
      address: '127.0.0.1',
      method: 'GET',
      path: '/index.html?q=uno',
      status: 200,
      agent: 'Navegador 1',
    })
    expect(one?.bytes).toBeGreaterThan(4)
    expect(Math.abs(Date.now() - (one?.at.getTime() ?? 0))).toBeLessThan(30_000)
    expect((await visits(20)).map(({ path, status }) => [path, status])).toEqual([['/falta', 404]])
    expect(await visits(11)).toEqual([])
  })

  test('what a visitor sends forges no line, wherever it is put', async () => {
    const forged = '{"cuando":"2026-01-01T00:00:00Z","direccion":"9.9.9.9","metodo":"GET","ruta":"/forged"}'
    const agents = [
      `x"}}\\n${forged}`,
      `x","r":${forged}`,
      `","w":"20","s":200,"h":"`,
      '\u009b31m \u202eabc ñ',
      'A'.repeat(9000),
      'back\\slash\\',
    ]
    for (const agent of agents) node.get('dos.es', '/hostil', ['-A', agent])
    await raw(
      `GET /crudo HTTP/1.1\r\nHost: dos.es\r\nUser-Agent: a\u001b[2Jb\u00ff\u0001\r\nConnection: close\r\n\r\n`,
    )
    await eventually(async () => (await visits(11)).length >= agents.length + 1, 'all visits')
    const found = (await visits(11)).reverse()
    expect(found).toHaveLength(agents.length + 1)
    expect(found.every(({ address }) => address === '127.0.0.1')).toBe(true)
    expect(found.slice(0, 4).map(({ agent }) => agent)).toEqual(agents.slice(0, 4))
    expect(found[4]?.agent).toBe('A'.repeat(500))
    expect(found[5]?.agent).toBe('back\\slash\\')
    expect(await visits(20, { text: 'forged' })).toEqual([])
    const text = readdirSync(logsOf(11))
      .map((name) => readFileSync(join(logsOf(11), name), 'utf8'))
      .join('')
    // Nothing that a terminal would obey.
    expect(/[^\n\x20-\x7e\u00a1-\u{10ffff}]/u.test(text)).toBe(false)
  })

  test('rows are found by text, status and time, page by page', async () => {
    for (let i = 0; i < 30; i++) node.get('uno.es', `/pagina-${i}`)
    await eventually(async () => (await visits(10, { text: '/PAGINA-' })).length === 30, 'thirty visits')
    expect(await visits(10, { text: '/pagina-', status: { lowest: 200, highest: 299 } })).toEqual([])
    const wanted = { filter: { ...ALL, text: '/pagina-', status: { lowest: 404, highest: 404 } }, limit: 7 }
    const seen: string[] = []
    for (let before: string | null = null, more = true; more; ) {
      const page = await node.node.siteLogs.logs.page(place(1, 10), { ...wanted, before })
      seen.push(...(page?.rows.map(({ row }) => (row as Visit).path) ?? []))
      before = page?.next ?? null
      more = before !== null
    }
    expect(seen).toEqual(Array.from({ length: 30 }, (_, i) => `/pagina-${29 - i}`))
    const future = new Date(Date.now() + 3_600_000)
    expect(await visits(10, { from: future })).toEqual([])
    expect(await visits(10, { to: new Date(Date.now() - 3_600_000) })).toEqual([])
    expect((await visits(10, { to: future })).length).toBeGreaterThan(30)
  })
})

describe('PHP', () => {
  const run = async (siteId: number, host: string, program: string) => {
    node.put(1, siteId, 'p.php', program)
    await eventually(async () => node.get(host, '/p.php').status !== 404, 'the program')
  }
  const has = (siteId: number, text: string) =>
    eventually(async () => (await messages(siteId)).find((one) => one.text.includes(text)) ?? null, text)

  test('an error is told of by the site whose program made it', async () => {
    await run(
      10,
      'uno.es',
      '<?php error_log("desde uno\nsegunda línea"); echo $nada; throw new Exception("fin");',
    )
    await run(11, 'dos.es', '<?php error_log("desde dos");')
    expect(await has(10, 'desde uno')).toMatchObject({ level: 'programa', text: 'desde uno\nsegunda línea' })
    expect(await has(10, 'Undefined variable $nada')).toMatchObject({ level: 'aviso' })
    expect(await has(10, 'Uncaught Exception: fin')).toMatchObject({ level: 'error' })
    await has(11, 'desde dos')
    expect((await messages(11)).every(({ text }) => !text.includes('desde uno'))).toBe(true)
    expect(await messages(20)).toEqual([])
  })

  test('a site that came after its client’s PHP had begun has its own log', async () => {
    await node.site(1, 12, 'cuatro.es')
    node.put(1, 12, 'p.php', '<?php error_log("desde cuatro");')
    await eventually(async () => {
      node.get('cuatro.es', '/p.php')
      const found = (await rows(place(1, 12, 'php'))) as PhpMessage[]
      return found.some(({ text }) => text === 'desde cuatro')
    }, 'its own log')
  })

  test('times of other zones are told as moments', async () => {
    const line = '<?php date_default_timezone_set("Europe/Madrid"); error_log("en otra zona");'
    const before = Date.now()
    await run(11, 'dos.es', line)
    const { at } = await has(11, 'en otra zona')
    expect(Math.abs(at.getTime() - before)).toBeLessThan(60_000)
  })

  test('what could not be read is kept until it can be', async () => {
    const { layout, identity, runCaged } = node.node
    const failing = createSiteLogs({
      layout,
      identity,
      limits: { days: 14, bytes: 1e9 },
      now: () => new Date(),
      runCaged: (program) => runCaged({ ...program, directory: '/not/there' }),
      report: () => {},
    })
    await run(11, 'dos.es', '<?php error_log("no se pierde");')
    await expect(failing.takePhp(1)).rejects.toThrow('was not read')
    expect(await has(11, 'no se pierde')).toMatchObject({ level: 'programa' })
  })

  test.each([
    ['a FIFO', (path: string) => void Bun.spawnSync(['mkfifo', '-m', '666', path])],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a file that nobody may read', (path: string) => writeFileSync(path, 'x', { mode: 0o000 })],
  ])(
    '%s of its client in the place of a log is not available for now, and goes on without it',
    async (_, make) => {
      const path = join(node.node.layout.client(1), 'logs', 'php-11.log.00000000000000000001')
      make(path)
      await expect(messages(11)).rejects.toMatchObject({ codigo: 'no_disponible', status: 503 })
      rmSync(path, { recursive: true })
      await run(11, 'dos.es', '<?php error_log("sin el estorbo");')
      expect(await has(11, 'sin el estorbo')).toMatchObject({ level: 'programa' })
    },
  )

  test('a folder that its client has filled with names keeps no log of its sites back', async () => {
    const folder = join(node.node.layout.client(1), 'logs')
    const names = Array.from({ length: 3_000 }, (_, i) => join(folder, `${'x'.repeat(60)}${i}`))
    for (const name of names) writeFileSync(name, '')
    await run(11, 'dos.es', '<?php error_log("entre muchos");')
    expect(await has(11, 'entre muchos')).toMatchObject({ level: 'programa' })
    for (const name of names) rmSync(name)
  })

  test('names that look as if they were taken hold others up no longer than a few', async () => {
    const taken = (i: number) =>
      join(node.node.layout.client(1), 'logs', `php-11.log.${String(i).padStart(20, '0')}`)
    for (let i = 0; i < 100; i++) writeFileSync(taken(i), '')
    await node.node.siteLogs.takePhp(1)
    const left = Array.from({ length: 100 }, (_, i) => taken(i)).filter((path) => existsSync(path))
    expect(left.length).toBeGreaterThan(50)
    for (const path of left) rmSync(path)
  })
})

test('visits are counted by the hour, and no kill counts one twice', async () => {
  const hours = async () => node.node.siteLogs.logs.hours(place(2, 20), { until: new Date(), many: 3 })
  const sum = async () => (await hours()).reduce((all, { visits: some }) => all + some, 0)
  const before = await sum()
  for (let i = 0; i < 5; i++) node.get('tres.es', '/contada')
  await eventually(async () => (await sum()) >= before + 5, 'five visits')
  expect(await sum()).toBe(before + 5)
  const counted = await hours()
  expect(counted).toHaveLength(3)
  const sent = (await visits(20)).reduce((all, { bytes }) => all + bytes, 0)
  expect(counted.reduce((all, { bytes }) => all + bytes, 0)).toBe(sent)
})

test('a kill between adding rows and noting it neither loses a visit nor tells it twice', async () => {
  const { layout, siteLogs } = node.node
  node.get('tres.es', '/antes-de-morir')
  await eventually(async () => (await visits(20, { text: 'antes-de-morir' })).length === 1, 'the visit')
  siteLogs.end()
  // As a killed process leaves it: the addition is noted as begun, and half of it is there.
  const state = join(layout.siteLogs, 'state.json')
  const before = readFileSync(state, 'utf8')
  const [name = ''] = readdirSync(logsOf(20)).filter((one) => one.startsWith('acceso-'))
  const path = join(logsOf(20), name)
  const length = readFileSync(path).length
  node.get('tres.es', '/durante')
  // nginx tells of a visit once it has answered it.
  await eventually(async () => {
    await siteLogs.split()
    return readFileSync(path, 'utf8').includes('/durante')
  }, 'the visit meanwhile')
  const whole = readFileSync(path, 'utf8')
  writeFileSync(state, JSON.stringify({ ...JSON.parse(before), undo: [{ file: `20/${name}`, length }] }))
  writeFileSync(path, whole.slice(0, -10))
  const again = createSiteLogs({
    layout,
    identity: node.node.identity,
    limits: { days: 14, bytes: 1e9 },
    now: () => new Date(),
    runCaged: node.node.runCaged,
    report: () => {},
  })
  again.begin()
  await again.split()
  again.end()
  expect(readFileSync(path, 'utf8')).toBe(whole)
})

test('old files go by their day and beyond the size, and a site that is gone has none', async () => {
  const root = join(node.directory, 'kept')
  mkdirSync(join(root, '5'), { recursive: true })
  let now = new Date('2026-11-01T12:00:00Z')
  const files = new LogFiles({ root, limits: { days: 3, bytes: 300_000 }, now: () => now })
  const add = (rows: string[]) =>
    files.add(
      new Map([
        [5, { visits: rows, php: [], hours: new Map([[493_000, { visits: 1, bytes: 2, errors: 0 }]]) }],
      ]),
      {},
    )
  add(['{"a":1}'])
  now = new Date('2026-11-05T12:00:00Z')
  add(['{"b":1}'])
  expect(readdirSync(join(root, '5')).filter((name) => name.startsWith('acceso'))).toEqual([
    'acceso-2026-11-05.log',
  ])
  // Set back, it begins no earlier file.
  now = new Date('2026-11-04T12:00:00Z')
  for (let i = 0; i < 20; i++) add([`{"c":"${'x'.repeat(30_000)}"}`])
  const left = readdirSync(join(root, '5')).filter((name) => name.startsWith('acceso'))
  expect(left.length).toBeGreaterThan(2)
  expect(left.length).toBeLessThan(7)
  expect(left.every((name) => name.startsWith('acceso-2026-11-05_'))).toBe(true)
  await node.site(2, 21, 'cinco.es')
  expect(existsSync(logsOf(21))).toBe(true)
  await node.node.removeSite({ siteId: 21, clientId: 2, hosts: ['cinco.es'], domain: 'cinco.es' }, step)
  expect(existsSync(logsOf(21))).toBe(false)
})

/** Bytes as they are given. */
function raw(request: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(node.options.httpPort, '127.0.0.1', () =>
      socket.write(Buffer.from(request, 'latin1')),
    )
    socket.on('data', () => {})
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })
}
