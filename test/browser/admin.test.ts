import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { storedFault } from '../../lib/text/stored-faults.ts'
import { Panel } from '../support/panel.ts'
import { dayFromNow, enrol, firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { failJobs, Visitor } from './admin-support.ts'
import { startBrowser } from './browser.ts'
import { overflow } from './overflow.ts'

setDefaultTimeout(60_000)

const PLACES = [
  ['/panel/tokens', 'API tokens', 'Tokens de API'],
  ['/panel/personas', 'Administrators', 'Administradores'],
  ['/panel/auditoria', 'Audit trail', 'Auditoría'],
  ['/panel/tareas', 'Jobs', 'Tareas'],
  ['/panel/nodos', 'Node and services', 'Nodo y servicios'],
  ['/panel/cuenta', 'My account', 'Mi cuenta'],
] as const

let panel: Panel
let browser: Browser
let admin: SignedIn
let desk: Visitor
const visitors: Visitor[] = []

beforeAll(async () => {
  panel = await Panel.start()
  admin = await firstAdmin(panel)
  const token = await newToken(panel, admin, 'facturacion')
  const made = await panel.api('PUT', '/altas/whmcs-1:1', {
    bearer: token,
    body: { correo: 'ana@cliente.es', domain: 'ejemplo.es', nombre: 'Ana' },
  })
  expect(made.status).toBe(201)
  browser = await startBrowser()
  desk = await open()
  await desk.signIn(admin)
})
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
})
afterEach(() => {
  for (const { faults } of visitors) expect(faults).toEqual([])
})

async function open(look: Parameters<typeof Visitor.open>[2] = {}): Promise<Visitor> {
  const visitor = await Visitor.open(browser, panel, look)
  visitors.push(visitor)
  return visitor
}

/** Another admin, who has signed up. */
async function anotherAdmin(email: string): Promise<SignedIn> {
  await panel.api('POST', '/personas', { bearer: admin.bearer, body: { correo: email } })
  const { link } = await panel.mailTo(email)
  return enrol(panel, link ?? '', email)
}

const answersTo = async (bearer: string) => (await panel.api('GET', '/conexion', { bearer })).status

describe('tokens', () => {
  test('the expiry that is offered reaches from tomorrow to the same date next year', async () => {
    await desk.goto('/panel/tokens', 'API tokens')
    await desk.page.getByRole('button', { name: 'New token' }).click()
    const form = desk.dialog('New API token')
    const day = form.getByLabel('Last day')
    const now = new Date()
    const nextYear = `${now.getUTCFullYear() + 1}${now.toISOString().slice(4, 10)}`
    expect(await day.getAttribute('min')).toBe(dayFromNow(1))
    expect(await day.getAttribute('max')).toBe(
      nextYear.endsWith('02-29') ? `${nextYear.slice(0, 8)}28` : nextYear,
    )
    await form.getByRole('button', { name: 'One year' }).click()
    await form.getByLabel('Name').fill('copias')
    expect(await day.inputValue()).toBe((await day.getAttribute('max')) ?? '')
    await day.fill(dayFromNow(400))
    await form.getByRole('button', { name: 'Create the token' }).click()
    await form.locator('[role=alert]').waitFor()
    expect(await day.getAttribute('aria-invalid')).toBe('true')
    expect(await form.locator('.mantine-InputWrapper-error').count()).toBe(1)
  })

  test('a new token is shown once, works, and is not lost by a slip', async () => {
    await desk.goto('/panel/tokens?nuevo', 'API tokens')
    const form = desk.dialog('New API token')
    await form.getByLabel('Name').fill('copias <b>nocturnas</b>')
    await form.getByText('Show as API call').click()
    await form.getByText('it needs a person, signed in').waitFor()
    await form.getByRole('button', { name: 'Create the token' }).click()
    const shown = desk.dialog('The token is ready')
    const value = (await shown.locator('.copy-line code').textContent()) ?? ''
    await shown.getByText('It is shown only now').waitFor()
    expect(await answersTo(value)).toBe(200)
    await shown.getByText('panel.pem is the panel’s own certificate').waitFor()
    expect(await shown.locator('.command pre').textContent()).toContain('--cacert panel.pem')
    await shown.getByRole('button', { name: 'Copy the token' }).first().click()
    expect(await desk.page.evaluate(() => navigator.clipboard.readText())).toBe(value)
    await desk.page.keyboard.press('Escape')
    await shown.getByText('Close? It cannot be shown again.').waitFor()
    await shown.getByRole('button', { name: 'Stay' }).click()
    expect(await shown.locator('.copy-line code').textContent()).toBe(value)
    await shown.getByRole('button', { name: 'I have copied it' }).click()
    await shown.waitFor({ state: 'hidden' })
    const page = await desk.page.content()
    expect(page).toContain('copias &lt;b&gt;nocturnas&lt;/b&gt;')
    expect(page).not.toContain(value)
  })

  test('the list says who made a token, when it was used and from where; a revoked one is refused', async () => {
    const token = await newToken(panel, admin, 'cuadro de mandos')
    expect(await answersTo(token)).toBe(200)
    await desk.goto('/panel/tokens', 'API tokens')
    await desk.page.getByLabel('Name begins with').fill('cuadro')
    const row = desk.page.getByRole('row', { name: /cuadro de mandos/ })
    await row.waitFor()
    await eventually(async () => (await desk.page.getByRole('row').count()) === 2, 'the search')
    const text = await row.textContent()
    expect(text).toContain('127.0.0.1')
    expect(text).toContain(admin.email)
    await row.getByRole('button', { name: 'Revoke' }).click()
    await desk.dialog('Revoke a token').getByRole('button', { name: 'Revoke' }).click()
    await row.getByText('Revoked', { exact: true }).waitFor()
    expect(await answersTo(token)).toBe(401)
  })
})

