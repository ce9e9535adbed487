import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { resolversFrom } from '../../deploy/node/resolver/index.ts'
import { Panel } from '../support/panel.ts'
import { codeOf, enrol, firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { type PowerDns, startPowerDns } from '../support/providers/powerdns.ts'
import type { Fault } from '../support/providers/proxy.ts'
import { startUnbound, type Unbound } from '../support/providers/unbound.ts'
import { WORLDS, type World } from '../support/providers/world.ts'
import { eventually } from '../support/wait.ts'

const OURS = '192.0.2.10'
const FOREIGN = '203.0.113.80'
const CANARY = 'canary-credential-8f2b'
const ZONES = ['ejemplo.es', 'otra.es', 'ocupada.es', 'ajena.es']

/** Names of the public DNS, as the recursive resolver finds them on an authoritative server of its own. */
let internet: PowerDns
let unbound: Unbound
let world: World
let panel: Panel
let admin: SignedIn
let token: string
let clockSeconds = 0

beforeAll(async () => {
  internet = await startPowerDns()
  const stubs = Object.fromEntries([...ZONES, 'borrada.es'].map((zone) => [zone, internet.dnsPort]))
  unbound = await startUnbound(stubs)
  world = await (WORLDS.powerdns as NonNullable<(typeof WORLDS)[string]>)(() => Date.now()) // one of the four
  panel = await Panel.start({
    env: {
      PANEL_IPS: OURS,
      PANEL_NS: 'ns1.panel.test,ns2.panel.test',
      PANEL_RESOLVER: `udp://127.0.0.1:${unbound.port}`,
    },
  })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  await api('POST', '/clientes', { cliente: 'acme' })
  for (const zona of ZONES) {
    expect((await api('POST', '/zonas', { cliente: 'acme', zona })).status).toBe(201)
  }
  for (const zona of ['ejemplo.es', 'otra.es', 'ocupada.es']) await point(zona, OURS)
  await point('ajena.es', FOREIGN)
}, 60_000)

afterAll(async () => {
  await panel.stop()
  await world.stop()
  await unbound.stop()
  await internet.stop()
})

const api = (method: string, path: string, body?: unknown, bearer = token) =>
  panel.api(method, path, { bearer, ...(body === undefined ? {} : { body }) })
/** Makes the public DNS say where a zone leads. */
const point = async (zone: string, address: string) => {
  await internet.api('POST', '/zones', { name: `${zone}.`, kind: 'Native', nameservers: ['ns1.panel.test.'] })
  const records = [{ content: address, disabled: false }]
  const rrsets = [{ name: `${zone}.`, type: 'A', ttl: 60, changetype: 'REPLACE', records }]
  await internet.api('PATCH', `/zones/${zone}.`, { rrsets })
}
const advance = async (seconds: number) => {
  clockSeconds += seconds
  await panel.setClock(clockSeconds)
}
/** Gives the queue its next slots until the mirror is in this state. */
const reaches = (zone: string, estado: string) =>
  eventually(
    async () => {
      await advance(61)
      await panel.command('cron', 'espejo')
      const { body } = await api('GET', `/zonas/${zone}/espejo`)
      return body.estado === estado ? body : null
    },
    `${zone} ${estado}`,
    20_000,
  )
const entry = () => ({ tipo: 'powerdns', credencial: world.credential, url: world.proxy.origin })

/** A fresh session: the tests move the clock past the old one. */
async function signIn(running: Panel, { email, password, totp }: SignedIn): Promise<string> {
  const { body } = await running.access('/entrar', { correo: email, contrasena: password })
  const second = await running.access('/segundo-factor', {
    paso_token: body.paso_token,
    codigo: await codeOf(running, totp),
  })
  return second.body.sesion
}

describe('the DNS provider account', () => {
  test('is absent at first, and nothing can be mirrored', async () => {
    expect((await api('GET', '/dns/proveedor')).body.codigo).toBe('proveedor_no_existe')
    expect((await api('PUT', '/zonas/ejemplo.es/espejo')).body.codigo).toBe('sin_proveedor')
    expect((await api('GET', '/zonas/ejemplo.es/espejo')).body.codigo).toBe('espejo_no_existe')
    expect((await api('GET', '/espejo')).body).toEqual({ datos: [], siguiente: null })
  })

  test('is entered by a person, never by a token', async () => {
    const refused = await api('PUT', '/dns/proveedor', entry())
    expect([refused.status, refused.body.codigo]).toEqual([403, 'no_con_token'])
  })

  test.each([
    [{ ...entryLike(), credencial: 'wrong' }, 'credencial', 'credencial_rechazada'],
    [{ ...entryLike(), url: 'https://panel.example/path' }, 'url', 'url_no_admitida'],
    [{ ...entryLike(), url: 'ftp://127.0.0.1' }, 'url', 'url_no_admitida'],
    [{ ...entryLike(), url: undefined }, 'url', 'obligatorio'],
    [{ ...entryLike(), tipo: 'otro' }, 'tipo', 'valor_no_admitido'],
    [{ ...entryLike(), credencial: 'a\r\nx-evil: 1' }, 'credencial', 'caracteres_no_admitidos'],
    [{ ...entryLike(), extra: 1 }, 'extra', 'campo_desconocido'],
  ])('refuses %j', async (body, campo, codigo) => {
    const sent = { ...body, ...(body.url === 'HERE' ? { url: world.proxy.origin } : {}) }
    const { status, body: problem } = await api('PUT', '/dns/proveedor', sent, admin.bearer)
    expect([status, problem.campos?.[0]?.campo, problem.campos?.[0]?.codigo]).toEqual([422, campo, codigo])
  })

  test('is checked live, stored sealed, and never shown', async () => {
    const { status, body } = await api('PUT', '/dns/proveedor', entry(), admin.bearer)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      tipo: 'powerdns',
      estado: 'bien',
      cuota: { usadas: 0, limite: null, origen: null, nivel: 'desconocido' },
    })
    expect(body.aviso).toContain('cannot verify')
    const shown = await api('GET', '/dns/proveedor')
    expect(shown.body).toEqual(body)
    const database = await Bun.file(`${panel.dataDir}/panel.db`).text()
    const log = await Bun.file(`${panel.dataDir}/panel.db-wal`).text()
    expect(database + log + panel.log + JSON.stringify(body)).not.toContain(world.credential)
  })
})

