import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { faults } from '../support/fault-proxy.ts'
import { runPhp } from './php.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(() => world.reset())

const connects = async (settings: Record<string, unknown>) => {
  const result = await world.call('TestConnection', settings)
  return (result as { success: boolean; error: string }).error // the module's documented answer
}

describe('the server address', () => {
  test('is a host and a port in Hostname', async () => {
    expect(await connects({ serverhostname: `localhost:${world.proxy.port}`, serverport: '' })).toBe('')
  })

  test('is a host in Hostname and a port in the port setting, a text or a number', async () => {
    expect(await connects({ serverhostname: 'localhost', serverport: String(world.proxy.port) })).toBe('')
    expect(await connects({ serverhostname: 'localhost', serverport: world.proxy.port })).toBe('')
  })

  test('takes the port inside Hostname before the port setting', async () => {
    expect(await connects({ serverhostname: `localhost:${world.proxy.port}`, serverport: '1' })).toBe('')
    expect(await connects({ serverhostname: `localhost:${world.proxy.port}`, serverport: 'nonsense' })).toBe(
      '',
    )
  })

  test('takes 2087 where no port is set', async () => {
    for (const serverport of ['', '0', 0, null, []]) {
      expect(await connects({ serverhostname: '127.9.9.9', serverport })).toContain('127.9.9.9 port 2087')
    }
  })

  test('may be an address, with blanks around it, in any case', async () => {
    expect(await connects({ serverhostname: ` 127.0.0.1:${world.proxy.port} ` })).toBe('')
    expect(await connects({ serverhostname: `LOCALHOST:${world.proxy.port}` })).toBe('')
    expect(await connects({ serverhostname: '[::1]:1' })).toContain('::1')
  })

  test('is HTTPS whatever the SSL box says', async () => {
    for (const serversecure of [false, '', 'off', 0]) expect(await connects({ serversecure })).toBe('')
  })

  for (const hostname of [
    '',
    '   ',
    null,
    'https://localhost:{port}',
    'http://localhost',
    'localhost:{port}/',
    'localhost:{port}/api',
    'localhost/path',
    'user@localhost:{port}',
    'user:pass@localhost:{port}',
    'localhost:',
    'localhost:0',
    'localhost:65536',
    'localhost:abc',
    'localhost:{port}?x',
    'localhost:{port}#x',
    'localhost:{port}\r\nX: y',
    'local host',
    '-localhost',
    'a..b',
    '::1',
    '[::1',
    '[zz]:1',
    '.',
    'señal.es',
    ['localhost'],
  ]) {
    test(`${JSON.stringify(hostname)} as Hostname is a clear error without a request, for every action`, async () => {
      const serverhostname =
        typeof hostname === 'string' ? hostname.replace('{port}', String(world.proxy.port)) : hostname
      const fns = ['CreateAccount', 'SuspendAccount', 'TerminateAccount', 'ChangePackage', 'ChangePassword']
      const calls = fns.map((fn) => ({ fn, params: world.params({ serverhostname }) }))
      const run = await runPhp({ calls, ca: world.certificate.file })
      for (const result of run.results) expect(result.value).toMatch(/Hostname|port is not a number/)
      expect(await connects({ serverhostname })).toMatch(/Hostname|port is not a number/)
      expect(world.requests()).toEqual([])
    })
  }

  test('a port setting that is no port is an error without a request', async () => {
    for (const serverport of ['abc', '65536', '-1', '2087x']) {
      expect(await connects({ serverhostname: 'localhost', serverport })).toContain('port is not a number')
    }
  })
})

describe('the token', () => {
  for (const [name, serverpassword] of Object.entries({
    empty: '',
    blank: ' \n',
    missing: null,
    'a list': ['x'],
    'two words': 'cpt_a b',
    'two headers': 'cpt_a\r\nX-Evil: 1',
    'not ASCII': 'cpt_ñ',
  })) {
    test(`that is ${name} is an error without a request`, async () => {
      expect(await connects({ serverpassword })).toContain("server's Password is")
      expect(world.requests()).toEqual([])
    })
  }

  test('refused by the panel as expired tells the code and what to do', async () => {
    world.proxy.inject({
      fault: faults.json(401, { codigo: 'token_caducado', detail: 'The token has expired.' }),
    })
    const error = await connects({})
    expect(error).toContain('401: token_caducado The token has expired.')
    expect(error).toContain('Create a new API token')
  })
})

test('a server that is not this panel, or not by a token, fails the connection test', async () => {
  const credencial = { tipo: 'token' }
  for (const body of [
    { panel: 'otherpanel', credencial },
    { panel: true, credencial },
    { panel: 0, credencial },
    { panel: 'controlpanel' },
    { panel: 'controlpanel', credencial: { tipo: 'sesion' } },
    { panel: 'controlpanel', credencial: 'token' },
    {},
  ]) {
    world.proxy.inject({ fault: faults.json(200, body) })
    expect(await connects({})).toContain("it is not this panel's")
  }
})

describe('the plan list', () => {
  const load = (settings: Record<string, unknown> = {}) => world.call('PlanLoader', settings)

  test('holds "no plan" and every plan of every page', async () => {
    const many = Array.from({ length: 450 }, (_, index) => `plan${String(index).padStart(3, '0')}`)
    world.panel.plans.splice(0, world.panel.plans.length, ...many)
    const plans = (await load()) as Record<string, string> // a JSON object: value to label
    expect(Object.keys(plans)).toEqual(['', ...many])
    expect(plans['']).toBe('No plan')
    expect(world.requests()).toEqual([
      'GET /api/planes?limite=200',
      'GET /api/planes?limite=200&desde=plan199',
      'GET /api/planes?limite=200&desde=plan399',
    ])
  })

  test('is the loader of the one setting, Plan, in simple mode', async () => {
    const run = await runPhp({ calls: [{ fn: 'ConfigOptions' }, { fn: 'MetaData' }], ca: null })
    expect(run.results[0]?.value).toMatchObject({
      Plan: { Type: 'text', Loader: 'controlpanel_PlanLoader', SimpleMode: true },
    })
    expect(Object.keys(run.results[0]?.value as object)).toEqual(['Plan']) // an object by the line above
    expect(run.results[1]?.value).toMatchObject({
      APIVersion: '1.1',
      RequiresServer: true,
      DefaultSSLPort: '2087',
    })
    expect(run.defined).toContain('controlpanel_planloader')
  })

  for (const [name, fault] of Object.entries({
    'a server error': faults.json(500, {}),
    'an HTML page': faults.html(200),
    'a plan without a name': faults.json(200, { datos: [{ plan: null }], siguiente: null }),
    'a page that points to itself': faults.json(200, { datos: [{ plan: 'a' }], siguiente: 'a' }),
    'a page without a next': faults.json(200, { datos: [{ plan: 'a' }] }),
  })) {
    test(`is an exception with a text on ${name}`, async () => {
      world.proxy.inject({ times: 3, fault })
      await expect(load()).rejects.toThrow(/ControlpanelFailure: The /)
    })
  }

  test('without a server is an exception with a text', async () => {
    await expect(load({ serverhostname: '' })).rejects.toThrow(/Hostname is empty/)
  })
})
