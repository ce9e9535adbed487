import { afterEach, beforeEach, expect, test } from 'bun:test'
import { decideTried } from '../../deploy/node/backups/recovery/fetch-copy.ts'
import { faultLine } from '../../deploy/node/commands/fault.ts'
import { decidePlaces, moveCopies, type Place } from '../../lib/backups/destination/place.ts'
import { enterRecovered } from '../../lib/backups/destination/recovered.ts'
import { recoverClients, retryWaiting } from '../../lib/backups/recover.ts'
import { restoreJob } from '../../lib/backups/restore-job.ts'
import { errorText } from '../../lib/endpoint/errors.ts'
import { sealDestination } from '../../lib/secrets/copies.ts'
import { newKeyLine, parseKeyRing } from '../../lib/secrets/keys.ts'
import { destinationPlace } from '../../lib/secrets/sealed.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import type { RunningJob } from '../../lib/work/running.ts'
import { backupDestinations, copies, jobs, plans } from '../../schema/tables.ts'
import { partly } from '../support/partly.ts'
import { addClient, addSite, NOW, testServices } from '../usage/store.ts'

type World = Awaited<ReturnType<typeof testServices>>
let world: World
beforeEach(async () => {
  world = await testServices()
})
afterEach(() => world.close())

const STORE = 'a'.repeat(64)
const OTHER = 'b'.repeat(64)
const place = (url: string, store: string | null): Place => ({ node: 'nodo1', kind: 'carpeta', url, store })
const OLD = 'carpeta /old'
const NEW = 'carpeta /new'

const ASIDE = { from: OLD, to: STORE }
const BACK = { from: STORE, to: NEW }

test.each([
  ['the first store', null, place('/new', STORE), [BACK]],
  ['a store that was moved', place('/old', STORE), place('/new', STORE), [ASIDE, BACK]],
  ['another store', place('/old', STORE), place('/new', OTHER), [ASIDE, { from: OTHER, to: NEW }]],
  [
    'another one at its address',
    place('/old', STORE),
    place('/old', OTHER),
    [ASIDE, { from: OTHER, to: OLD }],
  ],
  ['none any more', place('/old', STORE), null, [ASIDE]],
  ['one after a store that was never known', place('/old', null), place('/new', STORE), [BACK]],
])('copies are elsewhere with %s', (_, before, after, expected) => {
  expect(decidePlaces(before, after)).toEqual(expected)
})

async function addCopy(clientId: number, id: string, destination: string): Promise<void> {
  const part = { kind: 'sitio' as const, name: 'ana.es', bytes: 1, snapshot: 'ab', index: 'cd' }
  const parts = [{ ...part, sha256: '', fault: null }]
  const row = { id, clientId, destination, state: 'completa' as const, whole: true, parts, startedAt: NOW }
  await world.services.db.write((tx) => tx.insert(copies).values(row))
}

const places = async () =>
  (await world.services.db.read.select().from(copies)).map(({ id, destination }) => [id, destination])

test('copies are where their store is, whatever was entered meanwhile, and on other nodes nothing changes', async () => {
  const { db } = world.services
  await addCopy(await addClient(world.services, { name: 'ana' }), 'cop_1', OLD)
  await addCopy(await addClient(world.services, { name: 'luz', node: 'nodo2' }), 'cop_2', OLD)
  const enter = (before: Place | null, after: Place | null) =>
    db.write(async (tx) => moveCopies(tx, before, after))
  await enter(place('/old', STORE), place('/other', OTHER))
  expect(await places()).toEqual([
    ['cop_1', STORE],
    ['cop_2', OLD],
  ])
  await enter(place('/other', OTHER), null)
  await enter(null, place('/new', STORE))
  expect(await places()).toEqual([
    ['cop_1', NEW],
    ['cop_2', OLD],
  ])
})

test.each([STORE, null])(
  'a recovered panel has its copies where it came from, its row saying %p',
  async (known) => {
    const { services } = world
    const { db, random, now } = services
    const keys = parseKeyRing(newKeyLine(random))
    const client = await addClient(services, { name: 'ana' })
    await addSite(services, client, 'ana.es')
    await addCopy(client, 'cop_1', OLD)
    const sealed = await sealDestination(keys, 'nodo1', { credential: null, password: 'antes', random })
    const row = { ...place('/old', known), ...sealed, hostKey: null, checkedAt: NOW, toldOn: '2026-11-20' }
    await db.write((tx) => tx.insert(backupDestinations).values(row))
    const destination = { kind: 'rest' as const, url: 'https://new.example', hostKey: null }
    const repository = {
      destination: { ...destination, credential: new Secret('user:word') },
      key: new Secret('ahora'),
    }
    await enterRecovered(db, { keys, random, now }, { repository, store: STORE })
    const [found] = await db.read.select().from(backupDestinations)
    expect(found).toMatchObject({ ...destination, node: 'nodo1', store: STORE, toldOn: null })
    expect(await keys.open(destinationPlace('nodo1', 'password'), found?.password ?? '')).toBe('ahora')
    expect(await keys.open(destinationPlace('nodo1', 'credential'), found?.credential ?? '')).toBe(
      'user:word',
    )
    const simulated = await recoverClients(db, { now, random }, true)
    expect(simulated).toMatchObject({ parts: 1, without: [] })
  },
)

