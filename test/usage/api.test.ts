import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { embeddedClient } from '../../deploy/database/embedded/database.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'

const LIMITS = { disco_bytes: 1_000_000, inodos: 100, trafico_bytes: 5000 }
let panel: Panel
let token: string

beforeAll(async () => {
  panel = await Panel.start()
  token = await newToken(panel, await firstAdmin(panel))
  await panel.api('POST', '/planes', { bearer: token, body: { plan: 'basico', ...LIMITS } })
})
afterAll(() => panel.stop())

/** Stores a measurement as the node's `uso` run does. */
async function measured(cliente: string, use: { disk: number; inodes: number }): Promise<void> {
  const client = embeddedClient(join(panel.dataDir, 'panel.db'))
  await client.execute('pragma busy_timeout = 10000')
  const sql = `insert into usage (client_id, measured_at, source, disk_bytes, inodes, warned)
    select id, ?, 'recorrido', ?, ?, '{}' from clients where name = ?
    on conflict (client_id) do update set disk_bytes = excluded.disk_bytes, inodes = excluded.inodes`
  await client.execute({ sql, args: [Date.now(), use.disk, use.inodes, cliente] })
  client.close()
}

const call = (method: string, path: string, body?: unknown) =>
  panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })

test('a client at its plan’s disk or inode limit cannot add what writes, and can when there is room again', async () => {
  await call('POST', '/clientes', { cliente: 'lleno', plan: 'basico' })
  await measured('lleno', { disk: 1_000_000, inodes: 1 })
  const disk = await call('POST', '/sitios', { cliente: 'lleno', domain: 'lleno.es', aliases: [] })
  expect(disk.status).toBe(507)
  expect(disk.body).toMatchObject({
    codigo: 'sin_espacio',
    recurso: 'disco',
    usado: 1_000_000,
    limite: 1_000_000,
  })
  await measured('lleno', { disk: 10, inodes: 101 })
  const inodes = await call('PUT', '/altas/whmcs-1:9', {
    cliente: 'lleno',
    correo: 'a@lleno.es',
    domain: 'lleno.es',
  })
  expect(inodes.status).not.toBe(201)
  const again = await call('POST', '/sitios', { cliente: 'lleno', domain: 'lleno.es', aliases: [] })
  expect(again.body).toMatchObject({ codigo: 'sin_espacio', recurso: 'inodos', usado: 101, limite: 100 })
  expect((await call('GET', '/sitios/lleno.es')).status).toBe(404)
  await measured('lleno', { disk: 999_999, inodes: 99 })
  expect((await call('POST', '/sitios', { cliente: 'lleno', domain: 'lleno.es', aliases: [] })).status).toBe(
    201,
  )
})

test('use is answered with its source, time, month and levels', async () => {
  const { body } = await call('GET', '/clientes/lleno/uso')
  expect(body).toMatchObject({ cliente: 'lleno', plan: 'basico', origen: 'recorrido' })
  expect(body.medido).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  expect(body.consumo.disco_bytes).toMatchObject({ limite: 1_000_000, nivel: 'aviso' })
  expect(body.consumo.trafico_bytes).toMatchObject({ usado: 0, nivel: 'bien' })
})

test('`panel cron` runs the measuring and the certificates by hand', async () => {
  for (const name of ['uso', 'certificados']) {
    const { status, lines } = await panel.command('cron', name)
    expect(status).toBe(0)
    expect(lines[0]).toMatchObject({ tarea: name, ejecutada: true })
  }
})
