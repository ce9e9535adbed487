import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../support/panel.ts'
import { eventually } from '../support/wait.ts'
import {
  addressOf,
  type Client,
  dumpOf,
  ended,
  type NodeName,
  newClient,
  putDestination,
  read,
  slowly,
  startNodes,
  type Visit,
  visit,
  visitAt,
  type World,
} from './world.ts'

setDefaultTimeout(400_000)

let world: World
let ana: Client

beforeAll(async () => {
  world = await startNodes()
  ana = await newClient(world, 'ana')
})
afterAll(async () => {
  await world?.stop()
})

const preview = (body: Json) => world.call('nodo1', 'POST', '/clientes/ana/mudar?simular=si', body)

describe('a move', () => {
  test('is not possible before both nodes keep their copies at one place', async () => {
    expect((await preview({ nodo: 'nodo2' })).body.codigo).toBe('destino_no_existe')
    await putDestination(world, 'nodo1', world.store)
    expect((await preview({ nodo: 'nodo2' })).body.codigo).toBe('destino_no_comun')
    await putDestination(world, 'nodo2', world.store)
    expect((await preview({ nodo: 'nodo3' })).body.codigo).toBe('nodo_no_existe')
    expect((await preview({ nodo: 'nodo1' })).body.codigo).toBe('nodo_no_existe')
    const elsewhere = await world.call('nodo2', 'POST', '/clientes/ana/mudar', { nodo: 'nodo2' })
    expect(elsewhere.body.codigo).toBe('cliente_en_otro_nodo')
  })

  test('to a node without room for it is refused before anything changes', async () => {
    const uses = (bytes: number) =>
      world.sql(`insert into usage (client_id, measured_at, source, disk_bytes, inodes)
        select id, 0, 'cuota', ${bytes}, 1 from clients where name = 'ana'
        on conflict (client_id) do update set disk_bytes = excluded.disk_bytes`)
    await uses(1e15)
    const refused = await world.call('nodo1', 'POST', '/clientes/ana/mudar', { nodo: 'nodo2' })
    expect([refused.status, refused.body]).toMatchObject([507, { codigo: 'sin_espacio', recurso: 'disco' }])
    expect((await preview({ nodo: 'nodo2' })).body.impide).toEqual([{ que: 'espacio', objetos: ['nodo2'] }])
    await uses(1)
    expect((await world.call('nodo1', 'GET', '/clientes/ana/mudar')).body.codigo).toBe('mudanza_no_existe')
    expect((await visitAt(world.nodes.nodo2, 'ana.es')).status).toBe(404)
  })

  test('takes files, database, zone and its keys along, and visitors wait for seconds', async () => {
    await world.done('nodo1', 'POST', '/zonas/ana.es/dnssec')
    const before = await world.done('nodo1', 'GET', '/zonas/ana.es')
    const told = await preview({ nodo: 'nodo2' })
    expect(told.body).toMatchObject({ impide: [], mueve: { sitios: ['ana.es'], bases: ['ana_datos'] } })
    expect((await world.call('nodo1', 'GET', '/clientes/ana/mudar')).body.codigo).toBe('mudanza_no_existe')
    const visits: Visit[] = []
    let isOver = false
    const visitor = (async () => {
      while (!isOver) visits.push(await visit(world, 'ana.es'))
    })()
    const { tarea } = await world.done('nodo1', 'POST', '/clientes/ana/mudar', { nodo: 'nodo2' })
    const job = await ended(world, 'nodo2', tarea.id)
    expect([job.estado, job.error]).toEqual(['hecha', null])
    const last = () => visits.at(-1)
    await eventually(async () => last()?.node === 'nodo2' && last()?.status === 200, 'the new node').catch(
      (error) => {
        throw new Error(`${error}, after ${JSON.stringify(visits.slice(-3))}`)
      },
    )
    isOver = true
    await visitor
    tell(visits)
    // Whatever was answered with success is there.
    const good = visits.filter(({ status }) => status === 200)
    expect(good.at(-1)?.text).toBe(`visit ${good.length} ${good.length}`)
    const { body } = await world.call('nodo2', 'GET', '/clientes/ana/mudar')
    expect(body).toMatchObject({ de: 'nodo1', a: 'nodo2', nodo: 'nodo2', fase: 'mudada' })
    const after = await world.done('nodo2', 'GET', '/zonas/ana.es')
    expect(after.dnssec).toEqual(before.dnssec)
    expect(read(ana.root, 'hola.txt')).toBe('hola')
    expect((await visitAt(world.nodes.nodo1, 'ana.es')).status).toBe(503)
    expect(await addressOf(world.nodes.nodo2, 'ana.es')).toEqual(['127.0.0.2'])
    const elsewhere = await world.call('nodo1', 'POST', '/clientes/ana/suspender')
    expect(elsewhere.body).toMatchObject({ codigo: 'cliente_en_otro_nodo', nodo: 'nodo2' })
  })

  test('can be taken back to what the old node kept, and be made again', async () => {
    expect((await world.call('nodo1', 'DELETE', '/clientes/ana/mudar')).body.codigo).toBe(
      'cliente_en_otro_nodo',
    )
    const { base } = await world.done('nodo2', 'POST', '/bases', { cliente: 'ana', base: 'nueva' })
    expect((await world.call('nodo2', 'DELETE', '/clientes/ana/mudar')).status).toBe(202)
    const served = async () => {
      const { node, status } = await visit(world, 'ana.es')
      return node === 'nodo1' && status === 200
    }
    await eventually(served, 'the old node')
    await eventually(async () => (await visitAt(world.nodes.nodo2, 'ana.es')).status === 404, 'the end there')
    expect((await world.call('nodo1', 'GET', '/clientes/ana')).body).toMatchObject({ nodo: 'nodo1' })
    // Made after the switch, it is there, and empty.
    await eventually(
      async () => (await dumpOf(world, 'nodo1', base)).includes('-- Dump completed'),
      'the new database',
    )
    await world.done('nodo1', 'POST', '/zonas', { cliente: 'ana', zona: 'ana.net' })
    const { tarea } = await world.done('nodo1', 'POST', '/clientes/ana/mudar', { nodo: 'nodo2' })
    expect((await ended(world, 'nodo2', tarea.id)).estado).toBe('hecha')
    const { text } = await visitAt(world.nodes.nodo2, 'ana.es')
    const [, rows, letters] = text.split(' ')
    expect(rows).toBe(letters)
    expect(Number(rows)).toBeGreaterThan(1)
  })

  test('is over once it is confirmed: the old node keeps nothing and answers for nothing', async () => {
    // Deleted since the switch, it is in no table any more, and the old node's name server has it.
    await world.done('nodo2', 'DELETE', '/zonas/ana.net')
    expect(await addressOf(world.nodes.nodo1, 'ana.net')).not.toEqual([])
    expect((await world.call('nodo2', 'POST', '/clientes/ana/mudar/confirmar')).status).toBe(200)
    await eventually(async () => (await addressOf(world.nodes.nodo1, 'ana.net')).length === 0, 'its zone')
    await eventually(async () => read(ana.root, 'hola.txt') === null, 'the tree')
    await eventually(async () => (await addressOf(world.nodes.nodo1, 'ana.es')).length === 0, 'the zone')
    expect((await visitAt(world.nodes.nodo1, 'ana.es')).status).toBe(404)
    expect((await visitAt(world.nodes.nodo2, 'ana.es')).status).toBe(200)
    expect((await world.call('nodo2', 'GET', '/clientes/ana/mudar')).body.codigo).toBe('mudanza_no_existe')
  })
})

