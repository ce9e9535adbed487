import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { customer, startBrowser, Visitor } from './browser.ts'

let panel: Panel
let browser: Browser
let admin: SignedIn
let token: string
let desk: Visitor

const GIB = 1024 ** 3
const RESOURCES = ['Disk', 'Files (inodes)', 'Traffic a month', 'Sites', 'Aliases', 'DNS zones']

beforeAll(async () => {
  ;[panel, browser] = await Promise.all([Panel.start(), startBrowser()])
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  desk = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
}, 60_000)

afterAll(async () => {
  await browser.close()
  await panel.stop()
})

const planOf = async (name: string) => (await panel.api('GET', `/planes/${name}`, { bearer: token })).body
const sent = () => desk.requests.filter(({ method }) => method !== 'GET').length

describe("a plan's limits", () => {
  const field = (name: string) => desk.dialog.getByLabel(name, { exact: true })

  test('are told as they were read, and saved as that', async () => {
    await desk.go('/panel/planes')
    await desk.button('New plan').click()
    await field('Name').fill('basic')
    for (const resource of RESOURCES) await desk.dialog.getByLabel(`${resource}: no limit`).check()
    await desk.dialog.getByLabel('Disk: no limit').uncheck()
    await field('Disk').fill('10GB')
    await desk.dialog.getByText('= 10 GiB · 10,737,418,240 bytes').waitFor()
    await desk.dialog.getByLabel('Files (inodes): no limit').uncheck()
    await field('Files (inodes)').fill('1,000')
    await desk.dialog.getByText('= 1,000', { exact: true }).waitFor()
    await desk.button('Create').click()
    await desk.page.getByRole('cell', { name: '10 GiB' }).waitFor()
    expect(await planOf('basic')).toMatchObject({ disco_bytes: 10 * GIB, inodos: 1000, sitios: null })
  }, 60_000)

  test('that nobody can read are said at their field, and nothing is sent', async () => {
    await desk.go('/panel/planes')
    await desk.button('Edit basic').click()
    const before = sent()
    await field('Disk').fill('1.000 GB')
    await desk.button('Save').click()
    await desk.dialog.getByText('can be read in two ways').waitFor()
    expect(await field('Disk').evaluate((input) => document.activeElement === input)).toBe(true)
    await field('Disk').fill('a lot')
    await desk.dialog.getByText('“a lot” is no number.').waitFor()
    await field('Disk').fill('')
    await desk.button('Save').click()
    await desk.dialog.getByText('Type a limit, or choose “No limit”.').waitFor()
    // No command is shown that would save less than what the form says.
    expect(await desk.dialog.getByText('See as an API call').count()).toBe(0)
    expect(await desk.axe()).toEqual([])
    expect(sent()).toBe(before)
    expect(await planOf('basic')).toMatchObject({ disco_bytes: 10 * GIB })
  }, 60_000)

  test('of a new plan are all to be said: an empty field is not unlimited', async () => {
    await desk.go('/panel/planes')
    await desk.button('New plan').click()
    await field('Name').fill('empty')
    await desk.button('Create').click()
    await desk.dialog.getByText('Type a limit, or choose “No limit”.').first().waitFor()
    expect((await panel.api('GET', '/planes/empty', { bearer: token })).status).toBe(404)
  }, 60_000)

  test('are read in the language of the screen', async () => {
    const spanish = await Visitor.come(browser, panel, { as: admin, locale: 'es-ES' })
    await spanish.go('/panel/planes')
    await spanish.button('Editar basic').click()
    await spanish.dialog.getByLabel('Archivos (inodos)', { exact: true }).fill('1.500')
    await spanish.dialog.getByLabel('Disco', { exact: true }).fill('1,5 TB')
    await spanish.dialog.getByText('= 1,5 TiB').waitFor()
    await spanish.button('Guardar').click()
    await spanish.page.getByRole('cell', { name: '1,5 TiB' }).waitFor()
    expect(await planOf('basic')).toMatchObject({ disco_bytes: 1.5 * 1024 * GIB, inodos: 1500 })
    expect(spanish.complaints).toEqual([])
    await spanish.leave()
  }, 60_000)
})

