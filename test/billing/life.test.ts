import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { EMAIL, PASSWORD, REFERENCE, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(() => world.reset())

const LOOK_UP = `GET /api/clientes?referencia=${encodeURIComponent(REFERENCE)}`

describe('TestConnection', () => {
  test('succeeds with the token of a panel that the trust store vouches for', async () => {
    expect(await world.call('TestConnection')).toEqual({ success: true, error: '' })
    expect(world.requests()).toEqual(['GET /api/conexion'])
  })

  test('says which credential code the panel gave', async () => {
    const result = await world.call('TestConnection', { serverpassword: 'cpt_another' })
    expect(result).toMatchObject({
      success: false,
      error: expect.stringContaining('401: credencial_invalida'),
    })
  })

  test('trims blanks around the token', async () => {
    const padded = { serverpassword: ` ${String(world.params().serverpassword)}\n` }
    expect(await world.call('TestConnection', padded)).toMatchObject({ success: true })
  })
})

describe('CreateAccount', () => {
  test('makes client, site, plan and mail in one request named by the reference, after a look-up', async () => {
    expect(await world.call('CreateAccount')).toBe('success')
    expect(world.requests()).toEqual([LOOK_UP, `PUT /api/altas/${REFERENCE}`])
    expect(JSON.parse(world.proxy.seen[1]?.body ?? '')).toEqual({
      correo: EMAIL,
      domain: 'ejemplo.es',
      plan: 'basico',
      nombre: 'Ana Núñez',
      idioma: 'es',
    })
    expect(world.panel.mails).toEqual([`activation ${EMAIL}`])
  })

  test('repeated, succeeds again and makes nothing twice', async () => {
    await world.call('CreateAccount')
    expect(await world.call('CreateAccount')).toBe('success')
    expect(world.panel.clients.size).toBe(1)
    expect(world.panel.mails).toHaveLength(1)
  })

  test('two services of one customer are two clients', async () => {
    expect(await world.call('CreateAccount')).toBe('success')
    expect(await world.call('CreateAccount', { serviceid: 42, domain: 'otro.es' })).toBe('success')
    expect([...world.panel.clients.values()].map((client) => client.correo)).toEqual([EMAIL, EMAIL])
  })

  test('an empty Plan is no plan, and is not sent', async () => {
    expect(await world.call('CreateAccount', { configoption1: '' })).toBe('success')
    expect(world.proxy.seen[1]?.body).not.toContain('"plan"')
  })

  test('a plan whose name is a number is sent as text', async () => {
    world.panel.plans.push('100')
    expect(await world.call('CreateAccount', { configoption1: 100 })).toBe('success')
    expect(world.proxy.seen[1]?.body).toContain('"plan":"100"')
  })

  test('an unknown plan is an error that names it, and makes nothing', async () => {
    const result = await world.call('CreateAccount', { configoption1: 'oro' })
    expect(result).toBe(
      'The plan "oro" does not exist in the panel. Make the plan in the panel, or correct Plan in the product\'s module settings.',
    )
    expect(world.panel.clients.size).toBe(0)
  })

  test('a company name stored with HTML entities reaches the panel as it was typed, without what turns text round', async () => {
    const clientsdetails = {
      email: EMAIL,
      companyname: 'Pérez &amp; Hijos &#039;SL&#039;\u202e',
      language: 'english',
    }
    expect(await world.call('CreateAccount', { clientsdetails })).toBe('success')
    expect(JSON.parse(world.proxy.seen[1]?.body ?? '')).toMatchObject({
      nombre: "Pérez & Hijos 'SL'",
      idioma: 'en',
    })
  })

  test('a client that is suspended in the panel is not told as a working one', async () => {
    await world.call('CreateAccount')
    await world.call('SuspendAccount')
    expect(await world.call('CreateAccount')).toContain('"suspendido" and not "activo"')
  })

  for (const [name, email] of Object.entries({
    empty: '',
    blank: '  ',
    missing: null,
    'without a domain': 'ana',
    'with two addresses': 'a@example.es,b@example.es',
    'with a line break': 'a@example.es\r\nBcc: b@example.es',
    quoted: '"a b"@example.es',
    'at an address literal': 'a@[127.0.0.1]',
    'too long': `${'a'.repeat(250)}@example.es`,
  })) {
    test(`an e-mail address that is ${name} is an error before any request`, async () => {
      const result = await world.call('CreateAccount', { clientsdetails: { email } })
      expect(result).toContain('e-mail address')
      expect(world.requests()).toEqual([])
    })
  }

  test('without a domain it is an error before any request', async () => {
    expect(await world.call('CreateAccount', { domain: '' })).toContain('no domain name')
    expect(world.requests()).toEqual([])
  })
})

describe('the life of a service', () => {
  beforeEach(async () => {
    await world.call('CreateAccount')
    world.proxy.seen.length = 0
  })
  const client = () => [...world.panel.clients.values()][0]

  test('Suspend and Unsuspend set the state, and repeating them succeeds', async () => {
    expect(await world.call('SuspendAccount', { suspendreason: 'Overdue' })).toBe('success')
    expect(client()).toMatchObject({ estado: 'suspendido', motivo: 'Overdue' })
    expect(world.requests()).toEqual([LOOK_UP, 'POST /api/clientes/ejemplo-es/suspender'])
    expect(await world.call('SuspendAccount', { suspendreason: 'Overdue' })).toBe('success')
    expect(await world.call('UnsuspendAccount')).toBe('success')
    expect(await world.call('UnsuspendAccount')).toBe('success')
    expect(client()?.estado).toBe('activo')
  })

  test('Suspend without a reason sends an empty body without a form content type', async () => {
    expect(await world.call('SuspendAccount')).toBe('success')
    expect(world.panel.requests.at(-1)).toMatchObject({ method: 'POST', body: '', contentType: null })
  })

  for (const [name, reason, sent] of [
    ['is cut to 200 characters, not bytes', 'ñ'.repeat(250), 'ñ'.repeat(200)],
    ['is never cut inside a character', `${'a'.repeat(199)}😀`, 'a'.repeat(199)],
    ['of emoji is cut as the panel counts them, in UTF-16 units', '😀'.repeat(150), '😀'.repeat(100)],
    ['loses control characters', 'one\r\ntwo\u0000\u0085three', 'one two three'],
    ['loses the entities of the billing system', 'Client&#039;s &quot;card&quot;', `Client's "card"`],
    [
      'with invalid UTF-8 is repaired',
      { $bytes: Buffer.from([0x61, 0xff, 0xc3]).toString('base64') },
      'a\ufffd\ufffd',
    ],
  ] as const) {
    test(`a reason ${name}`, async () => {
      expect(await world.call('SuspendAccount', { suspendreason: reason })).toBe('success')
      expect(client()?.motivo).toBe(sent)
    })
  }

  test('ChangePackage assigns the new plan, and none for an empty one', async () => {
    expect(await world.call('ChangePackage', { configoption1: 'avanzado' })).toBe('success')
    expect(client()?.plan).toBe('avanzado')
    expect(await world.call('ChangePackage', { configoption1: '' })).toBe('success')
    expect(client()?.plan).toBeNull()
    expect(world.proxy.seen.at(-1)?.body).toBe('{"plan":null}')
  })

  test('ChangePackage to an unknown plan names it and keeps the old one', async () => {
    expect(await world.call('ChangePackage', { configoption1: 'oro' })).toContain(
      'The plan "oro" does not exist',
    )
    expect(client()?.plan).toBe('basico')
  })

  test('ChangePassword mails a link and sends no password', async () => {
    expect(await world.call('ChangePassword')).toBe('success')
    expect(world.panel.mails.at(-1)).toBe(`reset ${EMAIL}`)
    expect(JSON.stringify(world.panel.requests)).not.toContain(PASSWORD)
  })

  test('Terminate deletes the client, and already gone is success', async () => {
    expect(await world.call('TerminateAccount')).toBe('success')
    expect(world.panel.clients.size).toBe(0)
    expect(await world.call('TerminateAccount')).toBe('success')
    expect(world.requests()).toEqual([LOOK_UP, 'DELETE /api/clientes/ejemplo-es', LOOK_UP])
  })

  test('a client without this reference is not touched, even one with the same e-mail and domain', async () => {
    const found = client()
    if (found !== undefined) found.referencia = 'whmcs-00000000:41'
    for (const fn of ['SuspendAccount', 'UnsuspendAccount', 'ChangePackage', 'ChangePassword']) {
      expect(await world.call(fn)).toContain(`has no client for this service (${REFERENCE})`)
    }
    expect(await world.call('TerminateAccount')).toBe('success')
    expect(world.requests().every((request) => request === LOOK_UP)).toBe(true)
    expect(client()?.estado).toBe('activo')
  })
})

describe('the reference', () => {
  const reference = async (system: {
    source: 'setting' | 'config' | 'table' | 'none' | 'broken'
    url: string
  }) => {
    world.proxy.seen.length = 0
    const result = await world.call('TerminateAccount', {}, { system })
    return { result, asked: world.requests() }
  }

  test('is the same wherever the billing system keeps SystemURL', async () => {
    for (const source of ['setting', 'config', 'table'] as const) {
      const { asked } = await reference({ source, url: 'https://billing.example.com/' })
      expect(asked).toEqual([LOOK_UP])
    }
  })

  test('hashes SystemURL as it is stored', async () => {
    const { asked } = await reference({ source: 'setting', url: 'https://billing.example.com' })
    expect(asked).not.toEqual([LOOK_UP])
  })

  test('without a SystemURL is the plain service number', async () => {
    const { asked } = await reference({ source: 'none', url: '' })
    expect(asked).toEqual(['GET /api/clientes?referencia=whmcs%3A41'])
  })

  test('is not guessed when SystemURL cannot be read: Terminate fails before any request', async () => {
    const { result, asked } = await reference({ source: 'broken', url: '' })
    expect(result).toContain('The module failed')
    expect(asked).toEqual([])
  })

  test('of a staging copy finds nothing, so nothing real is suspended or deleted', async () => {
    await world.call('CreateAccount')
    const staging = { system: { source: 'setting', url: 'https://staging.example.com/' } } as const
    expect(await world.call('SuspendAccount', {}, staging)).toContain('no client for this service')
    expect(await world.call('TerminateAccount', {}, staging)).toBe('success')
    expect([...world.panel.clients.values()].map((client) => client.estado)).toEqual(['activo'])
  })
})

test('a call for a product add-on is refused before any request', async () => {
  for (const addonId of [9, '9', [9], true]) {
    for (const fn of [
      'CreateAccount',
      'SuspendAccount',
      'UnsuspendAccount',
      'TerminateAccount',
      'ChangePackage',
    ]) {
      expect(await world.call(fn, { addonId })).toContain('add-ons')
    }
  }
  expect(await world.call('ChangePassword', { addonId: 9 })).toContain('add-ons')
  expect(await world.area({ addonId: 9 })).not.toContain('href')
  expect(world.requests()).toEqual([])
})
