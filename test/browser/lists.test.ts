import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { plant } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { startBrowser, Visitor } from './browser.ts'

const GIB = 1024 ** 3
let panel: Panel
let browser: Browser
let admin: SignedIn
let bearer: string

beforeAll(async () => {
  ;[panel, browser] = await Promise.all([Panel.start(), startBrowser()])
  admin = await firstAdmin(panel)
  bearer = await newToken(panel, admin)
  for (const plan of ['básico', 'grande']) {
    await panel.api('POST', '/planes', { bearer, body: { plan, disco_bytes: GIB } })
  }
  const made = [
    ['abeto', '=HYPERLINK("http://malo.example")'],
    ['boj', 'Pastelería Ñ'],
    ['cedro', 'Muebles'],
  ]
  for (const [cliente = '', nombre] of made) {
    const body = { cliente, nombre, correo: `hola@${cliente}.example`, plan: 'básico' }
    await panel.api('POST', '/clientes', { bearer, body })
  }
  await panel.api('POST', '/sitios', { bearer, body: { cliente: 'cedro', domain: 'tienda-roble.example' } })
  plant(
    panel,
    `insert or replace into usage (client_id, measured_at, source, disk_bytes, inodes, warned)
     select id, ?, 'recorrido', id * 300000000, 12, '{}' from clients`,
    Date.now(),
  )
}, 60_000)
afterAll(async () => {
  await browser.close()
  await panel.stop()
})

const names = (visitor: Visitor) => visitor.page.locator('main .table a.name').allTextContents()
const shows = (visitor: Visitor, expected: string[]) =>
  eventually(async () => (await names(visitor)).join() === expected.join(), `the rows ${expected}`)
const statesNow = async () => {
  const { body } = await panel.api('GET', '/clientes', { bearer })
  return body.datos.map(({ estado }: { estado: string }) => estado)
}

