import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { type Pebble, startPebble } from './pebble.ts'

let directory: string
let pebble: Pebble
let panel: Panel
let token: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'https-'))
  const http = await freePort()
  pebble = await startPebble(http)
  await writeFile(join(directory, 'ca.pem'), pebble.caPem)
  await writeFile(join(directory, 'root.pem'), await pebble.rootPem())
  panel = await Panel.start({
    env: {
      PANEL_HTTP_PORT: String(http),
      PANEL_ACME_URL: pebble.directoryUrl,
      PANEL_ACME_CA: join(directory, 'ca.pem'),
      PANEL_RESOLVER: `udp://${pebble.dnsAddress}`,
    },
  })
  token = await newToken(panel, await firstAdmin(panel))
  await call('POST', '/clientes', { cliente: 'acme' })
}, 60_000)
afterAll(async () => {
  // The authority first: it must not be left behind by a panel that did not start.
  await pebble.stop()
  await panel.stop()
  await rm(directory, { recursive: true })
})

const call = (method: string, path: string, body?: unknown) =>
  panel.api(method, path, { bearer: token, ...(body === undefined ? {} : { body }) })

const addSite = (domain: string, aliases: string[] = []) =>
  call('POST', '/sitios', { cliente: 'acme', domain, aliases })

/** The site's `https` once it is as wanted. */
const httpsOnce = (domain: string, wanted: (https: Json) => boolean) =>
  eventually(async () => {
    const { https } = (await call('GET', `/sitios/${domain}`)).body
    return wanted(https) ? https : null
  }, `the certificate of ${domain}`)

/** Status of a verified HTTPS request to a site, as its visitors make it. */
async function visit(host: string): Promise<string> {
  const url = `https://${host}:${panel.httpsPort}/`
  const to = ['--resolve', `${host}:${panel.httpsPort}:127.0.0.1`, '--cacert', join(directory, 'root.pem')]
  const child = Bun.spawn(['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}', ...to, url])
  return (await new Response(child.stdout).text()) + (await child.exited)
}

/** Serial number of the certificate that is served for a name. */
function serialOf(host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: panel.httpsPort, servername: host, rejectUnauthorized: false }
    const socket = connect(options, () => {
      resolve(socket.getPeerCertificate().serialNumber)
      socket.end()
    })
    socket.once('error', reject)
  })
}

test('a site asked for by hand is served with the authority’s certificate under all its names', async () => {
  const own = (await addSite('uno.es', ['www.uno.es'])).body.https
  expect(own).toMatchObject({ estado: 'autofirmado', emisor: null, nombres: ['uno.es', 'www.uno.es'] })
  expect(Date.parse(own.caduca)).toBeGreaterThan(Date.now())
  expect(await visit('uno.es')).toBe('00060')
  const asked = await call('POST', '/sitios/uno.es/https')
  expect(asked.status).toBe(202)
  expect(asked.body.https).toMatchObject({ estado: 'pendiente', error: null })
  const https = await httpsOnce('uno.es', ({ estado }) => estado === 'activo')
  expect(https).toMatchObject({ nombres: ['uno.es', 'www.uno.es'], error: null })
  expect(https.emisor).toContain('Pebble')
  expect(Date.parse(https.caduca)).toBeGreaterThan(Date.now())
  expect([await visit('uno.es'), await visit('www.uno.es')]).toEqual(['2000', '2000'])
}, 60_000)

test('the schedule gets a new site its certificate, and a new alias one with its name', async () => {
  await addSite('dos.es')
  await panel.command('cron', 'certificados')
  await httpsOnce('dos.es', ({ estado }) => estado === 'activo')
  expect(await visit('dos.es')).toBe('2000')
  await call('PATCH', '/sitios/dos.es', { aliases: ['www.dos.es'] })
  expect(await visit('www.dos.es')).toBe('00060')
  await panel.command('cron', 'certificados')
  await httpsOnce('dos.es', ({ nombres }) => nombres.includes('www.dos.es'))
  expect(await visit('www.dos.es')).toBe('2000')
}, 60_000)

