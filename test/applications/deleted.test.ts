import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Json } from '../support/panel.ts'
import { eventually } from '../support/wait.ts'
import { textOf, visitor } from './wordpress.ts'
import { startWordPress, type WordPressWorld } from './wordpress-world.ts'

setDefaultTimeout(120_000)

let world: WordPressWorld

beforeAll(async () => {
  world = await startWordPress()
})
afterAll(() => world?.stop())

const entryOf = async (name: string): Promise<Json> =>
  eventually(async () => {
    const { datos } = (await world.api('GET', `/papelera?buscar=${name}`)).body
    return datos[0] ?? null
  }, `${name} in the bin`)
const restore = async (id: string): Promise<Json> => {
  const asked = await world.api('POST', `/papelera/${id}/restaurar`, undefined, world.ana.bearer)
  expect(asked.status).toBe(202)
  return world.ended(asked.body.tarea.id)
}
const tasks = async (domain: string) =>
  (await world.api('GET', `/sitios/${domain}/programadas`)).body.datos.map(
    ({ cuando, orden, activa }: Json) => ({ cuando, orden, activa }),
  )

test('a deleted WordPress is known again once its site is restored, with its task and a way to sign in', async () => {
  await world.addSite('ana', 'vuelve.es')
  expect((await world.installed('vuelve.es', { titulo: 'De vuelta' })).estado).toBe('hecha')
  const [before, planned] = [await world.show('vuelve.es'), await tasks('vuelve.es')]
  expect([before.aplicacion, planned.length]).toEqual(['wordpress', 1])
  expect((await world.api('DELETE', '/sitios/vuelve.es')).status).toBe(200)
  const { id } = await entryOf('vuelve.es')
  await world.addSite('ana', 'vuelve.es')
  const ended = await restore(id)
  expect([ended.error, ended.resultado]).toEqual([null, { sitio: 'vuelve.es' }])
  expect(await world.show('vuelve.es')).toEqual(before)
  expect(await tasks('vuelve.es')).toEqual(planned)
  expect(textOf(await visitor(world.panel, 'vuelve.es')('/'))).toContain('De vuelta')
  const session = await world.api('POST', '/sitios/vuelve.es/aplicacion/sesion', undefined, world.ana.bearer)
  expect([session.status, session.body.codigo]).toEqual([201, undefined])
})

test('a WordPress whose database is deleted too is told to want that first, and is known once it is there', async () => {
  await world.api('DELETE', '/sitios/vuelve.es')
  const bases = (await world.api('GET', '/bases?cliente=ana')).body.datos
  const { base } = bases[0]
  expect((await world.api('DELETE', `/bases/${base}`)).status).toBe(200)
  await world.addSite('ana', 'vuelve.es')
  const { id } = await entryOf('vuelve.es')
  const look = () => world.api('POST', `/papelera/${id}/restaurar?simular=si`)
  const omitidos = [{ ajuste: 'aplicacion', nombre: 'WordPress', motivo: 'base_no_existe' }]
  expect((await look()).body.omitidos).toEqual(omitidos)
  await world.api('POST', '/bases', { cliente: 'ana', base: base.replace(/^ana_/, '') })
  expect((await restore((await entryOf(base)).id)).error).toBeNull()
  expect((await look()).body.omitidos).toEqual([])
  expect((await restore(id)).resultado).toEqual({ sitio: 'vuelve.es' })
  expect((await world.show('vuelve.es')).aplicacion).toBe('wordpress')
  expect(textOf(await visitor(world.panel, 'vuelve.es')('/'))).toContain('De vuelta')
})
