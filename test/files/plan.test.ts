import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../support/wait.ts'
import { codeOf, path, type Site, startSite } from './site.ts'

const MIB = 1_048_576

let site: Site
beforeAll(async () => {
  site = await startSite()
  const { panel, token } = site
  const plan = { plan: 'chico', disco_bytes: 20 * MIB, funciones: ['archivos'] }
  expect((await panel.api('POST', '/planes', { bearer: token, body: plan })).status).toBe(201)
  const given = await panel.api('POST', '/clientes/ana/plan', { bearer: token, body: { plan: 'chico' } })
  expect(given.status).toBe(200)
}, 60_000)
afterAll(() => site.panel.stop())

test('what was written or deleted counts for the plan within seconds, not with the next measurement of all', async () => {
  const { panel, token, put } = site
  const six = new Uint8Array(6 * MIB)
  const used = async () =>
    (await panel.api('GET', '/clientes/ana/uso', { bearer: token })).body.consumo.disco_bytes.usado
  for (const name of ['a', 'b', 'c']) expect((await put(`/public/${name}.bin`, six)).status).toBe(201)
  await eventually(async () => (await used()) >= 18 * MIB, 'what was written', 30_000)
  expect(codeOf(await put('/public/d.bin', six))).toEqual([507, 'sin_espacio'])
  for (const name of ['a', 'b']) {
    const removed = await panel.api('DELETE', path(`/public/${name}.bin`), { bearer: token })
    expect(removed.status).toBe(200)
  }
  await eventually(async () => (await put('/public/d.bin', six)).status === 201, 'what was deleted', 30_000)
}, 90_000)

test('an archive of more than the plan’s inodes is refused, and leaves nothing', async () => {
  const { panel, token, operate, asClient, names, staged } = site
  const call = (method: string, to: string, body?: object) =>
    panel.api(method, to, { bearer: token, ...(body ? { body } : {}) })
  const used = async () => (await call('GET', '/clientes/ana/uso')).body.consumo.inodos.usado
  asClient(`mkdir('muchos'); for ($n = 0; $n < 60; $n++) touch("muchos/$n");`)
  await operate({ operacion: 'comprimir', rutas: ['/public/muchos'], destino: '/public/muchos.tar.gz' })
  await panel.command('cron', 'uso')
  const inodos = (await used()) + 50
  await call('POST', '/planes', { plan: 'pocos', inodos, funciones: ['archivos'] })
  await call('POST', '/clientes/ana/plan', { plan: 'pocos' })
  const wanted = { operacion: 'extraer', rutas: ['/public/muchos.tar.gz'], destino: '/public/otros' }
  const refused = await operate(wanted)
  expect([...codeOf(refused), refused.body.recurso]).toEqual([507, 'sin_espacio', 'inodos'])
  expect([await names('/public'), staged()]).toEqual([expect.not.arrayContaining(['otros']), []])
  await call('PATCH', '/planes/pocos', { inodos: inodos + 20 })
  expect((await operate(wanted)).status).toBe(200)
}, 90_000)