test('a name that leads elsewhere is not asked for, and the owner reads why', async () => {
  await pebble.setAddress('lejos.es', '192.0.2.9')
  await addSite('lejos.es')
  await call('POST', '/sitios/lejos.es/https')
  const https = await httpsOnce('lejos.es', ({ error }) => error !== null)
  expect(https).toMatchObject({ estado: 'pendiente', emisor: null, nombres: ['lejos.es'] })
  expect(https.error).toContain('lejos.es')
  await pebble.setAddress('lejos.es', '127.0.0.1')
  await call('POST', '/sitios/lejos.es/https')
  await httpsOnce('lejos.es', ({ estado }) => estado === 'activo')
}, 60_000)

test('a certificate that the web server has lost is shown again as it was, and asked for anew where nothing is left of it', async () => {
  const web = join(panel.dataDir, 'web')
  const before = await serialOf('uno.es')
  // What a node is after its recovery: the files of certificates are there, and no name leads to a site.
  await rm(join(web, 'h', 'uno.es'))
  await panel.command('cron', 'diferencias')
  await eventually(async () => (await visit('uno.es')) === '2000', 'the name being served again')
  expect(await serialOf('uno.es')).toBe(before)
  await rm(join(web, 't', 'uno.es'))
  await rm(join(web, 't', 'www.uno.es'))
  await panel.command('cron', 'diferencias')
  await eventually(async () => (await visit('www.uno.es')) === '2000', 'the certificate that is kept')
  expect([await serialOf('uno.es'), await serialOf('www.uno.es')]).toEqual([before, before])
  for (const kept of await readdir(join(panel.dataDir, 'acme', 'held')))
    await rm(join(panel.dataDir, 'acme', 'held', kept))
  await rm(join(web, 't', 'uno.es'))
  await panel.command('cron', 'diferencias')
  await eventually(async () => {
    await panel.command('cron', 'certificados')
    return (await visit('uno.es')) === '2000'
  }, 'a new certificate')
  expect(await serialOf('uno.es')).not.toBe(before)
}, 60_000)

test('a person who asks again and again is told to wait before the authority would refuse', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 6; n += 1) {
    statuses.push((await call('POST', '/sitios/dos.es/https')).status)
    await eventually(async () => {
      const { datos } = (await call('GET', '/tareas')).body
      return datos.every(({ estado }: Json) => estado === 'hecha') || null
    }, 'no work to be left')
  }
  expect(statuses).toEqual([202, 202, 202, 202, 429, 429])
}, 60_000)

test('a suspended client’s certificates go on being served and renewed', async () => {
  await call('POST', '/clientes/acme/suspender')
  expect(await visit('uno.es')).toBe('5030')
  const before = await serialOf('uno.es')
  await call('POST', '/sitios/uno.es/https')
  await eventually(async () => (await serialOf('uno.es')) !== before || null, 'another certificate')
  expect(await visit('uno.es')).toBe('5030')
  await call('POST', '/clientes/acme/activar')
  expect(await visit('uno.es')).toBe('2000')
}, 60_000)

test('killed before and after every step, the panel ends with one certificate that matches its key', async () => {
  const steps = ['order', 'validate', 'download', 'install'].map((name) => `certificate.${name}`)
  for (const [index, step] of [...steps, 'commit'].entries()) {
    for (const phase of ['before', 'after']) {
      const domain = `paso${index}${phase}.es`
      await addSite(domain)
      await panel.kill()
      await panel.up({ PANEL_TEST_KILL: `sitio.certificar:${step}:${phase}` })
      await call('POST', `/sitios/${domain}/https`)
      await panel.died()
      expect(await visit('uno.es')).toBe('2000')
      await panel.up()
      // Nor does a clock that is set forward, past the lease of the work, have it done twice at once.
      await panel.setClock(130)
      await httpsOnce(domain, ({ estado }) => estado === 'activo')
      expect(await visit(domain)).toBe('2000')
      await panel.setClock(0)
    }
  }
}, 120_000)

