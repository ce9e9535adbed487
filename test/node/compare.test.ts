import { afterAll, beforeAll, expect, test } from 'bun:test'
import { pagesSync } from '../../lib/appearance/pages.ts'
import { clientSync } from '../../lib/clients/clients.ts'
import { compareNode } from '../../lib/clients/compare.ts'
import type { DesiredSite } from '../../lib/endpoint/node-port.ts'
import type { PageKind } from '../../lib/endpoint/ports/pages.ts'
import type { Difference, Reality, ServedName } from '../../lib/endpoint/ports/reality.ts'
import { enqueue } from '../../lib/work/jobs.ts'
import { jobs } from '../../schema/tables.ts'
import { addClient, testServices, withDriver } from '../usage/store.ts'

let base: Awaited<ReturnType<typeof testServices>>
let acme: number

beforeAll(async () => {
  base = await testServices()
  acme = await addClient(base.services, { name: 'acme' })
})
afterAll(() => base.close())

const AWAY: Difference = { part: 'name', where: 'uno.es' }

/** A node that holds something else at each look, and what was asked of it. */
function node(looks: { differences?: Difference[]; names?: ServedName[]; pages?: PageKind[] }[]) {
  let at = -1
  const dropped: string[] = []
  const reality: Reality<DesiredSite> = {
    differencesOf: () => looks[++at]?.differences ?? [],
    lacksFolder: () => false,
    clients: () => [],
    names: () => looks[Math.max(at, 0)]?.names ?? [],
    pagesOff: () => looks[Math.max(at, 0)]?.pages ?? [],
    unserve: ({ host }) => void dropped.push(host),
    tell: () => {},
    tellZones: () => {},
  }
  return { services: withDriver(base.services, { reality }), dropped }
}

const queued = async () => {
  const rows = await base.services.db.read.select().from(jobs)
  await base.services.db.write((tx) => tx.delete(jobs))
  return rows.map(({ kind, subject }) => [kind, subject])
}

test('what only one of two looks finds was work under way', async () => {
  const passing = { host: 'otro.es', clientId: acme, siteId: 1 }
  const { services, dropped } = node([{ differences: [AWAY], names: [passing] }, {}])
  expect(await compareNode(services, 0)).toMatchObject({ compared: 1, repaired: [], dropped: [] })
  expect([dropped, await queued()]).toEqual([[], []])
})

test('what both looks find is repaired by the client’s own work', async () => {
  const stray = { host: 'otro.es', clientId: acme, siteId: 1 }
  const look = { differences: [AWAY], names: [stray] }
  const { services, dropped } = node([look, look])
  const found = await compareNode(services, 0)
  expect(found).toMatchObject({ repaired: [{ client: 'acme', differences: [AWAY] }], dropped: ['otro.es'] })
  expect([dropped, await queued()]).toEqual([['otro.es'], [['cliente.aplicar', `cliente:${acme}`]]])
})

test('a directory that is away is told of alone, and what else its client lacks is repaired', async () => {
  const lost: Difference = { part: 'folder', where: '/x' }
  const both = node([{ differences: [AWAY, lost] }, { differences: [AWAY, lost] }])
  expect(await compareNode(both.services, 0)).toMatchObject({
    repaired: [{ client: 'acme', differences: [AWAY] }],
    left: [{ client: 'acme', differences: [lost] }],
  })
  expect(await queued()).toEqual([['cliente.aplicar', `cliente:${acme}`]])
  const alone = node([{ differences: [lost] }, { differences: [lost] }])
  expect(await compareNode(alone.services, 0)).toMatchObject({
    repaired: [],
    left: [{ client: 'acme', differences: [lost] }],
  })
  expect(await queued()).toEqual([])
})

test('a client that has work waiting is left to it, with its names', async () => {
  await base.services.db.write(async (tx) =>
    enqueue(tx, base.services, clientSync({ id: acme, name: 'acme', node: 'nodo1' })),
  )
  const names = [{ host: 'otro.es', clientId: acme, siteId: 1 }]
  const { services, dropped } = node([{ differences: [AWAY], names }])
  expect(await compareNode(services, 0)).toMatchObject({ repaired: [], left: [], dropped: [] })
  expect([dropped, (await queued()).length]).toEqual([[], 1])
})

test('a page that both looks find to be off is shown anew, once, and one of the first alone is not', async () => {
  const off = node([{ pages: ['missing', 'suspended'] }, { pages: ['missing'] }])
  expect(await compareNode(off.services, 0)).toMatchObject({ repaired: [], pages: ['missing'] })
  expect(await queued()).toEqual([['apariencia.paginas', 'paginas:nodo1']])
  const passing = node([{ pages: ['missing'] }, {}])
  expect(await compareNode(passing.services, 0)).toMatchObject({ pages: [] })
  expect(await queued()).toEqual([])
})

test('pages that have work waiting are left to it', async () => {
  await base.services.db.write(async (tx) => enqueue(tx, base.services, pagesSync('nodo1')))
  const { services } = node([{ pages: ['missing'] }, { pages: ['missing'] }])
  expect(await compareNode(services, 0)).toMatchObject({ pages: [] })
  expect((await queued()).length).toBe(1)
})

test('a host without sites compares nothing', async () => {
  expect(await compareNode(withDriver(base.services, { reality: null }), 0)).toBeNull()
})
