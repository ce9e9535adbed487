import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { faults } from '../support/fault-proxy.ts'
import { EMAIL, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(() => world.reset())

const sent = () => {
  const put = world.proxy.seen.findLast((request) => request.method === 'PUT')
  return put === undefined ? null : JSON.parse(put.body)
}

describe('www.', () => {
  for (const [typed, domain] of [
    ['www.ejemplo.es', 'ejemplo.es'],
    ['WWW.Ejemplo.es', 'Ejemplo.es'],
    [' www.ejemplo.es. ', 'ejemplo.es.'],
    ['www.www.ejemplo.es', 'www.ejemplo.es'],
    ['wwwejemplo.es', 'wwwejemplo.es'],
    ['www.es', 'www.es'],
    ['www.es.', 'www.es.'],
  ] as const) {
    test(`${typed} is provisioned as ${domain}, without aliases of the module's own`, async () => {
      world.proxy.inject({ method: 'PUT', fault: faults.empty(500) })
      await world.call('CreateAccount', { domain: typed })
      expect(sent()).toMatchObject({ domain })
      expect(sent()).not.toHaveProperty('aliases')
    })
  }

  test('typed the first time and left out the second is the same service', async () => {
    expect(await world.call('CreateAccount', { domain: 'www.ejemplo.es' })).toBe('success')
    expect(await world.call('CreateAccount', { domain: 'ejemplo.es' })).toBe('success')
    expect(world.panel.clients.size).toBe(1)
  })
})

describe('Create again', () => {
  beforeEach(async () => {
    await world.call('CreateAccount')
    world.proxy.seen.length = 0
  })
  const writes = () => world.proxy.seen.filter((request) => request.method !== 'GET')

  test('after the e-mail address was changed here says where to change it', async () => {
    const result = await world.call('CreateAccount', { clientsdetails: { email: 'new@example.es' } })
    expect(result).toContain('409: correo_distinto')
    expect(result).toContain('changing it in the billing system does not change it there')
    expect(result).toContain('run Create again')
    expect(world.panel.mails).toEqual([`activation ${EMAIL}`])
  })

  test('with another domain is refused before anything is written, and says what the client has', async () => {
    const result = await world.call('CreateAccount', { domain: 'otro.es' })
    expect(result).toContain('already has the site ejemplo.es')
    expect(result).toContain('Put the old domain back')
    expect(writes()).toEqual([])
  })

  test('with a domain that another client has is refused in the same way', async () => {
    await world.call('CreateAccount', { serviceid: 42, domain: 'otro.es' })
    world.proxy.seen.length = 0
    expect(await world.call('CreateAccount', { domain: 'otro.es' })).toContain(
      'already has the site ejemplo.es',
    )
    expect(writes()).toEqual([])
  })

  test('with the same domain in another spelling is a repeat', async () => {
    expect(await world.call('CreateAccount', { domain: 'EJEMPLO.es' })).toBe('success')
  })

  test('for a client without a site makes the site', async () => {
    for (const client of world.panel.clients.values()) client.domain = ''
    expect(await world.call('CreateAccount', { domain: 'otro.es' })).toBe('success')
  })

  for (const [name, fault] of Object.entries({
    'a server error': faults.json(500, { codigo: 'interno' }),
    'an HTML page': faults.html(404),
    'another 404': faults.json(404, { codigo: 'no_encontrado' }),
    'a cut connection': { kind: 'cut' } as const,
  })) {
    test(`writes nothing where the site is asked for and the answer is ${name}`, async () => {
      world.proxy.inject({ path: /sitios\//, fault })
      expect(await world.call('CreateAccount', { domain: 'otro.es' })).toMatch(/^The panel/)
      expect(writes()).toEqual([])
    })
  }
})

test('a domain name of any length and content from a customer reaches no other path', async () => {
  await world.call('CreateAccount')
  for (const domain of ['../clientes', '..', '.', '%2e%2e', 'a/b', 'a?b=c', 'a#b', 'a\r\nX: y', '\u0000']) {
    world.proxy.seen.length = 0
    expect(await world.call('CreateAccount', { domain })).not.toBe('success')
    for (const { path } of world.proxy.seen)
      expect(path).toMatch(/^\/api\/(clientes\?referencia=|sitios[/?]|sitios$)/)
  }
  world.proxy.seen.length = 0
  expect(await world.call('CreateAccount', { domain: { $repeat: ['a.', 100_000] } })).toContain('too long')
  expect(world.requests()).toEqual([])
})