describe('administrators', () => {
  test('one who is invited gets a mail, and a newer link on request', async () => {
    await desk.goto('/panel/personas', 'Administrators')
    await desk.page.getByRole('button', { name: 'Invite' }).click()
    const form = desk.dialog('Invite an administrator')
    await form.getByLabel('E-mail').fill('nueva@ejemplo.es')
    await form.getByLabel('Language of the mail').selectOption('es')
    await form.getByRole('button', { name: 'Send the invitation' }).click()
    const first = await panel.mailTo('nueva@ejemplo.es')
    await desk.page.getByRole('button', { name: 'Send a new link: nueva@ejemplo.es' }).click()
    await desk.dialog('Send a new link').getByRole('button', { name: 'Send' }).click()
    const second = await panel.mailTo('nueva@ejemplo.es', 2)
    expect(second.link).not.toBe(first.link)
    expect((await panel.access('/enlace', { enlace: first.link })).status).not.toBe(200)
    expect((await panel.access('/enlace', { enlace: second.link })).status).toBe(200)
  })

  test('disabling one shows the tokens that die with it before they die', async () => {
    const other = await anotherAdmin('otra@ejemplo.es')
    const token = await newToken(panel, other, 'el de otra')
    await desk.goto('/panel/personas', 'Administrators')
    await desk.page.getByRole('button', { name: 'Disable: otra@ejemplo.es' }).click()
    const form = desk.dialog('Disable an administrator')
    await form.getByText('This revokes 1 API token:').waitFor()
    await form.getByText('el de otra').waitFor()
    expect(await answersTo(token)).toBe(200)
    await form.getByRole('button', { name: 'Disable' }).click()
    await form.waitFor({ state: 'hidden' })
    expect(await answersTo(token)).toBe(401)
    await desk.page.getByRole('button', { name: 'Enable: otra@ejemplo.es' }).click()
    await desk.dialog('Enable an administrator').getByRole('button', { name: 'Enable' }).click()
    await desk.page.getByRole('button', { name: 'Disable: otra@ejemplo.es' }).waitFor()
  })

  test("a second factor is removed only with the caller's own password", async () => {
    const lost = await anotherAdmin('perdida@ejemplo.es')
    await desk.goto('/panel/personas', 'Administrators')
    await desk.page.getByRole('button', { name: 'Remove factor: perdida@ejemplo.es' }).click()
    const form = desk.dialog('Remove a second factor')
    await form.getByLabel('Your current password').fill('no es la mía, seguro')
    await form.getByRole('button', { name: 'Remove the factor' }).click()
    await form.getByText('contrasena_incorrecta').waitFor({ state: 'attached' })
    await form.getByLabel('Your current password').fill(admin.password)
    await form.getByRole('button', { name: 'Remove the factor' }).click()
    await form.waitFor({ state: 'hidden' })
    expect((await panel.api('GET', '/yo', { bearer: lost.bearer })).status).toBe(401)
    const step = await panel.access('/entrar', { correo: lost.email, contrasena: lost.password })
    expect(step.body.paso).toBe('inscribir')
  })
})

