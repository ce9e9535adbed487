import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inconsistencies, readDatabase, settled, statusOf } from '../support/consistency.ts'
import { startWorld, type World } from '../support/node-world.ts'
import { Panel } from '../support/panel.ts'
import { freePort } from '../support/ports.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
}, 60_000)
afterAll(() => world[Symbol.asyncDispose](), 60_000)

test('a second panel on the same port refuses with one line that names the first, which goes on', async () => {
  const { panel, call } = world
  const child = Bun.spawn(['bun', 'deploy/node/panel.ts', 'start'], {
    cwd: resolve(import.meta.dir, '../..'),
    env: panel.env,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect([await child.exited, out]).toEqual([2, ''])
  expect(error.trimEnd().split('\n')).toHaveLength(1)
  expect(error).toContain(`${panel.port}/tcp`)
  expect(error).toContain(`process ${panel.pid}`)
  expect((await call('GET', '/conexion')).status).toBe(200)
}, 60_000)

test('two panels on different ports of one data directory do each job once, and one goes on without the other', async () => {
  const { panel, steps, token } = world
  await panel.kill()
  await panel.up({ PANEL_TEST_STEPS: steps })
  const port = await freePort()
  const env = { ...panel.env, PANEL_PORT: String(port), PANEL_TEST_STEPS: steps }
  const other = await Panel.start({ dataDir: panel.dataDir, port, env })
  other.keepData = true
  const names = Array.from({ length: 16 }, (_, at) => `dos${at}`)
  const answers = await Promise.all(
    names.map((name, at) => {
      const body = { cliente: name, correo: `${name}@dos.es`, domain: `${name}.es`, enviar: false }
      return (at % 2 ? panel : other).api('PUT', `/altas/${name}`, { bearer: token, body })
    }),
  )
  expect(answers.map(({ status, body }) => [status, body.sitio.estado])).toEqual(
    names.map(() => [201, 'activo']),
  )
  await settled(panel)
  expect(await inconsistencies(panel)).toEqual([])
  const jobs = readDatabase<{ attempts: number }>(
    panel,
    "select attempts from jobs where client_name like 'dos%'",
  )
  expect(jobs.map(({ attempts }) => attempts)).toEqual(names.flatMap(() => [1, 1]))
  const passed = readFileSync(join(steps, 'passed'), 'utf8').split('\n')
  expect(passed.filter((line) => /^dos.*:commit:after$/.test(line))).toHaveLength(jobs.length)
  // An orderly end of one leaves the services to the other.
  await other.stop()
  expect(await statusOf(panel, 'dos0.es')).toBe(200)
  expect((await world.call('DELETE', '/clientes/dos1')).body).toEqual({ cliente: 'dos1', eliminado: true })
  expect(await statusOf(panel, 'dos1.es')).toBe(404)
  expect(await inconsistencies(panel)).toEqual([])
}, 60_000)

test('the neighbour was answered all the time', async () => {
  expect(await world.prober.stop()).toEqual([])
  expect(world.prober.good()).toBeGreaterThan(50)
})
