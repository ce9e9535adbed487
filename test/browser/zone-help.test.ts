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
  await dialog.getByLabel('¿Dónde está el correo de este dominio?').selectOption('microsoft')
  await dialog.getByRole('button', { name: 'Vista previa' }).click()
  await dialog.getByText('@ MX 0 ejemplo-es.mail.protection.outlook.com.').waitFor()
  expect(await dialog.locator('.diff-deleted').count()).toBe(0)
  expect(await visitor.axe()).toEqual([])
  expect((await records())['@ MX']).toBeUndefined()
  await dialog.getByRole('button', { name: 'Hacer estos cambios' }).click()
  await page.getByText('El correo de ejemplo.es va ahora a Microsoft 365.').waitFor()
  await dialog.getByText('Faltan estos valores, que solo conoce Microsoft 365.').waitFor()
  expect(await visitor.axe()).toEqual([])
  await dialog.getByRole('button', { name: 'Más tarde, en la pestaña Correo' }).click()
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

test('a domain of whose mail nothing is known yet is not told to forbid it', async () => {
  const made = await panel.api('POST', '/zonas', { bearer, body: { cliente: 'acme', zona: 'callada.es' } })
  expect(made.status).toBeLessThan(300)
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
  await visitor.go('/panel/zonas/callada.es/correo')
  await visitor.page.getByText('Say first where the mail of this domain is').first().waitFor()
  expect(await visitor.page.getByText('v=spf1 -all').count()).toBe(0)
  expect(await visitor.button('See the change').count()).toBe(0)
  await visitor.leave()
})

test('what a domain says of its mail is checked, told in words, and bettered after a look', async () => {
  await panel.api('DELETE', '/zonas/ejemplo.es/registros/_dmarc/TXT', { bearer })
  const body = { ttl: 600, valores: ['"google-site-verification=x"', '"v=spf1 mx +all"'] }
  await panel.api('PUT', '/zonas/ejemplo.es/registros/@/TXT', { bearer, body })
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
  const { page } = visitor
  await visitor.go('/panel/zonas/ejemplo.es/correo')
  await page.getByText('It allows every server to send mail in the name of this domain.').waitFor()
  await page.getByText('the mail servers of this domain may send').waitFor()
  await page.getByText('1 of 10 look-ups').waitFor()
  expect(await visitor.axe()).toEqual([])
  await page.getByRole('button', { name: 'See the change' }).first().click()
  await page.locator('.diff-changed', { hasText: '"v=spf1 mx ~all"' }).waitFor()
  await page.getByRole('button', { name: 'Make this change' }).click()
  await page.getByText('Fine as it is').waitFor()
  expect((await records())['@ TXT']).toEqual(['"google-site-verification=x"', '"v=spf1 mx ~all"'])
  await page.getByRole('button', { name: 'See the change' }).click()
  await page.locator('.diff-added', { hasText: '_dmarc TXT' }).waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('what only Google knows of a domain is pasted one by one, and a policy that acts is proposed after', async () => {
  const zone = 'google.ejemplo.net'
  await panel.api('POST', '/zonas', { bearer, body: { cliente: 'acme', zona: zone } })
  const put = (path: string, ...valores: string[]) =>
    panel.api('PUT', `/zonas/${zone}/registros/${path}`, { bearer, body: { ttl: 600, valores } })
  await put('@/MX', '1 smtp.google.com.')
  await put('@/TXT', '"v=spf1 include:_spf.google.com ~all"')
  await put('_dmarc/TXT', '"v=DMARC1; p=none"')
  const visitor = await Visitor.come(browser, panel, { as: admin, width: 390, height: 844 })
  const { page } = visitor
  await visitor.go(`/panel/zonas/${zone}/correo`)
  const lines = page.getByRole('table', { name: 'El correo de este dominio' }).getByRole('row')
  const line = (name: string) => lines.filter({ hasText: name })
  expect(await visitor.text(line('(MX)'))).toMatch(/Puesto.*smtp\.google\.com/)
  expect(await visitor.text(line('(DKIM)'))).toContain('Falta')
  expect(await visitor.text(line('(DMARC)'))).toContain('Puesto')
  expect(await page.getByText('p=quarantine').count()).toBe(0)
  await page.getByRole('button', { name: 'Configurar el correo' }).waitFor()

  const paste = async (label: string, value: string) => {
    const form = page.locator('.form', { has: page.getByLabel(label) }).last()
    await form.getByLabel(label).fill(value)
    await form.getByRole('button', { name: 'Ver el cambio' }).click()
    return form
  }
  const key = `v=DKIM1; k=rsa; p=${'A'.repeat(390)}`
  await (await paste('Texto de verificación', 'algo')).getByText('Este no es ese valor').waitFor()
  const proof = await paste('Texto de verificación', '"google-site-verification=abc"')
  await proof.getByRole('button', { name: 'Añadir' }).click()
  await page.getByLabel('Texto de verificación').waitFor({ state: 'detached' })
  await (await paste('Clave DKIM', key)).getByRole('button', { name: 'Añadir' }).click()
  await page.getByText('Queda por hacer').waitFor({ state: 'detached' })
  expect(await visitor.text(line('(DKIM)'))).toContain('google._domainkey')
  await page.getByText('p=quarantine').waitFor()
  const { body } = await panel.api('GET', `/zonas/${zone}/registros`, { bearer })
  const of = (nombre: string) =>
    body.datos.find((one: { nombre: string; tipo: string }) => one.nombre === nombre && one.tipo === 'TXT')
  expect(of('@').valores).toHaveLength(2)
  expect(of('google._domainkey').valores[0]).toMatch(/^"v=DKIM1; .{1,255}" "A+"$/)
  expect(await visitor.axe()).toEqual([])

  // Its key takes the names no room, and is read whole on demand.
  await visitor.go(`/panel/zonas/${zone}/registros`)
  const long = page.getByRole('button', { name: 'v=DKIM1' })
  expect((await long.boundingBox())?.height).toBeLessThan(40)
  await long.click()
  expect((await long.boundingBox())?.height).toBeGreaterThan(100)
  await page.setViewportSize({ width: 1280, height: 900 })
  const name = page.locator('.rr-name', { hasText: 'google._domainkey' })
  expect((await name.boundingBox())?.width).toBeGreaterThan(170)
  expect(await visitor.axe()).toEqual([])
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)
