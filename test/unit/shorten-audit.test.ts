import { afterEach, beforeEach, expect, test } from 'bun:test'
import { asc } from 'drizzle-orm'
import { shortenAudit } from '../../lib/audit/shorten.ts'
import type { Services } from '../../lib/endpoint/context.ts'
import { audit } from '../../schema/tables.ts'
import { NOW, testServices } from '../usage/store.ts'

const DAY_MS = 86_400_000
const before = new Date(NOW.getTime() - 2 * DAY_MS)

let store: Awaited<ReturnType<typeof testServices>>
let services: Services
beforeEach(async () => {
  store = await testServices()
  services = store.services
})
afterEach(() => store.close())

const add = (days: number, ...addresses: (string | null)[]) =>
  services.db.write(async (tx) => {
    const row = { actorKind: 'anonimo' as const, actorName: 'anonimo', operation: 'x', outcome: 'hecho' }
    const at = new Date(NOW.getTime() - days * DAY_MS)
    await tx.insert(audit).values(addresses.map((address) => ({ ...row, at, address })))
  })
const kept = async () =>
  (await services.db.read.select().from(audit).orderBy(asc(audit.id))).map(({ address }) => address)

test('addresses of old audit rows are shortened, those of newer ones and rows without one stay', async () => {
  await add(3, '192.0.2.7', '2001:db8:1:2::3', null)
  await add(1, '192.0.2.8')
  expect(await shortenAudit(services, before)).toBe(2)
  expect(await kept()).toEqual(['192.0.2.0', '2001:db8:1::', null, '192.0.2.8'])
  expect(await shortenAudit(services, before)).toBe(0)
  await add(1, '192.0.2.9')
  expect(await shortenAudit(services, NOW)).toBe(2)
  expect(await kept()).toEqual(['192.0.2.0', '2001:db8:1::', null, '192.0.2.0', '192.0.2.0'])
})

test('a long trail is shortened to its end, except what a clock that was ahead has dated', async () => {
  await add(3, ...Array<string>(700).fill('192.0.2.7'))
  await add(-300, '192.0.2.8')
  await add(3, ...Array<string>(700).fill('192.0.2.7'))
  expect(await shortenAudit(services, before)).toBe(1400)
  expect((await kept()).filter((address) => address !== '192.0.2.0')).toEqual(['192.0.2.8'])
})