describe("a new client's plan", () => {
  const fill = async (name: string) => {
    await desk.go('/panel/clientes/nuevo?solo')
    await desk.field('Client name').fill(name)
  }
  const clientOf = async (name: string) => await panel.api('GET', `/clientes/${name}`, { bearer: token })

  test('is the only one there is', async () => {
    await fill('only')
    await desk.page.locator('select option:checked', { hasText: 'basic' }).waitFor({ state: 'attached' })
    await desk.button('Create').click()
    await desk.page.getByRole('heading', { name: 'only', level: 1 }).waitFor()
    expect((await clientOf('only')).body.plan).toBe('basic')
  }, 60_000)

  test('has to be chosen where there are several, and none only by choice', async () => {
    await panel.api('POST', '/planes', { bearer: token, body: { plan: 'large' } })
    await fill('asked')
    await desk.page.locator('select option', { hasText: 'large' }).waitFor({ state: 'attached' })
    await desk.button('Create').click()
    await desk.page.getByText('Choose a plan.').waitFor()
    expect((await clientOf('asked')).status).toBe(404)
    await desk.field('Plan').selectOption('No plan, no limits')
    await desk.page.getByText('Without a plan nothing is limited.').waitFor()
    expect(await desk.axe()).toEqual([])
    await desk.button('Create').click()
    await desk.page.getByRole('heading', { name: 'asked', level: 1 }).waitFor()
    expect((await clientOf('asked')).body.plan).toBeNull()
  }, 60_000)
})

test("a field's error goes as its field is changed, and the others stay", async () => {
  const { page } = desk
  await desk.go('/panel/clientes/nuevo')
  await desk.field('Plan').selectOption('basic')
  await desk.field('Domain').fill('not a domain')
  await desk.field("Customer's e-mail").fill('nobody')
  await desk.button('Create all of it').click()
  await page.getByRole('alert').waitFor()
  const invalid = page.locator('input[aria-invalid=true]')
  expect(await invalid.count()).toBe(2)
  await desk.field('Domain').fill('ejemplo.es')
  expect(await invalid.count()).toBe(1)
  expect(await page.getByRole('alert').locator('li').count()).toBe(1)
  await desk.field("Customer's e-mail").fill('ana@ejemplo.es')
  expect(await invalid.count()).toBe(0)
  expect(await page.getByRole('alert').count()).toBe(0)
  // Typed back to what was refused, it is not refused before it is sent.
  await desk.field("Customer's e-mail").fill('nobody')
  expect(await invalid.count()).toBe(0)
}, 60_000)

test('a customer chooses among the PHP versions that there are, and the language of its mails', async () => {
  const ana = await customer(panel, token, 'ana')
  const { body: before } = await panel.api('GET', '/sitios/cliente-ana.es', { bearer: token })
  const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB' })
  await visitor.go('/panel/sitios/cliente-ana.es/detalle')
  const offered = await visitor.field('PHP').locator('option').allTextContents()
  expect(before.php_disponibles).toContain(before.php)
  expect(offered).toEqual(['Off', ...before.php_disponibles])
  await visitor.field('PHP').selectOption('Off')
  await visitor.button('Save').click()
  await visitor.page.getByText('Saved.').waitFor()
  const { body } = await panel.api('GET', '/sitios/cliente-ana.es', { bearer: token })
  expect(body.php).toBeNull()
  await visitor.go('/panel/cuenta')
  await visitor.field('Language').selectOption('English')
  await visitor.page
    .locator('form', { has: visitor.field('Language') })
    .getByRole('button')
    .click()
  await visitor.page.getByText('Saved.').waitFor()
  expect((await panel.api('GET', '/yo', { bearer: ana.bearer })).body.idioma).toBe('en')
  expect(await visitor.axe()).toEqual([])
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('one site is told as one', async () => {
  const spanish = await Visitor.come(browser, panel, { as: admin, locale: 'es-ES' })
  await spanish.go('/panel')
  await spanish.page.getByText('1 sitio solo tiene uno autofirmado').waitFor()
  await spanish.leave()
}, 60_000)

test('nothing of this wrote an error to the console', () => {
  expect(desk.complaints).toEqual([])
})
