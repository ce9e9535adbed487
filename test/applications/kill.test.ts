import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settled } from '../support/consistency.ts'
import { startWorld, type World } from '../support/node-world.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { textOf, visitor } from './wordpress.ts'

setDefaultTimeout(120_000)

const CLIENT = 'instala'
const WANTED = { aplicacion: 'wordpress', correo: 'ana@cliente.es' }
let world: World

beforeAll(async () => {
  world = await startWorld({ env: { PANEL_MARIADB_PORT: String(await freePort()) } })
  await world.panel.kill()
  await world.panel.up({ PANEL_TEST_STEPS: world.steps })
  await world.done('POST', '/clientes', { cliente: CLIENT, correo: 'ana@cliente.es' })
}, 120_000)
afterAll(() => world[Symbol.asyncDispose]())

/** Kills the panel at a point of the work that a request queues, and starts it again. */
async function killedAt(point: string, request: () => Promise<unknown>): Promise<void> {
  const { panel, steps } = world
  writeFileSync(join(steps, 'deadly'), `${CLIENT}:${point}\n`)
  const asked = request().catch(() => null)
  await eventually(
    () => Promise.race([panel.died().then(() => true), Bun.sleep(50).then(() => false)]),
    point,
    60_000,
  )
  await asked
  rmSync(join(steps, 'deadly'))
  await panel.up({ PANEL_TEST_STEPS: steps })
  await settled(panel, 60_000)
}

let round = 0
async function newSite(): Promise<{ domain: string; root: string }> {
  round += 1
  const domain = `wp${round}.es`
  const { body } = await world.done('POST', '/sitios', { cliente: CLIENT, domain, aliases: [] })
  return { domain, root: body.raiz }
}

test.each([
  'application.database:before',
  'application.files:after',
  'application.install:after',
  'application.place:after',
  'application.tidy:after',
])('an installation that is killed at %s ends whole, once', async (point) => {
  const { domain, root } = await newSite()
  await killedAt(`aplicacion.instalar:${point}`, () =>
    world.call('POST', `/sitios/${domain}/aplicacion`, WANTED),
  )
  const { body } = await world.call('GET', `/sitios/${domain}/aplicacion`)
  expect([body.estado, body.version]).toEqual(['activa', expect.stringMatching(/^6\./)])
  const front = await visitor(world.panel, domain)('/')
  expect([front.status, textOf(front)]).toEqual([200, expect.stringContaining('wp-content')])
  expect(readdirSync(join(root, '../.controlpanel'))).toEqual([])
  const tasks = (await world.call('GET', `/sitios/${domain}/programadas`)).body.datos
  const bases = (await world.call('GET', `/bases?cliente=${CLIENT}&limite=200`)).body.datos
  expect([tasks.length, bases.length]).toEqual([1, round])
})
