import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { faults } from '../support/fault-proxy.ts'
import { type PhpCall, runPhp } from './php.ts'
import { TOKEN } from './scripted-panel.ts'
import { EMAIL, PASSWORD, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(() => world.reset())

const ACTIONS = [
  'CreateAccount',
  'SuspendAccount',
  'UnsuspendAccount',
  'TerminateAccount',
  'ChangePackage',
  'ChangePassword',
]
/** What answers `success` or a text. */
const TEXTS = [...ACTIONS, 'UsageUpdate', 'SendLink', 'RefreshUse']
/** What answers an array whatever happens. */
const ARRAYS = [
  ...['TestConnection', 'ClientArea', 'ListAccounts', 'AdminServicesTabFields'],
  ...['ServiceSingleSignOn', 'AdminSingleSignOn'],
]
const FUNCTIONS = [...TEXTS, ...ARRAYS, 'PlanLoader', 'AdminLink', 'LoginLink']

/** Values that no field of the parameters is meant to have. */
const WRONG: unknown[] = [
  null,
  true,
  false,
  -1,
  { $float: 1.5 },
  '',
  [],
  [1, 'a'],
  { a: { b: 1 } },
  { $object: true },
  { $bytes: Buffer.from([0xff, 0xfe, 0x00, 0x27]).toString('base64') },
  { $repeat: ['a.', 100_000] },
  { $repeat: ['ñ', 100_000] },
  "'; DROP TABLE x; --<script>",
]

describe('parameters of any type', () => {
  const refused = { serverhostname: '127.0.0.1:1', serverport: '1' }

  test('never make a warning, a notice, a deprecation, output or an uncaught error', async () => {
    const keys = ['clientsdetails', ...Object.keys(world.params()), 'suspendreason', 'addonId', 'model']
    const calls: PhpCall[] = []
    for (const fn of FUNCTIONS) {
      for (const params of [[], null, 'x', 7, { $object: true }]) calls.push({ fn, params })
      calls.push({ fn })
      for (const key of keys) {
        for (const value of WRONG) calls.push({ fn, params: world.params({ ...refused, [key]: value }) })
      }
      for (const key of ['email', 'companyname', 'firstname', 'lastname', 'language']) {
        for (const value of WRONG)
          calls.push({ fn, params: world.params({ ...refused, clientsdetails: { [key]: value } }) })
      }
    }
    const run = await runPhp({ calls, ca: null })
    expect(run.results).toHaveLength(calls.length)
    for (const [index, result] of run.results.entries()) {
      const call = calls[index]
      if (call?.fn === 'PlanLoader') expect(result.thrown).toBe('ControlpanelFailure')
      else if (ARRAYS.includes(call?.fn ?? '')) expect([call, result.type]).toEqual([call, 'array'])
      else expect([call, result.value]).toEqual([call, expect.any(String)])
      expect(result.value).not.toBe('success')
    }
  }, 60_000)

  test('without the curl extension the error names it', async () => {
    const calls = FUNCTIONS.map((fn) => ({ fn, params: world.params() }))
    const run = await runPhp({ calls, ca: null, phpArguments: ['-n'] })
    expect(run.results[0]?.value).toContain("PHP's curl extension is missing")
    for (const result of run.results) expect(result.value).not.toBe('success')
  })

  test('outside a billing system nothing is defined that could fail: no log, no database, no settings', async () => {
    const calls = FUNCTIONS.map((fn) => ({ fn, params: world.params(refused) }))
    const run = await runPhp({ calls, ca: null, system: { source: 'nothing', url: '' } })
    for (const result of run.results) expect(result.value).not.toBe('success')
  })
})

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** The body with the value at each path in turn left out or replaced by something else. */
function mutants(body: Json, only?: readonly string[]): { path: string; body: Json }[] {
  const found: { path: string; body: Json }[] = []
  const walk = (value: Json, path: string[]) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return
    for (const key of Object.keys(value)) {
      const at = [...path, key]
      if (only === undefined || only.includes(at.join('.'))) {
        for (const put of [undefined, null, true, false, 0, 1, '', '0', 'x', [], {}] as const) {
          const copy = structuredClone(body)
          const parent = path.reduce<Json>(
            (inner, step) => (inner as Record<string, Json>)[step] ?? null,
            copy,
          )
          const object = parent as Record<string, Json> // the path was walked in the original
          if (put === undefined) delete object[key]
          else object[key] = put as Json
          if (JSON.stringify(copy) !== JSON.stringify(body)) found.push({ path: at.join('.'), body: copy })
        }
      }
      walk(value[key] ?? null, at)
    }
  }
  walk(body, [])
  return found
}

