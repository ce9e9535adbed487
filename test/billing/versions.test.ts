import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { MODULE, type PhpCall, type PhpRun, runPhp, WASM_VERSIONS, type WasmVersion } from './php.ts'
import { serviceParams } from './world.ts'

/** How many versions run at once. */
const AT_ONCE = 2

let panel: Panel
let token: string
/** Each version's life, which begins when its turn comes. */
let lives: Map<WasmVersion, Promise<PhpRun>>

beforeAll(async () => {
  panel = await Panel.start()
  token = await newToken(panel, await firstAdmin(panel))
  for (const plan of ['basico', 'avanzado']) {
    const made = await panel.api('POST', '/planes', {
      bearer: token,
      body: { plan, disco_bytes: 1_073_741_824 },
    })
    expect(made.status).toBe(201)
  }
  lives = inTurn()
}, 60_000)
afterAll(async () => {
  await panel.stop()
})

/** All versions, a few at a time; what fails is told by the test that waits for it. */
function inTurn(): Map<WasmVersion, Promise<PhpRun>> {
  const started = new Map<WasmVersion, Promise<PhpRun>>()
  for (const [index, version] of WASM_VERSIONS.entries()) {
    const before = WASM_VERSIONS[index - AT_ONCE]
    const turn = before === undefined ? Promise.resolve() : started.get(before)?.catch(() => undefined)
    const life = Promise.resolve(turn).then(() => live(version))
    life.catch(() => undefined)
    started.set(version, life)
  }
  return started
}

async function live(version: WasmVersion): Promise<PhpRun> {
  const id = Number(version.replace('.', ''))
  const email = `ana${id}@example.com`
  const clientsdetails = { email, firstname: 'Ana', lastname: 'Núñez', language: 'spanish' }
  const given = { serviceid: id, domain: `www.php${id}.example.com`, serverpassword: token, clientsdetails }
  const call = (fn: string, more: Record<string, unknown> = {}): PhpCall => ({
    fn,
    params: serviceParams(panel.port, { ...given, model: { $model: 'working' }, ...more }),
  })
  const options = { version, ca: panel.certPath, usageBilling: true, rows: [{ id, server: 3 }] }
  const found = async () =>
    (await panel.api('GET', `/clientes?buscar=${encodeURIComponent(email)}`, { bearer: token })).body
      .datos[0] ?? null
  const run = await runPhp({
    ...options,
    calls: [
      ...['TestConnection', 'PlanLoader', 'CreateAccount', 'CreateAccount'].map((fn) => call(fn)),
      call('SuspendAccount', { suspendreason: 'Factura 7 sin pagar' }),
      call('UnsuspendAccount'),
      call('ChangePackage', { configoption1: 'avanzado' }),
      ...['SendLink', 'UsageUpdate', 'ListAccounts', 'ClientArea', 'AdminServicesTabFields'].map((fn) =>
        call(fn),
      ),
      { ...call('MetricProvider'), method: ['usage'] },
      ...['TerminateAccount', 'TerminateAccount'].map((fn) => call(fn)),
    ],
  })
  await eventually(async () => (await found()) === null, `the end of the client of PHP ${version}`)
  await panel.mailTo(email, 2)
  return run
}

describe.each([...WASM_VERSIONS])('PHP %s', (version) => {
  test('a service lives its whole life over TLS, without a warning', async () => {
    const life = await lives.get(version)
    expect(life?.version).toStartWith(`${version}.`)
    const values = life?.results.map((result) => result.value)
    expect(values?.slice(0, 2)).toEqual([
      { success: true, error: '' },
      { '': 'No plan', avanzado: 'avanzado', basico: 'basico' },
    ])
    expect(values?.slice(2, 9)).toEqual(Array(7).fill('success'))
    const name = `php${version.replace('.', '')}.example.com`
    expect(values?.[9]).toMatchObject({
      success: true,
      accounts: expect.arrayContaining([expect.objectContaining({ username: name, product: 'avanzado' })]),
    })
    expect(values?.[10]).toMatchObject({ vars: { controlpanel: { available: true, plan: 'avanzado' } } })
    expect(values?.[11]).toMatchObject({ State: 'Active', Plan: 'avanzado' })
    expect(values?.[12]).toBeObject()
    expect(life?.saved.at(-1)).toEqual({ Username: name, Password: '' })
    expect(values?.slice(13)).toEqual(['success', 'success'])
  }, 120_000)
})

test.each(['7.4', '8.5'] as const)(
  'PHP %s refuses a certificate that it does not trust',
  async (version) => {
    await Promise.allSettled(lives.values())
    const params = serviceParams(panel.port, { serverpassword: token })
    const run = await runPhp({ version, ca: null, calls: [{ fn: 'TestConnection', params }] })
    expect(run.results[0]?.value).toMatchObject({
      success: false,
      error: expect.stringContaining('certificate could not be verified'),
    })
  },
  120_000,
)

test('the versions that the module says it is for are those that are tested', () => {
  for (const file of ['controlpanel.php', 'README.md']) {
    expect(readFileSync(join(MODULE, file), 'utf8')).toContain(
      `Plain PHP ${WASM_VERSIONS[0]} to ${WASM_VERSIONS.at(-1)} with`,
    )
  }
})