test('a client is found by a part of a domain, and the heads of the columns order the list', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin })
  const { page } = visitor
  await visitor.go('/panel/clientes')
  await shows(visitor, ['abeto', 'boj', 'cedro'])
  await page.getByLabel('Parte del nombre, correo, dominio o referencia').fill('da-rob')
  await shows(visitor, ['cedro'])
  // A list that is seen whole is not counted.
  expect(await page.locator('.table-foot').count()).toBe(0)
  await page.getByLabel('Parte del nombre, correo, dominio o referencia').fill('pasteleria')
  await shows(visitor, ['boj'])
  await page.getByLabel('Parte del nombre, correo, dominio o referencia').fill('')
  await shows(visitor, ['abeto', 'boj', 'cedro'])
  const disk = page.getByRole('columnheader', { name: 'Disco' })
  await disk.getByRole('button').click()
  expect(await disk.getAttribute('aria-sort')).toBe('ascending')
  await disk.getByRole('button').click()
  await shows(visitor, ['cedro', 'boj', 'abeto'])
  expect([await disk.getAttribute('aria-sort'), new URL(page.url()).search]).toEqual([
    'descending',
    '?orden=-disco',
  ])
  expect(await visitor.axe()).toEqual([])
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('chosen clients are suspended together, each with its result, and brought back by one button', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
  const { page, dialog } = visitor
  await visitor.go('/panel/clientes')
  await page.getByRole('checkbox', { name: 'Select abeto' }).check()
  await page.getByRole('checkbox', { name: 'Select cedro' }).check()
  const bar = page.getByRole('group', { name: 'selected' })
  expect(await bar.getByRole('link', { name: 'Write to them' }).getAttribute('href')).toBe(
    'mailto:?bcc=hola%40abeto.example,hola%40cedro.example',
  )
  await bar.getByRole('button', { name: 'Suspend' }).click()
  await dialog.getByLabel('Reason').fill('Unpaid')
  expect(await visitor.axe()).toEqual([])
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await dialog.getByText('2 done.').waitFor()
  expect(await dialog.locator('tbody tr').allTextContents()).toEqual(['abetoDone', 'cedroDone'])
  expect(await statesNow()).toEqual(['suspendido', 'activo', 'suspendido'])
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await dialog.getByText('2 done.').waitFor()
  expect(await statesNow()).toEqual(['activo', 'activo', 'activo'])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await bar.getByRole('button', { name: 'Send a new link' }).click()
  await dialog.getByRole('button', { name: 'Send a new link' }).click()
  // Neither has a login: each says so, and the panel says why.
  await dialog.getByText('0 done, 2 failed.').waitFor()
  expect(await dialog.locator('tbody tr').first().textContent()).toMatch(/^abetoFailed.+login/)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await bar.getByRole('button', { name: 'Clear the selection' }).click()
  await bar.waitFor({ state: 'detached' })
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('a view is kept under a name, and what is shown is saved as a file without formulas', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin })
  const { page, dialog } = visitor
  await visitor.go('/panel/clientes?orden=-correo&plan=b%C3%A1sico')
  await page.getByRole('button', { name: 'Vistas' }).click()
  await dialog.getByLabel('Nombre de la vista').fill('Del revés')
  await dialog.getByRole('button', { name: 'Guardar esta vista' }).click()
  await visitor.go('/panel/clientes')
  await page.getByRole('button', { name: 'Vistas' }).click()
  await dialog.getByRole('button', { name: 'Del revés', exact: true }).click()
  await shows(visitor, ['cedro', 'boj', 'abeto'])
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Guardar como CSV' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('clientes.csv')
  const file = await Bun.file(await saved.path()).text()
  const [head, ...rows] = file.trim().split('\r\n')
  expect(head).toStartWith('Cliente,Nombre visible,Estado,Plan,Sitios,Disco (bytes)')
  expect(rows.map((row) => row.split(',')[0])).toEqual(['cedro', 'boj', 'abeto'])
  expect(rows[2]).toStartWith(`abeto,"'=HYPERLINK(""http://malo.example"")",Activo,básico,0,`)
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('on a phone a row has two lines, and the order is chosen from a list', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, width: 360, height: 740 })
  const { page } = visitor
  await visitor.go('/panel/clientes')
  const boxes = await page
    .locator('main .table tbody tr')
    .evaluateAll((rows) =>
      rows.map(
        (row) =>
          new Set(
            [...row.querySelectorAll('td')]
              .filter((cell) => cell.offsetParent)
              .map((cell) => cell.className.match(/line-[12]/)?.[0] ?? 'choice'),
          ).size,
      ),
    )
  expect(boxes).toEqual([3, 3, 3])
  await page.getByLabel('Orden').selectOption('-cliente')
  await shows(visitor, ['cedro', 'boj', 'abeto'])
  expect(await visitor.axe()).toEqual([])
  await visitor.leave()
}, 60_000)

