import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { plant, rows } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { Visitor } from './admin-support.ts'
import { startBrowser } from './browser.ts'

setDefaultTimeout(60_000)

const MIB = 1024 ** 2
const GIB = 1024 ** 3

let panel: Panel
let browser: Browser
let desk: Visitor
let token: string

beforeAll(async () => {
  // Neither an address nor a name to publish, and another node that went away long ago.
  panel = await Panel.start({ env: { PANEL_IPS: '', PANEL_NS: '' } })
  const admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  plant(
    panel,
    `insert into nodes (name, addresses, name_servers, services, version, started_at, seen_at)
     values ('nodo9', '["192.0.2.9"]', '[]', '[]', '0', 0, 0)`,
  )
  for (const cliente of ['anterior', 'perdido']) {
    await panel.api('POST', '/clientes', { bearer: token, body: { cliente } })
  }
  plant(panel, "update clients set node = 'nodo9' where name = 'perdido'")
  browser = await startBrowser()
  desk = await Visitor.open(browser, panel, { locale: 'en-GB' })
  await desk.signIn(admin)
})
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
})

test('the first screen names the absent node and what is to be set, and its own screen what waits for it', async () => {
  await desk.page.goto(`${panel.origin}/panel`)
  await desk.page
    .locator('.node-rows > li', { hasText: 'nodo9' })
    .getByText(/^Absent, /)
    .waitFor()
  await desk.page
    .getByText(/PANEL_IPS/)
    .first()
    .waitFor()
  await desk.page
    .getByText(/PANEL_NS/)
    .first()
    .waitFor()
  await desk.page.goto(`${panel.origin}/panel/nodos`)
  const node = desk.page.getByRole('region', { name: 'nodo9' })
  await node.getByText('0 jobs and 0 mails wait for it.').waitFor()
})

test('what a node did over time is drawn on both screens, and by the day for a longer while', async () => {
  const hour = (ago: number) => new Date(Date.now() - ago * 3_600_000).toISOString().slice(0, 13)
  const use = [30, 70, 3 * GIB, 40 * GIB, 5 * MIB, 717 * MIB]
  const note = (node: string, at: string) =>
    plant(panel, 'insert or replace into node_hours values (?, ?, ?, ?, ?, ?, ?, ?)', node, at, ...use)
  const hours = [0, 3, 24 * 20].map(hour)
  for (const at of hours) note('nodo1', at)
  note('nodo9', hour(1))
  await desk.page.goto(`${panel.origin}/panel`)
  const row = desk.page.locator('.node-rows > li', { hasText: 'nodo1' })
  await row.getByText('Over time').click()
  await row.getByText('Out 752 MB').waitFor()
  await desk.page.goto(`${panel.origin}/panel/nodos`)
  const node = desk.page.getByRole('region', { name: 'nodo1' })
  for (const told of ['30%', '3.22 GB', '42.9 GB', 'Out 752 MB', 'In 5.24 MB'])
    await node.locator('figure').getByText(told).first().waitFor()
  // Mail that is not set is no fault.
  await node.locator('tr', { hasText: 'mail' }).locator('.tone-warn', { hasText: 'Not set' }).waitFor()
  await node.getByLabel('Period').selectOption({ label: '30 days' })
  await node.getByText('Show as a table').click()
  // Three hours ago was yesterday where it is early in the morning.
  const days = new Set(hours.map((at) => at.slice(0, 10))).size
  await eventually(
    async () => (await node.getByRole('table', { name: 'Over time' }).locator('tbody tr').count()) === days,
    'a row for each day',
  )
})

test('a node that is gone is given up on its screen by typing its name, after seeing what goes', async () => {
  await desk.page.goto(`${panel.origin}/panel/nodos`)
  const node = desk.page.getByRole('region', { name: 'nodo9' })
  await node.getByRole('button', { name: 'Give it up…' }).click()
  const dialog = desk.page.getByRole('dialog')
  await dialog.getByText('Clients (1)').waitFor()
  expect(await dialog.getByText('perdido').count()).toBe(1)
  const submit = dialog.getByRole('button', { name: 'Give up for good' })
  expect(await submit.isDisabled()).toBe(true)
  await dialog.getByLabel('Type nodo9').fill('nodo9')
  await submit.click()
  await node.waitFor({ state: 'detached' })
  const answer = () => panel.api('GET', '/clientes/perdido', { bearer: token })
  await eventually(async () => (await answer()).status === 404, 'the end of its client')
  expect((await panel.api('GET', '/clientes/anterior', { bearer: token })).status).toBe(200)
  expect(rows(panel, 'select distinct node from node_hours')).toEqual([{ node: 'nodo1' }])
  expect(desk.faults).toEqual([])
})
