import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { Webhook as Verifier } from 'standardwebhooks'
import { newClient, ROOMY } from '../api/people.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { Receiver } from '../support/receiver.ts'
import { eventually } from '../support/wait.ts'
import { startBrowser, Visitor } from './browser.ts'

setDefaultTimeout(120_000)
const LONG_MS = 60_000

let panel: Panel
let browser: Browser
let receiver: Receiver
let admin: SignedIn

beforeAll(async () => {
  receiver = await Receiver.start()
  const { caPath } = await loopbackCertificate()
  const env = { ...ROOMY, NODE_EXTRA_CA_CERTS: caPath, PANEL_AVISOS_IPS: '127.0.0.1' }
  ;[panel, browser] = await Promise.all([Panel.start({ env }), startBrowser()])
  admin = await firstAdmin(panel)
})
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
  await receiver?.stop()
})

test('a webhook is made, tested, looked at, given a new secret, switched off and deleted', async () => {
  const token = await newToken(panel, admin)
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
  const { page, dialog } = visitor
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
  await visitor.go('/panel/avisos')
  await button('New webhook').click()
  await dialog.getByLabel('Address').fill('http://127.0.0.1/')
  await inDialog('Create the webhook').click()
  await dialog.getByText('Type an address that begins with https://.').waitFor()
  await dialog.getByLabel('Address').fill('https://ana@ejemplo.es/')
  await inDialog('Create the webhook').click()
  await dialog.getByText('It must begin with https:// and have no user').first().waitFor()
  await dialog.getByLabel('Address').fill(receiver.url('/facturas'))
  await dialog.getByLabel('All events').uncheck()
  await inDialog('Create the webhook').click()
  await dialog.getByText('Choose at least one type of event.').waitFor()
  await dialog.getByLabel('Client created', { exact: true }).check()
  await inDialog('Create the webhook').click()
  await dialog.getByText('It is shown only now').waitFor()
  const secret = (await dialog.locator('.copy-line code').textContent()) ?? ''
  await inDialog('Copy the secret').last().click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await inDialog('I have copied it').click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('link', { name: new URL(receiver.url('/')).host }).click()
  receiver.reply = () => new Response('<b>hola</b>')
  await button('Send a test').click()
  await page.getByText('The test message was taken').waitFor()
  await page.getByText('<b>hola</b>').first().waitFor()
  const [tested] = receiver.received
  expect(new Verifier(secret).verify(tested?.body ?? '', tested?.headers ?? {})).toMatchObject({ data: {} })

  receiver.reply = () => new Response('no room', { status: 503 })
  await newClient(panel, token, 'acme')
  const row = page.getByRole('row', { name: /Client created/ })
  await row.getByText('HTTP 503').waitFor({ timeout: LONG_MS })
  receiver.reply = () => new Response('ok')
  await row.getByRole('button', { name: /^Details/ }).click()
  await dialog.getByText('no room').waitFor()
  await inDialog('Send again').click()
  await dialog.getByText('Delivered').waitFor({ timeout: LONG_MS })
  await page.keyboard.press('Escape')
  await row.getByText('HTTP 200').waitFor({ timeout: LONG_MS })

  await button('New secret…').click()
  await inDialog('Make the new secret').click()
  await dialog.getByText('It is shown only now').waitFor()
  expect(await dialog.locator('.copy-line code').textContent()).not.toBe(secret)
  await inDialog('I have copied it').click()
  await page.getByText('The old secret signs until').waitFor()

  await button('Switch off').click()
  await inDialog('Switch off').click()
  await page.getByText('Switched off by hand.').waitFor()
  await button('Switch on').click()
  await page.getByText('Switched off by hand.').waitFor({ state: 'detached' })
  await button('Delete…').click()
  await inDialog('Delete').click()
  await page.getByText('No webhooks yet').waitFor()
  await eventually(
    async () => (await panel.api('GET', '/avisos', { bearer: token })).body.datos.length === 0,
    'its end',
  )
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
})
