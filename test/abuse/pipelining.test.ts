import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type TLSSocket } from 'node:tls'
import { Panel } from '../support/panel.ts'
import { exchange, parseAnswer } from './wire.ts'

let panel: Panel
beforeAll(async () => {
  panel = await Panel.start()
})
afterAll(() => panel.stop())

const megabytes = () =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${panel.pid}/status`, 'utf8'))?.[1]) / 1024
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** A connection whose answers nobody reads. */
function unreadConnection(): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>()
  const socket = connect(
    { host: '127.0.0.1', servername: 'localhost', port: panel.port, ca: panel.ca },
    () => {
      socket.pause()
      resolve(socket)
    },
  )
  socket.on('error', reject)
  return promise
}

/** Sends many requests at once, reads nothing of the answers and hangs up. */
async function unread(path: string, count: number): Promise<void> {
  const socket = await unreadConnection()
  socket.write(request(path).repeat(count))
  await Bun.sleep(500)
  socket.destroy()
}

test('who sends a thousand requests at once and reads nothing has no memory held, during or after', async () => {
  for (const path of ['/openapi.json', '/']) await exchange(panel, request(path), 500)
  const before = megabytes()
  for (const path of ['/openapi.json', '/']) {
    await Promise.all(Array.from({ length: 4 }, () => unread(path, 1_000)))
    expect(megabytes() - before).toBeLessThan(80)
  }
}, 60_000)

test('of requests that are sent at once the first is answered, and the connection ends with it', async () => {
  for (let round = 0; round < 20; round++) {
    const received = await exchange(panel, request('/salud').repeat(3), 5_000)
    expect(parseAnswer(received)).toMatchObject({
      status: 200,
      headers: { connection: 'close' },
      body: expect.stringContaining('estado'),
    })
    expect([...received.matchAll(/HTTP\/1\.1/g)]).toHaveLength(1)
  }
})

test('nor is any for who asks again and again without reading', async () => {
  const rounds = async () => {
    const sockets = await Promise.all(Array.from({ length: 30 }, unreadConnection))
    for (let asked = 0; asked < 15; asked++) {
      for (const socket of sockets) if (socket.writable) socket.write(request('/openapi.json'))
      await Bun.sleep(100)
    }
    for (const socket of sockets) socket.destroy()
    await Bun.sleep(500)
  }
  await rounds()
  const before = megabytes()
  for (let round = 0; round < 3; round++) await rounds()
  expect(megabytes() - before).toBeLessThan(80)
}, 60_000)

test('the panel ends at once afterwards', async () => {
  await Promise.all(Array.from({ length: 4 }, () => unread('/openapi.json', 12)))
  const began = performance.now()
  process.kill(panel.pid, 'SIGTERM')
  await panel.died()
  expect(performance.now() - began).toBeLessThan(10_000)
}, 60_000)
