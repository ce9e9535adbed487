import { afterEach, beforeEach, expect, test } from 'bun:test'
import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { diskMeter } from '../../deploy/node/usage/disk.ts'
import { loadMeter } from '../../deploy/node/usage/load.ts'
import { readTraffic } from '../../deploy/node/usage/traffic.ts'
import type { Services } from '../../lib/endpoint/context.ts'
import type { NodeDriver } from '../../lib/endpoint/node-port.ts'
import { measureNode } from '../../lib/usage/measure.ts'
import { nodeHistory } from '../../lib/usage/node-view.ts'
import { viewUsage } from '../../lib/usage/usage.ts'
import { clients, mails, nodes, persons, usageDays } from '../../schema/tables.ts'
import { exhausted } from './exhausted.ts'
import { addClient, addNode, NOW, testServices, withDriver } from './store.ts'

let base: Awaited<ReturnType<typeof testServices>>
let services: Services
let log: string
beforeEach(async () => {
  base = await testServices()
  log = join(base.directory, 'access.log')
  await writeFile(log, '')
  await addNode(base.services, 'nodo1')
  services = withDriver(base.services, {
    readTraffic: (cursor) => readTraffic(log, cursor, 4000),
    readLoad: loadMeter(null),
    measureGroups: async () => [],
    measure: diskMeter({
      base: base.directory,
      clientDirectory: (id) => join(base.directory, 'c', String(id)),
      userOf: () => null,
      onIncomplete: () => {},
    }).measure,
  })
})
afterEach(() => base.close())

const line = (clientId: number, sent: number, at = NOW) =>
  `{"t":${at.getTime() / 1000},"c":"${clientId}","h":"a.es","s":200,"o":${sent},"i":1}\n`

async function fill(clientId: number, bytes: number): Promise<void> {
  await mkdir(join(base.directory, 'c', String(clientId)), { recursive: true })
  await writeFile(join(base.directory, 'c', String(clientId), 'file'), Buffer.alloc(bytes, 1))
}

const days = () =>
  services.db.read.select().from(usageDays).orderBy(asc(usageDays.clientId), asc(usageDays.day))
const sent = async (): Promise<Record<string, string>[]> =>
  (await services.db.read.select().from(mails)).map(({ payload, recipient, kind }) => ({
    ...payload,
    recipient,
    kind,
  }))
const MIB = 1_048_576

test('a measurement that could not read everything raises what is known, and never lowers it', async () => {
  const id = await addClient(services, { name: 'acme' })
  const measured = async (diskBytes: number, inodes: number, partial: boolean) => {
    const use = { clientId: id, diskBytes, inodes, source: 'recorrido' as const, partial }
    await measureNode({
      ...services,
      driver: { ...(services.driver as NodeDriver), measure: async () => [use] }, // `withDriver` gave it.
    })
    const [view] = await viewUsage(services.db.read, [id], NOW)
    return [view?.consumo.disco_bytes.usado, view?.consumo.inodos.usado]
  }
  expect(await measured(100, 10, true)).toEqual([100, 10])
  expect(await measured(50, 20, true)).toEqual([100, 20])
  expect((await days())[0]).toMatchObject({ diskBytes: 100, inodes: 20 })
  expect(await measured(60, 6, false)).toEqual([60, 6])
})

