import { afterEach, beforeEach, expect, test } from 'bun:test'
import { loadMeter } from '../../deploy/node/usage/load.ts'
import type { Services } from '../../lib/endpoint/context.ts'
import type { NodeLoad } from '../../lib/endpoint/node-port.ts'
import { measureNode } from '../../lib/usage/measure.ts'
import { nodeHistory } from '../../lib/usage/node-view.ts'
import { addClient, addNode, testServices, withDriver } from './store.ts'

let base: Awaited<ReturnType<typeof testServices>>
beforeEach(async () => {
  base = await testServices()
  await addNode(base.services, 'nodo1')
})
afterEach(() => base.close())

const load = (busy: number, idle: number, more: Partial<NodeLoad> = {}): NodeLoad => ({
  cpuSeconds: { busy, idle },
  memoryBytes: 1000,
  diskBytes: 500,
  ...more,
})

/** Measures at a moment what the machine did and the visitors of this client got. */
async function measure(at: string, told: NodeLoad, visits: { clientId: number; bytes: number }[] = []) {
  base.clock.now = new Date(at)
  let cursor = 'here'
  const services: Services = withDriver(base.services, {
    readLoad: async () => told,
    readTraffic: async (before) => {
      if (before === cursor) return { cursor, traffic: [] }
      cursor = at
      const traffic = visits.map(({ clientId, bytes }) => ({
        ...{ clientId, day: at.slice(0, 10) },
        ...{ bytesIn: 1, bytesOut: bytes },
      }))
      return { cursor, traffic }
    },
    measure: async () => [],
    measureGroups: async () => [],
  })
  await measureNode(services)
}

const told = async (from: string, until: string, node = 'nodo1') =>
  nodeHistory(base.services.db.read, node, { from, until })

test('a node’s hours tell the share of its processors, the most memory and disk, and all of its traffic', async () => {
  const clientId = await addClient(base.services, { name: 'acme' })
  await measure('2026-11-21T10:05:00Z', load(30, 70), [{ clientId, bytes: 100 }])
  await measure('2026-11-21T10:20:00Z', load(50, 50, { memoryBytes: 3000, diskBytes: 400 }), [
    { clientId, bytes: 20 },
    // Of a client that is gone: the node has sent it all the same.
    { clientId: 999, bytes: 3 },
  ])
  await measure('2026-11-21T11:00:00Z', load(0, 100, { cpuSeconds: null, memoryBytes: null }))
  expect(await told('2026-11-21', '2026-11-21')).toEqual({
    nodo: 'nodo1',
    cada: 'hora',
    datos: [
      {
        desde: '2026-11-21T10:00:00.000Z',
        procesador_porcentaje: 40,
        memoria_bytes: 3000,
        disco_bytes: 500,
        trafico_entrada_bytes: 3,
        trafico_salida_bytes: 123,
      },
      {
        desde: '2026-11-21T11:00:00.000Z',
        procesador_porcentaje: null,
        memoria_bytes: null,
        disco_bytes: 500,
        trafico_entrada_bytes: 0,
        trafico_salida_bytes: 0,
      },
    ],
  })
  expect((await told('2026-11-20', '2026-11-20')).datos).toEqual([])
  expect((await told('2026-11-21', '2026-11-21', 'nodo2')).datos).toEqual([])
})

test('more than eight days are told by the day, and 400 of them are kept', async () => {
  await measure('2025-10-01T10:00:00Z', load(10, 0))
  await measure('2026-11-20T23:50:00Z', load(10, 30))
  await measure('2026-11-21T00:10:00Z', load(10, 10))
  await measure('2026-11-21T12:00:00Z', load(20, 20, { memoryBytes: 5000 }))
  const { cada, datos } = await told('2025-01-01', '2026-11-21')
  expect([cada, datos.map(({ desde, procesador_porcentaje }) => [desde, procesador_porcentaje])]).toEqual([
    'dia',
    [
      ['2026-11-20T00:00:00.000Z', 25],
      ['2026-11-21T00:00:00.000Z', 50],
    ],
  ])
  expect(datos[1]?.memoria_bytes).toBe(5000)
})

test('what the kernel counts is told as far as it was used since it was asked before', async () => {
  const meter = loadMeter(base.directory)
  const first = await meter()
  expect(first).toMatchObject({
    cpuSeconds: null,
    memoryBytes: expect.any(Number),
    diskBytes: expect.any(Number),
  })
  const until = performance.now() + 200
  while (performance.now() < until);
  const { cpuSeconds } = await meter()
  expect(cpuSeconds?.busy).toBeGreaterThan(0.1)
  expect((cpuSeconds?.busy ?? 0) + (cpuSeconds?.idle ?? 0)).toBeLessThan(60)
})