test('what the client itself may not read ends its move before it is closed, and is named', async () => {
  const { root, domain } = await newClient(world, 'iris')
  const names = Array.from({ length: 22 }, (_, at) => `cerrado-${String(at).padStart(2, '0')}.txt`)
  const { uid, gid } = statSync(root)
  for (const name of names) {
    writeFileSync(join(root, name), 'x', { mode: 0 })
    chownSync(join(root, name), uid, gid)
  }
  const { tarea } = await world.done('nodo1', 'POST', '/clientes/iris/mudar', { nodo: 'nodo2' })
  const seen: Promise<number>[] = []
  const watching = setInterval(() => {
    seen.push(visitAt(world.nodes.nodo1, domain).then(({ status }) => status))
  }, 100)
  const job = await ended(world, 'nodo1', tarea.id).finally(() => clearInterval(watching))
  expect([...new Set(await Promise.all(seen))]).toEqual([200])
  const objetos = names.slice(0, 20).map((name) => `iris.es/public/${name}`)
  expect(job.resultado).toMatchObject({ codigo: 'mudanza_ilegible', impide: ['archivos'], objetos })
  expect(job.error).toContain('Not moved: the account itself may not read iris.es/public/cerrado-00.txt, ')
  expect((await world.call('nodo1', 'GET', '/clientes/iris/mudar')).body.codigo).toBe('mudanza_no_existe')
  const told = await world.done('nodo1', 'POST', '/clientes/iris/mudar?simular=si', { nodo: 'nodo2' })
  expect(told.impide).toEqual([
    { que: 'copia', objetos: [expect.stringMatching(/^iris\.es: .*cerrado-00\.txt/)] },
  ])
  for (const name of names) rmSync(join(root, name))
  const again = await world.done('nodo1', 'POST', '/clientes/iris/mudar', { nodo: 'nodo2' })
  expect(await ended(world, 'nodo2', again.tarea.id)).toMatchObject({ estado: 'hecha', error: null })
  await world.done('nodo2', 'DELETE', '/clientes/iris')
})

