import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedClient } from '../../deploy/database/embedded/database.ts'
import { joined, withoutOthers } from '../../lib/moves/belongings.ts'
import { isLeaving, type MoveFacts } from '../../lib/moves/decide.ts'
import { createDatabase, type Database } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'
import * as tables from '../../schema/tables.ts'

const NOW = new Date(1_790_000_000_000)
let folder: string
let db: Database

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moves-'))
  const client = embeddedClient(join(folder, 'panel.db'))
  await migrate(client, NOW, async () => {})
  db = createDatabase(client)
  const owner = (id: number) => ({
    ...{ id, name: `c${id}`, language: 'es' as const, state: 'activo' as const, node: 'nodo1' },
    ...{ createdBy: 'token' as const, createdAt: NOW, updatedAt: NOW },
  })
  const zone = (name: string, clientId: number) => ({
    ...{ name, reversed: name, clientId, node: 'nodo1', serial: 1, state: 'activa' as const },
    ...{ ds: [], createdAt: NOW, updatedAt: NOW },
  })
  await db.write(async (tx) =>
    tx.later(
      tx.insert(tables.clients).values([owner(1), owner(2)]),
      tx.insert(tables.zones).values([zone('own.es', 1), zone('taken.es', 2)]),
    ),
  )
})
afterAll(async () => {
  db.close()
  await rm(folder, { recursive: true })
})

test('of what a client had on a node, names that another client has taken since are left alone', async () => {
  const had = { hosts: ['own.es'], zones: ['own.es', 'gone.es', 'taken.es'], held: [] }
  expect(await withoutOthers(db.read, 1, had)).toEqual({ ...had, zones: ['own.es', 'gone.es'] })
})

test('what was deleted since the switch is removed with what is there, each once', () => {
  const base = (databaseId: number, name: string) => ({ databaseId, name })
  const now = { hosts: ['a.es'], zones: ['a.es'], held: [base(1, 'c1_a')] }
  const before = { hosts: ['a.es', 'b.es'], zones: ['b.es'], held: [base(1, 'c1_a'), base(2, 'c1_b')] }
  expect(joined(now, before)).toEqual({
    hosts: ['a.es', 'b.es'],
    zones: ['a.es', 'b.es'],
    held: [base(1, 'c1_a'), base(2, 'c1_b')],
  })
  expect(joined(now, null)).toEqual(now)
})

test.each([
  ['without a move stays', null, false],
  ['that is being moved away leaves', 'nodo1', true],
  ['that came from another node stays', 'nodo2', false],
])('a client %s', (_, source, leaves) => {
  // What else is known of either does not count.
  const facts = { client: { node: 'nodo1' }, move: source && { source } } as Pick<
    MoveFacts,
    'client' | 'move'
  >
  expect(isLeaving(facts)).toBe(leaves)
})
