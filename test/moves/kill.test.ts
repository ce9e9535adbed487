import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../support/wait.ts'
import {
  addressOf,
  binOf,
  ended,
  killThrough,
  type NodeName,
  newClient,
  pointsOf,
  putDestination,
  slowly,
  startNodes,
  stepsOf,
  visitAt,
  type World,
} from './world.ts'

setDefaultTimeout(240_000)

let world: World
/** Where the client lives. */
let home: NodeName = 'nodo1'
const otherOf = (node: NodeName): NodeName => (node === 'nodo1' ? 'nodo2' : 'nodo1')

beforeAll(async () => {
  world = await startNodes()
  for (const node of ['nodo1', 'nodo2'] as const) await putDestination(world, node, world.store)
  await newClient(world, 'bea')
})
afterAll(async () => {
  await world?.stop()
})

/** Begins a move whose node, `source` or `target`, ends at a point as by kill -9. */
async function moveUntil(who: 'source' | 'target', point: string): Promise<{ target: NodeName; id: string }> {
  const target = otherOf(home)
  const deadly = world.nodes[who === 'source' ? home : target]
  await deadly.kill()
  await deadly.up({ PANEL_TEST_KILL: `cliente.mudar:${point}` })
  const { tarea } = await world.done(home, 'POST', '/clientes/bea/mudar', { nodo: target })
  await deadly.died()
  return { target, id: tarea.id }
}

/** A visit that counts in the database and in a file, which have to agree. */
async function countAt(node: NodeName): Promise<number> {
  const { status, text } = await visitAt(world.nodes[node], 'bea.es')
  expect([status, text]).toEqual([200, expect.stringMatching(/^visit (\d+) \1$/)])
  return Number(text.split(' ')[1])
}

describe('a move whose node is killed', () => {
  test.each([
    ['source', 'copies.part:after'],
    ['target', 'move.site:before'],
    ['source', 'move.close:after'],
    ['source', 'client.suspend:after'],
    ['target', 'site.carried:before'],
    ['target', 'move.switch:before'],
    ['target', 'move.switch:after'],
    ['target', 'move.follow:after'],
  ] as const)('on the %s at %s is done by the next start, and nothing is lost', async (who, point) => {
    const before = await countAt(home)
    const { target, id } = await moveUntil(who, point)
    await world.nodes[who === 'source' ? home : target].up()
    const job = await ended(world, target, id)
    expect([job.estado, job.error]).toEqual(['hecha', null])
    expect(await countAt(target)).toBe(before + 1)
    expect((await visitAt(world.nodes[home], 'bea.es')).status).toBe(503)
    expect((await world.call(target, 'POST', '/clientes/bea/mudar/confirmar')).status).toBe(200)
    home = target
    const isGone = async () => (await visitAt(world.nodes[otherOf(home)], 'bea.es')).status === 404
    await eventually(isGone, 'the end on the old node')
  })

  test('and does not come back leaves the client where it was, open again', async () => {
    const before = await countAt(home)
    const { target, id } = await moveUntil('target', 'site.carried:before')
    expect((await visitAt(world.nodes[home], 'bea.es')).status).toBe(503)
    const closed = await world.call(home, 'POST', '/clientes/bea/suspender')
    expect([closed.status, closed.body.codigo]).toEqual([409, 'en_mudanza'])
    writeFileSync(world.clock, '300')
    const isOpen = async () => (await visitAt(world.nodes[home], 'bea.es')).status === 200
    await eventually(isOpen, 'the client on its node', 60_000)
    expect(await countAt(home)).toBeGreaterThan(before)
    expect((await world.call(home, 'GET', `/tareas/${id}`)).body.estado).toBe('fallida')
    await world.nodes[target].up()
    const isGone = async () => (await visitAt(world.nodes[target], 'bea.es')).status === 404
    await eventually(isGone, 'the end of what the other node had')
  })
})

describe('a node that is killed', () => {
  const as = (client: string) => (point: string) => point.replace(/^[^:]*/, client)

  test('while it is emptied goes on, and tells of all that moved', async () => {
    const { nodo1 } = world.nodes
    await newClient(world, 'dora')
    const points = [':nodo.vaciar:empty.client:before', ':nodo.vaciar:empty.client:after']
    const empty = () => world.call('nodo1', 'POST', '/nodos/nodo1/vaciar', { nodo: 'nodo2' })
    await killThrough(world, 'nodo1', { points, act: empty })
    const lives = (await world.done('nodo2', 'GET', '/clientes?limite=200')).datos
    const here = lives.filter(({ nodo }: { nodo: string }) => nodo === 'nodo1').length
    writeFileSync(join(stepsOf(nodo1), 'deadly'), '')
    await nodo1.up({ PANEL_TEST_STEPS: stepsOf(nodo1) })
    const { datos } = await world.done('nodo2', 'GET', '/tareas?limite=200')
    const { id } = datos.find(({ operacion }: { operacion: string }) => operacion === 'nodo.vaciar')
    const job = await ended(world, 'nodo2', id)
    expect([job.estado, job.resultado]).toEqual(['hecha', { mudados: here, quedan: [] }])
    expect((await visitAt(world.nodes.nodo2, 'dora.es')).status).toBe(200)
  })

  test('at each step of following a client that left, or of removing what it left, does all of it once', async () => {
    const { nodo1, nodo2 } = world.nodes
    const isDone = (client: string) =>
      eventually(
        slowly(() => isIdle(client)),
        'the end of all work',
        120_000,
      )
    await isDone('dora')
    const following = pointsOf(nodo1, 'dora', 'mudanza.seguir')
    expect(following.length).toBeGreaterThan(1)
    await world.done('nodo2', 'POST', '/clientes/dora/mudar/confirmar')
    await isDone('dora')
    const leaving = pointsOf(nodo1, 'dora', 'mudanza.quitar')
    expect(leaving.length).toBeGreaterThan(5)
    await newClient(world, 'eva')
    await killThrough(world, 'nodo1', {
      points: following.map(as('eva')),
      act: () => world.call('nodo1', 'POST', '/clientes/eva/mudar', { nodo: 'nodo2' }),
    })
    expect((await visitAt(nodo2, 'eva.es')).status).toBe(200)
    await killThrough(world, 'nodo1', {
      points: leaving.map(as('eva')),
      act: () => world.call('nodo2', 'POST', '/clientes/eva/mudar/confirmar'),
    })
    await nodo1.up()
    await isDone('eva')
    expect((await binOf(world, 'nodo1')).filter((name) => name.includes('eva'))).toEqual([
      'base eva_datos',
      'cliente eva',
    ])
    expect((await visitAt(nodo1, 'eva.es')).status).toBe(404)
    expect(await addressOf(nodo1, 'eva.es')).toEqual([])
    expect((await visitAt(nodo2, 'eva.es')).status).toBe(200)
  }, 900_000)
})

/** Whether no work of a client's waits or runs. */
async function isIdle(client: string): Promise<boolean> {
  const { datos } = await world.done('nodo2', 'GET', `/tareas?cliente=${client}&limite=200`)
  return datos.every(({ estado }: { estado: string }) => !['pendiente', 'en_curso'].includes(estado))
}