describe('audit trail', () => {
  test('it can be paged and filtered, and each entry leads to its request', async () => {
    for (let n = 0; n < 60; n++) {
      await panel.api('POST', '/planes', { bearer: admin.bearer, body: { plan: `plan-${n}` } })
    }
    await desk.goto('/panel/auditoria', 'Audit trail')
    // Long operations and ids wrap: the last column is inside the screen.
    expect(await desk.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280)
    const rows = desk.page.getByRole('table', { name: 'Audit trail' }).getByRole('row')
    const first = await rows.count()
    await desk.page.locator('.table-foot').scrollIntoViewIfNeeded()
    await eventually(async () => (await rows.count()) > first, 'the next page')
    await desk.page.getByLabel('Operation').fill('POST /tokens')
    await eventually(async () => {
      const texts = await rows.allTextContents()
      return texts.length > 1 && texts.slice(1).every((text) => text.includes('POST /tokens'))
    }, 'the filter')
    expect(desk.page.url()).toContain('operacion=POST+%2Ftokens')
    await rows
      .last()
      .getByRole('button', { name: /^Details/ })
      .click()
    const entry = desk.dialog('Audit entry')
    expect(await entry.textContent()).toContain(admin.email)
    expect(await entry.getByText('Request', { exact: true }).count()).toBe(1)
    await entry.getByRole('button', { name: 'This actor' }).click()
    await entry.waitFor({ state: 'hidden' })
    expect(await desk.page.getByLabel('Actor').inputValue()).toBe(admin.email)
  })

  test('a refusal is told in words, with its code beside them', async () => {
    const twice = () => panel.api('POST', '/planes', { bearer: admin.bearer, body: { plan: 'doble' } })
    await twice()
    expect((await twice()).body.codigo).toBe('ya_existe')
    await desk.goto('/panel/auditoria?operacion=POST+%2Fplanes', 'Audit trail')
    const row = desk.page.getByRole('row', { name: /ya_existe/ }).first()
    await row.getByText('Exists already').waitFor()
    await row.getByRole('button', { name: /^Details/ }).click()
    await desk.dialog('Audit entry').getByText('Exists already').waitFor()
  })

  test('what an admin did as a customer is marked with the admin', async () => {
    const { link } = await panel.mailTo('ana@cliente.es')
    await enrol(panel, link ?? '', 'ana@cliente.es')
    const { body } = await panel.api('POST', '/clientes/ejemplo.es/suplantar', {
      bearer: admin.bearer,
      body: { motivo: 'ayuda con el DNS' },
    })
    const changed = await panel.api('PUT', '/zonas/ejemplo.es/registros/prueba.ejemplo.es/TXT', {
      bearer: body.sesion,
      body: { ttl: 300, valores: ['"hola"'] },
    })
    expect(changed.status).toBeLessThan(300)
    await desk.goto('/panel/auditoria?operacion=PUT+%2Fzonas', 'Audit trail')
    await desk.page
      .locator('.row-marked', { hasText: `really ${admin.email}` })
      .first()
      .waitFor()
    await desk.goto('/panel/auditoria?operacion=POST+%2Fclientes%2F%3Ccliente%3E%2Fsuplantar', 'Audit trail')
    await desk.page
      .getByRole('button', { name: /^Details/ })
      .first()
      .click()
    await desk.dialog('Audit entry').getByText('ayuda con el DNS').waitFor()
  })
})

