import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf, visitor } from '../applications/wordpress.ts'
import { killDuring, startWorld, type World } from '../support/node-world.ts'
import type { Json } from '../support/panel.ts'
import { freePort } from '../support/ports.ts'
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
    cron: `JOB='1' MIN='5' HOUR='*' DAY='*' MONTH='*' WDAY='*' CMD='php /home/v/web/${domain}/public_html/a.php' SUSPENDED='no'\n`,
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
  expect(textOf(await visitor(panel, domain)('/'))).toBe(`Hola ${round}`)
  expect((await world.call('GET', `/sitios/${domain}/programadas`)).body.datos).toHaveLength(1)
  expect((await world.call('GET', `/bases?cliente=${CLIENT}&limite=200`)).body.datos).toHaveLength(round)
  for (const zone of [domain, other]) {
    const records = (await world.call('GET', `/zonas/${zone}/registros`)).body.datos as Json[]
    expect(records.filter(({ nombre }) => nombre === 'mail')).toHaveLength(1)
  }
})
