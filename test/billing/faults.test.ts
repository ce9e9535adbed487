import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Fault, faults, startFaultProxy, startTcpProxy } from '../support/fault-proxy.ts'
import { scratch, selfSigned } from './certs.ts'
import { runPhp } from './php.ts'
import { REFERENCE, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(() => world.reset())

const NAME = 'ejemplo-es'
/** The request of each action that has the effect. */
const ACTIONS = {
  CreateAccount: { method: 'PUT', path: /altas/ },
  SuspendAccount: { method: 'POST', path: /suspender$/ },
  UnsuspendAccount: { method: 'POST', path: /activar$/ },
  ChangePackage: { method: 'POST', path: /plan$/ },
  ChangePassword: { method: 'POST', path: /restablecer$/ },
  TerminateAccount: { method: 'DELETE', path: /clientes\// },
} as const
type Action = keyof typeof ACTIONS
const names = Object.keys(ACTIONS) as Action[] // the keys of a constant object are exactly its type's

const FAULTS: Record<string, Fault> = {
  'a bare 500': faults.answer(500, ''),
  'a JSON 500': faults.json(500, { codigo: 'interno' }),
  'a 503': faults.json(503, { codigo: 'no_disponible' }, { 'retry-after': '1' }),
  'an HTML 200': faults.html(200),
  'an HTML 201': faults.html(201),
  'an HTML 202': faults.html(202),
  'an HTML 404': faults.html(404),
  'a bare 404': faults.empty(404),
  'a JSON 404 with another code': faults.json(404, { codigo: 'no_encontrado' }),
  'a JSON 410 that says cliente_no_existe': faults.json(410, { codigo: 'cliente_no_existe' }),
  'an empty 200': faults.empty(200),
  'an empty 202': faults.empty(202),
  'a 204': faults.empty(204),
  'broken JSON': faults.brokenJson(200),
  'a JSON list': faults.json(200, []),
  'a JSON text': faults.json(200, 'success'),
  'an empty object': faults.json(200, {}),
  'a redirect': faults.redirect('https://localhost/'),
  'a cut connection': { kind: 'cut' },
  'half of an answer': { kind: 'half' },
  'a cut connection after the work was done': { kind: 'cut-after-commit' },
}

async function createClient(): Promise<void> {
  await world.call('CreateAccount')
  world.proxy.seen.length = 0
}

describe('an action whose request meets', () => {
  for (const [name, fault] of Object.entries(FAULTS)) {
    test(`${name} is an error with a text`, async () => {
      await createClient()
      for (const action of names) world.proxy.inject({ ...ACTIONS[action], fault })
      const calls = names.map((fn) => ({ fn, params: world.params() }))
      const run = await runPhp({ calls, ca: world.certificate.file })
      for (const [index, action] of names.entries()) {
        expect([action, run.results[index]?.value]).toEqual([action, expect.stringMatching(/^The /)])
      }
    })
  }

  test('a look-up that fails in any of these ways never ends in success, nor in a request with effect', async () => {
    await createClient()
    const acting = names
    for (const [name, fault] of Object.entries(FAULTS)) {
      world.proxy.inject({ method: 'GET', times: acting.length, fault })
      const run = await runPhp({
        calls: acting.map((fn) => ({ fn, params: world.params() })),
        ca: world.certificate.file,
      })
      for (const result of run.results)
        expect([name, result.value]).toEqual([name, expect.stringMatching(/^The /)])
    }
    expect(world.proxy.seen.filter((request) => request.method !== 'GET')).toEqual([])
  })
})

describe('an answer lost after the panel did the work', () => {
  for (const action of names) {
    test(`${action} is an error, and success when it is repeated`, async () => {
      if (action !== 'CreateAccount') await createClient()
      world.proxy.inject({ ...ACTIONS[action], fault: { kind: 'cut-after-commit' } })
      expect(await world.call(action)).toContain('safe to repeat')
      expect(await world.call(action)).toBe('success')
      expect(world.panel.clients.size).toBe(action === 'TerminateAccount' ? 0 : 1)
    })
  }
})

describe('Terminate', () => {
  beforeEach(createClient)
  const page = (datos: unknown, siguiente: unknown = null) => faults.json(200, { datos, siguiente })

  test('is success for a deletion that the panel goes on with', async () => {
    world.proxy.inject({ method: 'DELETE', fault: faults.json(202, { cliente: NAME, estado: 'eliminando' }) })
    expect(await world.call('TerminateAccount')).toBe('success')
  })

  test('is success for a JSON 404 cliente_no_existe', async () => {
    const body = { status: 404, codigo: 'cliente_no_existe', detail: 'No such client.' }
    world.proxy.inject({ method: 'DELETE', fault: faults.json(404, body) })
    expect(await world.call('TerminateAccount')).toBe('success')
  })

  for (const [name, fault] of Object.entries({
    'an object instead of a list': page({}),
    'a page that does not say that it is the last': faults.json(200, { datos: [] }),
    'an empty page with another to come': page([], 'zzz'),
    'a page of another client': page([{ cliente: 'otro', referencia: 'whmcs-00000000:41' }]),
    'a page without references': page([{ cliente: NAME }]),
    'a page of two': page([
      { cliente: NAME, referencia: REFERENCE },
      { cliente: 'otro', referencia: REFERENCE },
    ]),
    'a name that is a path': page([{ cliente: '../planes/basico', referencia: REFERENCE }]),
    'a name with two dots': page([{ cliente: 'a..b', referencia: REFERENCE }]),
    'an empty name': page([{ cliente: '', referencia: REFERENCE }]),
    'a list of texts': page([NAME]),
    'an empty page with status 500': faults.json(500, { datos: [], siguiente: null }),
  })) {
    test(`takes ${name} in the look-up for an error and deletes nothing`, async () => {
      world.proxy.inject({ method: 'GET', fault })
      expect(await world.call('TerminateAccount')).toMatch(/^The /)
      expect(world.panel.clients.size).toBe(1)
    })
  }

  test('is an error when the panel takes longer than the time limit', async () => {
    world.proxy.inject({ method: 'DELETE', fault: { kind: 'hang' } })
    const calls = [{ fn: 'TerminateAccount', params: world.params(), hurried: 1 }]
    const run = await runPhp({ calls, ca: world.certificate.file })
    expect(run.results[0]?.value).toMatch(/timed out/i)
  })
})

describe('a right status whose body says something else is an error:', () => {
  beforeEach(createClient)
  const change = (fields: Record<string, unknown>): Fault => ({
    kind: 'rewrite',
    change: (body) => Object.assign({}, body, fields),
  })
  const cases: [string, Action, Fault][] = [
    ['another client suspended', 'SuspendAccount', change({ cliente: 'otro' })],
    ['still active after Suspend', 'SuspendAccount', change({ estado: 'activo' })],
    ['true instead of a state', 'SuspendAccount', change({ estado: true })],
    ['0 instead of a state', 'SuspendAccount', change({ estado: 0 })],
    ['still suspended after Unsuspend', 'UnsuspendAccount', change({ estado: 'suspendido' })],
    ['being deleted after Unsuspend', 'UnsuspendAccount', change({ estado: 'eliminando' })],
    ['another plan', 'ChangePackage', change({ plan: 'avanzado' })],
    ['no plan', 'ChangePackage', change({ plan: null })],
    ['plan 0', 'ChangePackage', change({ plan: 0 })],
    ['plan true', 'ChangePackage', change({ plan: true })],
    ['the plan of another client', 'ChangePackage', change({ cliente: 'otro' })],
    ['a reset sent nowhere', 'ChangePassword', change({ enviado_a: '' })],
    ['eliminado false', 'TerminateAccount', change({ eliminado: false })],
    ['eliminado 1', 'TerminateAccount', change({ eliminado: 1 })],
    ['another client deleted', 'TerminateAccount', change({ cliente: 'otro' })],
    [
      'a new client with another plan',
      'CreateAccount',
      { kind: 'rewrite', change: inClient({ plan: 'avanzado' }) },
    ],
    [
      'a new client of another reference',
      'CreateAccount',
      { kind: 'rewrite', change: inClient({ referencia: 'x' }) },
    ],
  ]
  for (const [name, action, fault] of cases) {
    test(name, async () => {
      world.proxy.inject({ ...ACTIONS[action], fault })
      expect(await world.call(action)).toStartWith("The panel's answer is not the expected one")
    })
  }
  function inClient(fields: Record<string, unknown>): (body: unknown) => unknown {
    return (body) => {
      const whole = body as { cliente: Record<string, unknown> } // the scripted panel's own answer
      return { ...whole, cliente: { ...whole.cliente, ...fields } }
    }
  }
})

describe('TLS', () => {
  test('a certificate that the trust store does not know is an error for every action, and no token is sent', async () => {
    await createClient()
    for (const fn of names) {
      expect(await world.call(fn, {}, { ca: null })).toContain('certificate could not be verified')
    }
    expect(await world.call('TestConnection', {}, { ca: null })).toMatchObject({ success: false })
    expect(world.requests()).toEqual([])
  })

  test('a trusted certificate for another name is an error', async () => {
    const { directory, remove } = scratch()
    const other = await selfSigned(directory, 'other', ['panel.example.com'])
    const target = { host: 'localhost', port: world.panel.port, ca: world.certificate.cert }
    const proxy = await startFaultProxy({ target, tls: other })
    const result = await world.call(
      'TerminateAccount',
      { serverhostname: `localhost:${proxy.port}` },
      { ca: other.file },
    )
    expect(result).toContain('certificate could not be verified')
    expect(proxy.seen).toEqual([])
    await proxy.close()
    remove()
  })

  test('a server that speaks no TLS, closes or cuts is an error, never a fall-back to plain HTTP', async () => {
    const tcp = await startTcpProxy({ host: '127.0.0.1', port: world.panel.port })
    const hostname = { serverhostname: `localhost:${tcp.port}` }
    const plain = 'HTTP/1.1 404 Not Found\r\nContent-Length: 34\r\n\r\n{"codigo":"cliente_no_existe"}    '
    for (const fault of [
      { kind: 'say', text: plain },
      { kind: 'close' },
      { kind: 'cut-after', bytes: 300 },
    ] as const) {
      tcp.fault(fault)
      expect(await world.call('TerminateAccount', hostname)).toMatch(/^The panel gave no whole answer/)
    }
    tcp.fault({ kind: 'relay' })
    expect(await world.call('TestConnection', hostname)).toMatchObject({ success: true })
    await tcp.close()
  })

  test('a redirect is not followed', async () => {
    world.proxy.inject({ fault: faults.redirect(`https://localhost:${world.proxy.port}/api/conexion`) })
    const result = await world.call('TestConnection')
    expect(result).toMatchObject({
      success: false,
      error: expect.stringContaining('Redirects are not followed'),
    })
    expect(world.requests()).toHaveLength(1)
  })

  test('an answer without end is cut off', async () => {
    world.proxy.inject({ fault: faults.json(200, { panel: 'x'.repeat(9 * 1024 * 1024) }) })
    expect(await world.call('TestConnection')).toMatchObject({ success: false })
  })
})

describe('429', () => {
  beforeEach(createClient)

  test('is waited for as told, and the action succeeds', async () => {
    world.proxy.inject({ ...ACTIONS.SuspendAccount, fault: faults.tooMany(1) })
    const started = performance.now()
    expect(await world.call('SuspendAccount')).toBe('success')
    expect(performance.now() - started).toBeGreaterThan(1000)
  })

  test('a date in Retry-After is understood', async () => {
    world.proxy.inject({ method: 'GET', fault: faults.tooMany(new Date(Date.now() + 2000).toUTCString()) })
    expect(await world.call('SuspendAccount')).toBe('success')
  })

  test('longer than 30 seconds in all is an error at once, which says how long', async () => {
    world.proxy.inject({ ...ACTIONS.ChangePassword, fault: faults.tooMany(31) })
    const started = performance.now()
    expect(await world.call('ChangePassword')).toContain('Repeat it in 31 seconds')
    expect(performance.now() - started).toBeLessThan(5000)
  })

  test('the waits of one action are added up', async () => {
    world.proxy.inject({ method: 'GET', fault: faults.tooMany(1) })
    world.proxy.inject({ ...ACTIONS.TerminateAccount, fault: faults.tooMany(30) })
    expect(await world.call('TerminateAccount')).toContain('Repeat it in 30 seconds')
    expect(world.panel.clients.size).toBe(1)
  })
})
