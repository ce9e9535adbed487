import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { PROVIDERS } from '../../lib/providers/index.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, type SignedIn } from '../support/people.ts'
import { type PowerDns, startPowerDns } from '../support/providers/powerdns.ts'
import { startUnbound, type Unbound } from '../support/providers/unbound.ts'
import { WORLDS, type World } from '../support/providers/world.ts'
import { eventually } from '../support/wait.ts'
import { overflow } from './overflow.ts'
import { axe, type Desk, deskOf, startChromium } from './zones-support.ts'

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
const point = async (zone: string, address: string) => {
  await internet.api('POST', '/zones', { name: `${zone}.`, kind: 'Native', nameservers: ['ns1.panel.test.'] })
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
  unbound = await startUnbound({ 'ejemplo.es': internet.dnsPort, 'ajena.es': internet.dnsPort })
  world = await (WORLDS.powerdns as NonNullable<(typeof WORLDS)[string]>)(() => Date.now()) // one of the four
  panel = await Panel.start({
    env: { PANEL_IPS: OURS, PANEL_RESOLVER: `udp://127.0.0.1:${unbound.port}` },
  })
  admin = await firstAdmin(panel)
  await api('POST', '/clientes', { cliente: 'acme' })
  for (const zona of ['ejemplo.es', 'ajena.es']) await api('POST', '/zonas', { cliente: 'acme', zona })
  await point('ejemplo.es', OURS)
  await point('ajena.es', FOREIGN)
  browser = await startChromium()
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
  await page.getByText('limit typed by an admin').waitFor()
})

test('a zone that leads elsewhere is refused with what was seen', async () => {
  await mirror('ajena.es')
  const refusal = page.getByRole('dialog').getByRole('alert')
  await refusal.waitFor()
  const said = await refusal.textContent()
  expect([said?.includes(FOREIGN), said?.includes(OURS)]).toEqual([true, true])
  await page.keyboard.press('Escape')
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

test('it fits a telephone, and ends when it is told to', async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  await button('Remove the copy').click()
  await page.getByText('Being removed').first().waitFor()
  await page.goto(`${panel.origin}/panel/espejo`)
  await page.getByText('It was switched off.').waitFor()
  expect(await overflow(page)).toBeLessThanOrEqual(0)
  expect(await axe(page)).toEqual([])
})

test('nothing of this wrote an error to the console or left the panel', () => {
  expect(desk.faults).toEqual([])
})
