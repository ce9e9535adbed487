import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { newCustomer, ROOMY } from '../api/people.ts'
import { textOf, visitor } from '../applications/wordpress.ts'
import { cpanelArchive } from '../imports/archives.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { Visitor } from './admin-support.ts'
import { startBrowser } from './browser.ts'

setDefaultTimeout(240_000)

let panel: Panel
let browser: Browser
let admin: SignedIn
let directory: string
let desk: Visitor

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'importaciones-'))
  ;[panel, browser] = await Promise.all([
    Panel.start({
      env: { ...ROOMY, PANEL_MARIADB_PORT: String(await freePort()), PANEL_IMPORTACIONES: directory },
    }),
    startBrowser(),
  ])
  admin = await firstAdmin(panel)
  await newCustomer(panel, await newToken(panel, admin), 'acme')
  cpanelArchive(join(directory, 'cpmove-otra.tar.gz'))
  desk = await Visitor.open(browser, panel, { locale: 'en-GB' })
  await desk.signIn(admin)
})
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
  rmSync(directory, { recursive: true, force: true })
})

test('an admin sees what an archive would bring, imports it, and reads what became of each thing', async () => {
  const { page } = desk
  await page.goto(`${panel.origin}/panel/importar`)
  const start = page.getByRole('button', { name: 'Import', exact: true })
  await start.waitFor()
  expect(await start.isDisabled()).toBe(true)
  await page.getByLabel('Client').fill('acme')
  await page.getByLabel('Made by').selectOption('cpanel')
  await page.getByLabel('Archive').selectOption('cpmove-otra.tar.gz')
  await page.getByRole('button', { name: 'What would happen' }).click()
  const left = page.getByRole('table', { name: 'Left out' })
  await left.waitFor({ timeout: 120_000 })
  await left.getByText('otra_lejos@203.0.113.7').waitFor()
  await page.getByRole('table', { name: 'Taken' }).getByText('segunda.es').first().waitFor()
  await start.click()
  const result = page.getByRole('table', { name: 'The import' })
  await result.waitFor({ timeout: 120_000 })
  await page.getByText('Imported.', { exact: true }).waitFor()
  expect(await result.getByText('acme_tienda').count()).toBe(1)
  // It is still there after a reload.
  await page.reload()
  await result.waitFor()
  await page.getByRole('table', { name: 'Left out' }).getByText('otra_lejos@203.0.113.7').waitFor()
  expect(textOf(await visitor(panel, 'segunda.es')('/'))).toBe('Segunda')
  expect(desk.faults).toEqual([])
})
