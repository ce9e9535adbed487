import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { faults, startFaultProxy } from '../support/fault-proxy.ts'
import { Panel } from '../support/panel.ts'
import { enrol, firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { scratch, selfSigned } from './certs.ts'
import { callPhp, type PhpOptions, type PhpRun, rendered, runPhp, type SystemSource } from './php.ts'
import { PASSWORD, serviceParams } from './world.ts'

let panel: Panel
let admin: SignedIn
let token: string
let directory: ReturnType<typeof scratch>

beforeAll(async () => {
  directory = scratch()
  panel = await Panel.start()
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  for (const [plan, disco_bytes] of [
    ['basico', 1_073_741_824],
    ['avanzado', null],
  ] as const) {
    const made = await panel.api('POST', '/planes', { bearer: token, body: { plan, disco_bytes } })
    expect(made.status).toBe(201)
  }
}, 60_000)
afterAll(async () => {
  await panel.stop()
  directory.remove()
})

const SYSTEM_URL = 'https://billing.example.com/'
const reference = (id: number, url = SYSTEM_URL) =>
  `whmcs-${new Bun.CryptoHasher('sha256').update(url).digest('hex').slice(0, 8)}:${id}`

/** A service of the billing system on the real panel, and calls of the module for it. */
function service(id: number, email = `ana${id}@example.com`) {
  const clientsdetails = { email, firstname: 'Ana', lastname: 'Núñez', language: 'spanish' }
  const params = { serviceid: id, domain: `billing${id}.example.com`, serverpassword: token, clientsdetails }
  const call = (fn: string, overrides: Record<string, unknown> = {}, options: Partial<PhpOptions> = {}) =>
    callPhp(fn, serviceParams(panel.port, { ...params, ...overrides }), { ca: panel.certPath, ...options })
  const found = async () => {
    const page = await panel.api('GET', `/clientes?referencia=${encodeURIComponent(reference(id))}`, {
      bearer: token,
    })
    return page.body.datos[0] ?? null
  }
  return { id, email, domain: params.domain, params, call, found }
}

/** A measurement of known size, as the meter stores it: where no client has files of its own, nothing else is known. */
function measured(name: string, diskBytes: number): void {
  const database = new Database(join(panel.dataDir, 'panel.db'))
  database.run('PRAGMA busy_timeout = 5000')
  const made = database.run(
    `INSERT OR REPLACE INTO usage (client_id, measured_at, source, disk_bytes, inodes)
     SELECT id, ?, 'recorrido', ?, 7 FROM clients WHERE name = ?`,
    [Date.now(), diskBytes, name],
  )
  database.close()
  expect(made.changes).toBe(1)
}

test('the connection test succeeds with the self-signed certificate as the only trust, and fails without it', async () => {
  const { call } = service(1)
  expect(await call('TestConnection')).toEqual({ success: true, error: '' })
  expect(await call('TestConnection', {}, { ca: null })).toMatchObject({
    success: false,
    error: expect.stringContaining('certificate could not be verified'),
  })
})

test('the plan list holds the plans of the panel', async () => {
  expect(await service(1).call('PlanLoader')).toEqual({
    '': 'No plan',
    avanzado: 'avanzado',
    basico: 'basico',
  })
})

test('a service lives its whole life, each step said by the panel itself', async () => {
  const { call, found, email, domain } = service(41)
  expect(await call('CreateAccount')).toBe('success')
  expect(await found()).toMatchObject({
    estado: 'activo',
    plan: 'basico',
    correo: email,
    nombre: 'Ana Núñez',
  })
  const activation = await panel.mailTo(email)
  expect(activation.link).not.toBeNull()
  expect(activation.text).not.toContain(PASSWORD)

  expect(await call('CreateAccount')).toBe('success')
  expect((await panel.api('GET', `/sitios/${domain}`, { bearer: token })).body).toMatchObject({ domain })
  const made = await found()

  expect(await call('SuspendAccount', { suspendreason: 'Factura 7 sin pagar' })).toBe('success')
  expect(await found()).toMatchObject({
    cliente: made.cliente,
    estado: 'suspendido',
    motivo: 'Factura 7 sin pagar',
  })
  expect(await call('SuspendAccount', { suspendreason: 'Factura 7 sin pagar' })).toBe('success')
  expect(await call('UnsuspendAccount')).toBe('success')
  expect(await call('UnsuspendAccount')).toBe('success')
  expect(await found()).toMatchObject({ estado: 'activo', motivo: null })

  expect(await call('ChangePackage', { configoption1: 'avanzado' })).toBe('success')
  expect(await found()).toMatchObject({ plan: 'avanzado' })
  expect(await call('ChangePackage', { configoption1: 'oro' })).toContain(
    'The plan "oro" does not exist in the panel.',
  )
  expect(await found()).toMatchObject({ plan: 'avanzado' })
  expect(await call('ChangePackage', { configoption1: '' })).toBe('success')
  expect(await found()).toMatchObject({ plan: null })

  // Suspending killed the first link, and the reset sends a fresh one: of all mails, this alone opens the login.
  expect(await call('ChangePassword')).toBe('success')
  const reset = await panel.mailTo(email, 2)
  const customer = await enrol(panel, reset.link ?? '', email)
  const own = await panel.api('GET', '/clientes', { bearer: customer.bearer })
  expect(own.status).toBe(403)
  expect((await panel.api('GET', `/clientes/${made.cliente}`, { bearer: customer.bearer })).status).toBe(200)

  expect(await call('TerminateAccount')).toBe('success')
  await eventually(async () => (await found()) === null, 'the end of the client')
  expect(await call('TerminateAccount')).toBe('success')
  expect((await panel.api('GET', `/clientes/${made.cliente}`, { bearer: token })).status).toBe(404)
}, 60_000)

test('the activation mail is sent once, however often Create is repeated', async () => {
  const { call, email } = service(42)
  expect(await call('CreateAccount')).toBe('success')
  expect(await call('CreateAccount')).toBe('success')
  expect(await call('CreateAccount')).toBe('success')
  await panel.mailTo(email)
  expect((await panel.command('cron', 'correo')).status).toBe(0)
  expect((await panel.mails()).filter(({ to }) => to === email)).toHaveLength(1)
}, 60_000)

test('two services of one customer are two clients, and ending one leaves the other', async () => {
  const [one, two] = [service(43, 'dos@example.com'), service(44, 'dos@example.com')]
  expect(await one.call('CreateAccount')).toBe('success')
  expect(await two.call('CreateAccount')).toBe('success')
  expect(await one.call('TerminateAccount')).toBe('success')
  expect(await two.found()).toMatchObject({ estado: 'activo', correo: 'dos@example.com' })
}, 60_000)

test('a name taken by another service, an unknown plan and a refused address are errors that leave nothing', async () => {
  const taken = service(45)
  expect(await taken.call('CreateAccount')).toBe('success')
  const other = service(46)
  expect(await other.call('CreateAccount', { domain: taken.domain })).toContain('409: dominio_ocupado')
  expect(await other.call('CreateAccount', { configoption1: 'oro' })).toContain(
    'The plan "oro" does not exist',
  )
  expect(await other.call('CreateAccount', { domain: 'not a name' })).toContain('422: datos_invalidos')
  expect(await other.call('CreateAccount', { clientsdetails: { email: 'nobody' } })).toContain(
    'e-mail address',
  )
  expect(await other.found()).toBeNull()
}, 60_000)

test('a reason of 200 characters, also of emoji, suspends', async () => {
  const { call, found } = service(47)
  expect(await call('CreateAccount')).toBe('success')
  expect(await call('SuspendAccount', { suspendreason: 'ñ'.repeat(300) })).toBe('success')
  expect(await found()).toMatchObject({ estado: 'suspendido', motivo: 'ñ'.repeat(200) })
  expect(await call('SuspendAccount', { suspendreason: '😀'.repeat(300) })).toBe('success')
}, 60_000)

test('plan and use reach the client area and the rows of this server, as the panel tells them', async () => {
  const { call, params, found } = service(48)
  expect(await call('CreateAccount')).toBe('success')
  measured((await found()).cliente, 5_242_880)
  const html = await rendered(await call('ClientArea'))
  expect(html).toContain('<td>5.0 MB</td><td>1.0 GB</td>')
  expect(html).toContain('<strong>Plan:</strong> basico')
  expect(html).toContain(`href="https://localhost:${panel.port}/"`)
  const run: PhpRun = await runPhp({
    calls: [{ fn: 'UsageUpdate', params: serviceParams(panel.port, params) }],
    ca: panel.certPath,
    rows: [
      { id: 48, server: 3, disklimit: -1, lastupdate: null },
      { id: 47, server: 4, disklimit: -1, lastupdate: null },
    ],
  })
  expect(run.results[0]?.value).toBe('success')
  expect(run.rows[0]).toMatchObject({ diskusage: 5, disklimit: 1024, bwlimit: 0 })
  expect(run.rows[0]?.lastupdate).toMatch(/^\d{4}-/)
  expect(run.rows[1]).toMatchObject({ disklimit: -1, lastupdate: null })
}, 60_000)

test('a staging copy with another SystemURL and the same token finds nothing and ends nobody', async () => {
  const { call, found } = service(49)
  expect(await call('CreateAccount')).toBe('success')
  const system: SystemSource = { source: 'setting', url: 'https://staging.example.com/' }
  expect(await call('SuspendAccount', {}, { system })).toContain('no client for this service')
  expect(await call('ChangePackage', { configoption1: 'avanzado' }, { system })).toContain('no client')
  expect(await call('ChangePassword', {}, { system })).toContain('no client for this service')
  expect(await call('TerminateAccount', {}, { system })).toBe('success')
  expect(await found()).toMatchObject({ estado: 'activo', plan: 'basico' })
}, 60_000)

test('a client of the panel that no service made is never found, even with the same e-mail', async () => {
  const { call, email } = service(50)
  const body = { cliente: 'ajeno', correo: email }
  expect((await panel.api('POST', '/clientes', { bearer: token, body })).status).toBe(201)
  expect(await call('SuspendAccount')).toContain('no client for this service')
  expect(await call('TerminateAccount')).toBe('success')
  expect((await panel.api('GET', '/clientes/ajeno', { bearer: token })).body).toMatchObject({
    estado: 'activo',
  })
})

describe('faults between the billing system and the panel', () => {
  test('an answer lost after the panel committed is an error, and the repeat is success with one effect', async () => {
    const certificate = await selfSigned(directory.directory, 'proxy', ['localhost'])
    const proxy = await startFaultProxy({
      target: { host: 'localhost', port: panel.port, ca: panel.ca },
      tls: certificate,
    })
    const { call, found, email, id } = service(51)
    const through = (fn: string, extra: Record<string, unknown> = {}) =>
      call(fn, { serverhostname: `localhost:${proxy.port}`, ...extra }, { ca: certificate.file })
    const lost = async (fn: string, method: string, path: RegExp, extra: Record<string, unknown> = {}) => {
      proxy.inject({ method, path, fault: { kind: 'cut-after-commit' } })
      expect(await through(fn, extra)).toContain('safe to repeat')
      expect(proxy.seen.at(-1)?.forwarded).toBeOneOf([200, 201, 202])
      expect(await through(fn, extra)).toBe('success')
    }
    await lost('CreateAccount', 'PUT', /altas/)
    await panel.mailTo(email)
    expect((await panel.mails()).filter(({ to }) => to === email)).toHaveLength(1)
    expect(proxy.seen.find(({ method }) => method === 'PUT')?.path).toBe(`/api/altas/${reference(id)}`)
    await lost('SuspendAccount', 'POST', /suspender/)
    await lost('UnsuspendAccount', 'POST', /activar/)
    await lost('ChangePackage', 'POST', /plan$/, { configoption1: 'avanzado' })
    proxy.inject({ method: 'DELETE', fault: faults.html(404) })
    expect(await through('TerminateAccount')).toMatch(/^The panel answered 404/)
    expect(await found()).toMatchObject({ estado: 'activo', plan: 'avanzado' })
    await lost('TerminateAccount', 'DELETE', /clientes/)
    await eventually(async () => (await found()) === null, 'the end of the client')
    await proxy.close()
  }, 60_000)

  test('a second reset link within a minute is refused with how long to wait, and works when it is over', async () => {
    const { call, email } = service(52)
    expect(await call('CreateAccount')).toBe('success')
    await panel.mailTo(email)
    expect(await call('ChangePassword')).toBe('success')
    await panel.mailTo(email, 2)
    expect(await call('ChangePassword')).toMatch(/429: espera.*Repeat it in \d+ seconds/)
    await panel.setClock(61)
    expect(await call('ChangePassword')).toBe('success')
    await panel.mailTo(email, 3)
  }, 60_000)

  test('a panel that is down is an error for Terminate and a neutral text for the customer', async () => {
    const { call } = service(53)
    const gone = { serverhostname: 'localhost:1' }
    expect(await call('TerminateAccount', gone)).toMatch(/^The panel gave no whole answer/)
    expect(await rendered(await call('ClientArea', gone))).not.toMatch(/localhost|href|curl/)
  })

  test('a revoked token is an error that says so', async () => {
    const doomed = await newToken(panel, admin, 'revocado')
    const tokens = await panel.api('GET', '/tokens', { bearer: admin.bearer })
    const id = tokens.body.datos.find((one: { nombre: string }) => one.nombre === 'revocado').id
    expect((await panel.api('DELETE', `/tokens/${id}`, { bearer: admin.bearer })).status).toBe(200)
    expect(await service(54).call('TerminateAccount', { serverpassword: doomed })).toContain(
      '401: token_revocado',
    )
  })
})

test('nothing the billing system must keep to itself reached the panel: no typed password in its log, mails or files', async () => {
  const mails = (await panel.mails()).map((mail) => mail.text + mail.html).join('')
  expect(panel.log + mails).not.toContain(PASSWORD)
  expect(panel.log + mails).not.toContain(token)
  const database = await Bun.file(join(panel.dataDir, 'panel.db')).bytes()
  expect(Buffer.from(database).includes(PASSWORD)).toBe(false)
  expect(Buffer.from(database).includes(token)).toBe(false)
})
