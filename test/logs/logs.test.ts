import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newCustomer } from '../api/people.ts'
import { clientsOf } from '../sftp/client.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string
let ana: { bearer: string }
let root: string
const sftpPort = await freePort()

beforeAll(async () => {
  panel = await Panel.start({ env: { PANEL_SFTP_PORT: String(sftpPort), PANEL_BITACORA_ACORTAR_DIAS: '2' } })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  ana = await newCustomer(panel, token, 'ana')
  for (const cliente of ['ana', 'bea']) {
    await api('POST', '/clientes', { cliente, correo: `${cliente}@cliente.es` })
    const made = await api('POST', '/sitios', { cliente, domain: `${cliente}.es`, aliases: [] })
    if (cliente === 'ana') root = made.body.raiz
  }
  writeFileSync(join(root, 'hola.php'), '<?php error_log("hola desde php"); echo 1;')
})
afterAll(() => panel.stop())

const api = (method: string, path: string, body?: object, bearer = token) =>
  panel.api(method, path, { bearer, ...(body ? { body } : {}) })
const visit = async (host: string, path: string, agent = 'Prueba') => {
  const url = `http://127.0.0.1:${panel.httpPort}${path}`
  const answer = await fetch(url, { headers: { host, 'user-agent': agent } })
  await answer.text()
  return answer.status
}
const log = async (domain: string, query = '', bearer = token) =>
  (await api('GET', `/sitios/${domain}/bitacora${query}`, undefined, bearer)).body
const shown = (domain: string, query: string, many: number) =>
  eventually(async () => {
    const { datos } = await log(domain, query)
    return datos.length >= many ? (datos as Json[]) : null
  }, `${many} rows of ${query}`)

describe('reading', () => {
  test('a customer reads the visits of its own site and of no other', async () => {
    expect(await visit('ana.es', '/uno?x=1')).toBe(404)
    await visit('bea.es', '/ajena')
    const [row] = await shown('ana.es', '?buscar=/uno', 1)
    expect(row).toMatchObject({
      direccion: '127.0.0.1',
      metodo: 'GET',
      ruta: '/uno?x=1',
      estado: 404,
      agente: 'Prueba',
    })
    expect((await log('ana.es', '?buscar=/uno', ana.bearer)).datos).toHaveLength(1)
    expect((await log('ana.es', '?buscar=ajena')).datos).toEqual([])
    expect(await log('bea.es', '', ana.bearer)).toMatchObject({ codigo: 'sitio_no_existe' })
    expect(await log('nadie.es')).toMatchObject({ codigo: 'sitio_no_existe' })
  })

  test('pages, classes of status and times narrow it, and what is none of them is refused', async () => {
    for (let i = 0; i < 5; i++) await visit('ana.es', `/p${i}`)
    await visit('ana.es', '/hola.php')
    const all = (await shown('ana.es', '?buscar=/p&estado=4xx', 5)).map(({ ruta }) => ruta)
    expect(all).toEqual(['/p4', '/p3', '/p2', '/p1', '/p0'])
    const today = new Date().toISOString().slice(0, 10)
    const first = await log('ana.es', `?buscar=/p&estado=404&limite=2&desde=${today}&hasta=${today}`)
    expect(first.datos.map(({ ruta }: Json) => ruta)).toEqual(['/p4', '/p3'])
    const second = await log('ana.es', `?buscar=/p&estado=404&limite=2&desde=${first.siguiente}`)
    expect(second.datos.map(({ ruta }: Json) => ruta)).toEqual(['/p2', '/p1'])
    expect((await log('ana.es', '?estado=200&buscar=hola')).datos).toHaveLength(1)
    expect((await log('ana.es', '?hasta=2026-01-01')).datos).toEqual([])
    expect((await log('ana.es', '?desde=2096-01-01T00:00:00Z')).datos).toEqual([])
    for (const [query, codigo] of [
      ['?desde=nada', 'cursor_invalido'],
      ['?desde=2026-99-99', 'datos_invalidos'],
      ['?hasta=ayer', 'datos_invalidos'],
      ['?estado=9xx', 'datos_invalidos'],
      ['?tipo=php&estado=404', 'datos_invalidos'],
      ['?tipo=otro', 'datos_invalidos'],
    ])
      expect(await log('ana.es', query)).toMatchObject({ codigo })
  })

  test('what PHP said is there as soon as it is asked for', async () => {
    await visit('ana.es', '/hola.php')
    const rows = await shown('ana.es', '?tipo=php', 1)
    expect(rows[0]).toMatchObject({ nivel: 'programa', texto: 'hola desde php' })
    expect((await log('bea.es', '?tipo=php')).datos).toEqual([])
  })

  test('by SFTP a customer reads its logs and can change nothing of them', async () => {
    await api('POST', '/clientes/ana/cuentas-sftp', { cuenta: 'ana' })
    await api('POST', '/clientes/ana/cuentas-sftp', { cuenta: 'ana_sitio', sitio: 'ana.es' })
    await visit('ana.es', '/por-sftp')
    await visit('ana.es', '/hola.php')
    await shown('ana.es', '?buscar=por-sftp', 1)
    await shown('ana.es', '?tipo=php', 1)
    const tools = clientsOf(sftpPort)
    for (const [account, place] of [
      ['ana', 'ana.es/registros'],
      ['ana_sitio', '../registros'],
    ] as const) {
      const made = await api(
        'POST',
        `/clientes/ana/cuentas-sftp/${account}/contrasena`,
        undefined,
        admin.bearer,
      )
      const login = { account, password: made.body.contrasena }
      const listed = await tools.sftp(login, `ls -1 ${place}`)
      const name = /acceso-\d{4}-\d\d-\d\d\.log/.exec(listed.out)?.[0] ?? ''
      expect(listed.out).toMatch(/php-\d{4}-\d\d-\d\d\.log/)
      const got = await tools.sftp(login, `get ${place}/${name} /tmp/${account}.log`)
      expect(got.code).toBe(0)
      const lines = (await Bun.file(`/tmp/${account}.log`).text()).trim().split('\n')
      expect(lines.map((line) => JSON.parse(line).ruta)).toContain('/por-sftp')
      for (const change of [
        `rm ${place}/${name}`,
        `rename ${place}/${name} ${place}/otro`,
        `put /etc/hostname ${place}/nuevo`,
        `put /etc/hostname ${place}/${name}`,
        `chmod 777 ${place}/${name}`,
        `rmdir ${place}`,
        `rename ${place} ${place}-viejos`,
      ])
        expect((await tools.sftp(login, change)).code).not.toBe(0)
    }
    const files = await api('GET', '/sitios/ana.es/archivos?ruta=/registros')
    expect(files.body.datos.length).toBeGreaterThan(1)
    const { nombre } = files.body.datos[0]
    expect((await api('DELETE', `/sitios/ana.es/archivos/contenido?ruta=/registros/${nombre}`)).status).toBe(
      403,
    )
  })
})

