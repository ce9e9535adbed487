import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { faults } from '../support/fault-proxy.ts'
import { type HostingRow, runPhp } from './php.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(() => world.reset())

const MB = 1_048_576
const PREFIX = `whmcs-${new Bun.CryptoHasher('sha256').update('https://billing.example.com/').digest('hex').slice(0, 8)}:`

function addClient(name: string, referencia: string | null, disk = 0, diskLimit: number | null = null): void {
  const base = {
    correo: 'a@example.es',
    estado: 'activo',
    motivo: null,
    plan: null,
    domain: `${name}.es`,
  } as const
  world.panel.clients.set(name, { ...base, cliente: name, referencia })
  world.panel.usage.set(name, { disk, diskLimit, traffic: 3 * MB, trafficLimit: 2000 * MB })
}

const row = (id: number, server = 3): HostingRow => ({
  id,
  server,
  diskusage: -1,
  disklimit: -1,
  bwusage: -1,
  bwlimit: -1,
})
const update = (rows: HostingRow[], params: Record<string, unknown> = {}) =>
  runPhp({ calls: [{ fn: 'UsageUpdate', params: world.params(params) }], ca: world.certificate.file, rows })

describe('UsageUpdate', () => {
  test('writes megabytes with the time of the copy', async () => {
    addClient('acme', `${PREFIX}41`, 5 * MB + 100, 1024 * MB)
    const run = await update([row(41)])
    expect(run.results[0]?.value).toBe('success')
    expect(run.rows[0]).toMatchObject({ diskusage: 5, disklimit: 1024, bwusage: 3, bwlimit: 2000 })
    expect(run.rows[0]?.lastupdate).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })

  test('writes 0 for unlimited, and never for a real limit', async () => {
    addClient('free', `${PREFIX}41`, 0, null)
    addClient('tiny', `${PREFIX}42`, 0, 1)
    addClient('none', `${PREFIX}43`, 0, 0)
    const run = await update([row(41), row(42), row(43)])
    expect(run.rows.map((changed) => changed.disklimit)).toEqual([0, 1, 1])
  })

  test('writes only rows of its own server and of its own billing system', async () => {
    addClient('ours', `${PREFIX}41`, MB)
    addClient('moved', `${PREFIX}42`, MB)
    addClient('staging', 'whmcs-00000000:43', MB)
    addClient('person', null, MB)
    addClient('other', 'hostbill:44', MB)
    addClient('odd', `${PREFIX}45x`, MB)
    const run = await update([row(41), row(42, 8), row(43), row(44), row(45)])
    expect(run.results[0]?.value).toBe('success')
    expect(run.writes).toEqual(['tblhosting:41'])
  })

  test('reads every page of the use once, however many clients there are', async () => {
    for (let id = 1; id <= 450; id++) addClient(`c${String(id).padStart(4, '0')}`, `${PREFIX}${id}`, id * MB)
    const run = await update(Array.from({ length: 450 }, (_, index) => row(index + 1)))
    expect(run.rows.every((changed) => changed.diskusage === changed.id)).toBe(true)
    expect(world.requests().filter((request) => request.startsWith('GET /api/uso'))).toHaveLength(3)
    expect(world.requests()).toHaveLength(6)
  })

  test('changes nothing when a page in the middle fails, and says so', async () => {
    for (let id = 1; id <= 250; id++) addClient(`c${String(id).padStart(4, '0')}`, `${PREFIX}${id}`, MB)
    world.proxy.inject({ path: /uso\?.*desde/, fault: faults.json(500, { codigo: 'interno' }) })
    const run = await update(Array.from({ length: 250 }, (_, index) => row(index + 1)))
    expect(run.results[0]?.value).toContain('500')
    expect(run.writes).toEqual([])
  })

  test('one unreadable record leaves its row alone, updates the rest and is reported', async () => {
    addClient('a', `${PREFIX}41`, MB)
    addClient('b', `${PREFIX}42`, MB)
    world.proxy.inject({
      path: /uso/,
      fault: {
        kind: 'rewrite',
        change: (body) => {
          const page = body as { datos: { consumo: unknown }[] } // the scripted panel's own answer
          if (page.datos[0]) page.datos[0].consumo = { disco_bytes: { usado: '1', limite: null } }
          return page
        },
      },
    })
    const run = await update([row(41), row(42)])
    expect(run.results[0]?.value).toContain('the use of 1 clients')
    expect(run.writes).toEqual(['tblhosting:42'])
  })

  test('without a server id is an error without a request', async () => {
    for (const serverid of [null, 0, '', 'x', [3]]) {
      const run = await update([row(41)], { serverid })
      expect(run.results[0]?.value).toContain('no valid serverid')
    }
    expect(world.requests()).toEqual([])
  })
})

