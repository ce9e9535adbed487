import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appendFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readTraffic } from '../../deploy/node/usage/traffic.ts'
import { startNode, type TestNode } from '../node/support.ts'
import { eventually } from '../support/wait.ts'

const MAX = 20_000
let node: TestNode

beforeAll(async () => {
  node = await startNode()
  await node.client(1)
  await node.site(1, 10, 'uno.es')
  node.put(1, 10, 'index.html', 'hola')
})
afterAll(() => node[Symbol.asyncDispose]())

const logs = () => node.node.layout.logs
const sizeOf = (name: string) => statSync(join(logs(), name), { throwIfNoEntry: false })?.size ?? 0

async function visits(count: number): Promise<number> {
  let sent = 0
  const url = `http://127.0.0.1:${node.options.httpPort}/`
  for (let i = 0; i < count; i += 20) {
    const answers = Array.from({ length: 20 }, async () => {
      const answer = await fetch(url, { headers: { host: 'uno.es' } })
      return (await answer.text()).length
    })
    sent += (await Promise.all(answers)).length
  }
  return sent
}

test('a flood of visits keeps the access log within its bound, and every visit is counted once', async () => {
  const each = await visits(20)
  let cursor: string | null = null
  let bytes = 0
  const read = async () => {
    const found = await readTraffic(node.node.layout.accessLog, cursor, 1e9)
    cursor = found.cursor
    for (const one of found.traffic) bytes += one.bytesOut
    return bytes
  }
  const one = await eventually(async () => {
    const sum = await read()
    return sum > 0 && sum % each === 0 ? sum / each : null
  }, 'the first visits')
  let sent = each
  let rotations = 0
  for (let round = 0; round < 10; round++) {
    sent += await visits(400)
    if (node.node.boundServiceLogs(MAX).includes('access.log')) rotations += 1
    await read()
  }
  await eventually(async () => (await read()) >= sent * one, 'all visits to be counted')
  expect(bytes).toBe(sent * one)
  expect(rotations).toBeGreaterThan(5)
  // The web server makes the new one a moment after the old one was renamed.
  await eventually(async () => existsSync(join(logs(), 'access.log')), 'the log to be made anew')
  const kept = readdirSync(logs()).filter((name) => name.startsWith('access.log'))
  expect(kept.sort()).toEqual(['access.log', 'access.log.1', 'access.log.2', 'access.log.3'])
})

test('other logs of the services are bounded too, and what writes to them goes on', async () => {
  for (const name of ['nginx-error.log', 'nginx.out']) appendFileSync(join(logs(), name), 'x'.repeat(MAX + 1))
  expect(node.node.boundServiceLogs(MAX)).toEqual(expect.arrayContaining(['nginx-error.log', 'nginx.out']))
  expect(sizeOf('nginx.out')).toBe(0)
  await eventually(
    async () => statSync(join(logs(), 'nginx-error.log'), { throwIfNoEntry: false }) ?? null,
    'nginx to open its log anew',
  )
  expect(sizeOf('nginx-error.log.1')).toBeGreaterThan(MAX)
  expect(node.get('uno.es').body).toBe('hola')
  expect(node.node.boundServiceLogs(MAX)).toEqual([])
})
