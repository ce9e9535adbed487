import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { PROVIDERS } from '../../lib/providers/index.ts'
import { Panel } from '../support/panel.ts'
import { enrol, firstAdmin, type SignedIn } from '../support/people.ts'
import { type PowerDns, startPowerDns } from '../support/providers/powerdns.ts'
import { startUnbound, type Unbound } from '../support/providers/unbound.ts'
import { WORLDS, type World } from '../support/providers/world.ts'
import { eventually } from '../support/wait.ts'
import { startBrowser } from './browser.ts'
import { overflow } from './overflow.ts'
import { axe, type Desk, deskOf } from './zones-support.ts'

setDefaultTimeout(60_000)

const OURS = '192.0.2.10'
const FOREIGN = '203.0.113.80'

/** Names of the public DNS, as the recursive resolver finds them. */
let internet: PowerDns
let unbound: Unbound
let world: World
let panel: Panel
let browser: Browser
let admin: SignedIn
let desk: Desk
let page: Page

const api = (method: string, path: string, body?: unknown) =>
  panel.api(method, path, { bearer: admin.bearer, ...(body === undefined ? {} : { body }) })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const point = async (zone: string, address: string, nameservers = ['ns1.panel.test.']) => {
  await internet.api('POST', '/zones', { name: `${zone}.`, kind: 'Native', nameservers })
  const records = [{ content: address, disabled: false }]
  const rrsets = [{ name: `${zone}.`, type: 'A', ttl: 60, changetype: 'REPLACE', records }]
  await internet.api('PATCH', `/zones/${zone}.`, { rrsets })
}
const mirror = async (zona: string) => {
  await button('Mirror a zone').click()
  await page.getByRole('dialog').getByLabel('Zone', { exact: true }).fill(zona)
  await button('Mirror this zone').click()
}

beforeAll(async () => {
  internet = await startPowerDns()
  const names = ['ejemplo.es', 'ajena.es', 'propia.es', 'otra-parte.es']
  unbound = await startUnbound(Object.fromEntries(names.map((name) => [name, internet.dnsPort])))
  world = await (WORLDS.powerdns as NonNullable<(typeof WORLDS)[string]>)(() => Date.now()) // one of the four
  panel = await Panel.start({
    env: { PANEL_IPS: OURS, PANEL_RESOLVER: `udp://127.0.0.1:${unbound.port}` },
  })
  admin = await firstAdmin(panel)
  await api('POST', '/clientes', { cliente: 'acme' })
  for (const zona of ['ejemplo.es', 'ajena.es']) await api('POST', '/zonas', { cliente: 'acme', zona })
  await point('ejemplo.es', OURS)
  await point('ajena.es', FOREIGN)
  browser = await startBrowser()
  desk = await deskOf(browser, panel, admin)
  page = desk.page
})
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
  await world?.stop()
  await unbound?.stop()
  await internet?.stop()
})

test('every provider that the API takes can be chosen, and it is said what the panel cannot verify', async () => {
  await page.goto(`${panel.origin}/panel/espejo`)
  const choice = page.getByLabel('Provider', { exact: true })
  await choice.waitFor()
  const kinds = await choice
    .locator('option')
    .evaluateAll((all) => all.map((one) => one.getAttribute('value')))
  expect(kinds.sort()).toEqual(PROVIDERS.map(({ kind }) => kind).sort())
  await page.getByText('The panel cannot verify what this token may do.').waitFor()
  expect(await axe(page)).toEqual([])
})

test('a credential is refused at its field, stored when it works, and never shown again', async () => {
  await page.getByLabel('Provider', { exact: true }).selectOption('powerdns')
  await page.getByLabel('Address of its API').fill(world.proxy.origin)
  const key = page.getByLabel('API key', { exact: true })
  await key.fill('wrong')
  await button('Check and store').click()
  await page.locator('.mantine-InputWrapper-error').waitFor()
  await key.fill(world.credential)
  await button('Check and store').click()
  await page.getByText('limit unknown').waitFor()
  expect(await page.content()).not.toContain(world.credential)
  await button('Change the credential').click()
  expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('')
  await page.getByLabel('API key', { exact: true }).fill(world.credential)
  await page.getByLabel('Zone limit of the account (optional)').fill('20')
  expect(await axe(page)).toEqual([])
  await button('Check and store').click()
  await page.getByText('limit set by an administrator').waitFor()
})

test('a zone that leads elsewhere is refused with what was seen', async () => {
  await mirror('ajena.es')
  const refusal = page.getByRole('dialog').getByRole('alert')
  await refusal.waitFor()
  const said = await refusal.textContent()
  expect([said?.includes(FOREIGN), said?.includes(OURS)]).toEqual([true, true])
  await page.keyboard.press('Escape')
  await button('Close anyway').click()
})

test('a zone is mirrored, shown with its place, its answers and its difference, and synced when asked', async () => {
  await mirror('ejemplo.es')
  const row = page.getByRole('row', { name: /ejemplo\.es/ })
  await row.getByText('place 1').waitFor()
  let seconds = 60
  await eventually(
    async () => {
      seconds += 61
      await panel.setClock(seconds)
      await panel.command('cron', 'espejo')
      return (await api('GET', '/zonas/ejemplo.es/espejo')).body.estado === 'al_dia'
    },
    'the mirror',
    20_000,
  )
  await row.getByText('Up to date').waitFor()
  expect(await row.textContent()).toContain(`Points here: udp://127.0.0.1:${unbound.port}`)
  expect(await axe(page)).toEqual([])
  await row.getByRole('button', { name: 'Sync now: ejemplo.es' }).click()
  await row.getByText('place 1').waitFor()
  await row.getByRole('link', { name: 'ejemplo.es' }).click()
  await page.getByRole('heading', { name: 'What the resolvers say' }).waitFor()
  expect(await axe(page)).toEqual([])
})

