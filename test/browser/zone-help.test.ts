import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { startBrowser, Visitor } from './browser.ts'

let panel: Panel
let browser: Browser
let admin: SignedIn
let bearer: string

beforeAll(async () => {
  ;[panel, browser] = await Promise.all([Panel.start(), startBrowser()])
  admin = await firstAdmin(panel)
  bearer = await newToken(panel, admin)
  await panel.api('POST', '/clientes', { bearer, body: { cliente: 'acme' } })
  await panel.api('POST', '/zonas', { bearer, body: { cliente: 'acme', zona: 'ejemplo.es' } })
  const body = { ttl: 600, valores: ['"google-site-verification=x"', '"v=spf1 mx -all"'] }
  await panel.api('PUT', '/zonas/ejemplo.es/registros/@/TXT', { bearer, body })
}, 60_000)
afterAll(async () => {
  await browser.close()
  await panel.stop()
})

const records = async (): Promise<Record<string, string[]>> => {
  const { body } = await panel.api('GET', '/zonas/ejemplo.es/registros', { bearer })
  return Object.fromEntries(
    body.datos.map(({ nombre, tipo, valores }: { nombre: string; tipo: string; valores: string[] }) => [
      `${nombre} ${tipo}`,
      valores,
    ]),
  )
}

test('mail is set up by a template, whose difference is seen before, and the history leads back', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin })
  const { page, dialog } = visitor
  await visitor.go('/panel/zonas/ejemplo.es/registros')
  await page.getByRole('button', { name: 'Configurar el correo' }).click()
  await dialog.getByLabel('Dónde está el correo de este dominio').selectOption('microsoft')
  await dialog.getByRole('button', { name: 'Vista previa' }).click()
  await dialog.getByText('@ MX 0 ejemplo-es.mail.protection.outlook.com.').waitFor()
  expect(await dialog.locator('.diff-deleted').count()).toBe(0)
  expect(await visitor.axe()).toEqual([])
  expect((await records())['@ MX']).toBeUndefined()
  await dialog.getByRole('button', { name: 'Hacer estos cambios' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await records()).toMatchObject({
    '@ MX': ['0 ejemplo-es.mail.protection.outlook.com.'],
    '@ TXT': ['"google-site-verification=x"', '"v=spf1 include:spf.protection.outlook.com -all"'],
    'autodiscover CNAME': ['autodiscover.outlook.com.'],
  })

  await visitor.go('/panel/zonas/ejemplo.es/historial')
  await page.getByText('@ MX').waitFor()
  expect(await visitor.axe()).toEqual([])
  await page.getByRole('button', { name: 'Volver a este estado' }).first().click()
  await dialog.locator('.diff-deleted', { hasText: '@ MX' }).waitFor()
  await dialog.getByRole('button', { name: 'Volver a este estado' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await records())['@ MX']).toBeUndefined()
  expect((await records())['@ TXT']).toContain('"v=spf1 mx -all"')
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('a zone file is merged or replaces, as is chosen, and the parent is asked on demand', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB', colorScheme: 'dark' })
  const { page } = visitor
  await visitor.go('/panel/zonas/ejemplo.es/archivo')
  await page.getByLabel('Zone file').fill('extra 300 IN A 192.0.2.9')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.locator('.diff-deleted', { hasText: '@ TXT' }).waitFor()
  await page.getByLabel('What the file does not have').selectOption('fusionar')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.locator('.diff-added', { hasText: 'extra A' }).waitFor()
  expect(await page.locator('.diff-deleted').count()).toBe(0)
  await page.getByRole('button', { name: 'Add to the zone' }).click()
  await page.getByText('Imported. It can be undone in Records.').waitFor()
  expect(Object.keys(await records())).toEqual(expect.arrayContaining(['extra A', '@ TXT']))
  await visitor.go('/panel/zonas/ejemplo.es/dnssec')
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('DS published').waitFor()
  expect(await visitor.axe()).toEqual([])
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('what a domain says of its mail is checked, told in words, and bettered after a look', async () => {
  await panel.api('DELETE', '/zonas/ejemplo.es/registros/_dmarc/TXT', { bearer })
  const body = { ttl: 600, valores: ['"google-site-verification=x"', '"v=spf1 mx +all"'] }
  await panel.api('PUT', '/zonas/ejemplo.es/registros/@/TXT', { bearer, body })
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
  const { page } = visitor
  await visitor.go('/panel/zonas/ejemplo.es/correo')
  await page.getByText('It allows every server to send mail in the name of this domain.').waitFor()
  await page.getByText('the mail servers of this domain: may send').waitFor()
  await page.getByText('1 of 10 look-ups').waitFor()
  expect(await visitor.axe()).toEqual([])
  await page.getByRole('button', { name: 'See the change' }).first().click()
  await page.locator('.diff-changed', { hasText: '"v=spf1 mx ~all"' }).waitFor()
  await page.getByRole('button', { name: 'Make this change' }).click()
  await page.getByText('Well as it is').waitFor()
  expect((await records())['@ TXT']).toEqual(['"google-site-verification=x"', '"v=spf1 mx ~all"'])
  await page.getByRole('button', { name: 'See the change' }).click()
  await page.locator('.diff-added', { hasText: '_dmarc TXT' }).waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)
