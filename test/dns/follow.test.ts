import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { cronHandlers } from '../../handlers/cron/index.ts'
import { queueSweep } from '../../lib/mirror/sweep.ts'
import { runCron } from '../../lib/work/cron.ts'
import { dnsAccounts, mirrors, zones } from '../../schema/tables.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const OLD = { addresses: ['192.0.2.1', '2001:db8::1'], nameServers: ['ns1.host.net', 'ns2.host.net'] }
type Settings = Partial<typeof OLD> & {
  node?: string
  derived?: { addresses: boolean; nameServers: boolean }
}
const set = (settings: Settings) => Object.assign(world.panel.services.config, settings)

beforeEach(async () => {
  set({ ...OLD, node: 'nodo1', derived: { addresses: false, nameServers: false } })
  await daily()
})

/** `cron zonas`, to its end. */
async function daily(): Promise<Record<string, number> | null> {
  const job = cronHandlers.find(({ job }) => job.name === 'zonas')?.job
  if (!job) throw new Error('no such handler')
  return runCron(world.panel.services, job)
}

const serial = async (zone: string) => Number((await world.done(`GET /zonas/${zone}`)).body.serie)
const served = async (zone: string) => Number((await world.short(zone, 'SOA'))[0]?.split(' ')[2])
const make = (zona: string, cliente = 'acme') =>
  world.done('POST /sitios', { body: { cliente, domain: zona } })

test("a new address reaches the system's records of the zones that there are, with a new serial", async () => {
  await make('moves.es')
  await world.put('moves.es', 'mail/A', '203.0.113.5')
  const before = await serial('moves.es')
  set({ addresses: ['192.0.2.77', '2001:db8::77'] })
  expect(await daily()).toMatchObject({ cambiadas: 1 })
  expect(await world.short('moves.es', 'A')).toEqual(['192.0.2.77'])
  expect(await world.short('moves.es', 'AAAA')).toEqual(['2001:db8::77'])
  expect(await world.short('mail.moves.es', 'A')).toEqual(['203.0.113.5'])
  expect(await serial('moves.es')).toBe(before + 1)
  expect(await served('moves.es')).toBe(before + 1)
  expect(await daily()).toMatchObject({ cambiadas: 0 })
  expect(await serial('moves.es')).toBe(before + 1)
})

test('records that the customer changed stay, deleted ones do not come back, and the serial stays the same', async () => {
  await make('mine.es')
  await world.put('mine.es', '@/A', '203.0.113.80')
  await world.done('DELETE /zonas/mine.es/registros/@/AAAA')
  for (const type of ['A', 'AAAA']) {
    const gone = await world.panel.call(`DELETE /zonas/mine.es/registros/www/${type}`)
    expect([200, 404]).toContain(gone.status)
  }
  const before = await serial('mine.es')
  set({ addresses: ['192.0.2.78', '2001:db8::78'] })
  await daily()
  expect(await world.short('mine.es', 'A')).toEqual(['203.0.113.80'])
  expect(await world.short('mine.es', 'AAAA')).toEqual([])
  expect(await world.short('www.mine.es', 'A')).toEqual([])
  expect([await serial('mine.es'), await served('mine.es')]).toEqual([before, before])
})

test('new name servers are named by every zone, but by one whose customer named others', async () => {
  await make('names.es')
  await make('others.es')
  await world.put('others.es', '@/NS', 'ns.elsewhere.net.')
  set({ nameServers: ['ns8.host.net', 'ns9.names.es'] })
  await daily()
  expect((await world.short('names.es', 'NS')).sort()).toEqual(['ns8.host.net.', 'ns9.names.es.'])
  expect(await world.short('ns9.names.es', 'A')).toEqual(['192.0.2.1'])
  expect((await world.short('names.es', 'SOA'))[0]).toStartWith('ns8.host.net. ')
  expect(await world.short('others.es', 'NS')).toEqual(['ns.elsewhere.net.'])
  set(OLD)
  await daily()
  expect((await world.short('names.es', 'NS')).sort()).toEqual(['ns1.host.net.', 'ns2.host.net.'])
  // The address of one that is no name server any more goes with it.
  expect(await world.short('ns9.names.es', 'A')).toEqual([])
})

