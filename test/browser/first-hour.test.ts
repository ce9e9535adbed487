import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { SmtpSink } from '../faults/smtp.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { Panel } from '../support/panel.ts'
import { enrol, firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { startUnbound, type Unbound } from '../support/providers/unbound.ts'
import { eventually } from '../support/wait.ts'
import { startBrowser, Visitor } from './browser.ts'
import { overflow } from './overflow.ts'

let panel: Panel
let browser: Browser
let admin: SignedIn
let smtp: SmtpSink
/** Knows one domain that leads here, and one that leads elsewhere. */
let resolver: Unbound

beforeAll(async () => {
  smtp = await SmtpSink.start()
  const names = {
    ...{ 'cliente-eva.es': '127.0.0.1', 'cliente-iris.es': '127.0.0.1' },
    'cliente-leo.es': '198.51.100.7',
  }
  const known = Object.entries(names).flatMap(([name, address]) =>
    [name, `www.${name}`].map((one) => `local-data: "${one}. A ${address}"`),
  )
  resolver = await startUnbound({}, known)
  const { caPath } = await loopbackCertificate()
  const mail = {
    PANEL_SMTP_URL: smtp.url,
    PANEL_MAIL_FROM: 'Panel <panel@host.es>',
    NODE_EXTRA_CA_CERTS: caPath,
    PANEL_RESOLVER: `udp://127.0.0.1:${resolver.port}`,
  }
  ;[panel, browser] = await Promise.all([Panel.start({ env: mail }), startBrowser()])
  admin = await firstAdmin(panel)
}, 60_000)
afterAll(async () => {
  await browser.close()
  await panel.stop()
  await smtp.stop()
  await resolver.stop()
})

describe('the first screen of an operator', () => {
  test('asks one question, and calls nothing that is only not set yet a failure', async () => {
    const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
    await visitor.go('/panel')
    await visitor.page.getByRole('heading', { name: 'Setting up' }).waitFor()
    const asked = visitor.requests
      .map(({ url }) => new URL(url).pathname)
      .filter((path) => path.startsWith('/api'))
    expect([...new Set(asked)].sort()).toEqual(['/api/conexion', '/api/resumen'])
    const points = visitor.page.locator('.setup > li:not(.setup-done)')
    expect(await points.filter({ hasText: /failing|failed/i }).count()).toBe(0)
    expect(await points.filter({ hasText: 'Not set yet' }).count()).toBeGreaterThan(2)
    expect(visitor.complaints).toEqual([])
    await visitor.leave()
  }, 60_000)

  test('sends a test mail to who asks, and says when the server has taken it', async () => {
    const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
    await visitor.go('/panel')
    await visitor.button('Send me a test mail').click()
    await visitor.page.locator('.setup-done', { hasText: 'Mail' }).waitFor()
    expect(smtp.received.map(({ recipients }) => recipients)).toContainEqual([admin.email])
    await visitor.leave()
  }, 60_000)

  test('tells of copies that are old, and of a newer version, as the panel answers them', async () => {
    const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
    const { page } = visitor
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    let nodo: string | null = hoursAgo(5)
    // No test can wait for copies to grow old.
    await page.route('**/api/resumen', async (route) => {
      const answer = await route.fetch()
      const summary = await answer.json()
      const cliente = { cliente: 'acme', desde: hoursAgo(20) }
      for (const node of summary.nodos) node.copias = { atrasada: nodo === null, nodo, cliente }
      const [actual, url] = ['0.1.0', 'https://panel.test/0.2.0']
      summary.actualizacion = { version: '0.2.0', actual, url, comprobado: hoursAgo(1) }
      await route.fulfill({ response: answer, json: summary })
    })
    await visitor.go('/panel')
    await page.getByText('Version 0.2.0 of the panel is available; this is 0.1.0.').waitFor()
    const copied = page.locator('.node-copied')
    const oldest = 'The oldest last copy of a client is that of acme, 20 hours ago.'
    expect(await copied.textContent()).toContain(`The node was last copied 5 hours ago. ${oldest}`)
    expect(await copied.locator('.tone-warn').count()).toBe(0)
    nodo = null
    await page.reload()
    await copied.getByText('The node itself was never copied.').waitFor()
    expect(await copied.locator('.tone-warn').count()).toBe(1)
    expect(visitor.complaints).toEqual([])
    await visitor.leave()
  }, 60_000)

  test('leaves out for everybody what does not apply, and comes back when it is asked for', async () => {
    const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
    const { page } = visitor
    await visitor.go('/panel')
    await visitor.button('Does not apply here: Billing').click()
    await page.getByText('Does not apply here: 1').waitFor()
    expect(await page.locator('.setup > li', { hasText: 'Billing' }).count()).toBe(0)
    await visitor.button('Hide this list').click()
    await page.getByRole('heading', { name: 'Setting up' }).waitFor({ state: 'detached' })
    const other = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
    await other.go('/panel')
    expect(await other.page.getByRole('heading', { name: 'Setting up' }).count()).toBe(0)
    await other.button('Show the list').click()
    await other.page.getByText('Does not apply here: 1').click()
    await other.button('Bring back: Billing').click()
    await other.page.locator('.setup > li', { hasText: 'Billing' }).waitFor()
    await other.leave()
    await visitor.leave()
  }, 60_000)
})

test('an operator sees the API’s names once they are asked for, and in this browser from then on', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
  const { page } = visitor
  await visitor.go('/panel')
  expect(await page.locator('.wire').count()).toBe(0)
  await page.locator('.who').first().click()
  await page.getByRole('menuitem', { name: 'Show API operations' }).click()
  await page.locator('.wire', { hasText: '/api/resumen' }).waitFor()
  await visitor.go('/panel/planes')
  await page.locator('.wire', { hasText: '/api/planes' }).waitFor()
  await visitor.leave()
}, 60_000)

