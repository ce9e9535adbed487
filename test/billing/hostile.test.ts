import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { faults } from '../support/fault-proxy.ts'
import { runPhp } from './php.ts'
import { TOKEN } from './scripted-panel.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(() => world.reset())

const FUNCTIONS = [
  'TestConnection',
  'TerminateAccount',
  'ClientArea',
  'AdminServicesTabFields',
  'UsageUpdate',
  'ListAccounts',
]

/** JSON that takes as much memory as its bytes can. */
const SWELLING: Record<string, string> = {
  objects: '{"a":1},',
  lists: '[[[1]]],',
  numbers: '1,',
}
for (const [name, piece] of Object.entries(SWELLING)) {
  for (const bytes of [1_000_000, 7_500_000, 10_000_000]) {
    test(`${bytes} bytes of ${name} do not use up the memory of the billing system`, async () => {
      const body = `{"datos":[${piece.repeat(bytes / piece.length)}0],"siguiente":null}`
      world.proxy.inject({
        times: 100,
        fault: faults.answer(200, body, { 'content-type': 'application/json' }),
      })
      const run = await runPhp({
        calls: FUNCTIONS.map((fn) => ({ fn, params: world.params() })),
        ca: world.certificate.file,
        phpArguments: ['-d', 'memory_limit=128M'],
      })
      expect(run.results).toHaveLength(FUNCTIONS.length)
      expect(run.results[1]?.value).toMatch(/^The panel/)
    })
  }
}

test('markup that a customer typed as domain or name reaches the module log as text without tags', async () => {
  const evil = '<script>alert(1)</script>.es'
  const clientsdetails = { email: 'a@example.es', companyname: evil }
  const { log } = await world.logged('CreateAccount', { domain: evil, clientsdetails })
  expect(log.length).toBeGreaterThan(0)
  expect(log.map((entry) => entry.slice(0, 5).join(' ')).join(' ')).not.toMatch(/[<>]/)
})

test('a token that the panel sends back in any field is in no result and in no log', async () => {
  await world.call('CreateAccount')
  const names = [
    'TestConnection',
    'CreateAccount',
    'SuspendAccount',
    'TerminateAccount',
    'SendLink',
    'RefreshUse',
  ]
  const others = ['ListAccounts', 'AdminServicesTabFields', 'ClientArea', 'PlanLoader', 'UsageUpdate']
  const body = {
    codigo: TOKEN,
    detail: TOKEN,
    campos: [{ campo: TOKEN, mensaje: TOKEN }],
    estado: TOKEN,
    plan: TOKEN,
  }
  for (const status of [200, 401, 422, 500]) {
    const page = { ...body, datos: [{ cliente: TOKEN, referencia: TOKEN, plan: TOKEN }], siguiente: TOKEN }
    world.proxy.inject({ times: 200, fault: faults.json(status, page) })
    const calls = [...names, ...others].map((fn) => ({ fn, params: world.params() }))
    const run = await runPhp({ calls, ca: world.certificate.file })
    expect(JSON.stringify(run.results)).not.toContain(TOKEN)
    expect(JSON.stringify(run.log.map((entry) => entry.slice(0, 5)))).not.toContain(TOKEN)
    world.proxy.reset()
  }
})

test('a plan whose name is markup is refused as a list of plans', async () => {
  world.proxy.inject({ fault: faults.json(200, { datos: [{ plan: '<img src=x>' }], siguiente: null }) })
  await expect(world.call('PlanLoader')).rejects.toThrow('a plan has no proper name')
})
