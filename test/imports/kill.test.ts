import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plant } from '../api/store.ts'
import { textOf, visitor } from '../applications/wordpress.ts'
import { settled } from '../support/consistency.ts'
import { killDuring, startWorld, type World } from '../support/node-world.ts'
import type { Json } from '../support/panel.ts'
import { freePort } from '../support/ports.ts'
import { workEnded } from '../support/work.ts'
import { hestiaArchive } from './archives.ts'

setDefaultTimeout(120_000)

const CLIENT = 'importa'
let world: World
let directory: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'importaciones-'))
  world = await startWorld({
    env: { PANEL_MARIADB_PORT: String(await freePort()), PANEL_IMPORTACIONES: directory },
  })
  await world.panel.kill()
  await world.panel.up({ PANEL_TEST_STEPS: world.steps })
  await world.done('POST', '/clientes', { cliente: CLIENT, correo: 'ana@cliente.es' })
}, 120_000)
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

let round = 0
test.each([
  'import.plan:before',
  'import.plan:after',
  'import.database:before',
  'import.database:after',
  'database.fill:after',
  'import.site:before',
  'import.site:after',
  'import.files:before',
  'import.files:after',
  'import.records:before',
  'import.records:after',
  'import.zone:after',
  'import.task:before',
  'import.task:after',
])('an import that is killed at %s ends whole, once', async (point) => {
  round += 1
  const domain = `llega${round}.es`
  const other = `sola${round}.es`
  hestiaArchive(join(directory, `${round}.tar`), {
    sites: { [domain]: { files: { 'public_html/index.html': `Hola ${round}` } } },
    databases: { [`vieja_b${round}`]: 'CREATE TABLE t (a int);\n-- Dump completed on 2026\n' },
    zones: { [domain]: 'mail IN A 203.0.113.9\n', [other]: 'mail IN A 203.0.113.9\n' },
    cron: `JOB='1' MIN='5' HOUR='*' DAY='*' MONTH='*' WDAY='*' CMD='php /home/v/web/${domain}/public_html/a.php' SUSPENDED='no'\nJOB='2' MIN='5' HOUR='*' DAY='*' MONTH='*' WDAY='*' CMD='a | b' SUSPENDED='no'\n`,
  })
  const { panel } = world
  const body = { cliente: CLIENT, origen: 'hestia', ruta: `${round}.tar` }
  await killDuring(world, `${CLIENT}:importacion.hacer:${point}`, () =>
    world.call('POST', '/importaciones', body),
  )
  const tasks = (await world.call('GET', '/tareas?limite=200')).body.datos as Json[]
  const own = tasks.filter(
    ({ operacion, objeto }) => operacion === 'importacion.hacer' && objeto === body.ruta,
  )
  expect(own).toMatchObject([{ estado: 'hecha', resultado: { fallidos: [] } }])
  expect(own[0]?.resultado.hechos).toHaveLength(5)
  expect(own[0]?.resultado.deja).toContainEqual({
    tipo: 'programada',
    nombre: 'a | b',
    motivo: 'orden_no_admitida',
  })
  expect(textOf(await visitor(panel, domain)('/'))).toBe(`Hola ${round}`)
  expect((await world.call('GET', `/sitios/${domain}/programadas`)).body.datos).toHaveLength(1)
  expect((await world.call('GET', `/bases?cliente=${CLIENT}&limite=200`)).body.datos).toHaveLength(round)
  for (const zone of [domain, other]) {
    const records = (await world.call('GET', `/zonas/${zone}/registros`)).body.datos as Json[]
    expect(records.filter(({ nombre }) => nombre === 'mail')).toHaveLength(1)
  }
})

test('an import that was given up between a site and its zone is taken up where it is repeated, and only that one', async () => {
  const domain = 'mitad.es'
  hestiaArchive(join(directory, 'mitad.tar'), {
    sites: { [domain]: { files: { 'public_html/index.html': 'Hola' } } },
    zones: { [domain]: 'mail IN A 203.0.113.9\n', 'hecha.es': 'mail IN A 203.0.113.9\n' },
  })
  await world.done('POST', '/sitios', { cliente: CLIENT, domain: 'hecha.es', aliases: [] })
  const { panel } = world
  const body = { cliente: CLIENT, origen: 'hestia', ruta: 'mitad.tar' }
  writeFileSync(join(world.steps, 'deadly'), `${CLIENT}:importacion.hacer:import.records:before\n`)
  await world.call('POST', '/importaciones', body).catch(() => null)
  await panel.died()
  plant(panel, "update jobs set cancelled_at = next_at where target = 'mitad.tar'")
  rmSync(join(world.steps, 'deadly'))
  await panel.up({ PANEL_TEST_STEPS: world.steps })
  await settled(panel, 60_000)
  const first = (await world.call('GET', `/tareas?cliente=${CLIENT}&estado=cancelada`)).body.datos as Json[]
  expect(first.map(({ objeto }) => objeto)).toEqual(['mitad.tar'])
  const preview = (await world.call('POST', '/importaciones?simular=si', body)).body
  const named = (all: Json[]) => all.map(({ tipo, nombre }) => `${tipo} ${nombre}`)
  expect(named(preview.toma)).toEqual([`zona ${domain}`])
  expect(named(preview.deja).filter((one) => !one.startsWith('alias'))).toEqual([
    `sitio ${domain}`,
    'zona hecha.es',
  ])
  const asked = await world.call('POST', '/importaciones', body)
  const job = await workEnded(world.call, asked.body.tarea.id)
  expect([job.estado, named(job.resultado.hechos)]).toEqual(['hecha', [`zona ${domain}`]])
  expect(named(job.resultado.deja)).toContain('zona hecha.es')
  const records = (await world.call('GET', `/zonas/${domain}/registros`)).body.datos as Json[]
  expect(records.filter(({ nombre }) => nombre === 'mail')).toHaveLength(1)
  const again = (await world.call('POST', '/importaciones?simular=si', body)).body
  expect(named(again.deja)).toContain(`zona ${domain}`)
})
