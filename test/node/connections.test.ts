import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { selfSigned } from '../../deploy/node/certificates/self-signed.ts'
import { type Listening, serve } from '../../deploy/node/server.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'

/** How long a connection of these tests may be silent. */
const IDLE_SECONDS = 2

const MOST = 500
/** Another machine. */
const OTHER = '127.0.0.2'

let port: number
let server: Listening

beforeAll(async () => {
  port = await freePort()
  const certificate = await selfSigned({ names: ['localhost'], addresses: ['127.0.0.1'], years: 1 })
  const app = { fetch: answer, idleSeconds: IDLE_SECONDS, mostConnections: MOST }
  server = await serve(app, certificate, port, [])
})
afterAll(() => server.stop())

/** Streams that were given, and how many of them were told that nobody reads on. */
const streams = { given: 0, cancelled: 0 }

function stream(): Response {
  streams.given += 1
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    await Bun.sleep(20)
    controller.enqueue(new Uint8Array(1_000))
  }
  const cancel = () => {
    streams.cancelled += 1
  }
  return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }))
}

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === '/late') await Bun.sleep(500)
  if (['/late', '/stream'].includes(pathname)) return stream()
  if (pathname === '/slow') await Bun.sleep(IDLE_SECONDS * 3_000)
  if (pathname === '/nothing') return new Response(null, { status: 204 })
  return new Response(request.method === 'PUT' ? `${(await request.bytes()).length}` : 'done')
}

/** A connection, with what has come on it and whether it is closed. */
async function opened(localAddress = '127.0.0.1') {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  const options = { host: '127.0.0.1', port, localAddress, rejectUnauthorized: false }
  const socket = connect(options as ConnectionOptions, () => resolve(socket))
  const seen = { text: '', isClosed: false }
  socket.on('data', (part) => (seen.text += part))
  socket.on('error', reject)
  socket.on('close', () => (seen.isClosed = true))
  await promise
  return { socket, seen }
}
const head = (method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`

test.each(['/stream', '/late'])(
  'who hangs up on %s, which has begun or has not, ends what made it',
  async (path) => {
    const before = { ...streams }
    const { socket } = await opened()
    socket.write(head('GET', path))
    await Bun.sleep(200)
    socket.destroy()
    const isOver = async () => streams.given > before.given && streams.cancelled - before.cancelled === 1
    await eventually(isOver, 'its end', 5_000)
  },
)

describe('a connection', () => {
  test('is kept while its request is being done, however long that takes', async () => {
    const { socket, seen } = await opened()
    socket.write(head('GET', '/slow'))
    await Bun.sleep(IDLE_SECONDS * 4_000)
    expect(seen.text).toEndWith('done')
    socket.destroy()
  }, 30_000)

  test('is kept while requests come, also if their answers are empty', async () => {
    const { socket, seen } = await opened()
    for (let asked = 0; asked < IDLE_SECONDS * 4; asked++) {
      socket.write(head('GET', '/nothing'))
      await Bun.sleep(1_000)
    }
    expect(seen.text.split('204 No Content').length - 1).toBe(IDLE_SECONDS * 4)
    socket.destroy()
  }, 30_000)

  test('is kept while a body comes, piece by piece, and has its answer', async () => {
    const { socket, seen } = await opened()
    socket.write(head('PUT', '/', 'Content-Length: 8\r\n'))
    for (let sent = 0; sent < 8; sent++) {
      await Bun.sleep(1_000)
      socket.write('x')
    }
    await Bun.sleep(500)
    expect(seen.text).toEndWith('8')
    socket.destroy()
  }, 30_000)

  test.each([
    ['says nothing', ''],
    ['sends half of a head', 'GET / HTTP/1.1\r\nHost: loc'],
    ['sends half of a body', head('PUT', '/', 'Content-Length: 8\r\n').concat('xxxx')],
    ['has had its answer', head('GET', '/nothing')],
  ])(
    'that %s is closed after a while',
    async (_, words) => {
      const { socket, seen } = await opened()
      if (words !== '') socket.write(words)
      await Bun.sleep(IDLE_SECONDS * 1_000 + 6_000)
      expect(seen.isClosed).toBe(true)
      socket.destroy()
    },
    30_000,
  )
})

describe('while thousands of connections of one address say nothing', () => {
  const SILENT = 4_000
  const openFiles = () => readdirSync('/proc/self/fd').length
  let attacker: Bun.Subprocess<'ignore', 'pipe', 'inherit'>
  let quiet = 0

  /** By another program, whose files are not this one's. Those that are ended it begins again. */
  const program = () => `import { connect } from 'node:net'
    let left = ${SILENT}
    const begun = () => --left || console.log('begun')
    const begin = () => connect({ port: ${port}, host: '127.0.0.1', localAddress: '127.0.0.1' }, begun)
      .on('error', () => undefined).on('close', () => setTimeout(begin, 1000))
    for (let at = 0; at < ${SILENT}; at++) begin()`
  beforeAll(async () => {
    quiet = openFiles()
    attacker = Bun.spawn([process.execPath, '-e', program()], { stdout: 'pipe' })
    await attacker.stdout.getReader().read()
  })
  afterAll(() => attacker.kill())

  test('they take no more of the open files than they may', async () => {
    await eventually(
      async () => openFiles() - quiet <= MOST + 10,
      'the end of those that are too many',
      2_000,
    )
  })

  test.each(['127.0.0.1', OTHER])(
    'a page is answered at once to %s, on a connection that stays',
    async (from) => {
      const { socket, seen } = await opened(from)
      for (let asked = 1; asked <= 6; asked++) {
        const began = performance.now()
        socket.write(head('GET', '/'))
        await eventually(async () => seen.text.split('done').length > asked, 'the page', 5_000)
        expect(performance.now() - began).toBeLessThan(1_000)
        await Bun.sleep(500)
      }
      socket.destroy()
    },
    30_000,
  )
})