describe('an answer in which one field is missing, of another type or of another value', () => {
  const client = { cliente: 'ejemplo-es', referencia: '', estado: 'suspendido', plan: 'basico', motivo: null }
  const cases: [
    action: string,
    method: string,
    path: RegExp,
    status: number,
    body: () => Promise<Json>,
    checked: string[],
  ][] = [
    ['SuspendAccount', 'POST', /suspender/, 200, async () => client, ['cliente', 'estado']],
    [
      'UnsuspendAccount',
      'POST',
      /activar/,
      200,
      async () => ({ ...client, estado: 'activo' }),
      ['cliente', 'estado'],
    ],
    [
      'TerminateAccount',
      'DELETE',
      /./,
      200,
      async () => ({ cliente: 'ejemplo-es', eliminado: true }),
      ['cliente', 'eliminado'],
    ],
    [
      'TerminateAccount',
      'DELETE',
      /./,
      202,
      async () => ({ cliente: 'ejemplo-es', estado: 'eliminando' }),
      ['cliente', 'estado'],
    ],
    [
      'ChangePackage',
      'POST',
      /plan/,
      200,
      async () => ({ cliente: 'ejemplo-es', plan: 'basico' }),
      ['cliente', 'plan'],
    ],
    [
      'ChangePassword',
      'POST',
      /restablecer/,
      202,
      async () => ({ enviado_a: 'a…@e….es', caduca: null }),
      ['enviado_a'],
    ],
    [
      'CreateAccount',
      'PUT',
      /altas/,
      200,
      provisioned,
      [
        'cliente',
        'sitio',
        'acceso',
        ...['cliente', 'referencia', 'estado', 'plan'].map((key) => `cliente.${key}`),
        ...['cliente', 'domain', 'estado'].map((key) => `sitio.${key}`),
        ...['cliente', 'rol', 'estado'].map((key) => `acceso.${key}`),
      ],
    ],
  ]

  async function provisioned(): Promise<Json> {
    let answer: Json = null
    const change = (body: unknown) => {
      answer = body as Json // it was parsed from JSON
      return body
    }
    world.proxy.inject({ method: 'PUT', fault: { kind: 'rewrite', change } })
    await world.call('CreateAccount')
    return answer
  }

  for (const [action, method, path, status, body, checked] of cases) {
    test(`never makes ${action} (${status}) succeed where the field decides, nor warn anywhere`, async () => {
      await world.call('CreateAccount')
      const good = await body()
      const all = [...mutants(good, checked), ...mutants(good)]
      for (const mutant of all) world.proxy.inject({ method, path, fault: faults.json(status, mutant.body) })
      world.proxy.inject({ method, path, fault: faults.json(status, good) })
      const calls = [...all, null].map(() => ({ fn: action, params: world.params() }))
      const run = await runPhp({ calls, ca: world.certificate.file })
      const decided = mutants(good, checked)
      for (const [index, mutant] of decided.entries()) {
        expect([mutant, run.results[index]?.value]).toEqual([mutant, expect.stringMatching(/^The /)])
      }
      expect(run.results.at(-1)?.value).toBe('success')
    }, 60_000)
  }

  test('never makes the client area or the usage update warn', async () => {
    await world.call('CreateAccount')
    let usage: Json = null
    const keep = (body: unknown) => {
      usage = body as Json // it was parsed from JSON
      return body
    }
    world.proxy.inject({ path: /uso$/, fault: { kind: 'rewrite', change: keep } })
    expect(await world.area()).toContain('basico')
    const bad = mutants(usage)
    for (const mutant of bad) world.proxy.inject({ path: /\/uso$/, fault: faults.json(200, mutant.body) })
    const pages = bad.map((mutant) => faults.json(200, { datos: [mutant.body], siguiente: null }))
    for (const fault of pages) world.proxy.inject({ path: /\/uso\?/, fault })
    const calls = ['ClientArea', 'UsageUpdate'].flatMap((fn) =>
      bad.map(() => ({ fn, params: world.params() })),
    )
    const run = await runPhp({ calls, ca: world.certificate.file, rows: [{ id: 41, server: 3 }] })
    expect(run.results.filter(({ type }) => type !== 'string' && type !== 'array')).toEqual([])
  }, 60_000)
})