describe('jobs and nodes', () => {
  test('a failed job shows its whole error and is done when it is tried again', async () => {
    await eventually(async () => {
      const { body } = await panel.api('GET', '/tareas', { bearer: admin.bearer })
      return body.datos.every(({ estado }: { estado: string }) => estado === 'hecha')
    }, 'the first jobs')
    const fault = { codigo: 'desconocido', id: '<script>alert(1)</script>' } as const
    failJobs(panel, 'sitio.aplicar', storedFault(fault))
    await desk.goto('/panel/tareas?estado=fallida', 'Jobs')
    const row = desk.page.getByRole('row', { name: /Set up a site/ })
    await row.getByText('This did not work').waitFor()
    await row.getByRole('button', { name: /^Details/ }).click()
    const sheet = desk.dialog('Set up a site')
    await sheet.getByText('<script>alert(1)</script>').waitFor()
    await sheet.getByText('Show as API call').click()
    await sheet.getByText('/reintentar').first().waitFor()
    await sheet.getByRole('button', { name: 'Try again now' }).click()
    await sheet.waitFor({ state: 'hidden' })
    await desk.page.getByText('Nothing has failed').waitFor()
    await desk.page.getByRole('link', { name: 'All', exact: true }).click()
    await row.getByText('Done', { exact: true }).waitFor()
  })

  test('a node shows its services with advice, its addresses and how full it is', async () => {
    await desk.goto('/panel/nodos', 'Node and services')
    const node = desk.page.getByRole('region', { name: 'nodo1' })
    await node.getByText('127.0.0.1').waitFor()
    await node.getByText('ns1.panel.test').waitFor()
    await node
      .getByText(/of .*%/)
      .first()
      .waitFor()
    const services = node.getByRole('table', { name: 'Services of nodo1' })
    const mail = services.getByRole('row', { name: /mail/ })
    expect(await mail.textContent()).toContain('PANEL_SMTP_URL')
    expect(await mail.textContent()).toContain('Not set')
  })
})

describe('own account', () => {
  test('a browser on which nobody chose a language takes that of who signs in there', async () => {
    const me = await anotherAdmin('idioma@ejemplo.es')
    const body = { idioma: 'en' }
    expect((await panel.api('PATCH', '/yo', { bearer: me.bearer, body })).status).toBe(200)
    const visitor = await open({ locale: 'es-ES', fresh: true })
    await visitor.page.goto(`${panel.origin}/entrar`)
    expect(await visitor.page.locator('html').getAttribute('lang')).toBe('es')
    await visitor.signIn(me)
    await visitor.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    expect(await visitor.page.locator('html').getAttribute('lang')).toBe('en')
  }, 60_000)

  test('the tokens that a change of password revokes are listed before it and dead after it', async () => {
    const me = await anotherAdmin('cambia@ejemplo.es')
    const token = await newToken(panel, me, 'mi guion')
    const visitor = await open()
    await visitor.signIn(me)
    await visitor.goto('/panel/cuenta', 'My account')
    await visitor.page.getByRole('button', { name: 'Change the password' }).click()
    const form = visitor.dialog('Change the password')
    await form.getByText('This revokes 1 API token:').waitFor()
    await form.getByText('mi guion').waitFor()
    expect(await answersTo(token)).toBe(200)
    await form.getByLabel('Current password').fill(me.password)
    await form.getByLabel('New password').fill('otra frase, también larga 9')
    await form.getByText('Strength: Strong').waitFor()
    await form.getByRole('button', { name: 'Change the password' }).click()
    await form.waitFor({ state: 'hidden' })
    expect(await answersTo(token)).toBe(401)
    expect((await panel.api('GET', '/yo', { bearer: me.bearer })).status).toBe(401)
    await visitor.page.getByText('You have created none that is still valid.').waitFor()
    await visitor.close()
  })

  test('an authenticator is replaced: QR code, a code of it, ten new recovery codes', async () => {
    const me = await anotherAdmin('telefono@ejemplo.es')
    const visitor = await open()
    await visitor.signIn(me)
    await visitor.goto('/panel/cuenta', 'My account')
    await visitor.page.getByRole('button', { name: 'Use another phone' }).click()
    const form = visitor.page.getByRole('dialog')
    await form.getByLabel('Your password').fill(me.password)
    await form.getByRole('button', { name: 'Continue' }).click()
    await form.getByRole('img', { name: 'QR code for the app' }).waitFor()
    const secret = ((await form.locator('.copy-line code').textContent()) ?? '').replaceAll(' ', '')
    await form.getByRole('textbox', { name: 'Code' }).fill(await visitor.freshCode(secret))
    await eventually(async () => (await form.locator('.codes li').count()) === 10, 'ten codes')
    await visitor.page.keyboard.press('Escape')
    await form.getByText('Close? It cannot be shown again.').waitFor()
    await form.getByRole('button', { name: 'Stay' }).click()
    await form.getByLabel('I have saved them').check()
    await form.getByRole('button', { name: 'Continue' }).click()
    await form.waitFor({ state: 'hidden' })
    await visitor.close()
    const again = await open()
    await again.signIn({ ...me, totp: secret })
    await again.close()
  })

  test('a session is ended where it is listed, and the one in use is marked', async () => {
    const me = await anotherAdmin('sesiones@ejemplo.es')
    const visitor = await open()
    await visitor.signIn(me)
    await visitor.goto('/panel/cuenta', 'My account')
    const table = visitor.page.getByRole('table', { name: 'Open sessions' })
    const own = table.getByRole('row', { name: /This session/ })
    expect(await own.getByRole('button').count()).toBe(0)
    expect((await panel.api('GET', '/yo', { bearer: me.bearer })).status).toBe(200)
    await table.getByRole('button', { name: /^End the session/ }).click()
    await visitor.dialog('End a session').getByRole('button', { name: 'End it' }).click()
    await eventually(async () => (await table.getByRole('row').count()) === 2, 'the session to go')
    expect((await panel.api('GET', '/yo', { bearer: me.bearer })).status).toBe(401)
    await visitor.close()
  })

  test("a customer's account has no word of tokens, and makes new recovery codes", async () => {
    const made = await panel.api('PUT', '/altas/whmcs-1:2', {
      bearer: admin.bearer,
      body: { correo: 'luis@cliente.es', domain: 'luis.es' },
    })
    expect(made.status).toBe(201)
    const { link } = await panel.mailTo('luis@cliente.es')
    const customer = await enrol(panel, link ?? '', 'luis@cliente.es')
    const visitor = await open()
    await visitor.signIn(customer)
    await visitor.goto('/panel/cuenta', 'My account')
    expect((await visitor.page.locator('main').textContent())?.toLowerCase()).not.toContain('token')
    await visitor.page.getByRole('button', { name: 'Generate new codes' }).click()
    const form = visitor.dialog('New recovery codes')
    await form.getByLabel('Your password').fill(customer.password)
    await form.getByRole('button', { name: 'Generate ten new codes' }).click()
    await eventually(async () => (await form.locator('.codes li').count()) === 10, 'ten codes')
    expect(await form.locator('.codes li').allTextContents()).not.toEqual(customer.recovery)
    await form.getByLabel('I have saved them').check()
    await form.getByRole('button', { name: 'Continue' }).click()
    expect(await visitor.axe()).toEqual([])
    await visitor.close()
  })
})