test('the search opens from within a field, takes what is typed in a hurry, and tells its keys', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
  const { page, dialog } = visitor
  await visitor.go('/panel/clientes')
  await page.getByLabel('Reference', { exact: true }).pressSequentially('a/?')
  expect(await dialog.count()).toBe(0)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('audtrl')
  await page.getByRole('option', { name: 'Audit trail' }).waitFor()
  await page.getByRole('combobox', { name: 'Search' }).fill('a-rob')
  await page.getByRole('option', { name: 'tienda-roble.example' }).first().waitFor()
  await page.getByRole('combobox', { name: 'Search' }).fill('')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.locator('h1').click()
  await page.keyboard.press('Shift+?')
  await dialog.getByText('Save the open file').waitFor()
  expect(await visitor.axe()).toEqual([])
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('the audit trail is narrowed by day and address, and saved as a file', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
  const { page } = visitor
  await visitor.go('/panel/auditoria?direccion=127.0.0.1&operacion=POST%20%2Fplanes')
  const rows = page.getByRole('table', { name: 'Audit trail' }).getByRole('row')
  await eventually(async () => (await rows.count()) === 3, 'the two plans')
  expect(await rows.nth(1).textContent()).toContain('127.0.0.1')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  const file = (await Bun.file(await saved.path()).text()).trim().split('\r\n')
  expect(file).toHaveLength(3)
  expect(file[1]).toContain(',127.0.0.1,POST /planes,')
  await page.getByLabel('To day').fill('2020-01-01')
  await page.getByText('Nothing was recorded').waitFor()
  expect(new URL(page.url()).searchParams.get('dia_hasta')).toBe('2020-01-01')
  expect(await visitor.axe()).toEqual([])
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('on a phone a row far below is not drawn before it comes near, but read and found', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, width: 390, height: 844 })
  const { page } = visitor
  await page.route('**/api/clientes?*', async (route) => {
    const response = await route.fetch()
    const { datos, ...rest } = await response.json()
    const many = Array.from({ length: 60 }, (_, at) => ({ ...datos[0], cliente: `muchos${at}` }))
    await route.fulfill({ response, json: { ...rest, datos: many } })
  })
  await visitor.go('/panel/clientes')
  const last = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'muchos59' }) })
  await last.waitFor({ state: 'attached' })
  const isDrawn = () =>
    last.locator('a').evaluate((link) => link.checkVisibility({ contentVisibilityAuto: true }))
  expect(await isDrawn()).toBe(false)
  expect(await visitor.axe()).toEqual([])
  await last.getByRole('checkbox').check()
  expect(await isDrawn()).toBe(true)
  await page.getByRole('group', { name: 'seleccionados' }).waitFor()
  // Each component of a library costs a phone as much as the rest of the row.
  expect(await page.locator('.table tbody [class*=mantine]').count()).toBe(0)
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test.each([1280, 390])(
  'what can be done to chosen records stays in sight, %p pixels wide',
  async (width) => {
    const lines = Array.from({ length: 30 }, (_, at) => `host${at} 3600 IN A 192.0.2.${at + 1}`)
    const { status } = await panel.api('POST', '/zonas/tienda-roble.example/importar', {
      bearer,
      raw: `$ORIGIN tienda-roble.example.\n${lines.join('\n')}\n`,
      headers: { 'content-type': 'text/dns' },
    })
    expect(status).toBe(200)
    const visitor = await Visitor.come(browser, panel, { as: admin, width, height: 600 })
    const { page } = visitor
    await visitor.go('/panel/zonas/tienda-roble.example/registros')
    await page.locator('.rr-check input').nth(20).check()
    await page.locator('.rr-check input').nth(28).scrollIntoViewIfNeeded()
    const bar = page.getByRole('region', { name: 'Registros seleccionados' })
    const { y } = (await bar.boundingBox()) ?? { y: 0 }
    const top = (await page.locator('.top').boundingBox()) ?? { y: 0, height: 0 }
    expect(y).toBeGreaterThanOrEqual(top.y + top.height - 1)
    expect(y).toBeLessThan(300)
    expect(await page.locator('.table tbody [class*=mantine]').count()).toBe(0)
    expect(visitor.complaints).toEqual([])
    await visitor.leave()
  },
  60_000,
)

test('on a phone all rows are chosen at once, in a list and among the records of a zone', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, width: 390, height: 844 })
  const { page } = visitor
  for (const path of ['/panel/clientes', '/panel/zonas/tienda-roble.example/registros']) {
    await visitor.go(path)
    await page
      .locator('.tick-all')
      .getByText(/^Seleccionar todo/)
      .click()
    const boxes = page.locator('.table tbody .tick')
    expect(await boxes.count()).toBeGreaterThan(2)
    expect(await page.locator('.table tbody .tick:not(:checked)').count()).toBe(0)
  }
  expect(await visitor.axe()).toEqual([])
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)
