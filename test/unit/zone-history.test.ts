import { afterEach, beforeEach, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { changesReading, MOST_BYTES } from '../../lib/dns/history/changes.ts'
import { changeView } from '../../lib/dns/history/view.ts'
import type { Actor, Services } from '../../lib/endpoint/context.ts'
import { readNow } from '../../lib/store/reading.ts'
import { rrsets, zoneChangeSets, zoneChanges, zones } from '../../schema/tables.ts'
import { addClient, NOW, testServices } from '../usage/store.ts'

const MIB = 1024 * 1024
const OPERATOR: Actor = { kind: 'token', id: 't', name: 'n', expiresOn: '2027-01-01' }

let store: Awaited<ReturnType<typeof testServices>>
let services: Services
let serial = 1
beforeEach(async () => {
  store = await testServices()
  services = store.services
  const clientId = await addClient(services, { name: 'acme' })
  const zone = { name: 'uno.es', reversed: 'se.onu', node: 'nodo1', serial }
  await services.db.write((tx) =>
    tx.insert(zones).values({ ...zone, id: 7, clientId, createdAt: NOW, updatedAt: NOW }),
  )
})
afterEach(() => store.close())

/** A change that sets a record set of so many bytes for each of the names. */
const change = (bytes: number, ...names: string[]) =>
  services.db.write(async (tx) => {
    serial++
    for (const name of names) {
      const row = {
        zoneId: 7,
        name,
        type: 'TXT',
        ttl: 300,
        values: ['x'.repeat(bytes)],
        origin: 'usuario' as const,
      }
      await tx.insert(rrsets).values(row)
    }
    await tx.update(zones).set({ serial }).where(eq(zones.id, 7))
  })
const kept = async () => {
  const rows = await services.db.read.select().from(zoneChanges).orderBy(asc(zoneChanges.id))
  return rows.map(({ serial, bytes }) => [serial, Math.floor(bytes / MIB)])
}

test('the history of a zone holds 16 MiB of contents at the most, the latest changes', async () => {
  const first = serial + 1
  for (const name of ['a', 'b', 'c', 'd']) await change(5 * MIB, name)
  expect(await kept()).toEqual([
    [first + 1, 5],
    [first + 2, 5],
    [first + 3, 5],
  ])
  expect((await services.db.read.select({ id: zoneChangeSets.id }).from(zoneChangeSets)).length).toBe(3)
})

test('a change that is larger by itself is the only one that is kept', async () => {
  await change(10, 'a')
  await change(17 * MIB, 'b')
  expect(await kept()).toEqual([[serial, 17]])
})

test('the listing tells of a large change as much as it may, and how many sets there were', async () => {
  await change(MOST_BYTES / 2, 'a', 'b', 'c')
  await change(2 * MOST_BYTES, 'd')
  await change(10, 'e')
  const all = changesReading({ tx: services.db.read, actor: OPERATOR }, 'uno.es', {
    before: undefined,
    limit: 10,
  })
  const { changes, sets } = await readNow(services.db.read, all)
  const told = changes.map((one) => changeView(one, sets, OPERATOR))
  expect(told.map(({ conjuntos, cambios }) => [conjuntos, cambios.map(({ nombre }) => nombre)])).toEqual([
    [1, ['e']],
    [1, []],
    [3, ['a']],
  ])
})
