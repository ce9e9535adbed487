import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { startWorld, type World } from '../support/node-world.ts'

setDefaultTimeout(60_000)

const SERVICES = ['nginx', 'php8.2', 'pdns']
let world: World

beforeAll(async () => {
  world = await startWorld()
  await world.prober.stop()
})
afterAll(() => world[Symbol.asyncDispose]())

type Check = { comprobacion: string; bien: boolean; consejo: string | null }

/** What the doctor says of the panel and of its services, by their names without a version. */
async function told(): Promise<{ status: number; checks: [string, boolean, string | null][] }> {
  const { status, lines } = await world.panel.command('doctor')
  const checks = (lines[0] as Check[]).map((check): [string, boolean, string | null] => [
    check.comprobacion.split(' ')[0] ?? '',
    check.bien,
    check.consejo,
  ])
  return { status, checks: checks.filter(([name]) => [...SERVICES, 'panel'].includes(name)) }
}

test('services that a killed panel left are told as running without it, and as stopped once they are', async () => {
  const { panel } = world
  const running = await told()
  expect(running.checks.map(([name, bien]) => [name, bien]).sort()).toEqual(
    SERVICES.map((name) => [name, true]).sort(),
  )
  await panel.kill()
  const left = await told()
  expect([left.status, left.checks[0]?.slice(0, 2)]).toEqual([1, ['panel', false]])
  for (const name of SERVICES) {
    const [, bien, consejo] = left.checks.find(([one]) => one === name) ?? []
    expect([name, bien, consejo]).toEqual([name, true, expect.stringContaining('the panel does not run')])
  }
  await panel.up()
  const { pid } = panel
  process.kill(pid, 'SIGTERM')
  await panel.died()
  const stopped = await told()
  expect(stopped.status).toBe(1)
  for (const name of SERVICES)
    expect(stopped.checks).toContainEqual([name, false, 'not running: the panel does not run'])
  await panel.up()
  expect((await told()).checks.filter(([, bien]) => !bien)).toEqual([])
})
