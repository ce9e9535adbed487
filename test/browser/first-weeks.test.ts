import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { ROOMY } from '../api/people.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, PASSWORD, type SignedIn } from '../support/people.ts'
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