test('measurements and logged traffic are stored with source and day, and returned', async () => {
  const id = await addClient(services, { name: 'acme', plan: { diskBytes: 10 * MIB, trafficBytes: 1000 } })
  await fill(id, 2 * MIB)
  await appendFile(
    log,
    line(id, 100) +
      line(id, 50, new Date('2026-11-20T23:59:59Z')) +
      line(id, 9, new Date('2026-10-31T23:00:00Z')),
  )
  expect(await measureNode(services)).toBe(1)
  expect(await days()).toMatchObject([
    { day: '2026-10-31', trafficIn: 1, trafficOut: 9, diskBytes: null },
    { day: '2026-11-20', trafficIn: 1, trafficOut: 50, diskBytes: null },
    { day: '2026-11-21', trafficIn: 1, trafficOut: 100, inodes: 2 },
  ])
  const [view] = await viewUsage(services.db.read, [id], NOW)
  expect(view).toMatchObject({ medido: '2026-11-21T12:00:00.000Z', origen: 'recorrido' })
  expect(view?.consumo.trafico_bytes).toMatchObject({ usado: 152, limite: 1000, nivel: 'bien' })
  expect(view?.consumo.disco_bytes.usado).toBeWithin(2 * MIB, 2.1 * MIB)
})

test('the use of a client’s programs is returned as last measured, with the refusals since the measurement before', async () => {
  const plan = { cpuPercent: 100, memoryBytes: 128 * MIB, processes: 100 }
  const id = await addClient(services, { name: 'acme', plan })
  await fill(id, 1000)
  let reading = { memory: 100 * MIB, processes: 80, cpu: 5_000_000, killed: 2, refused: 7 }
  const counted = withDriver(services, {
    ...services.driver,
    measureGroups: async (ids) =>
      ids.map((clientId) => ({
        clientId,
        memoryBytes: reading.memory,
        memoryLimit: null,
        processes: reading.processes,
        processLimit: null,
        counters: {
          cpuMicros: reading.cpu,
          memory: reading.killed,
          processes: reading.refused,
          throttledMicros: null,
        },
      })),
  })
  const view = async () => (await viewUsage(services.db.read, [id], NOW))[0]
  const unknown = (limite: number) => ({ usado: null, limite, porcentaje: null, nivel: 'bien' })
  expect(await view()).toMatchObject({
    rechazos: null,
    consumo: { cpu_porcentaje: unknown(100), memoria_bytes: unknown(128 * MIB), procesos: unknown(100) },
  })

  await measureNode(counted)
  expect(await view()).toMatchObject({
    rechazos: null,
    consumo: {
      cpu_porcentaje: unknown(100),
      procesos: { usado: 80, limite: 100, porcentaje: 80, nivel: 'aviso' },
    },
  })

  base.clock.now = new Date('2026-11-21T12:15:00Z')
  reading = { memory: 128 * MIB, processes: 5, cpu: 905_000_000, killed: 3, refused: 19 }
  await measureNode(counted)
  expect(await view()).toMatchObject({
    rechazos: { desde: '2026-11-21T12:00:00.000Z', memoria: 1, procesos: 12, cpu_segundos: null },
    consumo: {
      cpu_porcentaje: { usado: 100, porcentaje: 100, nivel: 'superado' },
      memoria_bytes: { usado: 128 * MIB, nivel: 'superado' },
      procesos: { usado: 5, nivel: 'bien' },
    },
  })

  base.clock.now = new Date('2026-11-21T12:30:00Z')
  await measureNode(services)
  expect(await view()).toMatchObject({
    rechazos: null,
    consumo: { memoria_bytes: unknown(128 * MIB), disco_bytes: { limite: null } },
  })
})

test('runs at once, and runs killed before their transaction, count each byte once', async () => {
  const id = await addClient(services, { name: 'acme' })
  await appendFile(log, Array.from({ length: 300 }, () => line(id, 10)).join(''))
  const killed = withDriver(services, {
    ...services.driver,
    readTraffic: async (cursor) => {
      await readTraffic(log, cursor, 4000)
      throw new Error('killed')
    },
  })
  await expect(measureNode(killed)).rejects.toThrow('killed')
  await Promise.all([measureNode(services), measureNode(services), measureNode(services)])
  await appendFile(log, line(id, 10))
  await rename(log, `${log}.1`)
  await writeFile(log, line(id, 10))
  await measureNode(services)
  expect(await days()).toMatchObject([{ trafficOut: 3020, trafficIn: 302 }])
  const { datos } = await nodeHistory(services.db.read, 'nodo1', { from: '2026-11-21', until: '2026-11-21' })
  expect(datos).toMatchObject([{ trafico_salida_bytes: 3020, trafico_entrada_bytes: 302 }])
})

