import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPage } from '../../deploy/node/logs/read.ts'
import { removeRotated, shortenLogs } from '../../deploy/node/logs/shorten.ts'
import { shortenAddress } from '../../lib/text/shorten.ts'

test.each([
  ['203.0.113.77', '203.0.113.0'],
  ['203.0.113.0', '203.0.113.0'],
  ['::ffff:203.0.113.77', '::ffff:203.0.113.0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ['2001:db8::7', '2001:db8::'],
  ['2001:db8:1::', '2001:db8:1::'],
  ['fe80::1%eth0', 'fe80::'],
  ['::1', '::'],
  ['', ''],
  ['unix:', 'unix:'],
  ['fade', 'fade'],
])('%s is shortened to %s, and that to itself', (address, short) => {
  expect(shortenAddress(address)).toBe(short)
  expect(shortenAddress(short)).toBe(short)
  expect(short.length).toBeLessThanOrEqual(address.length)
})

const BEFORE = new Date('2026-11-20T04:40:00Z')
const OLD = new Date('2026-11-10T00:00:00Z')
const FILTER = { from: null, to: null, text: null, status: null }
let root: string
const layout = () => ({
  ...{ siteLogs: join(root, 'l'), logs: join(root, 'log'), temporary: join(root, 'tmp') },
  logsOf: (site: number) => join(root, 'l', String(site)),
})
const reports: string[] = []
const shorten = () => shortenLogs(layout(), { before: BEFORE, report: (message) => reports.push(message) })

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shorten-'))
  for (const name of ['l', 'l/7', 'log', 'tmp']) mkdirSync(join(root, name))
  reports.length = 0
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const row = (address: string, agent = 'A') =>
  `{"cuando":"2026-11-10T10:00:00+00:00","direccion":"${address}","metodo":"GET","ruta":"/ñ","estado":200,"bytes":9,"segundos":0.001,"agente":"${agent}"}`
const raw = (address: string) =>
  `{"t":1762768800.123,"c":"1","o":9,"i":9,"w":"7","s":200,"h":"a.es","r":${row(address)}}`
const FORGED = '\\"direccion\\":\\"198.51.100.9\\"'

test('rows of old days keep their places, and those of later days their addresses', async () => {
  const directory = layout().logsOf(7)
  const text = `${row('203.0.113.77', FORGED)}\n{damaged\n${row('2001:db8:1:2::5')}\n`
  writeFileSync(join(directory, 'acceso-2026-11-10.log'), text)
  writeFileSync(join(directory, 'acceso-2026-11-20.log'), `${row('203.0.113.78')}\n`)
  writeFileSync(join(directory, 'php-2026-11-10.log'), 'from 203.0.113.77 \n')
  const pages = async () => {
    const page = await readPage(directory, 'acceso', { filter: FILTER, before: null, limit: 10 })
    return page?.rows.map(({ row, place }) => [place, row.kind === 'acceso' ? row.address : '']) ?? []
  }
  const before = await pages()
  expect(await shorten()).toBe(1)
  const after = await pages()
  expect(after.map(([place]) => place)).toEqual(before.map(([place]) => place))
  expect(after.map(([, address]) => address)).toEqual(['203.0.113.78', '2001:db8:1::', '203.0.113.0'])
  const changed = readFileSync(join(directory, 'acceso-2026-11-10.log'), 'utf8')
  expect(Buffer.byteLength(changed)).toBe(Buffer.byteLength(text))
  expect(changed).toContain('198.51.100.9')
  expect(readFileSync(join(directory, 'php-2026-11-10.log'), 'utf8')).toContain('203.0.113.77')
  expect(readdirSync(join(root, 'tmp'))).toEqual([])
})

test('what is done is not read again, and what a kill left undone is', async () => {
  const path = join(layout().logsOf(7), 'acceso-2026-11-10.log')
  writeFileSync(path, `${row('203.0.113.77')}\n`)
  await shorten()
  const { ino } = statSync(path)
  expect(await shorten()).toBe(0)
  expect(statSync(path).ino).toBe(ino)
  const done = readFileSync(path, 'utf8')
  rmSync(join(root, 'l/acortadas.json'))
  expect(await shorten()).toBe(1)
  expect(readFileSync(path, 'utf8')).toBe(done)
  writeFileSync(join(layout().logsOf(7), 'acceso-2026-11-11.log'), `${row('203.0.113.9')}\n`)
  expect(await shorten()).toBe(1)
})

test('compressed logs keep their age, and a damaged one is told of and keeps none of the others', async () => {
  const put = (name: string, content: Uint8Array) => {
    const path = join(root, 'log', name)
    writeFileSync(path, content)
    utimesSync(path, OLD, OLD)
    return path
  }
  put('access.log.2.gz', Buffer.from('no gzip'))
  const path = put('access.log.3.gz', Bun.gzipSync(`${raw('203.0.113.77')}\n${raw('2001:db8:1:2::5')}\n`))
  const errors = put('error.log.3.gz', Bun.gzipSync('open() failed, client: 203.0.113.77, server: a.es\n'))
  const text = (of: string) => new TextDecoder().decode(Bun.gunzipSync(readFileSync(of)))
  expect(await shorten()).toBe(2)
  expect(reports).toHaveLength(1)
  expect(text(path)).toBe(`${raw('203.0.113.0')}\n${raw('2001:db8:1::')}\n`)
  expect(text(errors)).toContain('client: 203.0.113.0, server')
  expect(statSync(path).mtime).toEqual(OLD)
  expect(await shorten()).toBe(0)
})

test('of logs that were put aside, only old ones that nothing compressed are removed', () => {
  for (const name of ['access.log', 'access.log.1', 'access.log.2', 'access.log.3.gz'])
    writeFileSync(join(root, 'log', name), 'x')
  for (const name of ['access.log', 'access.log.2', 'access.log.3.gz'])
    utimesSync(join(root, 'log', name), OLD, OLD)
  expect(removeRotated(join(root, 'log'), BEFORE)).toBe(1)
  expect(readdirSync(join(root, 'log')).sort()).toEqual(['access.log', 'access.log.1', 'access.log.3.gz'])
})
