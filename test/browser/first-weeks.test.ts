import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { ROOMY } from '../api/people.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, PASSWORD, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { customer, startBrowser, Visitor } from './browser.ts'

setDefaultTimeout(90_000)

let panel: Panel
let browser: Browser
let admin: SignedIn
let ana: SignedIn
let token: string

beforeAll(async () => {
  const env = { ...ROOMY, PANEL_ACME_URL: 'https://127.0.0.1:1/dir' }
  ;[panel, browser] = await Promise.all([Panel.start({ env }), startBrowser()])
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  ana = await customer(panel, token, 'ana')
})
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
})

async function leave(visitor: Visitor): Promise<void> {
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}

describe('the first link', () => {
  test('takes no password that is a name of the account, and says so before sending', async () => {
    const correo = 'panes@cliente-panes.es'
    const body = { cliente: 'panes', correo, domain: 'cliente-panes.es' }
    await panel.api('PUT', '/altas/ref:panes', { bearer: token, body })
    const { link } = await panel.mailTo(correo)
    const visitor = await Visitor.come(browser, panel, { width: 390, height: 844 })
    await visitor.go(`/enlace#${link}`)
    await visitor.field('Contraseña').fill('Panes.cliente-panes')
    await visitor.field('Contraseña').fill('cliente-panes.es')
    await visitor.button('Guardar la contraseña').click()
    await visitor.page.getByText('es lo primero que alguien probaría').waitFor()
    expect(visitor.requests.filter(({ url }) => url.endsWith('/enlace/gastar'))).toEqual([])
    await visitor.field('Contraseña').fill(PASSWORD)
    await visitor.button('Guardar la contraseña').click()
    const open = visitor.page.getByRole('link', { name: 'Abrir en la aplicación' })
    expect(await open.getAttribute('href')).toMatch(/^otpauth:\/\/totp\/.+secret=[A-Z2-7]{32}/)
    expect((await open.boundingBox())?.height).toBeGreaterThanOrEqual(40)
    expect(await visitor.axe()).toEqual([])
    await leave(visitor)
  })
})

test('a recovery code that was used says how many are left, and where new ones are made', async () => {
  const visitor = await Visitor.come(browser, panel)
  const { page } = visitor
  await visitor.go('/entrar')
  await visitor.field('Correo').fill(ana.email)
  await visitor.field('Contraseña').fill(PASSWORD)
  await visitor.button('Entrar').click()
  await visitor.button('No tengo el móvil').click()
  await page.getByText('Si tampoco los tiene, escriba a su proveedor').waitFor()
  await visitor.field('Código').fill(ana.recovery[0] ?? '')
  await visitor.button('Continuar').click()
  await page.getByText('Le quedan 9 códigos de recuperación.').waitFor()
  await leave(visitor)
})

test('the folder that is published is saved by one click, at once after typing it with slashes', async () => {
  const visitor = await Visitor.come(browser, panel, { as: ana })
  const { page } = visitor
  const content = `/sitios/cliente-ana.es/archivos/contenido?ruta=/public/web/index.html`
  const folder = { operacion: 'carpeta', rutas: ['/public/web'] }
  await panel.api('POST', '/sitios/cliente-ana.es/archivos/operaciones', { bearer: token, body: folder })
  expect((await panel.api('PUT', content, { bearer: token, raw: 'x' })).status).toBeLessThan(300)
  await visitor.go('/panel/sitios/cliente-ana.es/ajustes')
  const form = page.locator('form', { has: page.getByLabel('Carpeta que se publica') })
  await form.getByLabel('Carpeta que se publica').fill('/public/web/')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await page.getByText('Guardado.').waitFor()
  const { body } = await panel.api('GET', '/sitios/cliente-ana.es', { bearer: token })
  expect(body.raiz_web).toBe('public/web')
  await leave(visitor)
})