test('two overlapping readers of one log cannot both store what they read', async () => {
  const id = await addClient(services, { name: 'acme' })
  await appendFile(log, line(id, 10))
  // The second run begins while the first has read but not stored, as after a lease that ran out.
  let inner: Promise<unknown> | null = null
  const slow = withDriver(
    { ...services, config: { ...services.config } },
    {
      ...services.driver,
      readTraffic: async (cursor) => {
        const read = await readTraffic(log, cursor, 4000)
        base.clock.now = new Date(NOW.getTime() + 3_600_000)
        inner ??= measureNode(services)
        await inner
        return read
      },
    },
  )
  await measureNode(slow)
  expect((await days()).map(({ trafficOut }) => trafficOut)).toEqual([10])
})

test('lines of deleted clients and of another node’s count for nobody', async () => {
  const gone = await addClient(services, { name: 'gone' })
  const other = await addClient(services, { name: 'other', node: 'nodo2' })
  await services.db.write(async (tx) => void (await tx.delete(clients).where(eq(clients.id, gone))))
  await appendFile(log, line(gone, 10) + line(other, 10) + line(99_999, 10))
  expect(await measureNode(services)).toBe(0)
  expect(await days()).toEqual([])
  const [node] = await services.db.read.select().from(nodes)
  expect(node?.trafficCursor).toContain('"offset":')
})

test('80% and 100% of a plan each send one mail to the client, in its language', async () => {
  const id = await addClient(services, { name: 'acme', plan: { trafficBytes: 2048 } })
  await fill(id, 1000)
  for (const bytes of [1638, 100, 2000, 3000]) {
    await appendFile(log, line(id, bytes))
    await measureNode(services)
    await measureNode(services)
  }
  expect(await sent()).toEqual([
    {
      kind: 'cuota_aviso',
      recipient: 'acme@ejemplo.es',
      cliente: 'acme',
      recurso: 'tráfico',
      porcentaje: '80',
      usado: '1,6 kB',
      limite: '2 kB',
    },
    {
      kind: 'cuota_aviso',
      recipient: 'acme@ejemplo.es',
      cliente: 'acme',
      recurso: 'tráfico',
      porcentaje: '182',
      usado: '3,7 kB',
      limite: '2 kB',
    },
  ])
})

test('a client without an address is told of to the admins', async () => {
  const id = await addClient(services, { name: 'acme', email: null, plan: { diskBytes: MIB } })
  const admin = { role: 'admin', language: 'en', active: true, createdAt: NOW } as const
  await services.db.write(async (tx) => {
    await tx.insert(persons).values({ id: 'p1', email: 'a@panel.es', ...admin })
    await tx.insert(persons).values({ id: 'p2', email: 'b@panel.es', ...admin, active: false })
  })
  await fill(id, 2 * MIB)
  await measureNode(services)
  expect(await sent()).toMatchObject([{ recipient: 'a@panel.es', recurso: 'disk space', limite: '1 MB' }])
  expect(await exhausted(services, id)).toMatchObject({ recurso: 'disco', limite: MIB })
})

test('a client whose directory cannot be measured keeps its last measurement and its time', async () => {
  const id = await addClient(services, { name: 'acme' })
  await fill(id, 1000)
  await measureNode(services)
  await rename(join(base.directory, 'c', String(id)), join(base.directory, 'gone'))
  base.clock.now = new Date('2026-11-21T18:00:00Z')
  expect(await measureNode(services)).toBe(0)
  const [view] = await viewUsage(services.db.read, [id], base.clock.now)
  expect(view?.medido).toBe('2026-11-21T12:00:00.000Z')
  expect(view?.consumo.inodos.usado).toBe(2)
})
