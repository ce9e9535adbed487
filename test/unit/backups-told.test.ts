import { afterEach, beforeEach, expect, test } from 'bun:test'
import { noteDamage } from '../../lib/backups/damage/note.ts'
import { noting } from '../../lib/backups/destination/fault.ts'
import { tellDamaged } from '../../lib/backups/destination/tell.ts'
import { BackupFault } from '../../lib/endpoint/ports/backups.ts'
import { backupDestinations, backupRepositories, mails, nodes, persons } from '../../schema/tables.ts'
import { addClient, addNode, NOW, testServices } from '../usage/store.ts'

type World = Awaited<ReturnType<typeof testServices>>
let world: World
let ana: { id: number; name: string; node: string }
beforeEach(async () => {
  world = await testServices()
  const { services } = world
  await addNode(services, 'nodo1')
  await services.db.write((tx) => tx.update(nodes).set({ services: [DNS] }))
  ana = { id: await addClient(services, { name: 'ana' }), name: 'ana', node: 'nodo1' }
  const destination = { node: 'nodo1', kind: 'carpeta' as const, url: '/copias', hostKey: null, store: null }
  await services.db.write(async (tx) =>
    tx.later(
      tx
        .insert(backupDestinations)
        .values({ ...destination, password: 'x', credential: null, checkedAt: NOW }),
      tx.insert(backupRepositories).values({ clientId: ana.id, name: 'c1-abcdef0123', key: 'x' }),
    ),
  )
})
afterEach(() => world.close())

const DNS = { name: 'dns', running: true, version: null, advice: null }

/** What the node's row tells of its copies, which all who ask for the node are told. */
async function told(): Promise<string | null> {
  const [row] = await world.services.db.read.select().from(nodes)
  expect(row?.services).toContainEqual(DNS)
  const advice = row?.services.find(({ name }) => name === 'copias')?.advice ?? null
  return typeof advice === 'string' ? advice : (advice?.en ?? null)
}

const copying = (work: () => Promise<void>) => noting(world.services, ana, work)
const full = async () => {
  throw new BackupFault('full', 'no space left')
}

test('what a destination fails with is told of its node at once, and no longer once it has taken a copy', async () => {
  await expect(copying(full)).rejects.toThrow('full')
  expect(await told()).toContain('no space left')
  await copying(async () => {})
  expect(await told()).toBeNull()
})

test('operators are written to about damaged copies once a day: whose they are, and what to do', async () => {
  const { services, clock } = world
  const person = { email: 'op@x.es', role: 'admin' as const, language: 'en' as const, active: true }
  await services.db.write((tx) => tx.insert(persons).values({ ...person, id: 'per_1', createdAt: NOW }))
  const tell = () => services.db.write((tx) => tellDamaged(tx, services, 'nodo1'))
  const written = () => services.db.read.select().from(mails)
  await tell()
  expect(await written()).toEqual([])
  await noteDamage(services, ana, { broken: [], all: false })
  await tell()
  await tell()
  const [mail, ...more] = await written()
  expect([mail?.kind, mail?.recipient, more]).toEqual(['copias_danadas', 'op@x.es', []])
  expect(mail?.payload).toEqual({ nodo: 'nodo1', clientes: 'ana' })
  clock.now = new Date(NOW.getTime() + 25 * 3_600_000)
  await tell()
  expect(await written()).toHaveLength(2)
})

test('damaged copies are told of their node at once, until all of them read back', async () => {
  await noteDamage(world.services, ana, { broken: [], all: false })
  expect(await told()).toStartWith('ana: ')
  await expect(copying(full)).rejects.toThrow('full')
  await copying(async () => {})
  expect(await told()).toStartWith('ana: ')
  await noteDamage(world.services, ana, { broken: [], all: true })
  expect(await told()).toBeNull()
})