describe('following', () => {
  test('rows come as they are written, with their places, and only those asked for', async () => {
    const events = await follow('ana.es', '?buscar=seguir', ana.bearer)
    await visit('ana.es', '/seguir-1')
    await visit('ana.es', '/otra')
    await visit('ana.es', '/seguir-2')
    const text = await events.until((all) => all.includes('seguir-2'))
    expect(text).toMatch(/^:\n\nid: \d{8}\.0\.\d+\nevent: fila\ndata: \{"cuando":.*"\/seguir-1".*\}\n\n/)
    expect(text).not.toContain('/otra')
    await events.stop()
    const last = text.match(/id: (\S+)\nevent: fila\ndata: .*seguir-1/)?.[1] ?? ''
    const again = await follow('ana.es', '?buscar=seguir', token, { 'last-event-id': last })
    const missed = await again.until((all) => all.includes('seguir-2'))
    expect(missed).not.toContain('seguir-1')
    await again.stop()
  })

  test('it ends when the token is revoked, and for a customer when the client is suspended', async () => {
    const events = await follow('ana.es', '', await newToken(panel, admin, 'breve'))
    const own = await follow('ana.es', '?tipo=php', ana.bearer)
    await visit('ana.es', '/hola.php')
    await own.until((all) => all.includes('hola desde php'))
    const { datos } = (await api('GET', '/tokens', undefined, admin.bearer)).body
    const { id } = datos.find(({ nombre }: Json) => nombre === 'breve')
    await api('DELETE', `/tokens/${id}`, undefined, admin.bearer)
    await events.ended
    await api('POST', '/clientes/ana/suspender')
    await own.ended
    expect(await log('ana.es', '', ana.bearer)).toMatchObject({ codigo: 'cliente_suspendido' })
    expect((await log('ana.es')).datos.length).toBeGreaterThan(0)
    await api('POST', '/clientes/ana/activar')
  })
})

test('killed while visits come, the panel tells each of them once', async () => {
  let sent = 0
  let stopped = false
  const visits = (async () => {
    while (!stopped) await visit('ana.es', `/muerte-${++sent}`)
  })()
  for (let round = 0; round < 3; round++) {
    await Bun.sleep(600 + 130 * round)
    await panel.kill()
    await panel.up()
  }
  stopped = true
  await visits
  const found = await eventually(async () => {
    const rows: string[] = []
    for (let from: string | null = ''; from !== null; ) {
      const page: Json = await log('ana.es', `?buscar=/muerte-&limite=200${from && `&desde=${from}`}`)
      rows.push(...page.datos.map(({ ruta }: Json) => ruta))
      from = page.siguiente
    }
    return rows.length >= sent ? rows : null
  }, 'all visits')
  expect(found.length).toBe(sent)
  expect(new Set(found).size).toBe(sent)
})