test('a suspended client moves as it is, and is served by its new node once it is activated', async () => {
  await newClient(world, 'sara')
  await eventually(async () => (await visitAt(world.nodes.nodo1, 'sara.es')).text === 'visit 1 1', 'a visit')
  await world.done('nodo1', 'POST', '/clientes/sara/suspender')
  const away = async (node: NodeName) => (await visitAt(world.nodes[node], 'sara.es')).status
  const status = await eventually(async () => {
    const now = await away('nodo1')
    return now !== 200 && now
  }, 'the suspension')
  const { tarea } = await world.done('nodo1', 'POST', '/clientes/sara/mudar', { nodo: 'nodo2' })
  expect(await ended(world, 'nodo2', tarea.id)).toMatchObject({ estado: 'hecha', error: null })
  expect(await away('nodo2')).toBe(status)
  const { body } = await world.call('nodo2', 'GET', '/clientes/sara')
  expect(body).toMatchObject({ estado: 'suspendido', nodo: 'nodo2' })
  await world.done('nodo2', 'POST', '/clientes/sara/activar')
  const visited = async () => (await visitAt(world.nodes.nodo2, 'sara.es')).text === 'visit 2 2'
  await eventually(visited, 'the client on its new node', 60_000)
  expect(await away('nodo1')).toBe(503)
})

test('a move is confirmed by itself after a week, once its new node holds the client as it should', async () => {
  const move = () => world.call('nodo2', 'GET', '/clientes/sara/mudar')
  const { raiz } = await world.done('nodo2', 'GET', '/sitios/sara.es')
  renameSync(raiz, `${raiz}-fuera`)
  const week = 8 * 86_400_000
  await world.sql(`update moves set switched_at = switched_at - ${week}`)
  const waits = slowly(async () => (await move()).body.espera === 'con_diferencias')
  await eventually(waits, 'the wait', 120_000)
  expect((await move()).body.fase).toBe('mudada')
  expect((await visitAt(world.nodes.nodo1, 'sara.es')).status).toBe(503)
  renameSync(`${raiz}-fuera`, raiz)
  const isConfirmed = slowly(async () => (await move()).body.codigo === 'mudanza_no_existe')
  await eventually(isConfirmed, 'the confirmation', 120_000)
  await eventually(async () => (await visitAt(world.nodes.nodo1, 'sara.es')).status === 404, 'the end there')
  expect((await visitAt(world.nodes.nodo2, 'sara.es')).status).toBe(200)
})

test('emptying a node moves its clients one after another, and says who stays', async () => {
  await newClient(world, 'carla')
  const asked = { nodo: 'nodo2' }
  const told = await world.done('nodo1', 'POST', '/nodos/nodo1/vaciar?simular=si', asked)
  expect(told).toEqual({ de: 'nodo1', a: 'nodo2', clientes: ['carla'], total: 1, siguiente: null })
  expect((await world.call('nodo1', 'POST', '/nodos/nodo1/vaciar', { nodo: 'nodo1' })).status).toBe(409)
  const { tarea } = await world.done('nodo1', 'POST', '/nodos/nodo1/vaciar', asked)
  expect(await ended(world, 'nodo1', tarea.id)).toMatchObject({
    estado: 'hecha',
    resultado: { mudados: 1, quedan: [] },
  })
  expect((await visitAt(world.nodes.nodo2, 'carla.es')).status).toBe(200)
  // Not confirmed yet, it stays where it came to, and does not keep the others from leaving.
  const back = await world.done('nodo2', 'POST', '/nodos/nodo2/vaciar', { nodo: 'nodo1' })
  const { estado, resultado } = await ended(world, 'nodo2', back.tarea.id)
  expect([estado, resultado.quedan]).toEqual([
    'hecha',
    [{ cliente: 'carla', codigo: 'mudanza_sin_confirmar' }],
  ])
  const again = await world.call('nodo2', 'POST', '/clientes/carla/mudar', { nodo: 'nodo1' })
  expect([again.status, again.body.codigo, again.body.nodo]).toEqual([409, 'mudanza_sin_confirmar', 'nodo2'])
  expect(again.body.detail).toContain('POST …/mudar/confirmar')
})

/** Says how long visitors waited. */
function tell(visits: Visit[]): void {
  const failed = visits.filter(({ status }) => status !== 200)
  let longest = 0
  let since = visits[0]?.at ?? 0
  for (const { at, status } of visits) {
    if (status !== 200) continue
    longest = Math.max(longest, at - since)
    since = at
  }
  const kinds = Map.groupBy(failed, ({ status, node }) => `${node} ${status}`)
  const counts = [...kinds].map(([kind, all]) => `${kind}: ${all.length}`).join(', ')
  console.log(
    `${visits.length} visits, ${failed.length} failed (${counts}), longest gap ${Math.round(longest)} ms`,
  )
}