test('a zone that was made without addresses gets them, one that was made empty does not', async () => {
  set({ addresses: [] })
  await make('late.es')
  await world.done('POST /zonas', { body: { cliente: 'acme', zona: 'bare.es', plantilla: 'vacia' } })
  expect(await world.short('late.es', 'A')).toEqual([])
  set({ addresses: ['192.0.2.9'] })
  await daily()
  expect([await world.short('late.es', 'A'), await world.short('bare.es', 'A')]).toEqual([['192.0.2.9'], []])
  set({ addresses: ['192.0.2.9', '2001:db8::9'] })
  await daily()
  expect(await world.short('late.es', 'AAAA')).toEqual(['2001:db8::9'])
})

test("another node's zones stay as that node has them", async () => {
  set({ node: 'nodo2', addresses: ['192.0.2.200'] })
  await world.done('POST /clientes', { body: { cliente: 'far' } })
  await make('far.es', 'far')
  set({ ...OLD, node: 'nodo1', addresses: ['192.0.2.79'] })
  await daily()
  const records = (await world.done('GET /zonas/far.es/registros')).body.datos
  expect(records).toContainEqual(expect.objectContaining({ nombre: '@', valores: ['192.0.2.200'] }))
})

test('of the mirrored zones those are queued that changed', async () => {
  const { db, now } = world.panel.services
  await make('copied.es')
  await make('kept.es')
  await world.put('kept.es', '@/A', '203.0.113.80')
  await world.put('kept.es', '@/AAAA', '2001:db8:5::80')
  for (const type of ['A', 'AAAA']) {
    await world.panel.call(`DELETE /zonas/kept.es/registros/www/${type}`)
  }
  await db.write(async (tx) => {
    const account = { node: 'nodo1', kind: 'desec', credential: '', epoch: 1, fence: 0 }
    const at = { checkedAt: now(), createdAt: now(), nextSlotAt: now() }
    await tx.insert(dnsAccounts).values({ ...account, ...at })
    for (const name of ['copied.es', 'kept.es']) {
      const zone = await tx.select().from(zones).where(eq(zones.name, name)).get()
      const whose = { zone: name, zoneId: zone?.id ?? 0, node: 'nodo1', clientName: 'acme', kind: 'desec' }
      const state = { state: 'al_dia' as const, serial: zone?.serial ?? 0, urgency: 2, remoteId: name }
      const nextAt = new Date(now().getTime() + 86_400_000)
      await tx.insert(mirrors).values({ ...whose, ...state, nextAt, createdAt: now(), updatedAt: now() })
    }
  })
  set({ addresses: ['192.0.2.81', '2001:db8::81'] })
  await daily()
  await db.write(async (tx) => tx.later(...queueSweep(tx, now())))
  const rows = await db.read
    .select({ zone: mirrors.zone, state: mirrors.state, urgency: mirrors.urgency })
    .from(mirrors)
    .orderBy(mirrors.zone)
  expect(rows).toEqual([
    { zone: 'copied.es', state: 'en_cola', urgency: 1 },
    { zone: 'kept.es', state: 'al_dia', urgency: 2 },
  ])
})

test('addresses that were found on interfaces replace those of their family and never just take them away', async () => {
  set({ addresses: ['198.18.0.1', '10.0.0.8', '185.5.5.5', '2a01:db9::1'] })
  await make('found.es')
  expect((await world.short('found.es', 'A')).length).toBe(3)
  set({ addresses: [], derived: { addresses: true, nameServers: false } })
  await daily()
  expect([await world.short('found.es', 'A'), await world.short('found.es', 'AAAA')]).toEqual([
    ['185.5.5.5'],
    ['2a01:db9::1'],
  ])
  set({ addresses: ['185.6.6.6'] })
  await daily()
  expect([await world.short('found.es', 'A'), await world.short('found.es', 'AAAA')]).toEqual([
    ['185.6.6.6'],
    ['2a01:db9::1'],
  ])
})

test('zones of an earlier version follow too, as far as they show what they were made from', async () => {
  await make('older.es')
  await world.done('DELETE /zonas/older.es/registros/@/AAAA')
  await world.panel.services.db.write((tx) => tx.update(zones).set({ followed: sql`null` }))
  set({ addresses: ['192.0.2.90'] })
  await daily()
  expect([await world.short('older.es', 'A'), await world.short('older.es', 'AAAA')]).toEqual([
    ['192.0.2.90'],
    [],
  ])
})
