import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { customer, startBrowser, Visitor } from './browser.ts'

const SQUARE =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mOoko8hCTGMahjVMHw1AABfCfUB6UP8LgAAAABJRU5ErkJggg=='
const PICTURE = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(SQUARE, 'base64') }
const HELP = 'https://ayuda.ejemplo.net'

let panel: Panel
let browser: Browser
let admin: SignedIn

beforeAll(async () => {
  ;[panel, browser] = await Promise.all([Panel.start(), startBrowser()])
  admin = await firstAdmin(panel)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
})

test('an operator’s name, logo, icon and colour stand on its screens, and outside', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
  const { page } = visitor
  await visitor.go('/panel/apariencia')
  await visitor.field('Name').fill('Ejemplo Hosting')
  await visitor.field('Colour').fill('#ffd479')
  await visitor.button('Save').click()
  await page.getByText('white text on it could not be read').first().waitFor()
  await visitor.field('Colour').fill('#7a1f5c')
  await visitor.field('Help for customers').fill(HELP)
  await page.locator('input[type=file]').first().setInputFiles(PICTURE)
  await page.locator('input[type=file]').last().setInputFiles(PICTURE)
  await visitor.button('Save').click()
  await page.locator('.side .brand', { hasText: 'Ejemplo Hosting' }).first().waitFor()
  expect(await visitor.axe()).toEqual([])
  expect(await page.title()).toBe('Appearance · Ejemplo Hosting')
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
  for (const colorScheme of ['light', 'dark'] as const) {
    const guest = await Visitor.come(browser, panel, { colorScheme, locale: 'en-GB' })
    await guest.go('/entrar')
    await guest.page.locator('.brand', { hasText: 'Ejemplo Hosting' }).waitFor()
    const logo = guest.page.locator('.brand img')
    expect(await logo.evaluate((img) => (img as HTMLImageElement).decode().then(() => true))).toBe(true)
    expect(await guest.page.locator('link[rel=icon]').getAttribute('href')).toContain(
      '/acceso/apariencia/icono',
    )
    expect(await guest.axe()).toEqual([])
    expect(guest.complaints).toEqual([])
    await guest.leave()
  }
}, 120_000)

test('an operator puts a mail in own words, is told of a value that it does not have, and takes them back', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
  const { page } = visitor
  await visitor.go('/panel/apariencia')
  await visitor.field('Mail').selectOption({ label: 'New password' })
  await visitor.field('Subject in English').fill('Your new password, {nombre}')
  await visitor.button('Save this mail').click()
  await page.getByText('a value in braces that this mail does not have').first().waitFor()
  await visitor.field('Subject in English').fill('Your new password, {cliente}')
  expect(await visitor.axe()).toEqual([])
  await visitor.button('Save this mail').click()
  await visitor.button('Put the panel’s words back').waitFor()
  const words = async () => {
    const { body } = await panel.api('GET', '/correo/textos', { bearer: admin.bearer })
    return body.datos[1].textos.en.asunto
  }
  expect(await words()).toBe('Your new password, {cliente}')
  await visitor.button('Put the panel’s words back').click()
  await eventually(
    async () => (await visitor.field('Subject in English').inputValue()).startsWith('Choose'),
    'the words',
  )
  expect(await words()).toBe('Choose a new password for {cliente}')
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 120_000)

test('an operator writes the page of a suspended site, sees it beforehand, and takes it back', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
  const { page } = visitor
  await visitor.go('/panel/apariencia')
  const part = page.getByRole('group', { name: 'A suspended site' })
  await part.getByLabel('Title').fill('Back soon')
  await visitor.button('Save').click()
  await part.getByText('The value is too short').waitFor()
  await part.getByLabel('Text').fill('<b>One</b>\n\nTwo')
  const preview = part.getByRole('figure', { name: 'Preview' })
  for (const words of ['Ejemplo Hosting', 'Back soon', '<b>One</b>', 'Two', 'Help'])
    await preview.getByText(words, { exact: true }).waitFor()
  await visitor.button('Save').click()
  await page.getByText('Saved', { exact: false }).first().waitFor()
  expect(await visitor.axe()).toEqual([])
  const token = await newToken(panel, admin)
  const told = async () => (await panel.api('GET', '/apariencia', { bearer: token })).body.paginas
  const suspendida = { titulo: 'Back soon', texto: '<b>One</b>\n\nTwo' }
  expect(await told()).toEqual({ provisional: null, suspendida, desconocida: null })
  await page.reload()
  await part.getByLabel('Title').fill('')
  await part.getByLabel('Text').fill('')
  await visitor.button('Save').click()
  await eventually(async () => (await told()).suspendida === null, 'the page taken back')
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 120_000)

test('a customer who is suspended is told where to ask, and mails name the operator', async () => {
  const token = await newToken(panel, admin)
  const ana = await customer(panel, token, 'ana')
  const mail = await panel.mailTo(ana.email)
  expect(mail.subject).toContain('Ejemplo Hosting')
  expect(mail.text).toContain(HELP)
  await panel.api('POST', '/clientes/ana/suspender', { bearer: token })
  const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB' })
  await visitor.go('/panel')
  const link = visitor.page.getByRole('link', { name: 'Ask your provider for help' })
  expect(await link.getAttribute('href')).toBe(HELP)
  expect(await visitor.axe()).toEqual([])
  await visitor.leave()
}, 120_000)