describe('the first screen of a customer', () => {
  const linkOf = (visitor: Visitor, name: string) => visitor.page.getByRole('link', { name, exact: true })
  const customer = async (name: string): Promise<SignedIn> => {
    const correo = `${name}@cliente-${name}.es`
    const bearer = await newToken(panel, admin, name)
    await panel.api('PUT', `/altas/ref:${name}`, {
      bearer,
      body: { cliente: name, correo, domain: `cliente-${name}.es` },
    })
    const mail = await eventually(async () => smtp.to(correo)[0] ?? null, 'the activation mail')
    return enrol(panel, mail.link ?? '', correo)
  }

  test('says what to set so that the domain leads here, and what was found instead', async () => {
    const leo = await customer('leo')
    const visitor = await Visitor.come(browser, panel, { as: leo, locale: 'en-GB' })
    const { page } = visitor
    await visitor.go('/panel')
    await page.getByRole('heading', { name: 'Connect cliente-leo.es' }).waitFor()
    await page.getByText('ns1.panel.test').waitFor()
    await visitor.button('Copy 127.0.0.1').first().waitFor()
    const found = page.locator('.watch > li', { hasText: 'www.cliente-leo.es' })
    expect(await found.textContent()).toContain('points elsewhere198.51.100.7')
    expect(await linkOf(visitor, 'Upload files').getAttribute('href')).toContain('cliente-leo.es/archivos')
    expect(await visitor.axe()).toEqual([])
    // The same stands on the page of the site.
    await visitor.to('/panel/sitios/cliente-leo.es/detalle')
    await page.getByRole('heading', { name: 'Connect your domain' }).waitFor()
    await page.getByText('ns2.panel.test').waitFor()
    expect(visitor.complaints).toEqual([])
    await visitor.leave()
  }, 60_000)

  test('takes a step for done by its own check', async () => {
    const eva = await customer('eva')
    const visitor = await Visitor.come(browser, panel, { as: eva, locale: 'en-GB' })
    const done = (words: string) => visitor.page.locator('.setup-done', { hasText: words })
    await visitor.go('/panel')
    await done('Connected: cliente-eva.es points here').waitFor()
    await visitor.page.getByRole('heading', { name: 'Put your site online' }).waitFor()
    const put = async (name: string) => {
      const path = `/api/sitios/cliente-eva.es/archivos/contenido?ruta=/public/${name}`
      const headers = { authorization: `Bearer ${eva.bearer}`, 'content-type': 'application/octet-stream' }
      const { status } = await panel.fetch(path, { method: 'PUT', headers, body: 'hello' })
      expect(status).toBe(201)
    }
    await put('photo.txt')
    await visitor.go('/panel')
    await visitor.page.getByText('There are files, but no first page (index.html)').waitFor()
    await put('index.html')
    await visitor.go('/panel')
    await done('Online: its first page is there').waitFor()
    // What the API calls it is nothing to a customer, whatever this browser's operator has chosen.
    await visitor.page.evaluate(() => localStorage.setItem('panel.api', '1'))
    await visitor.go('/panel/sitios/cliente-eva.es/detalle')
    expect(await visitor.page.getByText(/API call|\/api\//).count()).toBe(0)
    await visitor.leave()
  }, 60_000)

  test('fits a phone once a site is finished, and tells of files that cannot be looked at', async () => {
    const iris = await customer('iris')
    const visitor = await Visitor.come(browser, panel, { as: iris, locale: 'en-GB', width: 390, height: 844 })
    const { page } = visitor
    let unreadable = true
    // No authority gives a certificate here that browsers trust.
    await page.route(/\/api\/sitios(?:\?|$)/, async (route) => {
      const answer = await route.fetch()
      const sites = await answer.json()
      for (const { https } of sites.datos)
        Object.assign(https, { estado: 'activo', caduca: '2027-01-01T00:00:00Z' })
      await route.fulfill({ response: answer, json: sites })
    })
    await page.route('**/api/sitios/*/archivos?**', async (route) => {
      const headers = { 'content-type': 'application/problem+json', 'content-language': 'en' }
      const problem = {
        title: 'Service Unavailable',
        status: 503,
        detail: 'Not now.',
        codigo: 'no_disponible',
      }
      if (unreadable) return route.fulfill({ status: 503, headers, body: JSON.stringify(problem) })
      const first = { nombre: 'index.html', tipo: 'archivo', bytes: 1, permisos: '0640' }
      const datos = [{ ...first, modificado: '2026-11-01T00:00:00Z' }]
      return route.fulfill({ json: { datos, siguiente: null } })
    })
    await visitor.go('/panel')
    await page.getByRole('heading', { name: 'The files cannot be looked at now' }).waitFor()
    expect(await page.getByText(/being prepared/).count()).toBe(0)
    expect(await linkOf(visitor, 'Install WordPress').count()).toBe(0)
    unreadable = false
    await visitor.button('Try again').click()
    await page.getByText('cliente-iris.es is online, connected and has its certificate.').waitFor()
    expect(await overflow(page)).toBe(0)
    await visitor.leave()
  }, 60_000)
})
