import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { plant } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { Visitor } from './admin-support.ts'
import { startBrowser } from './browser.ts'

setDefaultTimeout(60_000)

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
  expect(desk.faults).toEqual([])
})
