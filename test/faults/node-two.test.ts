import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type ProbedWorld, startProbedWorld } from '../support/node-world.ts'
import { freePort } from '../support/ports.ts'
import { portOfFreeRange } from '../support/users.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

let world: ProbedWorld

beforeAll(async () => {
  world = await startProbedWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

function spawnPanel(env: Record<string, string>) {
  const cwd = resolve(import.meta.dir, '../..')
  return Bun.spawn(['bun', 'deploy/node/panel.ts', 'start'], { cwd, env, stdout: 'pipe', stderr: 'pipe' })
}

/** What a start that has to be refused says: its one line. */
async function refusal(env: Record<string, string>): Promise<string> {
  const child = spawnPanel(env)
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  clearTimeout(late)
  expect([await child.exited, out]).toEqual([2, ''])
  expect(error.trimEnd().split('\n')).toHaveLength(1)
  return error
}

/** Ports of its own for everything that a panel listens on. */
const elsewhere = async (env: Record<string, string>) => ({
  ...env,
  PANEL_PORT: String(await freePort()),
  PANEL_HTTP_PORT: String(await portOfFreeRange()),
  PANEL_HTTPS_PORT: String(await freePort()),
  PANEL_DNS_PORT: String(await freePort()),
})

test('a second panel on the same port refuses with one line that names the first, which goes on', async () => {
  const { panel, call } = world
  const dataDir = mkdtempSync(join(tmpdir(), 'segundo-'))
  const error = await refusal({ ...panel.env, PANEL_DATA: dataDir })
  rmSync(dataDir, { recursive: true })
  expect(error).toContain(`${panel.port}/tcp`)
  expect(error).toContain(`process ${panel.pid}`)
  expect((await call('GET', '/conexion')).status).toBe(200)
})

test('a second panel on the same data directory refuses on any port, and names the first, which goes on', async () => {
  const { panel, call } = world
  for (const env of [panel.env, await elsewhere(panel.env)])
    expect(await refusal(env)).toContain(`a panel runs already on ${panel.dataDir}: process ${panel.pid}.`)
  expect((await call('GET', '/conexion')).status).toBe(200)
})

test('the neighbour was answered all the time', async () => {
  expect(await world.prober.stop()).toEqual([])
  expect(world.prober.good()).toBeGreaterThan(50)
})

test('a panel that was killed keeps no other from starting, and of four started at once one serves', async () => {
  const { panel } = world
  await panel.kill()
  expect(readdirSync(panel.dataDir).filter((name) => name.startsWith('serving-'))).not.toEqual([])
  const envs = [panel.env, await elsewhere(panel.env), await elsewhere(panel.env), await elsewhere(panel.env)]
  const children = envs.map(spawnPanel)
  const left = () => children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  await eventually(async () => left().length === 1, 'three refusals', 30_000)
  const [winner] = left()
  expect(children.flatMap((child) => (child === winner ? [] : [child.exitCode]))).toEqual([2, 2, 2])
  for await (const _ of winner?.stdout ?? []) break
  winner?.kill('SIGTERM')
  expect(await winner?.exited).toBe(0)
  await panel.up()
  expect((await world.call('GET', '/conexion')).status).toBe(200)
})
