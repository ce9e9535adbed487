import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'

const MIB = 1_048_576
let panel: Panel
let token: string
let root: string

beforeAll(async () => {
  panel = await Panel.start()
  token = await newToken(panel, await firstAdmin(panel))
  await call('POST', '/planes', { plan: 'basico', disco_bytes: 4 * MIB, trafico_bytes: 100 * MIB })
  await call('POST', '/clientes', { cliente: 'acme', plan: 'basico', correo: 'ana@acme.es', idioma: 'en' })
  const site = await call('POST', '/sitios', { cliente: 'acme', domain: 'uno.es', aliases: [] })
  root = site.body.raiz
  await writeFile(join(root, 'page.html'), 'x'.repeat(50_000))
}, 60_000)
afterAll(() => panel.stop(), 60_000)

const call = (method: string, path: string, body?: unknown) =>
  panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })

async function visit(times: number): Promise<void> {
  const headers = { host: 'uno.es', 'accept-encoding': 'identity' }
  for (let n = 0; n < times; n += 1) {
    const answer = await fetch(`http://127.0.0.1:${panel.httpPort}/page.html`, { headers })
    expect((await answer.text()).length).toBe(50_000)
  }
}

async function measure(): Promise<Json> {
  const { lines } = await panel.command('cron', 'uso')
  expect(lines[0]).toMatchObject({ tarea: 'uso', ejecutada: true })
  return (await call('GET', '/clientes/acme/uso')).body
}

test('what visitors fetch and what files occupy is measured, with its source and time', async () => {
  expect((await call('GET', '/clientes/acme/uso')).body).toMatchObject({ medido: null, origen: null })
  await visit(5)
  const use = await measure()
  expect(['recorrido', 'cuota']).toContain(use.origen)
  expect(Date.now() - Date.parse(use.medido)).toBeLessThan(60_000)
  expect(use.consumo.disco_bytes.usado).toBeWithin(50_000, MIB)
  // Five answers with their heads, and the five requests.
  expect(use.consumo.trafico_bytes.usado).toBeWithin(250_500, 260_000)
  const { datos } = (await call('GET', '/clientes/acme/uso/historial')).body
  const [day] = datos
  expect(datos).toHaveLength(1)
  expect(day.dia).toBe(new Date().toISOString().slice(0, 10))
  expect(day.trafico_entrada_bytes + day.trafico_salida_bytes).toBe(use.consumo.trafico_bytes.usado)
  expect(day.trafico_salida_bytes).toBeGreaterThan(250_000)
  expect(day.trafico_entrada_bytes).toBeGreaterThan(100)
  const { body: node } = await call('GET', '/nodos/nodo1/historial')
  const hours: Json[] = node.datos
  expect(hours.reduce((sum, { trafico_salida_bytes }) => sum + trafico_salida_bytes, 0)).toBe(
    day.trafico_salida_bytes,
  )
  expect([node.nodo, node.cada]).toEqual(['nodo1', 'hora'])
  expect(hours.at(-1)?.memoria_bytes).toBeGreaterThan(50 * MIB)
  expect(hours.at(-1)?.disco_bytes).toBeGreaterThan(50_000)
  expect((await call('GET', '/nodos/nodo1/historial?dia_desde=ayer')).status).toBe(422)
}, 60_000)

test('a second measurement, a kill and a rotated log count nothing twice and lose nothing', async () => {
  const before = (await measure()).consumo.trafico_bytes.usado
  expect((await measure()).consumo.trafico_bytes.usado).toBe(before)
  await visit(2)
  await panel.kill()
  await visit(1)
  const log = join(root, '../../../..', 'log/access.log')
  await rename(log, `${log}.1`)
  // Until it is told to reopen, the web server goes on writing to the renamed file.
  await visit(1)
  await panel.up()
  await visit(1)
  const use = (await measure()).consumo.trafico_bytes.usado
  const one = before / 5
  expect(use - before).toBeWithin(one * 5 - 1000, one * 5 + 1000)
}, 60_000)

test('a symlink in the site leads the measurement nowhere', async () => {
  const before = (await measure()).consumo.disco_bytes.usado
  await Bun.spawn(['ln', '-s', '/usr', join(root, 'usr')]).exited
  expect((await measure()).consumo.disco_bytes.usado).toBeLessThan(before + MIB)
}, 60_000)

test('a file that is larger than what is left is refused with what is used and what may be', async () => {
  await measure()
  const path = '/sitios/uno.es/archivos/contenido?ruta=/public/grande'
  const refused = await panel.api('PUT', path, { bearer: token, raw: 'x'.repeat(5 * MIB) })
  const { usado } = refused.body
  expect(refused).toMatchObject({ status: 507, body: { recurso: 'disco', limite: 4 * MIB } })
  expect(usado).toBeWithin(50_000, MIB)
}, 60_000)

test('at 80% and at 100% of the plan the customer is told once each, and then writing ends with 507', async () => {
  await writeFile(join(root, 'big'), Buffer.alloc(3.4 * MIB, 1))
  expect((await measure()).consumo.disco_bytes.nivel).toBe('aviso')
  await measure()
  const first = await panel.mailTo('ana@acme.es')
  expect(first.subject).toMatch(/acme: disk space at 8\d%/)
  await writeFile(join(root, 'more'), Buffer.alloc(MIB, 1))
  expect((await measure()).consumo.disco_bytes.nivel).toBe('superado')
  await measure()
  expect((await panel.mailTo('ana@acme.es', 2)).text).toContain('of 4.2 MB')
  const refused = await call('POST', '/sitios', { cliente: 'acme', domain: 'dos.es', aliases: [] })
  expect(refused.status).toBe(507)
  expect(refused.body).toMatchObject({ codigo: 'sin_espacio', recurso: 'disco', limite: 4 * MIB })
  expect((await panel.mails()).filter(({ to }) => to === 'ana@acme.es')).toHaveLength(2)
  await call('POST', '/clientes/acme/plan', { plan: null })
  expect((await call('POST', '/sitios', { cliente: 'acme', domain: 'dos.es', aliases: [] })).status).toBe(201)
}, 60_000)

test('a measurement that is long past shows its age by its time, and history keeps each day', async () => {
  await panel.setClock(2 * 86_400)
  const { body } = await call('GET', '/clientes/acme/uso')
  expect(Date.now() + 2 * 86_400_000 - Date.parse(body.medido)).toBeGreaterThan(86_400_000)
  await measure()
  const { datos } = (await call('GET', '/clientes/acme/uso/historial')).body
  expect(datos.length).toBe(2)
  expect(datos[1].disco_bytes).toBeGreaterThan(4 * MIB)
}, 60_000)
