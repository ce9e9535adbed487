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

const GB = 1000 ** 3
const MB = 1000 ** 2
const PROCESSOR = 'Processor (100% = one core)'
const RESOURCES = [
  'Disk',
  'Files and folders',
  'Traffic per month',
  'Sites',
  'Aliases',
  'DNS zones',
  PROCESSOR,
  'Memory',
  'Processes',
  'SFTP accounts',
  'Databases',
  'Database space',
  'Scheduled tasks',
  'E-mails per day',
]

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
    await desk.dialog.getByText('= 10 GB · 10,000,000,000 bytes').waitFor()
    await desk.dialog.getByLabel('Files and folders: no limit').uncheck()
    await field('Files and folders').fill('1,000')
    // A count is told as it is typed: only sizes have another form.
    expect(await desk.dialog.getByText('= 1,000', { exact: true }).count()).toBe(0)
    await desk.dialog.getByLabel(`${PROCESSOR}: no limit`).uncheck()
    await field(PROCESSOR).fill('150 %')
    await desk.dialog.getByText('= 1.5 processors').waitFor()
    await desk.button('Create').click()
    await desk.page.getByRole('cell', { name: '10 GB' }).waitFor()
    await desk.page.getByRole('cell', { name: /^150%$/ }).waitFor()
    expect(await planOf('basic')).toMatchObject({
      disco_bytes: 10 * GB,
      inodos: 1000,
      sitios: null,
      cpu_porcentaje: 150,
      memoria_bytes: null,
    })
  }, 60_000)

  test('that are too low for PHP to start are refused at their field with the lowest value allowed', async () => {
    await desk.go('/panel/planes')
    await desk.button('Edit basic').click()
    await desk.dialog.getByLabel('Memory: no limit').uncheck()
    await field('Memory').fill('32 MB')
    await desk.button('Save').click()
    await desk.dialog.getByText('at least 67,108,864 (64 MiB)').first().waitFor()
    expect(await field('Memory').getAttribute('aria-invalid')).toBe('true')
    await field('Memory').fill('512 MB')
    await desk.button('Save').click()
    await desk.page.getByRole('cell', { name: '512 MB' }).waitFor()
    expect(await planOf('basic')).toMatchObject({ memoria_bytes: 512 * MB, procesos: null })
  }, 60_000)

  test('that cannot be parsed are reported at their field, and nothing is sent', async () => {
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
    expect(await planOf('basic')).toMatchObject({ disco_bytes: 10 * GB })
  }, 60_000)

  test('of a new plan must all be given: an empty field does not mean unlimited', async () => {
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
    await spanish.dialog.getByLabel('Archivos y carpetas', { exact: true }).fill('1.500')
    await spanish.dialog.getByLabel('Disco', { exact: true }).fill('1,5 TB')
    await spanish.dialog.getByText('= 1,5 TB').waitFor()
    await spanish.button('Guardar').click()
    await spanish.page.getByRole('cell', { name: '1,5 TB' }).waitFor()
    expect(await planOf('basic')).toMatchObject({ disco_bytes: 1500 * GB, inodos: 1500 })
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

const isFocused = (label: string) => desk.field(label).evaluate((input) => document.activeElement === input)

test('what is plainly wrong is told beside its field before anything is sent, until it is mended', async () => {
  const { page } = desk
  await desk.go('/panel/clientes/nuevo')
  await desk.field('Plan').selectOption('basic')
  const before = sent()
  await desk.field('Domain').fill('not a domain')
  await desk.field("Customer's e-mail").fill('nobody')
  const invalid = page.locator('input[aria-invalid=true]')
  expect(await invalid.count()).toBe(0)
  await desk.button('Create all of it').click()
  await page.getByText('Type a domain, such as example.com.').waitFor()
  await page.getByText('Enter a valid e-mail address, such as ana@example.com.').waitFor()
  expect(await isFocused('Domain')).toBe(true)
  expect(await desk.axe()).toEqual([])
  // An address that was pasted is understood.
  await desk.field('Domain').fill('https://Ejemplo.es/x?y=1')
  expect(await desk.field('Domain').inputValue()).toBe('ejemplo.es')
  expect(await invalid.count()).toBe(1)
  await desk.field("Customer's e-mail").fill('ana@ejemplo.es')
  expect(await invalid.count()).toBe(0)
  expect(sent()).toBe(before)
}, 60_000)

test.each([
  ['/panel/zonas', 'New zone', 'Create the zone', 'Zone', 'Type a domain, such as example.com.'],
  [
    '/panel/avisos',
    'New webhook',
    'Create the webhook',
    'Address',
    'Type an address that begins with https://.',
  ],
  ['/panel/tokens', 'New token', 'Create the token', 'Name', 'Fill this in.'],
])(
  'a form of %s that is left empty is not sent, and says what to do',
  async (path, open, send, field, says) => {
    await desk.go(path)
    await desk.button(open).click()
    const before = sent()
    await desk.button(send).click()
    const at = desk.dialog.getByLabel(field, { exact: true })
    await desk.dialog.getByText(says).waitFor()
    expect([await at.getAttribute('aria-invalid'), sent()]).toEqual(['true', before])
  },
  60_000,
)

test("a field's error goes as its field is changed, and the others stay", async () => {
  const { page } = desk
  await desk.go('/panel/clientes/nuevo')
  await desk.field('Plan').selectOption('basic')
  await desk.field('Domain').fill('not_a_domain.es')
  await desk.field("Customer's e-mail").fill('"ana"@ejemplo.es')
  await desk.button('Create all of it').click()
  await page.getByRole('alert').waitFor()
  const invalid = page.locator('input[aria-invalid=true]')
  expect(await invalid.count()).toBe(2)
  expect(await isFocused('Domain')).toBe(true)
  await desk.field('Domain').fill('ejemplo.es')
  expect(await invalid.count()).toBe(1)
  expect(await isFocused('Domain')).toBe(true)
  // What stands at a field is not read a second time.
  expect(await page.getByRole('alert').locator('li').count()).toBe(0)
  await desk.field("Customer's e-mail").fill('ana@ejemplo.es')
  expect(await invalid.count()).toBe(0)
  expect(await page.getByRole('alert').count()).toBe(0)
  // Typed back to what was refused, it is not refused before it is sent.
  await desk.field("Customer's e-mail").fill('"ana"@ejemplo.es')
  expect(await invalid.count()).toBe(0)
}, 60_000)

test('a fault is told once: at its field, or by its label and the place in it, with no name of the wire', async () => {
  await desk.go('/panel/clientes/nuevo')
  await desk.field('Plan').selectOption('No plan, no limits')
  await desk.field('Domain').fill('ejemplo.es')
  await desk.field("Customer's e-mail").fill('"ana"@ejemplo.es')
  await desk.field('Other aliases').fill('otro.ejemplo.es\nno_es_nombre')
  await desk.button('Create all of it').click()
  const alert = desk.page.getByRole('alert')
  await alert.waitFor()
  const told = await alert.locator('li').allInnerTexts()
  expect(told.map((line) => line.split(':')[0])).toEqual(['Aliases, number 2'])
  expect(await desk.field("Customer's e-mail").getAttribute('aria-invalid')).toBe('true')
  expect(await desk.page.getByText('Enter a valid e-mail address.').count()).toBe(1)
  // What only helps whoever looks into the log is folded away.
  expect(await alert.getByText('datos_invalidos').isVisible()).toBe(false)
  await alert.getByText('Details', { exact: true }).click()
  await alert.getByText('Error code: datos_invalidos').waitFor()
  // The list of what was refused and the code both change their language at once.
  await desk.button('Español').click()
  await desk.page.getByText('Envíelo otra vez para leer la respuesta en español.').waitFor()
  expect(await desk.page.getByText('This is not').count()).toBe(0)
  await desk.button('Crear todo').click()
  await alert.getByText('Alias, número 2').waitFor()
  await desk.button('English').click()
}, 60_000)

test('an answer that is shown is asked for again in the language that is switched to', async () => {
  await desk.go('/panel/clientes/no-existe/resumen').catch(() => undefined)
  await desk.page.getByText('There is no such client.').waitFor()
  await desk.button('Español').click()
  await desk.page.getByText('No existe ese cliente.').waitFor()
  expect(await desk.page.getByText('There is no such client.').count()).toBe(0)
  await desk.button('English').click()
}, 60_000)

test('text typed in a dialog stays until the person confirms that it may be dropped', async () => {
  const { page, dialog } = desk
  const asked = dialog.getByText('Close? What you typed would be lost.')
  await desk.go('/panel/planes')
  await desk.button('New plan').click()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await desk.button('New plan').click()
  await dialog.getByLabel('Name', { exact: true }).fill('half done')
  await page.keyboard.press('Escape')
  await asked.waitFor()
  // In sight, though the dialog is longer than the window; and a second slip does no more than the first.
  const box = await asked.boundingBox()
  expect((box?.y ?? 901) + (box?.height ?? 0)).toBeLessThan(900)
  await page.mouse.click(5, 5)
  await desk.button('Stay').click()
  await asked.waitFor({ state: 'detached' })
  await page.mouse.click(5, 5)
  await asked.waitFor()
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('half done')
  expect(await desk.axe()).toEqual([])
  await desk.button('Close anyway').click()
  await dialog.waitFor({ state: 'detached' })
  // What was let go is not held against the next entry.
  await desk.button('New plan').click()
  await dialog.waitFor()
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}, 60_000)

test('a customer chooses among the PHP versions that there are, and the language of its mails', async () => {
  const ana = await customer(panel, token, 'ana')
  const { body: before } = await panel.api('GET', '/sitios/cliente-ana.es', { bearer: token })
  const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB' })
  await visitor.go('/panel/sitios/cliente-ana.es/ajustes')
  const offered = await visitor.field('PHP').locator('option').allTextContents()
  expect(before.php_disponibles).toContain(before.php)
  expect(offered).toEqual(['Off', ...before.php_disponibles])
  await visitor.field('PHP').selectOption('Off')
  await visitor.page
    .locator('form', { has: visitor.field('PHP') })
    .getByRole('button', { name: 'Save' })
    .click()
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

test('no error was written to the console', () => {
  expect(desk.complaints).toEqual([])
})

test('a site that its client has already says that nothing was made, and a new one says nothing of the kind', async () => {
  const bearer = token
  await panel.api('PUT', '/altas/doble', {
    bearer,
    body: { correo: 'a@doble.es', domain: 'doble.es', cliente: 'doble', enviar: false },
  })
  const told = desk.page.getByText('This client has that site already: nothing was created.')
  for (const [domain, times] of [
    ['nuevo-doble.es', 0],
    ['doble.es', 1],
  ] as const) {
    await desk.go('/panel/clientes/doble/sitios')
    await desk.button('New site').click()
    await desk.dialog.getByLabel('Domain', { exact: true }).fill(domain)
    await desk.button('Create').click()
    await desk.page.getByRole('heading', { name: domain, level: 1 }).waitFor()
    if (times > 0) await told.waitFor()
    expect(await told.count()).toBe(times)
  }
}, 60_000)

test('a scheduled task is made, run and looked at on the page of its site', async () => {
  const site = { cliente: 'relojes', domain: 'relojes.es', aliases: [] }
  await panel.api('POST', '/clientes', { bearer: token, body: { cliente: 'relojes' } })
  await panel.api('POST', '/sitios', { bearer: token, body: site })
  await desk.go('/panel/sitios/relojes.es/detalle')
  await desk.button('New task').click()
  await desk.dialog.getByLabel('Advanced').check()
  await desk.dialog.getByLabel('When (UTC)').fill('mañana')
  await desk.dialog.getByLabel('Command', { exact: true }).fill('echo\nhello there')
  await desk.button('Create').click()
  await desk.dialog.getByText('A cron pattern of five fields').waitFor()
  await desk.dialog.getByLabel('When (UTC)').fill('0 3 * * *')
  await desk.button('Create').click()
  await desk.page.getByText('echo hello there').waitFor()
  await desk.button('Runs').click()
  await desk.button('Run it now').click()
  await desk.dialog.locator('pre', { hasText: 'hello there' }).waitFor()
  await desk.dialog.getByText('Worked').waitFor()
}, 60_000)

test('a task is made of a time of day and a file of the site, paused, and told to have failed', async () => {
  const files = '/sitios/relojes.es/archivos/contenido?ruta=/public/noche.php'
  const raw = '<?php echo "no hay pan\n"; exit(3);'
  expect((await panel.api('PUT', files, { bearer: token, raw })).status).toBe(201)
  await desk.go('/panel/sitios/relojes.es/detalle')
  await desk.button('New task').click()
  await desk.dialog.getByLabel('At', { exact: true }).fill('03:30')
  await desk.dialog.getByRole('button', { name: 'Choose the file' }).click()
  await desk.dialog.getByRole('button', { name: 'noche.php' }).click()
  expect(await desk.dialog.getByLabel('PHP file').inputValue()).toBe('public/noche.php')
  expect(await desk.axe()).toEqual([])
  await desk.button('Create').click()
  const row = desk.page.getByRole('row').filter({ hasText: 'public/noche.php' })
  await row.getByText('every day at 03:30').waitFor()
  const { body } = await panel.api('GET', '/sitios/relojes.es/programadas', { bearer: token })
  // The browser's zone is Madrid, one or two hours ahead.
  expect(body.datos.map(({ cuando }: { cuando: string }) => cuando).sort()[1]).toMatch(/^30 [12] \* \* \*$/)
  await row.getByRole('button', { name: 'Runs' }).click()
  await desk.button('Run it now').click()
  await desk.dialog.getByText('Failed: code 3').waitFor()
  await desk.page.keyboard.press('Escape')
  await row.getByText('Failed: code 3').waitFor()
  await row.getByRole('button', { name: 'Pause' }).click()
  await row.getByText('paused').waitFor()
  await row.getByRole('button', { name: 'Delete' }).click()
  await desk.dialog.getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
}, 60_000)
