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
