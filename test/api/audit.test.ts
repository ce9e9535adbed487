import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { newAdmin, newClient, ROOMY } from './people.ts'
import { everything } from './store.ts'

setDefaultTimeout(60_000)

const SECRET = 'canario-de-una-orden'
let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  await newClient(panel, token, 'acme', { nombre: 'Acme' })
  for (const plan of ['basico', 'pro'])
    await panel.api('POST', '/planes', { bearer: token, body: { plan, sitios: 1 } })
  await panel.api('POST', '/zonas', { bearer: token, body: { cliente: 'acme', zona: 'acme.es' } })
})
afterAll(() => panel.stop())

/** Makes a change; answers what the newest row of the trail tells of it. */
async function toldOf(method: string, path: string, body: Json, bearer = token): Promise<Json[] | null> {
  await panel.api(method, path, { bearer, body })
  const { body: page } = await panel.api('GET', '/auditoria?limite=1', { bearer: token })
  return page.datos[0].cambios?.map(({ campo, de, a }: Json) => [campo, de, a]) ?? null
}

test('the trail tells what became of each field, of every kind of change', async () => {
  const record = '/zonas/acme.es/registros/web/A'
  expect(await toldOf('PATCH', '/clientes/acme', { nombre: 'Acme SL' })).toEqual([
    ['nombre', 'Acme', 'Acme SL'],
  ])
  expect(await toldOf('PATCH', '/clientes/acme', { nombre: 'Acme SL' })).toBeNull()
  expect(await toldOf('POST', '/clientes/acme/plan', { plan: 'basico' })).toEqual([['plan', null, 'basico']])
  expect(await toldOf('POST', '/clientes/acme/plan', { plan: 'pro' })).toEqual([['plan', 'basico', 'pro']])
  expect(await toldOf('PATCH', '/planes/pro', { sitios: 5, zonas: null })).toEqual([['sitios', 1, 5]])
  expect(await toldOf('POST', '/clientes/acme/suspender', { motivo: 'impago' })).toEqual([
    ['estado', 'activo', 'suspendido'],
    ['motivo', null, 'impago'],
  ])
  expect(await toldOf('POST', '/clientes/acme/activar', undefined)).toEqual([
    ['estado', 'suspendido', 'activo'],
    ['motivo', 'impago', null],
  ])
  expect(await toldOf('PUT', record, { ttl: 300, valores: ['192.0.2.1'] })).toEqual([
    ['ttl', null, 300],
    ['valores', [], ['192.0.2.1']],
  ])
  expect(await toldOf('PUT', record, { ttl: 300, valores: ['192.0.2.2'] })).toEqual([
    ['valores', ['192.0.2.1'], ['192.0.2.2']],
  ])
  expect(await toldOf('DELETE', record, undefined)).toEqual([
    ['ttl', 300, null],
    ['valores', ['192.0.2.2'], []],
  ])
  expect(await toldOf('PATCH', '/yo', { idioma: 'en' }, admin.bearer)).toEqual([['idioma', 'es', 'en']])
  const name = { nombre: 'Ejemplo', color: null, soporte: null }
  expect(await toldOf('PUT', '/apariencia', name)).toEqual([['nombre', null, 'Ejemplo']])
  const other = await newAdmin(panel, admin, 'otra@ejemplo.es')
  expect(await toldOf('PATCH', `/personas/${other.id}`, { activa: false })).toEqual([['activa', true, false]])
})

test('a change of a site tells its settings, and one that was refused tells nothing', async () => {
  await panel.api('POST', '/sitios', {
    bearer: token,
    body: { cliente: 'acme', domain: 'acme.es', aliases: [] },
  })
  const change = { solo_https: true, indice_spa: true, aliases: ['www.acme.es'] }
  expect(await toldOf('PATCH', '/sitios/acme.es', change)).toEqual([
    ['aliases', [], ['www.acme.es']],
    ['solo_https', false, true],
    ['indice_spa', false, true],
  ])
  expect(await toldOf('PATCH', '/sitios/acme.es', { solo_https: false, php: '1.0' })).toBeNull()
})

test('where a value may hold a secret, the trail tells only that it changed', async () => {
  const hook = { url: `https://avisos.example/${SECRET}`, tipos: ['*'] }
  const made = await panel.api('POST', '/avisos', { bearer: admin.bearer, body: hook })
  expect(made.status).toBe(201)
  const moved = { url: `https://avisos.example/${SECRET}-2`, tipos: ['sitio.error'] }
  expect(await toldOf('PATCH', `/avisos/${made.body.id}`, moved, admin.bearer)).toEqual([
    ['url', null, null],
    ['tipos', ['*'], ['sitio.error']],
  ])
  const trail = JSON.stringify((await panel.api('GET', '/auditoria?limite=200', { bearer: token })).body)
  expect(trail).not.toContain(SECRET)
  expect(everything(panel)).toContain(SECRET)
})