describe('the first screen of a customer', () => {
  test('begins with the site that needs most, and says what is done as done', async () => {
    const bea = await customer(panel, token, 'bea')
    const body = { cliente: 'bea', domain: 'aaa.cliente-bea.es', aliases: [] }
    expect((await panel.api('POST', '/sitios', { bearer: token, body })).status).toBe(201)
    const visitor = await Visitor.come(browser, panel, { as: bea, width: 390, height: 844 })
    const { page } = visitor
    const asked: string[] = []
    await page.route('**/sitios/*/https', (route) => {
      asked.push(new URL(route.request().url()).pathname)
      return route.fulfill({ status: 202, json: {} })
    })
    await page.route('**/sitios/*/conexion', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), conectado: true } })
    })
    await page.route(/\/api\/sitios(\?|$|\/[^/]*$)/, async (route) => {
      const answer = await route.fetch()
      const found = await answer.json()
      const waits = { estado: 'pendiente', error: 'x', se_reintenta: '2030-01-01T00:00:00.000Z' }
      for (const site of found.datos ?? [found]) Object.assign(site.https, waits)
      await route.fulfill({ response: answer, json: found })
    })
    await visitor.go('/panel')
    await page.getByText('Conectado: cliente-bea.es apunta aquí').waitFor()
    // What the certificate waited for is there: it is asked for at once, and once.
    await eventually(async () => asked.length > 0, 'the certificate')
    await visitor.go('/panel/sitios/cliente-bea.es/detalle')
    const open = page.getByRole('link', { name: 'Ver el sitio', exact: true })
    expect(await open.getAttribute('href')).toBe('http://cliente-bea.es/')
    expect(asked.every((path) => path === '/api/sitios/cliente-bea.es/https')).toBe(true)
    await leave(visitor)
  })

  test('shows what matters of its use first, and folds the rest', async () => {
    const visitor = await Visitor.come(browser, panel, { as: ana, width: 390, height: 844 })
    const { page } = visitor
    await visitor.go('/panel')
    await page.locator('.meter').first().waitFor()
    expect(await page.locator('.meter-name').allTextContents()).toEqual([
      'Disco',
      'Tráfico del mes',
      'Correos de hoy',
    ])
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2300)
    await page.getByText('Todo lo demás del plan').click()
    await page.getByText('Bases de datos', { exact: true }).last().waitFor()
    expect(await visitor.axe()).toEqual([])
    await leave(visitor)
  })

  test('has a menu that fills its sheet on a phone, and buttons for a thumb', async () => {
    const visitor = await Visitor.come(browser, panel, { as: ana, width: 390, height: 844 })
    const { page } = visitor
    await visitor.go('/panel/cuenta')
    const sizes = (element: Element) => getComputedStyle(element).fontSize
    expect(await visitor.field('Zona horaria').evaluate(sizes)).toBe('16px')
    expect((await visitor.button('Menú').boundingBox())?.height).toBeGreaterThanOrEqual(40)
    await visitor.button('Menú').click()
    const sheet = page.getByRole('dialog', { name: 'Menú' })
    const [outer, inner] = await Promise.all([sheet.boundingBox(), sheet.locator('.side').boundingBox()])
    // But for its border.
    expect(inner?.width).toBe((outer?.width ?? 0) - 2)
    for (const box of await sheet.locator('.nav a').all())
      expect((await box.boundingBox())?.height).toBeGreaterThanOrEqual(40)
    expect(await visitor.axe()).toEqual([])
    await leave(visitor)
  })
})

test('the search knows what a customer wants to do by the words that people use', async () => {
  const visitor = await Visitor.come(browser, panel, { as: ana })
  const { page } = visitor
  await visitor.go('/panel')
  expect(await visitor.button('Peticiones de esta página').count()).toBe(0)
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox')
  for (const [words, task] of [
    ['correo', 'Configurar el correo de un dominio'],
    ['contraseña', 'Cambiar su contraseña'],
    ['certificado', 'Certificado HTTPS de un sitio'],
    ['phpmyadmin', 'Abrir una base de datos'],
    ['borrar sitio', 'Eliminar un sitio'],
  ] as const) {
    await search.fill(words)
    await page.getByRole('option', { name: task }).waitFor()
  }
  await search.fill('certificado')
  await page.getByRole('option', { name: 'Certificado HTTPS de un sitio' }).click()
  await page.waitForURL('**/panel/sitios/cliente-ana.es/detalle')
  await leave(visitor)
})

test('a message of PHP names files from the site’s folder, and its level with a capital', async () => {
  const visitor = await Visitor.come(browser, panel, { as: ana })
  const { page } = visitor
  await page.route('**/bitacora?*', async (route) => {
    const row = {
      cuando: '2026-11-28T04:00:00.000Z',
      nivel: 'error',
      texto: 'PHP Fatal error: x in /srv/controlpanel-fa60/c/1/12/public/contacto.php on line 3',
    }
    const isPhp = route.request().url().includes('tipo=php')
    await route.fulfill({ json: { datos: isPhp ? [row] : [], siguiente: null } })
  })
  await visitor.go('/panel/sitios/cliente-ana.es/bitacora')
  await visitor.field('Mostrar').selectOption('Mensajes de PHP')
  await page.getByText('PHP Fatal error: x in /public/contacto.php on line 3').waitFor()
  await page.getByRole('cell', { name: 'Error', exact: true }).waitFor()
  const search = visitor.field('Buscar')
  expect(await search.getAttribute('placeholder')).toBe('Parte del mensaje')
  await leave(visitor)
})