test('a deleted site and a deleted client leave no key behind, and a name’s next owner no certificate', async () => {
  const kept = () => readdir(join(panel.dataDir, 'acme/held'))
  const before = await kept()
  await call('POST', '/clientes', { cliente: 'breve' })
  for (const domain of ['fin1.es', 'fin2.es']) {
    await call('POST', '/sitios', { cliente: 'breve', domain, aliases: [] })
    await call('POST', `/sitios/${domain}/https`)
    await httpsOnce(domain, ({ estado }) => estado === 'activo')
  }
  expect((await kept()).length).toBe(before.length + 2)
  await call('DELETE', '/sitios/fin1.es')
  expect((await kept()).length).toBe(before.length + 1)
  await call('DELETE', '/clientes/breve')
  expect(await kept()).toEqual(before)
  await addSite('fin1.es')
  expect(await visit('fin1.es')).toBe('00060')
}, 60_000)

test('certificates are renewed at two thirds of their life', async () => {
  const before = await serialOf('uno.es')
  const { caduca } = (await call('GET', '/sitios/uno.es')).body.https
  await panel.setClock(((Date.parse(caduca) - Date.now()) * 0.7) / 1000)
  await panel.command('cron', 'certificados')
  await eventually(async () => (await serialOf('uno.es')) !== before || null, 'the renewal')
}, 60_000)

test('HTTPS alone waits for a certificate that browsers trust, and for another one when that has expired', async () => {
  /** Status over plain HTTP, and what the API says. */
  const state = async (host = 'espera.es') => {
    const { body } = await call('GET', '/sitios/espera.es')
    return [await plainly(host), body.solo_https, body.solo_https_en_espera]
  }
  const plainly = async (host: string) => {
    const url = `http://127.0.0.1:${panel.httpPort}/`
    return (await fetch(url, { headers: { host }, redirect: 'manual' })).status
  }
  const once = (wanted: unknown[]) =>
    eventually(async () => (await state()).join() === wanted.join() || null, `HTTPS alone to be ${wanted}`)
  await panel.setClock(0)
  await pebble.setAddress('www.espera.es', '192.0.2.9')
  await addSite('espera.es', ['www.espera.es'])
  const asked = await call('PATCH', '/sitios/espera.es', { solo_https: true })
  expect([asked.status, asked.body.solo_https, asked.body.solo_https_en_espera]).toEqual([200, true, true])
  expect(await state()).toEqual([200, true, true])
  await call('POST', '/sitios/espera.es/https')
  await once([301, true, false])
  // That name has no such certificate, and its visitors would meet a warning.
  expect(await state('www.espera.es')).toEqual([200, true, false])
  const { caduca } = (await call('GET', '/sitios/espera.es')).body.https
  await pebble.setAddress('espera.es', '192.0.2.9')
  await panel.setClock((Date.parse(caduca) - Date.now()) / 1000 + 60)
  await panel.command('cron', 'certificados')
  await eventually(async () => (await plainly('espera.es')) === 200 || null, 'plain HTTP to be served again')
  // No token works on that day.
  await panel.setClock(0)
  expect(await state()).toEqual([200, true, true])
  // Its next try was set under that clock, months ahead: once that is put right it is asked for all the same.
  await pebble.setAddress('espera.es', '127.0.0.1')
  await panel.setClock(7 * 3600)
  await panel.command('cron', 'certificados')
  await once([301, true, false])
}, 60_000)

test('a panel that is ended while the authority says nothing ends soon, and its services with it', async () => {
  await panel.setClock(0)
  pebble.hang()
  await addSite('ultimo.es')
  const asking = call('POST', '/sitios/ultimo.es/https').catch(() => null)
  await eventually(async () => {
    const { datos } = (await call('GET', '/tareas')).body
    return (
      datos.some(({ tipo, estado }: Json) => tipo === 'sitio.certificar' && estado === 'en_curso') || null
    )
  }, 'the work to begin')
  const began = performance.now()
  await panel.stop()
  expect(performance.now() - began).toBeLessThan(5000)
  expect(Bun.spawnSync(['pgrep', '-f', panel.dataDir]).stdout.toString()).toBe('')
  await asking
}, 60_000)