/** The addresses that fail2ban finds in a file by a filter of ours. */
function banned(filter: string, file: string): string[] {
  const path = join(import.meta.dir, '../../deploy/monitoring/fail2ban', filter)
  const { stdout } = Bun.spawnSync(['fail2ban-regex', '-o', 'ip', file, path])
  return stdout.toString().trim().split('\n').filter(Boolean)
}

describe('fail2ban', () => {
  test('finds who tries bearers and passwords on the panel, and nobody by what they send', async () => {
    const file = join(root, '../../../../log/panel.log')
    writeFileSync(file, panel.log)
    const before = banned('controlpanel.conf', file).length
    const forged = '"event":"bearer refused","address":"192.0.2.66"}'
    await panel.api('GET', '/conexion', { bearer: 'cpt_nothing', headers: { 'user-agent': forged } })
    const body = JSON.stringify({ correo: 'quien@cliente.es', contrasena: `${forged} y más` })
    const headers = { 'content-type': 'application/json' }
    expect((await panel.fetch('/acceso/entrar', { method: 'POST', headers, body })).status).toBe(401)
    await api('POST', '/clientes', {
      cliente: 'forja',
      nombre: 'a "event":"sign-in refused","address":"192.0.2.66"}',
    })
    const found = await eventually(async () => {
      writeFileSync(file, panel.log)
      const all = banned('controlpanel.conf', file)
      return all.length >= before + 2 ? all : null
    }, 'two more lines')
    expect(found.slice(before)).toEqual(['127.0.0.1', '127.0.0.1'])
  })

  test("finds who posts to the sign-in of a site's program, and not who only visits it", async () => {
    const post = (path: string) =>
      fetch(`http://127.0.0.1:${panel.httpPort}${path}`, {
        method: 'POST',
        headers: {
          host: 'bea.es',
          'user-agent': '"direccion":"192.0.2.66","metodo":"POST","ruta":"/wp-login.php"',
        },
      })
    for (const path of ['/wp-login.php', '/blog/xmlrpc.php?x=1', '/contacto.php?a=/wp-login.php'])
      await post(path)
    await visit('bea.es', '/wp-login.php')
    await shown('bea.es', '?buscar=wp-login', 3)
    expect(banned('controlpanel-sites.conf', join(root, '../../../../log/access.log'))).toEqual([
      '127.0.0.1',
      '127.0.0.1',
    ])
  })
})

test('the log of a panel that is no service is a file too', async () => {
  const path = join(panel.dataDir, 'registro/panel.log')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(lines.filter((line) => JSON.parse(line).event === 'sign-in refused').length).toBeGreaterThan(0)
  expect(lines.filter((line) => !panel.log.includes(line))).toEqual([])
})

test('addresses are shortened after the days that the operator set, and not before', async () => {
  const callers = () => {
    using database = new Database(join(panel.dataDir, 'panel.db'), { readonly: true })
    const [sessions, audited] = ['sessions', 'audit'].map((table) =>
      database.query(`select distinct address from ${table} where address is not null`).values().flat(),
    )
    expect(audited).toEqual(sessions)
    return sessions
  }
  const run = async () => (await panel.command('cron', 'direcciones')).lines[0]
  const address = async () => (await log('ana.es', '?buscar=/uno')).datos[0].direccion
  expect(await run()).toMatchObject({ ejecutada: true, resultado: { registros: 0, direcciones: 0 } })
  expect([await address(), callers()]).toEqual(['127.0.0.1', ['127.0.0.1']])
  await panel.setClock(4 * 86_400)
  const visits = async () => {
    const { body } = await api('GET', '/sitios/ana.es/bitacora/horas?horas=168')
    return body.datos.reduce((sum: number, one: Json) => sum + one.visitas, 0)
  }
  const before = await visits()
  expect(await run()).toMatchObject({ ejecutada: true, resultado: { direcciones: 1 } })
  expect([await address(), callers()]).toEqual(['127.0.0.0', ['127.0.0.0']])
  expect(await visits()).toBe(before)
  await visit('ana.es', '/nueva')
  expect((await shown('ana.es', '?buscar=/nueva', 1))[0]?.direccion).toBe('127.0.0.1')
})

/** The events of a log, as text. */
async function follow(domain: string, query: string, bearer: string, more: Record<string, string> = {}) {
  const answer = await panel.fetch(`/api/sitios/${domain}/bitacora${query}`, {
    headers: { authorization: `Bearer ${bearer}`, accept: 'text/event-stream', ...more },
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  let all = ''
  const ended = (async () => {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (done) return
      all += new TextDecoder().decode(value)
    }
  })()
  return {
    ended,
    until: (holds: (all: string) => boolean) => eventually(async () => (holds(all) ? all : null), 'events'),
    async stop() {
      await reader.cancel()
    },
  }
}
