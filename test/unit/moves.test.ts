import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { embeddedClient } from '../../deploy/database/embedded/database.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { joined, without, withoutOthers } from '../../lib/moves/belongings.ts'
import { switchOver } from '../../lib/moves/commands.ts'
import {
  decideConfirming,
  decideMove,
  isLeaving,
  type MoveFacts,
  requireClear,
} from '../../lib/moves/decide.ts'
import { selectMove } from '../../lib/moves/facts.ts'
import { createDatabase, type Database } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'
import * as tables from '../../schema/tables.ts'
import { partly } from '../support/partly.ts'

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
      tx
        .insert(tables.databases)
        .values({ clientId: 2, name: 'c_taken', state: 'activa' as const, createdAt: NOW }),
    ),
  )
})
afterAll(async () => {
  db.close()
  await rm(folder, { recursive: true })
})

test('of what a client had on a node, names that another client has taken since are left alone', async () => {
  const [gone, taken] = ['c_gone', 'c_taken'].map((name, databaseId) => ({ databaseId, name }))
  const had = {
    ...{ hosts: ['own.es'], zones: ['own.es', 'gone.es', 'taken.es'] },
    held: [gone, taken].flatMap((base) => base ?? []),
  }
  expect(await withoutOthers(db.read, 1, had)).toEqual({
    ...had,
    zones: ['own.es', 'gone.es'],
    held: had.held.slice(0, 1),
  })
})

