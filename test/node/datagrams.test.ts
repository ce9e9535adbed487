import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../support/wait.ts'
import { startNode, type TestNode } from './support.ts'

let node: TestNode
const told: string[] = []

beforeAll(async () => {
  node = await startNode({ keptOutMs: 4_000, report: ({ message }) => void told.push(message) })
  for (const clientId of [1, 2]) {
    await node.client(clientId)
    await node.site(clientId, clientId * 10, `c${clientId}.es`)
    node.put(clientId, clientId * 10, 'hola.php', '<?php echo "hola";')
    // Each socket that is connected has a port of its own.
    node.put(
      clientId,
      clientId * 10,
      'puertos.php',
      '<?php for ($held = []; count($held) < (int) $_GET["n"]; ) $held[] = stream_socket_client("udp://127.0.0.1:9"); echo "tengo"; flush(); sleep(60);',
    )
  }
}, 60_000)
afterAll(() => node[Symbol.asyncDispose]())

/** As a scheduled task has it. */
const begun = (clientId: number) => {
  const client = { clientId, sites: [{ siteId: clientId * 10, domain: `c${clientId}.es` }] }
  return node.node.runCaged({ client, sees: 'client', argv: ['/bin/true'], network: true, deadlineMs: 5_000 })
}
const asked = (clientId: number, path: string) => {
  const url = `http://c${clientId}.es:${node.options.httpPort}${path}`
  const to = ['--resolve', `c${clientId}.es:${node.options.httpPort}:127.0.0.1`]
  return Bun.spawn(['curl', '-s', '-m', '50', '-w', '%{http_code}', ...to, url])
}

test('a client that takes the machine’s ports for datagrams is kept out for a while, and no other is', async () => {
  const other = asked(2, '/puertos.php?n=500')
  const attack = [asked(1, '/puertos.php?n=3000'), asked(1, '/puertos.php?n=3000')]
  await Promise.all(attack.map(({ exited }) => exited))
  expect(told).toEqual([
    expect.stringMatching(/^client 1 held [2-6]\d{3} ports for datagrams: kept out for 4 s$/),
  ])
  expect(node.get('c1.es', '/hola.php').status).toBeGreaterThanOrEqual(500)
  expect([other.exitCode, node.get('c2.es', '/hola.php').body]).toEqual([null, 'hola'])
  await expect(begun(1)).rejects.toThrow('kept out for a while')
  expect((await (await begun(2)).ended).code).toBe(0)
  other.kill()
  await eventually(
    async () => node.get('c1.es', '/hola.php').body === 'hola',
    'the client being let in again',
  )
  expect((await (await begun(1)).ended).code).toBe(0)
}, 60_000)
