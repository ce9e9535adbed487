import { expect, test } from 'bun:test'
import { rollsBackPrepared } from '../../deploy/node/databases/watching/prepared.ts'
import { eventually } from '../support/wait.ts'

const refusal = () => Object.assign(new Error('unknown XID'), { errno: 1397 })

/** A server with these prepared, of which the slow ones are rolled back when told. */
function serverWith(names: string[], slow: string[]) {
  const [left, begun, ends] = [new Set(names), [] as string[], new Map<string, () => void>()]
  const run = async (statement: string) => {
    if (statement.startsWith('XA RECOVER')) return [...left].map((data) => ({ data }))
    const name = statement.slice('XA ROLLBACK '.length)
    begun.push(name)
    if (!left.has(name)) throw refusal()
    if (slow.includes(name)) await new Promise<void>((resolve) => ends.set(name, resolve))
    left.delete(name)
    return []
  }
  return { run, left, begun, end: (name: string) => ends.get(name)?.() }
}

test('a rollback that takes long holds up neither the look nor the others, and is asked for once', async () => {
  const server = serverWith(["'a'", "'b'", "'c'", "X'0a','x',7", "'d'"], ["'a'"])
  const look = rollsBackPrepared({ administration: server, report: () => undefined })
  await look()
  await eventually(async () => server.left.size === 1, 'all others to be gone')
  await look()
  expect(server.begun).toEqual(["'a'", "'b'", "'c'", "X'0a','x',7", "'d'"])
  server.end("'a'")
  await eventually(async () => server.left.size === 0, 'it to be gone')
})

test('no more than two are rolled back at once, and the next when one of them is done', async () => {
  const names = ["'a'", "'b'", "'c'"]
  const server = serverWith(names, names)
  const look = rollsBackPrepared({ administration: server, report: () => undefined })
  await look()
  await look()
  expect(server.begun).toEqual(["'a'", "'b'"])
  server.end("'b'")
  await eventually(async () => server.begun.length === 3, 'the third to begin')
  expect(server.begun.at(-1)).toBe("'c'")
})

test('what is no name as the server writes it is put into no statement', async () => {
  const server = serverWith(["'a'; DROP DATABASE x", "'a\\'b'"], [])
  await rollsBackPrepared({ administration: server, report: () => undefined })()
  expect(server.begun).toEqual([])
})

test('a server that answers no more is told of once, not for each of them', async () => {
  const told: string[] = []
  const run = async (statement: string) => {
    if (statement.startsWith('XA RECOVER')) return ["'a'", "'b'", "'c'", "'d'"].map((data) => ({ data }))
    throw new Error('connection closed')
  }
  await rollsBackPrepared({ administration: { run }, report: (text) => void told.push(text) })()
  await eventually(async () => told.length > 0, 'word of it')
  expect(told.length).toBeLessThanOrEqual(2)
})