test('what waits for a destination, or failed for want of it, is tried once one is entered', async () => {
  const { db } = world.services
  const later = new Date(NOW.getTime() + 3_600_000)
  const rows = [
    ['waits', 'pendiente', false, null],
    ['lost', 'fallida', true, 'copia_no_existe'],
    ['damaged', 'fallida', true, 'copia_danada'],
    ['spent', 'fallida', true, null],
    ['suspended', 'fallida', true, 'cliente_suspendido'],
    ['refused', 'fallida', false, 'copia_no_existe'],
    ['other', 'pendiente', false, null],
  ] as const
  await db.write((tx) =>
    tx.insert(jobs).values(
      rows.map(([id, state, bare, codigo]) => ({
        ...{
          id,
          state,
          kind: 'copia.restaurar',
          node: id === 'other' ? 'nodo2' : 'nodo1',
          subject: 'copias:1',
        },
        ...{ target: id, payload: { bare }, nextAt: later, createdAt: NOW, attempts: 3 },
        result: codigo === null ? null : { codigo, status: 409 },
      })),
    ),
  )
  await db.write(async (tx) => tx.later(...retryWaiting(tx, { now: () => NOW }, 'nodo1')))
  const due = (await db.read.select().from(jobs)).filter(
    ({ state, nextAt }) => state === 'pendiente' && nextAt.getTime() === NOW.getTime(),
  )
  expect(due.map(({ id }) => id).sort()).toEqual(['damaged', 'lost', 'spent', 'waits'])
})

test('a restore that waited while the destination was changed ends with that', async () => {
  const { services } = world
  const { db, random } = services
  const client = await addClient(services, { name: 'ana' })
  await db.write((tx) => tx.update(plans).set({ functions: ['copias'] }))
  const keys = parseKeyRing(newKeyLine(random))
  const sealed = await sealDestination(keys, 'nodo1', { credential: null, password: 'x', random })
  const row = { ...place('/new', OTHER), ...sealed, hostKey: null, checkedAt: NOW }
  await db.write((tx) => tx.insert(backupDestinations).values(row))
  await addCopy(client, 'cop_1', STORE)
  const restoring = (copy: string) => {
    const job = partly<RunningJob>({ payload: { client, copy, wanted: { site: 'ana.es' } } })
    return restoreJob.run(services, job, async (_, run) => run())
  }
  const code = { codigo: 'copia_no_existe' }
  await expect(restoring('cop_1')).rejects.toMatchObject({ ...code, extra: { motivo: 'otro_destino' } })
  await expect(restoring('cop_2')).rejects.toMatchObject({ ...code, extra: {} })
  const told = (language: 'en' | 'es') => errorText('copia_no_existe', language, { motivo: 'otro_destino' })
  expect([told('en'), told('es')]).toEqual([
    expect.stringContaining('former destination'),
    expect.stringContaining('otro destino'),
  ])
})

const SNAPSHOTS = [
  { id: 'a', time: '2026-11-25T03:00:00Z' },
  { id: 'b', time: '2026-11-26T03:00:00Z' },
  { id: 'c', time: '2026-11-26T09:00:00Z' },
]

test.each([
  [null, ['c', 'b', 'a']],
  ['2026-11-26', ['c', 'b']],
  ['2026-11-26T03:00:00Z', ['b']],
  ['2026-11-26T03:00', ['b']],
  ['2026-11-26T08:59:59', ['b']],
  ['2026-11-26 08:59', ['b']],
  ['2026-11-26T10:30+01:00', ['c']],
  ['2026-11-26T09:30+01:00', ['b']],
  ['2026-11-30T00:00:00.000Z', ['c']],
])('of the copies of a node those of %p are tried, the latest first', (of, ids) => {
  expect(decideTried(SNAPSHOTS, of).map(({ id }) => id)).toEqual(ids)
})

test('a copy of a node that is not there is refused with the moments of those that are', () => {
  expect(() => decideTried(SNAPSHOTS, '2026-10-01')).toThrow('2026-11-25T03:00:00Z')
  expect(() => decideTried(SNAPSHOTS, '2026-11-25T02:59')).toThrow('2026-11-25T03:00:00Z')
  expect(() => decideTried([], null)).toThrow('no copy of a node yet')
})

test.each(['ayer', '2026-11', '26/11/2026', '2026-02-30', '2026-11-26T25:00', ''])(
  'for a copy of a node %p is refused with the forms that are understood',
  (of) => {
    for (const form of ['2026-11-25', '2026-11-25T03:00'])
      expect(() => decideTried(SNAPSHOTS, of)).toThrow(`as ${form} `)
  },
)

test('a recovery that fails sends nobody to a log or to doctor, which a fresh machine does not have', () => {
  expect(faultLine('recuperar', new Error('no'))).not.toMatch(/log|doctor/)
})