test('what was deleted since the switch is removed with what is there, each once', () => {
  const base = (databaseId: number, name: string) => ({ databaseId, name })
  const now = { hosts: ['a.es'], zones: ['a.es'], held: [base(1, 'c1_a')] }
  const before = { hosts: ['a.es', 'b.es'], zones: ['b.es'], held: [base(1, 'c1_a'), base(2, 'c1_b')] }
  expect(joined(now, before)).toEqual({
    hosts: ['a.es', 'b.es'],
    zones: ['a.es', 'b.es'],
    held: [base(1, 'c1_a'), base(2, 'c1_b')],
    sites: [],
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

test('what a node has of a client and the client has nowhere any more is told by key, not by name alone', () => {
  const site = (siteId: number, domain: string) => ({ siteId, domain })
  const now = { hosts: ['a.es'], zones: ['a.es'], held: [], sites: [site(3, 'a.es')] }
  const before = {
    ...{ hosts: ['a.es', 'b.es'], zones: ['a.es', 'b.es'], held: [{ databaseId: 1, name: 'c1_a' }] },
    sites: [site(1, 'a.es'), site(3, 'a.es')],
  }
  expect(without(before, now)).toEqual({
    ...{ hosts: ['b.es'], zones: ['b.es'], held: [{ databaseId: 1, name: 'c1_a' }] },
    sites: [site(1, 'a.es')],
  })
  const older = { hosts: [], zones: ['b.es'], held: [] }
  expect(without(older, now)).toEqual({ hosts: [], zones: ['b.es'], held: [], sites: [] })
})

test.each([
  [{}, null],
  [{ isPresent: false }, 'nodo_ausente'],
  [{ isWell: false }, 'nodo_con_fallos'],
  [{ isAsWanted: false }, 'con_diferencias'],
  [{ isPresent: false, isWell: false, isAsWanted: false }, 'nodo_ausente'],
] as const)(
  'a move is confirmed by itself only where its new node serves: %p waits for %p',
  (lacks, waits) => {
    expect(decideConfirming({ isPresent: true, isWell: true, isAsWanted: true, ...lacks })).toBe(waits)
  },
)

test('with the switch all of a client belongs to its new node: zones, their mirrors, work that waited', async () => {
  const mirror = { zone: 'own.es', zoneId: 1, node: 'nodo1', clientName: 'c1', kind: 'cloudflare' }
  const job = { kind: 'zona.publicar', subject: 'cliente:1', target: 'own.es', clientName: 'c1', payload: {} }
  await db.write(async (tx) =>
    tx.later(
      tx.update(tables.clients).set({ moving: true }).where(eq(tables.clients.id, 1)),
      tx.insert(tables.mirrors).values({ ...mirror, state: 'al_dia', createdAt: NOW, updatedAt: NOW }),
      tx.insert(tables.jobs).values({
        ...{ ...job, id: 'job_1', node: 'mudanza:1', state: 'pendiente' as const },
        ...{ cancellable: false, nextAt: NOW, createdAt: NOW },
      }),
      tx.insert(tables.moves).values({
        ...{ clientId: 1, source: 'nodo1', target: 'nodo2', phase: 'cerrada' as const, job: 'job_0' },
        ...{ firstCopy: 'a', lastCopy: 'b', startedAt: NOW, closedAt: NOW },
      }),
    ),
  )
  const moving = await selectMove(db.read, 1)
  if (!moving) throw new Error('a move was just written')
  expect(await db.write((tx) => switchOver(tx, moving, NOW))).toBe(true)
  const [client, zone, mirrored, work] = await Promise.all([
    db.read.select().from(tables.clients).where(eq(tables.clients.id, 1)).get(),
    db.read.select().from(tables.zones).where(eq(tables.zones.name, 'own.es')).get(),
    db.read.select().from(tables.mirrors).get(),
    db.read.select().from(tables.jobs).get(),
  ])
  expect([client?.node, client?.moving, zone?.node, mirrored?.node, work?.node]).toEqual([
    'nodo2',
    false,
    'nodo2',
    'nodo2',
    'nodo2',
  ])
  expect((await selectMove(db.read, 1))?.move.kept).toMatchObject({ zones: ['own.es'] })
})

describe('a target without room', () => {
  const GIB = 1024 ** 3
  const node = (name: string, capacity: object | null) => ({
    ...{ name, addresses: [], nameServers: [], seenAt: NOW, capacity },
  })
  const facts = (capacity: object | null, more: object = {}) =>
    partly<MoveFacts>({
      client: { name: 'acme', node: 'nodo1', state: 'activo', moving: false },
      ...{ move: null, nodes: [node('nodo1', null), node('nodo2', capacity)], providers: [] },
      destinations: ['nodo1', 'nodo2'].map((name) => ({ node: name, kind: 'carpeta', url: '/copias' })),
      ...{ sites: [], databases: [{ name: 'acme_a', bytes: GIB }], zones: [], sftpAccounts: 0, schedules: 0 },
      copied: [],
      used: { diskBytes: GIB, inodes: 1_000 },
      ...more,
    })
  const offers = { php: [], databases: { socket: '', port: 1, userPrefix: '' } }
  const refusal = (capacity: object | null, more?: object) => {
    try {
      requireClear(decideMove(facts(capacity, more), { target: 'nodo2', here: 'nodo1' }, NOW))
      return null
    } catch (error) {
      return error instanceof AppError ? `${error.status} ${error.codigo}` : error
    }
  }

  test.each([
    ['for what lies beside until it is whole', { offers, diskFreeBytes: 4 * GIB }, '507 sin_espacio'],
    ['for as many files', { offers, diskFreeBytes: 5 * GIB, inodesFree: 1_500 }, '507 sin_espacio'],
  ])('%s is refused before anything begins', (_, capacity, code) => {
    expect(refusal(capacity)).toBe(code)
  })

  test('is told with all else that is in the way, and one with room is none', () => {
    expect(refusal(null)).toBe('409 mudanza_impedida')
    expect(refusal({ offers, diskFreeBytes: 5 * GIB, inodesFree: null })).toBeNull()
  })

  test('is not meant by what the latest copy of the client lacks, which is told and may be mended since', () => {
    const unreadable = JSON.stringify({ codigo: 'copia_parcial', datos: '/public/a, /public/b' })
    const copied = [
      { name: 'ajustes', fault: null },
      { name: 'acme.es', fault: unreadable },
      { name: 'acme_a', fault: JSON.stringify({ codigo: 'desconocido' }) },
    ]
    const roomy = { offers, diskFreeBytes: 9 * GIB }
    const known = facts(roomy, { copied })
    const { obstacles } = decideMove(known, { target: 'nodo2', here: 'nodo1' }, NOW)
    expect(obstacles).toEqual([{ what: 'copia', objects: ['acme.es: /public/a, /public/b', 'acme_a'] }])
    expect(refusal(roomy, { copied })).toBeNull()
  })

  test('and without what a mirrored zone needs is told of both', () => {
    const zones = [{ name: 'acme.es', mirrored: 'al_dia' }]
    expect(refusal({ offers, diskFreeBytes: 1 }, { zones })).toBe('409 mudanza_impedida')
    const provider = { kind: 'cloudflare', account: 'a' }
    const same = ['nodo1', 'nodo2'].map((name) => ({ ...provider, node: name }))
    expect(refusal({ offers, diskFreeBytes: 9 * GIB }, { zones })).toBe('409 mudanza_impedida')
    expect(refusal({ offers, diskFreeBytes: 9 * GIB }, { zones, providers: same })).toBeNull()
  })
})