describe('ClientArea', () => {
  const area = (overrides: Record<string, unknown> = {}) => world.area(overrides)

  test('shows plan, use, its age and a link to the panel, in the language of the customer', async () => {
    await world.call('CreateAccount')
    world.panel.usage.set('ejemplo-es', {
      disk: 1536 * MB,
      diskLimit: 1024 * MB,
      traffic: 5,
      trafficLimit: null,
    })
    const spanish = await area()
    expect(spanish).toContain('<strong>Plan:</strong> basico')
    expect(spanish).toContain('<td>Disco</td><td>1.5 GB</td><td>1.0 GB</td>')
    expect(spanish).toContain('Límite superado')
    expect(spanish).toContain('<td>5 B</td><td>Sin límite</td>')
    expect(spanish).toContain('Medido hace 3 h')
    expect(spanish).toContain(`href="https://localhost:${world.proxy.port}/"`)
    const english = await area({ clientsdetails: { language: 'english' } })
    expect(english).toContain('<td>Disk</td><td>1.5 GB</td><td>1.0 GB</td>')
  })

  test('says so where nothing was measured yet, and the usage update leaves such a row alone', async () => {
    await world.call('CreateAccount')
    const change = (body: unknown) => Object.assign({}, body, { medido: null, origen: null })
    world.proxy.inject({ path: /uso$/, fault: { kind: 'rewrite', change } })
    expect(await area()).toContain('Aún sin medir')
    const unmeasured = (body: unknown) => ({
      siguiente: null,
      datos: (body as { datos: unknown[] }).datos.map(change),
    })
    world.proxy.inject({ path: /uso\?/, fault: { kind: 'rewrite', change: unmeasured } })
    const run = await update([row(41)])
    expect(run.results[0]?.value).toBe('success')
    expect(run.writes).toEqual([])
  })

  test('is read-only: a look-up, the use, and no form', async () => {
    await world.call('CreateAccount')
    world.proxy.seen.length = 0
    expect(await area()).not.toMatch(/<(form|input|button|script)/)
    expect(world.proxy.seen.map((request) => request.method)).toEqual(['GET', 'GET'])
  })

  test('escapes everything that comes from the panel', async () => {
    world.panel.plans.push('x')
    await world.call('CreateAccount', { configoption1: 'x' })
    world.proxy.inject({
      path: /uso$/,
      fault: {
        kind: 'rewrite',
        change: (body) => Object.assign({}, body, { plan: `<img src=x onerror="a('b')">{$x}` }),
      },
    })
    const html = await area()
    expect(html).toContain('&lt;img src=x onerror=&quot;a(&#039;b&#039;)&quot;&gt;&#123;$x&#125;')
    expect(html).not.toContain('<img')
  })

  for (const [name, fault] of Object.entries({
    'a server error': faults.json(500, { codigo: 'interno', detail: 'secret cause' }),
    'an expired token': faults.json(401, { codigo: 'token_caducado' }),
    'an HTML page': faults.html(200),
    'an empty look-up': faults.json(200, { datos: [], siguiente: null }),
    'a long 429': faults.tooMany(9),
    'a cut connection': { kind: 'cut' } as const,
  })) {
    test(`shows a neutral text without host, status or cause on ${name}`, async () => {
      await world.call('CreateAccount')
      world.proxy.inject({ method: 'GET', fault })
      const html = await area()
      expect(html).toContain('no se puede mostrar en este momento')
      expect(html).not.toMatch(/localhost|https?:|\d{3}|token|secret|curl|href/i)
    })
  }

  test('gives up after 8 seconds in all, with the neutral text', async () => {
    await world.call('CreateAccount')
    world.proxy.inject({ method: 'GET', path: /referencia/, fault: { kind: 'slow', delayMs: 3000 } })
    world.proxy.inject({ method: 'GET', path: /uso$/, fault: { kind: 'hang' } })
    const before = world.proxy.seen.length
    expect(await area()).toContain('no se puede mostrar')
    expect(await world.askedMs(before)).toBeWithin(7000, 9500)
  }, 60_000)

  test('shows the neutral text where the server settings are unusable', async () => {
    expect(await area({ serverhostname: 'https://x' })).toContain('no se puede mostrar')
    expect(await area({ serverpassword: '' })).toContain('no se puede mostrar')
  })
})