function entryLike() {
  return { tipo: 'powerdns', credencial: CANARY, url: 'HERE' as string | undefined }
}

describe('a mirrored zone', () => {
  test('must resolve here, and the refusal says what was seen', async () => {
    const { status, body } = await api('PUT', '/zonas/ajena.es/espejo')
    expect([status, body.codigo, body.visto, body.esperado]).toEqual([
      409,
      'zona_no_resuelve_aqui',
      [FOREIGN],
      [OURS],
    ])
  })

  test('is refused while the account holds its name, and nothing there is touched', async () => {
    await world.plant('ocupada.es', [{ name: 'theirs', type: 'A', ttl: 300, values: ['203.0.113.9'] }])
    const before = await world.dump('ocupada.es')
    world.proxy.calls.length = 0
    const { status, body } = await api('PUT', '/zonas/ocupada.es/espejo')
    expect([status, body.codigo]).toEqual([409, 'zona_ya_en_proveedor'])
    expect(world.proxy.writes()).toEqual([])
    expect(await world.dump('ocupada.es')).toBe(before)
  })

  test('is queued, filled and shown', async () => {
    const made = await api('PUT', '/zonas/ejemplo.es/espejo')
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe('/api/zonas/ejemplo.es/espejo')
    expect(made.body.respuestas).toEqual([
      { resolver: `udp://127.0.0.1:${unbound.port}`, resultado: 'aqui', visto: [OURS] },
    ])
    const body = await reaches('ejemplo.es', 'al_dia')
    expect(body).toMatchObject({
      motivo: null,
      error: null,
      proveedor: 'powerdns',
      posicion: null,
      omitidos: [],
    })
    expect(body.ultimo_cambio.creados).toBeGreaterThan(0)
    expect((await api('GET', '/zonas/ejemplo.es')).body.espejo).toEqual(body)
    expect((await api('PUT', '/zonas/ejemplo.es/espejo')).status).toBe(200)
  })

  test('keeps the account from being swapped for another', async () => {
    const other = { ...entry(), url: world.proxy.origin.replace('127.0.0.1', 'localhost') }
    const { status, body } = await api('PUT', '/dns/proveedor', other, admin.bearer)
    expect([status, body.codigo]).toEqual([409, 'proveedor_en_uso'])
    expect((await api('PUT', '/dns/proveedor', entry(), admin.bearer)).status).toBe(200)
  })

  test('follows a change of the zone without being asked', async () => {
    const put = await api('PUT', '/zonas/ejemplo.es/registros/nuevo/TXT', { ttl: 300, valores: ['"hola"'] })
    expect(put.status).toBe(200)
    await eventually(
      async () => {
        await advance(61)
        await panel.command('cron', 'espejo')
        return (await world.dump('ejemplo.es'))?.includes('hola') ?? false
      },
      'the new record at the provider',
      20_000,
    )
  })

  test('"sync now" tells the place in the queue', async () => {
    const { status, body } = await api('POST', '/zonas/ejemplo.es/espejo/sincronizar')
    expect([status, body.estado, body.posicion]).toEqual([202, 'en_cola', 1])
    await reaches('ejemplo.es', 'al_dia')
  })

  test('that had its last turn, and was asked for again, under a clock a day ahead is copied once that is put right', async () => {
    await advance(86_400)
    await reaches('ejemplo.es', 'al_dia')
    expect((await api('POST', '/zonas/ejemplo.es/espejo/sincronizar')).status).toBe(202)
    await advance(-86_400)
    expect((await api('GET', '/zonas/ejemplo.es/espejo')).body).toMatchObject({
      estado: 'en_cola',
      posicion: 1,
    })
    await panel.command('cron', 'espejo')
    const copied = async () => (await api('GET', '/zonas/ejemplo.es/espejo')).body.estado === 'al_dia'
    await eventually(copied, 'the copy')
  })

  test.each([
    ['hangs', { kind: 'hang' }],
    ['fails', { kind: 'answer', status: 500, body: 'no' }],
    ['refuses the credential', { kind: 'answer', status: 401, body: 'no' }],
  ] as [string, Fault][])(
    'never touches the panel’s own DNS while the provider %s',
    async (_, fault) => {
      const name = `durante-${fault.kind}-${'status' in fault ? fault.status : ''}x`
      world.proxy.fault = () => fault
      expect((await api('POST', '/zonas/ejemplo.es/espejo/sincronizar')).status).toBe(202)
      await advance(61)
      world.proxy.calls.length = 0
      const run = panel.command('cron', 'espejo')
      const startedAt = performance.now()
      const put = await api('PUT', `/zonas/ejemplo.es/registros/${name}/A`, { ttl: 300, valores: [OURS] })
      expect([put.status, performance.now() - startedAt < 3_000]).toEqual([200, true])
      const [own] = resolversFrom([`udp://127.0.0.1:${panel.env.PANEL_DNS_PORT}`])
      expect(await own?.query(`${name}.ejemplo.es`, 'A', 2_000)).toMatchObject({
        kind: 'answer',
        values: [OURS],
      })
      await eventually(async () => world.proxy.calls.length > 0, 'a call to the provider')
      world.proxy.fault = null
      await world.proxy.release()
      await run
      if (fault.kind === 'answer' && fault.status === 401) {
        await eventually(
          async () => (await api('GET', '/dns/proveedor')).body.estado === 'rechazada',
          'the refusal to show',
        )
        const renewed = await signIn(panel, admin)
        expect((await api('PUT', '/dns/proveedor', entry(), renewed)).body.estado).toBe('bien')
      }
      await advance(3_600)
      await reaches('ejemplo.es', 'al_dia')
    },
    60_000,
  )

  test('is shown to its own customer only, who cannot change it', async () => {
    const login = await api('POST', '/clientes/acme/acceso', { correo: 'a@acme.es' })
    expect(login.status).toBe(201)
    const mail = await panel.mailTo('a@acme.es')
    const customer = await enrol(panel, mail.link ?? '', 'a@acme.es')
    expect((await api('GET', '/zonas/ejemplo.es/espejo', undefined, customer.bearer)).status).toBe(200)
    for (const [method, path] of [
      ['GET', '/espejo'],
      ['GET', '/dns/proveedor'],
      ['PUT', '/zonas/ejemplo.es/espejo'],
      ['DELETE', '/zonas/ejemplo.es/espejo'],
      ['POST', '/zonas/ejemplo.es/espejo/sincronizar'],
      ['DELETE', '/dns/proveedor'],
    ] as const) {
      expect((await api(method, path, undefined, customer.bearer)).status).toBe(403)
    }
  }, 60_000)

  test('that stops pointing here is dropped within the daily cycle, its copy removed, the admin told', async () => {
    await api('PUT', '/zonas/otra.es/espejo')
    await reaches('otra.es', 'al_dia')
    await point('otra.es', FOREIGN)
    await advance(86_400)
    await panel.command('cron', 'recheck')
    // The first negative is only a doubt: the copy stays, and is repaired meanwhile.
    expect((await api('GET', '/zonas/otra.es/espejo')).body.estado).not.toBe('retirando')
    await advance(3_600)
    const body = await reaches('otra.es', 'retirada')
    expect([body.motivo, body.respuestas[0]?.resultado]).toEqual(['no_resuelve_aqui', 'fuera'])
    expect(await world.dump('otra.es')).toBeNull()
    const mails = await eventually(async () => {
      await panel.command('cron', 'correo')
      const mine = (await panel.mails()).filter(({ subject }) => subject.includes('otra.es'))
      return mine.length > 0 ? mine : null
    }, 'the mail')
    expect(mails[0]?.text).toContain(FOREIGN)
    const trail = await api('GET', '/auditoria?operacion=espejo.no_resuelve_aqui')
    expect(trail.body.datos.length).toBe(1)
  }, 60_000)

  test('comes back only by being put again', async () => {
    await point('otra.es', OURS)
    await advance(86_400)
    await panel.command('cron', 'recheck')
    await panel.command('cron', 'espejo')
    expect((await api('GET', '/zonas/otra.es/espejo')).body.estado).toBe('retirada')
    const refused = await api('POST', '/zonas/otra.es/espejo/sincronizar')
    expect([refused.status, refused.body.codigo]).toEqual([409, 'espejo_no_activo'])
    expect((await api('PUT', '/zonas/otra.es/espejo')).status).toBe(201)
    await reaches('otra.es', 'al_dia')
  }, 60_000)

  test('is listed in pages', async () => {
    const first = await api('GET', '/espejo?limite=1')
    expect(first.body.datos.map(({ zona }: { zona: string }) => zona)).toEqual(['ejemplo.es'])
    const next = await api('GET', `/espejo?limite=1&desde=${first.body.siguiente}`)
    expect(next.body.datos.map(({ zona }: { zona: string }) => zona)).toEqual(['otra.es'])
    expect(next.body.siguiente).toBeNull()
  })

  test('survives a rotation of the keys', async () => {
    expect((await panel.command('claves', 'rotar')).status).toBe(0)
    await panel.kill()
    await panel.up()
    await api('POST', '/zonas/ejemplo.es/espejo/sincronizar')
    await advance(61)
    expect((await reaches('ejemplo.es', 'al_dia')).error).toBeNull()
    expect((await api('GET', '/dns/proveedor')).body.estado).toBe('bien')
  }, 60_000)

  test('ends with its copy, and the row says why', async () => {
    const { status, body } = await api('DELETE', '/zonas/otra.es/espejo')
    expect([status, body.estado]).toEqual([202, 'retirando'])
    expect((await reaches('otra.es', 'retirada')).motivo).toBe('desactivada')
    expect(await world.dump('otra.es')).toBeNull()
    expect((await api('DELETE', '/zonas/otra.es/espejo')).status).toBe(200)
  }, 60_000)

  test('goes with its zone', async () => {
    await api('PUT', '/zonas/otra.es/espejo')
    await reaches('otra.es', 'al_dia')
    expect([200, 202]).toContain((await api('DELETE', '/zonas/otra.es')).status)
    await eventually(
      async () => {
        await advance(61)
        await panel.command('cron', 'espejo')
        return (await world.dump('otra.es')) === null
      },
      'the copy gone',
      20_000,
    )
  }, 60_000)

  test('goes with its client', async () => {
    await point('borrada.es', OURS)
    await api('POST', '/clientes', { cliente: 'breve' })
    await api('POST', '/zonas', { cliente: 'breve', zona: 'borrada.es' })
    expect((await api('PUT', '/zonas/borrada.es/espejo')).status).toBe(201)
    await reaches('borrada.es', 'al_dia')
    expect([200, 202]).toContain((await api('DELETE', '/clientes/breve')).status)
    await eventually(
      async () => {
        await advance(61)
        await panel.command('cron', 'espejo')
        const { datos } = (await api('GET', '/espejo?cliente=breve')).body
        return (await world.dump('borrada.es')) === null && datos.length === 0
      },
      'the copy gone',
      20_000,
    )
  }, 60_000)

  test('goes with the account, which goes last', async () => {
    const { status, body } = await api('DELETE', '/dns/proveedor')
    expect([status, body]).toEqual([202, { estado: 'retirando', zonas: 1 }])
    await eventually(
      async () => {
        await advance(61)
        await panel.command('cron', 'espejo')
        return (await api('GET', '/dns/proveedor')).status === 404
      },
      'the account gone',
      20_000,
    )
    expect(await world.dump('ejemplo.es')).toBeNull()
    expect(await world.dump('ocupada.es')).not.toBeNull()
  }, 60_000)
})
