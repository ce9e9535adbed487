import { afterAll, beforeAll, expect, test } from 'bun:test'
import { clientCopies } from '../../deploy/node/doctor/copies.ts'
import { checkLine } from '../../deploy/node/services/check-view.ts'
import { lastCopies } from '../../lib/backups/facts.ts'
import { backupDestinations, copies } from '../../schema/tables.ts'
import { addClient, NOW, testServices } from '../usage/store.ts'

let store: Awaited<ReturnType<typeof testServices>>
const before = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)

beforeAll(async () => {
  store = await testServices()
  const { db } = store.services
  const sealed = { credential: null, password: 'x', hostKey: null }
  const place = { node: 'nodo1', kind: 'carpeta' as const, url: '/nueva', checkedAt: before(2) }
  await db.write((tx) => tx.insert(backupDestinations).values({ ...place, ...sealed }))
  for (const name of ['ana', 'bea']) {
    const clientId = await addClient(store.services, { name, plan: { functions: ['copias'] } })
    const made = { clientId, state: 'completa' as const, whole: true, parts: [] }
    const values = [{ ...made, id: `cop_${name}`, destination: 'carpeta /vieja', startedAt: before(5) }]
    if (name === 'bea')
      values.push({ ...made, id: 'cop_2', destination: 'carpeta /nueva', startedAt: before(9) })
    await db.write((tx) => tx.insert(copies).values(values))
  }
})
afterAll(() => store.close())

const rows = () => store.services.db.read.select().from(lastCopies(store.services.db.read, 'nodo1'))

test('copies at another destination than the present one, from which nobody can be restored, do not count', async () => {
  expect((await rows()).toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: 'ana', node: 'nodo1', since: NOW.getTime(), good: null },
    { name: 'bea', node: 'nodo1', since: before(9).getTime(), good: before(9).getTime() },
  ])
})

test('doctor names the clients without a copy at the present destination, before they are late too', async () => {
  const told = async (hours: number) =>
    checkLine(clientCopies(await rows(), new Date(NOW.getTime() + hours * 3_600_000)))
  expect(await told(0)).toBe(
    'advice copias de clientes: 1 client without a copy at this destination yet (ana): the next night makes it',
  )
  expect(await told(100)).toStartWith(
    'fault  copias de clientes: 2 clients without a complete copy of the last two nights (ana, bea)',
  )
})