describe('the module log', () => {
  test('has an entry for each request, with method, path and a reduced answer', async () => {
    await world.call('CreateAccount')
    const { log } = await world.logged('SuspendAccount', { suspendreason: 'Overdue' })
    expect(log).toHaveLength(2)
    const [module, action, request, response, processed, redact] = log[1] ?? []
    expect([module, action, processed]).toEqual(['controlpanel', 'SuspendAccount', 'HTTP 200'])
    expect(request).toBe('POST /api/clientes/ejemplo-es/suspender {"motivo":"Overdue"}')
    expect(response).toStartWith('HTTP 200 {"cliente":"ejemplo-es"')
    expect(redact).toEqual([TOKEN])
  })

  test('never holds the token, the typed password or the customer, whatever happens, and always asks to redact the token', async () => {
    const calls = FUNCTIONS.map((fn) => ({ fn, params: world.params({ suspendreason: 'Overdue' }) }))
    const echo = { codigo: 'interno', detail: `You sent Bearer ${TOKEN} <b>` }
    for (const fault of [null, faults.json(500, echo), faults.html(200), { kind: 'cut' } as const]) {
      if (fault !== null) world.proxy.inject({ times: 100, fault })
      const run = await runPhp({ calls, ca: world.certificate.file })
      expect(run.log.length).toBeGreaterThan(5)
      for (const entry of run.log) {
        expect(entry[5]).toEqual([TOKEN])
        const shown = entry.slice(0, 5).join(' ')
        expect(shown).not.toContain(PASSWORD)
        expect(shown).not.toContain(EMAIL)
        expect(shown).not.toContain('Ana')
        expect(shown).not.toContain(TOKEN)
      }
      expect(JSON.stringify(run.results)).not.toContain(TOKEN)
      expect(JSON.stringify(run.results)).not.toContain(PASSWORD)
      world.proxy.reset()
    }
    for (const request of world.panel.requests) {
      expect(request.path + request.body).not.toContain(TOKEN)
      expect(JSON.stringify(request)).not.toContain(PASSWORD)
    }
  })

  test('that fails changes no result', async () => {
    expect(await world.call('CreateAccount', {}, { logFails: true })).toBe('success')
  })
})

test('what the panel says reaches the administrator as text, without markup and in one line', async () => {
  const detail = 'a<script>alert(1)</script>\nb'
  world.proxy.inject({
    fault: faults.json(422, {
      codigo: 'datos_invalidos',
      detail,
      campos: [{ campo: 'domain', mensaje: 'bad <i>' }, 7],
    }),
  })
  const result = await world.call('CreateAccount')
  expect(result).toBe('The panel answered 422: datos_invalidos ascriptalert(1)/script b. domain: bad i')
})
