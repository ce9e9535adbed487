import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { eventually } from '../support/wait.ts'
import {
  addressOf,
  binOf,
  ended,
  killThrough,
  newClient,
  putDestination,
  standAt,
  startNodes,
  visitAt,
  type World,
} from './world.ts'

setDefaultTimeout(240_000)

let world: World

beforeAll(async () => {
  world = await startNodes()
  for (const node of ['nodo1', 'nodo2'] as const) await putDestination(world, node, world.store)
  await newClient(world, 'ana')
  for (const base of ['vieja', 'otra']) await world.done('nodo1', 'POST', '/bases', { cliente: 'ana', base })
  await world.done('nodo1', 'POST', '/zonas', { cliente: 'ana', zona: 'ana.net' })
  await world.done('nodo1', 'POST', '/sitios', { cliente: 'ana', domain: 'vieja.es' })
})
afterAll(async () => {
  await world?.stop()
})

test('what is deleted while it is copied is neither served nor kept on the new node', async () => {
  const { nodo2 } = world.nodes
  const stands = await standAt(nodo2, 'ana:cliente.mudar:move.site:before')
  const { tarea } = await world.done('nodo1', 'POST', '/clientes/ana/mudar', { nodo: 'nodo2' })
  await stands()
  // The new node has both by now.
  await world.done('nodo1', 'DELETE', '/bases/ana_vieja')
  await world.done('nodo1', 'DELETE', '/sitios/vieja.es')
  const isGone = async (path: string) => (await world.call('nodo1', 'GET', path)).status === 404
  await eventually(() => isGone('/bases/ana_vieja'), 'the end of the database', 60_000)
  await eventually(() => isGone('/sitios/vieja.es'), 'the end of the site', 60_000)
  await nodo2.kill()
  await nodo2.up()
  expect(await ended(world, 'nodo2', tarea.id)).toMatchObject({ estado: 'hecha', error: null })
  expect((await visitAt(nodo2, 'ana.es')).status).toBe(200)
  expect((await visitAt(nodo2, 'vieja.es')).status).toBe(404)
  expect(await binOf(world, 'nodo2')).toContain('base ana_vieja')
})

test('a move that is taken back is served by one node at a time, without what was deleted meanwhile', async () => {
  const { nodo1, nodo2 } = world.nodes
  await world.done('nodo2', 'DELETE', '/zonas/ana.net')
  await world.done('nodo2', 'DELETE', '/bases/ana_otra')
  const isGone = async () => (await world.call('nodo2', 'GET', '/bases/ana_otra')).status === 404
  await eventually(isGone, 'the end of the database', 60_000)
  expect(await addressOf(nodo1, 'ana.net')).not.toEqual([])
  const undo = () => world.call('nodo2', 'DELETE', '/clientes/ana/mudar')
  await killThrough(world, 'nodo2', { points: ['ana:cliente.mudar:client.suspend:before'], act: undo })
  const refused = await world.call('nodo1', 'POST', '/clientes/ana/suspender')
  expect([refused.status, refused.body.codigo]).toEqual([409, 'cliente_en_otro_nodo'])
  expect((await world.call('nodo1', 'GET', '/clientes/ana/mudar')).body.fase).toBe('volviendo')
  const leaving = ['ana:mudanza.quitar:client.unserve:before']
  await killThrough(world, 'nodo2', { points: leaving, act: async () => null })
  await eventually(async () => (await visitAt(nodo1, 'ana.es')).status === 200, 'the old node', 120_000)
  // It has not removed anything yet.
  expect((await visitAt(nodo2, 'ana.es')).status).toBe(503)
  await nodo2.up()
  await eventually(async () => (await visitAt(nodo2, 'ana.es')).status === 404, 'the end there', 60_000)
  await eventually(async () => (await addressOf(nodo1, 'ana.net')).length === 0, 'the zone', 60_000)
  expect(await binOf(world, 'nodo1')).toContain('base ana_otra')
  expect((await visitAt(nodo1, 'ana.es')).status).toBe(200)
})