test('it fits a phone, and ends when the mirror is switched off', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  await button('Remove the copy').click()
  await page.getByText('Being removed').first().waitFor()
  await page.goto(`${panel.origin}/panel/espejo`)
  await page.getByText('It was switched off.').waitFor()
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  expect(await axe(page)).toEqual([])
})

test('no error was written to the console, and no request left the panel', () => {
  expect(desk.faults).toEqual([])
})

test('a customer meets the record that proves a name, keeps what it typed, and goes on once it is there', async () => {
  await api('POST', '/clientes/acme/acceso', { correo: 'ana@cliente.es' })
  const { link } = await panel.mailTo('ana@cliente.es')
  const ana = await enrol(panel, link ?? '', 'ana@cliente.es')
  await point('propia.es', FOREIGN)
  const phone = await deskOf(browser, panel, ana, { width: 360, locale: 'es-ES' })
  const { page } = phone
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${panel.origin}/panel/sitios`)
  await page.getByRole('button', { name: 'Sitio nuevo', exact: true }).click()
  await page.getByLabel('Dominio', { exact: true }).fill('tienda.propia.es')
  await page.getByLabel('Otros alias').fill('blog.tienda.propia.es')
  await page.getByRole('button', { name: 'Crear', exact: true }).click()
  const note = page.getByRole('alert')
  await note.getByText('Demuestre que tienda.propia.es es suyo.').waitFor()
  await note.getByText('_controlpanel.tienda.propia.es', { exact: true }).waitFor()
  await note.getByText(OURS).waitFor()
  expect(await axe(page)).toEqual([])
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  await note.getByRole('button', { name: 'Copiar el valor' }).click()
  const value = await page.evaluate(() => navigator.clipboard.readText())
  expect(value).toMatch(/^controlpanel=[0-9A-Za-z]{43}$/)
  // Asked again too early, it is still there, and so is what was typed.
  const refused = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await note.getByRole('button', { name: 'Comprobar de nuevo' }).click()
  expect((await refused).status()).toBe(409)
  await note.getByText('Demuestre que tienda.propia.es es suyo.').waitFor()
  expect(await page.getByLabel('Otros alias').inputValue()).toBe('blog.tienda.propia.es')
  const records = [{ content: `"${value}"`, disabled: false }]
  const name = '_controlpanel.tienda.propia.es.'
  const rrsets = [{ name, type: 'TXT', ttl: 60, changetype: 'REPLACE', records }]
  await internet.api('PATCH', '/zones/propia.es.', { rrsets })
  await note.getByRole('button', { name: 'Comprobar de nuevo' }).click()
  await page.getByRole('heading', { level: 1, name: 'tienda.propia.es' }).waitFor()
  const { body } = await api('GET', '/sitios/tienda.propia.es')
  expect([body.probado, body.aliases]).toEqual([true, ['blog.tienda.propia.es', 'www.tienda.propia.es']])
  expect(phone.faults).toEqual([])
  await phone.close()
})

test('an admin is told what is not proven, and of a zone whose name servers are others', async () => {
  await api('POST', '/sitios', { cliente: 'acme', domain: 'otra-parte.es' })
  await point('otra-parte.es', FOREIGN, ['ns1.lejos.net.', 'ns2.lejos.net.'])
  expect((await panel.command('cron', 'recheck')).status).toBe(0)
  await page.goto(`${panel.origin}/panel/sitios`)
  await page.setViewportSize({ width: 1280, height: 900 })
  const row = page.getByRole('row').filter({ hasText: 'otra-parte.es' })
  await row.getByText('Not proven').waitFor()
  expect(
    await page.getByRole('row').filter({ hasText: 'tienda.propia.es' }).getByText('Not proven').count(),
  ).toBe(0)
  await page.goto(`${panel.origin}/panel/sitios/otra-parte.es/detalle`)
  await page.getByText('a token or an administrator granted a name').waitFor()
  expect(await axe(page)).toEqual([])
  await page.goto(`${panel.origin}/panel/zonas`)
  await page.getByRole('row').filter({ hasText: 'otra-parte.es' }).getByText('Delegated elsewhere').waitFor()
  await page.goto(`${panel.origin}/panel/zonas/otra-parte.es`)
  await page.getByText('otra-parte.es uses other name servers: nobody asks this zone.').waitFor()
  await page.getByText('ns2.panel.test', { exact: true }).waitFor()
  await page.getByText('ns1.lejos.net, ns2.lejos.net').waitFor()
  expect(await axe(page)).toEqual([])
  await page.goto(`${panel.origin}/panel/zonas/ajena.es`)
  await page.getByRole('heading', { level: 1, name: 'ajena.es' }).waitFor()
  expect(await page.getByText('uses other name servers').count()).toBe(0)
  expect(desk.faults).toEqual([])
})
