import { expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import { listensAlone } from '../../deploy/node/services/ports.ts'

const opened = (port: number, host: string) =>
  new Promise<Server>((resolve) => {
    const server = createServer().listen(port, host, () => resolve(server))
  })
const portOf = (server: Server) => (server.address() as { port: number }).port
const closed = (server: Server) => new Promise((resolve) => server.close(resolve))

test('a process that has opened no socket since the last look is not looked for again', async () => {
  const first = await opened(0, '127.0.0.1')
  const wanted = [{ protocol: 'tcp' as const, address: '127.0.0.1', port: portOf(first) }]
  await closed(first)
  const look = listensAlone(process.pid, wanted, null)
  if (look === true) throw new Error('nobody listens there')
  expect(listensAlone(process.pid, wanted, look)).toBe(look)
  const again = await opened(wanted[0]?.port ?? 0, '127.0.0.1')
  expect(listensAlone(process.pid, wanted, look)).toBe(true)
  await closed(again)
})

test('a socket that was there already is looked at again after a quarter of a second', async () => {
  const server = await opened(0, '127.0.0.1')
  const wanted = [{ protocol: 'tcp' as const, address: '127.0.0.1', port: portOf(server) }]
  const elsewhere = [{ protocol: 'tcp' as const, address: '127.0.0.2', port: portOf(server) }]
  const look = listensAlone(process.pid, elsewhere, null)
  if (look === true) throw new Error('nobody listens there')
  expect(listensAlone(process.pid, wanted, look)).toBe(look)
  expect(listensAlone(process.pid, wanted, { ...look, at: look.at - 250 })).toBe(true)
  await closed(server)
})
