import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faults } from '../support/fault-proxy.ts'
import { callPhp, type PhpCall, type PhpOptions, rendered, runPhp } from './php.ts'
import { EMAIL, REFERENCE, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(() => world.reset())

const WORKING = { model: { $model: 'working' } }
const PREFIX = REFERENCE.replace(/41$/, '')
const client = () => [...world.panel.clients.values()][0]
const run = (calls: PhpCall[], options: Partial<PhpOptions> = {}) =>
  runPhp({ calls, ca: world.certificate.file, ...options })

describe('the username and password of the service', () => {
  test('become the name of the panel client and nothing, as soon as Create has succeeded', async () => {
    const made = await run([{ fn: 'CreateAccount', params: world.params(WORKING) }])
    expect(made.results[0]?.value).toBe('success')
    expect(made.saved).toEqual([{ Username: 'ejemplo-es', Password: '' }])
  })

  test('are emptied again after a change of password, whose typed one opens nothing', async () => {
    await world.call('CreateAccount')
    const changed = await run([{ fn: 'ChangePassword', params: world.params(WORKING) }])
    expect(changed.saved).toEqual([{ Username: 'ejemplo-es', Password: '' }])
  })

  test('stay as they are where Create failed', async () => {
    world.proxy.inject({ method: 'PUT', fault: faults.json(500, { codigo: 'interno' }) })
    const failed = await run([{ fn: 'CreateAccount', params: world.params(WORKING) }])
    expect(failed.results[0]?.value).toMatch(/^The /)
    expect(failed.saved).toEqual([])
  })

  test('of a billing system without such a model, or with a broken one, do not make Create fail', async () => {
    for (const model of [null, 'x', [], { $object: true }, { $model: 'broken' }]) {
      expect(await world.call('CreateAccount', { model })).toBe('success')
    }
  })
})

describe('"Send the link again"', () => {
  test('mails a link to a customer who has a login', async () => {
    await world.call('CreateAccount')
    const sent = await run([{ fn: 'SendLink', params: world.params(WORKING) }])
    expect(sent.results[0]?.value).toBe('success')
    expect(world.panel.mails).toEqual([`activation ${EMAIL}`, `reset ${EMAIL}`])
    expect(sent.saved).toEqual([{ Username: 'ejemplo-es', Password: '' }])
  })

  test('makes the login of a client that was moved in without one, and mails the first link', async () => {
    await world.call('CreateAccount')
    Object.assign(client() ?? {}, { noLogin: true })
    expect(await world.call('SendLink')).toBe('success')
    expect(world.panel.mails.at(-1)).toBe(`activation ${EMAIL}`)
    expect(world.requests().at(-1)).toBe('POST /api/clientes/ejemplo-es/acceso')
    expect(JSON.parse(world.proxy.seen.at(-1)?.body ?? '')).toEqual({ correo: EMAIL, idioma: 'es' })
  })

  test('says what to do where there is no client yet, and when the panel asks to wait', async () => {
    expect(await world.call('SendLink')).toContain('Run Create first')
    await world.call('CreateAccount')
    world.proxy.inject({ path: /restablecer/, fault: faults.tooMany(59) })
    expect(await world.call('SendLink')).toContain('Repeat it in 59 seconds')
  })

  test('is refused for a product add-on', async () => {
    expect(await world.call('SendLink', { addonId: 9 })).toContain('add-ons')
    expect(await world.call('RefreshUse', { addonId: 9 })).toContain('add-ons')
    expect(world.requests()).toEqual([])
  })
})

describe('"Refresh use"', () => {
  const rows = [
    { id: 41, server: 3 },
    { id: 42, server: 3 },
  ]

  test('writes the use of this service alone', async () => {
    await world.call('CreateAccount')
    world.panel.usage.set('ejemplo-es', { disk: 5_242_880, diskLimit: null, traffic: 0, trafficLimit: null })
    const done = await run([{ fn: 'RefreshUse', params: world.params(WORKING) }], { rows })
    expect(done.results[0]?.value).toBe('success')
    expect(done.writes).toEqual(['tblhosting:41'])
    expect(done.rows[0]).toMatchObject({ diskusage: 5, disklimit: 0 })
    expect(done.saved).toEqual([{ Username: 'ejemplo-es', Password: '' }])
  })

  test('of a client that was not measured yet says so and writes nothing', async () => {
    await world.call('CreateAccount')
    const change = (body: unknown) => Object.assign({}, body, { medido: null, origen: null })
    world.proxy.inject({ path: /uso$/, fault: { kind: 'rewrite', change } })
    const done = await run([{ fn: 'RefreshUse', params: world.params() }], { rows })
    expect(done.results[0]?.value).toContain('has not measured this client yet')
    expect(done.writes).toEqual([])
  })
})

describe('the tab of the service', () => {
  const fields = async (overrides: Record<string, unknown> = {}) =>
    (await world.call('AdminServicesTabFields', overrides)) as Record<string, string> // HTML by label

  test('shows client, state, plan, address, login and use', async () => {
    await world.call('CreateAccount')
    world.panel.usage.set('ejemplo-es', { disk: 2048, diskLimit: 1024, traffic: 5, trafficLimit: null })
    const tab = await fields()
    expect(tab['Panel client']).toBe(
      `<a target="_blank" rel="noopener noreferrer" href="https://localhost:${world.proxy.port}/panel/clientes/ejemplo-es">ejemplo-es</a>`,
    )
    expect(tab).toMatchObject({
      State: 'Active',
      Plan: 'basico',
      'E-mail in the panel': EMAIL,
      Login: 'Not activated yet; last link: mailed, good until 2026-11-21T05:00:00Z',
    })
    expect(tab.Use).toContain('Disk: 2.0 KB of 1.0 KB (Over the limit)')
    expect(tab.Use).toContain('Measured 3 h ago')
  })

  test('shows why a client is suspended, and that its address is another one than here', async () => {
    await world.call('CreateAccount')
    await world.call('SuspendAccount', { suspendreason: 'Invoice 7' })
    const tab = await fields({ clientsdetails: { email: 'new@example.es' } })
    expect(tab.State).toBe('Suspended: Invoice 7')
    expect(tab['E-mail in the panel']).toBe(`${EMAIL} (another one than in the billing system)`)
  })

  test('says that there is no login yet, and how one is made', async () => {
    await world.call('CreateAccount')
    Object.assign(client() ?? {}, { noLogin: true })
    expect((await fields()).Login).toContain('Send the link again')
  })

  test('shows the cause where the panel cannot be asked or has no client', async () => {
    expect((await fields())['Control panel']).toContain('Run Create first')
    expect((await fields({ serverhostname: '' }))['Control panel']).toContain('Hostname is empty')
    expect(Object.keys(await fields({ serverhostname: '127.0.0.1:1' }))).toEqual(['Control panel'])
  })

  test('escapes everything that the panel and the customer say', async () => {
    await world.call('CreateAccount')
    const evil = `"><img src=x onerror=alert(1)>{$x}`
    const change = (body: unknown) =>
      JSON.parse(JSON.stringify(body).replaceAll('"basico"', JSON.stringify(evil)))
    world.proxy.inject({ path: /uso$/, fault: { kind: 'rewrite', change } })
    Object.assign(client() ?? {}, { motivo: evil, correo: `${evil}@example.es` })
    const shown = Object.values(await fields()).join('')
    expect(shown).not.toContain('<img')
    expect(shown).not.toContain('{$')
    expect(shown.match(/&lt;img src=x/g)).toHaveLength(3)
  })

  test('gives up after 8 seconds in all, so that the page of the administrator opens', async () => {
    await world.call('CreateAccount')
    world.proxy.inject({ path: /acceso$/, fault: { kind: 'hang' } })
    const before = world.proxy.seen.length
    expect(Object.keys(await fields())).toEqual(['Control panel'])
    expect(await world.askedMs(before)).toBeLessThan(9500)
  })
})

test('a theme overrides the template of the customer page', async () => {
  await world.call('CreateAccount')
  const answer = await world.call('ClientArea')
  const theme = join(world.directory, 'theme')
  mkdirSync(theme)
  writeFileSync(join(theme, 'clientarea.tpl'), '<b>{$controlpanel.plan|escape}</b>')
  expect(await rendered(answer, theme)).toBe('<b>basico</b>')
  expect(await rendered(answer)).toContain('<strong>Plan:</strong> basico')
})

describe('server sync', () => {
  const list = async () =>
    (await world.call('ListAccounts')) as {
      success: boolean
      accounts?: Record<string, string>[]
      error?: string
    }
  const add = (
    name: string,
    referencia: string | null,
    estado: 'activo' | 'suspendido' | 'eliminando' = 'activo',
  ) =>
    world.panel.clients.set(name, {
      cliente: name,
      referencia,
      correo: `${name}@example.es`,
      estado,
      motivo: null,
      plan: name === 'free' ? null : 'basico',
      domain: `${name}.es`,
    })

  test('lists the clients of this billing system and no others, by the name that the service has as username', async () => {
    add('acme', `${PREFIX}41`)
    add('free', `${PREFIX}42`, 'suspendido')
    add('going', `${PREFIX}43`, 'eliminando')
    add('staging', 'whmcs-00000000:44')
    add('person', null)
    const account = {
      email: 'acme@example.es',
      username: 'acme',
      domain: 'acme.es',
      uniqueIdentifier: 'acme',
      product: 'basico',
      primaryip: '',
      created: expect.stringMatching(/^2026-11-2\d \d\d:\d\d:\d\d$/),
      status: 'Active',
    }
    const free = { username: 'free', uniqueIdentifier: 'free', product: '', status: 'Suspended' }
    expect(await list()).toEqual({
      success: true,
      accounts: [account, expect.objectContaining(free)],
    })
    const about = await callPhp('MetaData', undefined, { ca: null })
    expect(about).toMatchObject({
      ListAccountsUniqueIdentifierField: 'username',
      ListAccountsProductField: 'configoption1',
    })
  })

  test('lists nothing at all where one page fails or one row is not what it should be', async () => {
    for (let id = 1; id <= 250; id++) add(`c${String(id).padStart(4, '0')}`, `${PREFIX}${id}`)
    world.proxy.inject({ path: /clientes\?.*desde/, fault: faults.json(500, { codigo: 'interno' }) })
    expect(await list()).toEqual({ success: false, error: expect.stringContaining('500') })
    for (const wrong of [
      { cliente: '<b>' },
      { correo: 'x<script>' },
      { estado: 'otro' },
      { creado: 'never' },
    ]) {
      const change = (body: unknown) => {
        const page = body as { datos: Record<string, unknown>[]; siguiente: null } // the scripted panel's own answer
        return { ...page, datos: page.datos.map((row) => ({ ...row, ...wrong })) }
      }
      world.proxy.inject({ path: /clientes\?/, fault: { kind: 'rewrite', change } })
      expect(await list()).toMatchObject({ success: false })
    }
  })
})

describe('usage billing', () => {
  const usage = (method: NonNullable<PhpCall['method']>) =>
    run([{ fn: 'MetricProvider', params: world.params(), method }], { usageBilling: true })
  const metrics = async (method: NonNullable<PhpCall['method']>) => (await usage(method)).results[0]?.value

  test('offers disk, traffic of the month, sites and files', async () => {
    const units = (name: string) => `WHMCS\\UsageBilling\\Metrics\\Units\\${name}`
    expect(await metrics(['metrics'])).toEqual({
      disco_bytes: { name: 'Disk', type: 'snapshot', units: units('GigaBytes'), value: null },
      trafico_bytes: { name: 'Traffic', type: 'month', units: units('GigaBytes'), value: null },
      sitios: { name: 'Sites', type: 'snapshot', units: units('WholeNumber'), value: null },
      inodos: { name: 'Files', type: 'snapshot', units: units('WholeNumber'), value: null },
    })
  })

  test('tells the use of each client of this billing system and of no other', async () => {
    await world.call('CreateAccount')
    world.panel.usage.set('ejemplo-es', {
      disk: 1_610_612_736,
      diskLimit: null,
      traffic: 536_870_912,
      trafficLimit: null,
    })
    const made = client()
    if (made) world.panel.clients.set('other', { ...made, cliente: 'other', referencia: 'whmcs-00000000:41' })
    const expected = {
      disco_bytes: expect.objectContaining({ value: 1.5 }),
      trafico_bytes: expect.objectContaining({ value: 0.5 }),
      sitios: expect.objectContaining({ value: 1 }),
      inodos: expect.objectContaining({ value: 12 }),
    }
    expect(await metrics(['usage'])).toEqual({ 'ejemplo-es': expected })
    expect(await metrics(['tenantUsage', 'ejemplo-es'])).toEqual(expected)
    expect(await metrics(['tenantUsage', 'other'])).toEqual([])
    for (const tenant of ['../planes', '', null, 7])
      expect(await metrics(['tenantUsage', tenant])).toEqual([])
  })

  test('charges nobody by half of a listing, and the cause is in the module log', async () => {
    await world.call('CreateAccount')
    world.proxy.inject({ path: /api\/uso/, fault: faults.json(500, { codigo: 'interno' }) })
    const failed = await usage(['usage'])
    expect(failed.results[0]?.value).toEqual([])
    expect(failed.log.at(-1)?.join(' ')).toContain('500')
  })

  test('that has not been measured yet is not reported as zero', async () => {
    await world.call('CreateAccount')
    const change = (body: unknown) => Object.assign({}, body, { medido: null, origen: null })
    world.proxy.inject({ path: /uso$/, fault: { kind: 'rewrite', change } })
    expect(await metrics(['tenantUsage', 'ejemplo-es'])).toEqual([])
  })

  test('is absent, and nothing breaks, in a billing system without it', async () => {
    const without = await run([{ fn: 'MetricProvider', params: world.params() }])
    expect(without.results[0]).toMatchObject({ type: 'NULL' })
  })
})
