import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { startWorld, type World } from '../support/node-world.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

const SERVICES = ['nginx', 'php8.2', 'pdns']
let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Check = { comprobacion: string; estado: string; bien: boolean; consejo: string | null }

/** What the doctor says of the panel and of its services, by their names without a version. */
async function told() {
  const { status, lines } = await world.panel.command('doctor')
  const checks = (lines[0] as Check[]).map((check): [string, boolean, string | null] => [
    check.comprobacion.split(' ')[0] ?? '',
    check.bien,
    check.consejo,
  ])
  const named = checks.filter(([name]) => [...SERVICES, 'panel'].includes(name))
  return { status, checks: named, names: checks.map(([name]) => name) }
}

test('services that a killed panel left are told as running without it, and as stopped once they are', async () => {
  const { panel } = world
  const running = await told()
  expect(running.checks.map(([name, bien]) => [name, bien]).sort()).toEqual(
    SERVICES.map((name) => [name, true]).sort(),
  )
  await panel.kill()
  const left = await told()
  expect(running.names).toContain('systemd')
  // What does not hold is no service, and does not stop with the panel.
  expect(left.names).not.toContain('systemd')
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

test('active sites whose directory is away are named with what to do, running or stopped, and so are the settings of tests', async () => {
  const { panel } = world
  const rows = await panel.api('GET', '/sitios', { bearer: world.token })
  const [{ domain, raiz }] = rows.body.datos
  const sites = async () => {
    const { status, lines } = await panel.command('doctor')
    const found = (lines[0] as Check[]).filter(({ comprobacion }) => comprobacion === 'sitios')
    const tests = (lines[0] as Check[]).filter(({ comprobacion }) => comprobacion === 'pruebas')
    expect(tests).toEqual([
      {
        comprobacion: 'pruebas',
        estado: 'aviso',
        bien: true,
        consejo: expect.stringMatching(/^PANEL_TEST=1 .*clock/),
      },
    ])
    return { status, found }
  }
  expect(await sites()).toEqual({ status: 0, found: [] })
  renameSync(raiz, `${raiz}.away`)
  const away = await sites()
  expect([away.status, away.found.map(({ bien }) => bien)]).toEqual([1, [false]])
  expect(away.found[0]?.consejo).toStartWith(`1 site without a directory, answered with 404: ${domain}. `)
  expect(away.found[0]?.consejo).toContain(join(panel.dataDir, 'web/c'))
  renameSync(`${raiz}.away`, raiz)
  expect(await sites()).toEqual({ status: 0, found: [] })
})

test('of a panel that is ending, doctor and another start say that it ends', async () => {
  const { panel, done } = world
  const path = '/sitios/vecino.es/programadas'
  const { id } = (await done('POST', path, { cuando: '0 3 1 1 *', orden: ['sleep', '45'] })).body
  await done('POST', `${path}/${id}/ejecutar`)
  await eventually(
    async () => (await panel.api('GET', `${path}/${id}/ejecuciones`, { bearer: world.token })).body.datos[0],
    'the run',
  )
  process.kill(panel.pid, 'SIGTERM')
  await eventually(async () => {
    const answer = await panel.api('GET', '/salud').catch(() => null)
    return answer === null
  }, 'the end of its answers')
  const [looked, begun] = await Promise.all([panel.command('doctor'), panel.command('start')])
  const checks = (looked.lines[0] as Check[]).filter(({ comprobacion }) =>
    ['panel', `puerto ${panel.port}`].includes(comprobacion),
  )
  const ending = `it is ending (process ${panel.pid}), which takes some seconds; then sh deploy/start starts it again`
  expect([looked.status, checks.map(({ bien, consejo }) => [bien, consejo])]).toEqual([
    1,
    [
      [false, ending],
      [false, `nobody listens: ${ending}`],
    ],
  ])
  expect(begun.status).toBe(2)
  expect(begun.error).toContain(`the panel on ${panel.dataDir} is ending (process ${panel.pid})`)
  expect(begun.error).not.toContain('Stop it first')
  await panel.died()
  await panel.up()
}, 120_000)