describe('each of these screens', () => {
  test('has nothing that axe-core finds, in English and light', async () => {
    for (const [path, heading] of PLACES) {
      await desk.goto(path, heading)
      expect([path, await desk.axe()]).toEqual([path, []])
    }
  })

  test('fits a phone of 360 pixels in Spanish and dark, and axe-core finds nothing', async () => {
    const phone = await open({ locale: 'es-ES', width: 360, dark: true })
    await phone.signIn(admin)
    for (const [path, , heading] of PLACES) {
      await phone.goto(path, heading)
      expect([path, await overflow(phone.page)]).toEqual([path, 0])
      expect([path, await phone.axe()]).toEqual([path, []])
    }
    await phone.close()
  })

  test('has dialogs that axe-core finds nothing in and that give the focus back', async () => {
    const dialogs = [
      ['/panel/tokens', 'API tokens', /^New token/],
      ['/panel/tokens', 'API tokens', /^Revoke/],
      ['/panel/personas', 'Administrators', /^Invite/],
      ['/panel/personas', 'Administrators', /^Disable/],
      ['/panel/personas', 'Administrators', /^Remove factor/],
      ['/panel/auditoria', 'Audit trail', /^Details/],
      ['/panel/tareas', 'Jobs', /^Details/],
      ['/panel/cuenta', 'My account', /^Change the password/],
      ['/panel/cuenta', 'My account', /^Use another phone/],
      ['/panel/cuenta', 'My account', /^Generate new codes/],
    ] as const
    for (const [path, heading, name] of dialogs) {
      await desk.goto(path, heading)
      const button = desk.page.locator('main').getByRole('button', { name }).first()
      await button.focus()
      await desk.page.keyboard.press('Enter')
      await desk.page.getByRole('dialog').waitFor()
      await desk.settled()
      expect([name, await desk.axe('dialog')]).toEqual([name, []])
      await desk.page.keyboard.press('Escape')
      await desk.page.getByRole('dialog').waitFor({ state: 'hidden' })
      await eventually(
        () => button.evaluate((element) => element === document.activeElement),
        `focus on ${name}`,
      )
    }
  })
})
