import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startWorld, type World } from './world.ts'

type Content = { ttl: number; valores: string[] } | null
type Change = {
  cambio: number
  actor: { tipo: string; nombre: string | null } | null
  conjuntos: number
  cambios: { nombre: string; tipo: string; anterior: Content; posterior: Content }[]
}

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const history = async (zona: string, bearer?: string): Promise<Change[]> =>
  // The answer has passed the operation's own schema.
  (await world.done(`GET /zonas/${zona}/historial?limite=200`, bearer ? { bearer } : {})).body
    .datos as Change[]
const told = ({ cambios }: Change) =>
  cambios.map(({ nombre, tipo, anterior, posterior }) => [
    nombre,
    tipo,
    anterior?.valores,
    posterior?.valores,
  ])

test('what changes a zone is in its history, newest first, with what was there and who it was', async () => {
  await world.newZone('historia.es')
  expect(await history('historia.es')).toEqual([])
  await world.put('historia.es', 'a/A', '192.0.2.1')
  await world.put('historia.es', 'a/A', '192.0.2.2')
  // The same again changes nothing, so it is no change.
  await world.put('historia.es', 'a/A', '192.0.2.2')
  const bearer = await world.panel.customerOf('acme')
  await world.done('DELETE /zonas/historia.es/registros/a/A', { bearer })
  await world.done('POST /zonas/historia.es/importar?modo=fusionar', {
    file: 'b 300 A 192.0.2.3\nc 300 A 192.0.2.4',
  })
  const changes = await history('historia.es')
  expect(changes.map(told)).toEqual([
    [
      ['b', 'A', undefined, ['192.0.2.3']],
      ['c', 'A', undefined, ['192.0.2.4']],
    ],
    [['a', 'A', ['192.0.2.2'], undefined]],
    [['a', 'A', ['192.0.2.1'], ['192.0.2.2']]],
    [['a', 'A', undefined, ['192.0.2.1']]],
  ])
  expect(changes.map(({ conjuntos }) => conjuntos)).toEqual([2, 1, 1, 1])
  expect(changes.every(({ actor }) => actor?.nombre)).toBe(true)
  const { siguiente } = (await world.done('GET /zonas/historia.es/historial?limite=1')).body
  const behind = (await world.done(`GET /zonas/historia.es/historial?limite=1&desde=${siguiente}`)).body.datos
  expect(behind).toEqual(changes.slice(1, 2))
  // A customer reads its own name, and of others only that it was an operator.
  const own = await history('historia.es', bearer)
  expect(own.map(({ actor }) => typeof actor?.nombre)).toEqual(['object', 'string', 'object', 'object'])
})

test('a zone goes back to what any change left, by an import of that state', async () => {
  const [, , second] = await history('historia.es')
  const past = await world.done(`GET /zonas/historia.es/exportar?cambio=${second?.cambio}`)
  const now = await world.done('GET /zonas/historia.es/exportar')
  expect(past.headers.etag).toBe(now.headers.etag ?? '')
  const dry = await world.done('POST /zonas/historia.es/importar?simular=si', { file: String(past.body) })
  expect(dry.body).toEqual({ anadidos: 1, cambiados: 0, borrados: 2, rechazados: [] })
  await world.done('POST /zonas/historia.es/importar', { file: String(past.body) })
  expect(await world.short('a.historia.es', 'A')).toEqual(['192.0.2.2'])
  expect(await world.short('b.historia.es', 'A')).toEqual([])
  const [newest] = await history('historia.es')
  expect(newest && told(newest)).toContainEqual(['b', 'A', ['192.0.2.3'], undefined])
})

test('what the panel changes by itself is there too, and nothing of another client or zone is', async () => {
  await world.newZone('sola.es')
  await world.done('POST /sitios', { body: { cliente: 'acme', domain: 'sola.es', aliases: ['www.sola.es'] } })
  const changes = await history('sola.es')
  expect(changes.map(({ actor }) => actor)).toEqual(changes.map(() => null))
  expect(changes.flatMap(told).map(([nombre]) => nombre)).toContain('www')
  const foreign = (await history('historia.es'))[0]?.cambio
  const answers = [
    await world.panel.call(`GET /zonas/sola.es/exportar?cambio=${foreign}`),
    await world.panel.call('GET /zonas/sola.es/historial', { bearer: await world.panel.customerOf('beta') }),
    await world.panel.call('GET /zonas/sola.es/historial?desde=x'),
  ]
  expect(answers.map(({ status, body }) => [status, body.codigo])).toEqual([
    [404, 'no_encontrado'],
    [404, 'zona_no_existe'],
    [400, 'cursor_invalido'],
  ])
})

test('the last hundred changes are kept', async () => {
  await world.newZone('muchos.es')
  for (let n = 0; n < 103; n++) await world.put('muchos.es', 'n/TXT', `"${n}"`)
  const changes = await history('muchos.es')
  expect(changes).toHaveLength(100)
  expect(changes.at(-1)?.cambios[0]?.posterior?.valores).toEqual(['"3"'])
}, 60_000)
