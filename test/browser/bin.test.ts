import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { customer, startBrowser, Visitor } from './browser.ts'

let panel: Panel
let browser: Browser
let admin: SignedIn
let ana: SignedIn
let token: string

beforeAll(async () => {
  ;[panel, browser] = await Promise.all([Panel.start(), startBrowser()])
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  ana = await customer(panel, token, 'ana')
}, 60_000)

afterAll(async () => {
  await browser.close()
  await panel.stop()
})

const visited = async (host: string) =>
  (await fetch(`http://127.0.0.1:${panel.httpPort}/`, { headers: { host }, keepalive: false })).text()

/** A site of Ana's with a page, deleted. */
async function deleteSite(domain: string): Promise<void> {
  const made = await panel.api('POST', '/sitios', {
    bearer: token,
    body: { cliente: 'ana', domain, aliases: [] },
  })
  writeFileSync(join(made.body.raiz, 'index.html'), `<p>${domain}`, { mode: 0o644 })
  const gone = await panel.api('DELETE', `/sitios/${domain}`, { bearer: token })
  expect([made.status, gone.status]).toEqual([201, 200])
}

test('a customer sees what it deleted and gets the site back with its files, by one button', async () => {
  const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB' })
  await visitor.go('/panel/papelera')
  await visitor.page.getByText('No site or database was deleted recently').waitFor()
  await deleteSite('tienda.cliente-ana.es')
  await visitor.go('/panel')
  await visitor.page.getByRole('link', { name: 'Bin', exact: true }).click()
  await visitor.page.getByRole('cell', { name: 'tienda.cliente-ana.es Site' }).waitFor()
  expect(await visitor.button(/^Delete for good/).count()).toBe(0)
  await visitor.button('Restore… tienda.cliente-ana.es').click()
  await visitor.dialog.getByText('The site tienda.cliente-ana.es does not exist any more').waitFor()
  expect(await visitor.axe()).toEqual([])
  await visitor.button('Create it again and restore').click()
  await visitor.dialog.getByText('Restored', { exact: true }).waitFor()
  await visitor.dialog.getByRole('link', { name: 'Go to tienda.cliente-ana.es' }).click()
  await visitor.page.getByRole('heading', { name: 'tienda.cliente-ana.es', level: 1 }).waitFor()
  expect(await visited('tienda.cliente-ana.es')).toBe('<p>tienda.cliente-ana.es')
  const { body } = await panel.api('GET', '/sitios/tienda.cliente-ana.es', { bearer: token })
  expect(body.aliases).toEqual([])
  await visitor.to('/panel/papelera')
  await visitor.page.getByText('No site or database was deleted recently').waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('an operator is told why a site takes nothing, chooses another, and deletes for good by the name', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'es-ES' })
  for (const domain of ['uno.cliente-ana.es', 'dos.cliente-ana.es']) await deleteSite(domain)
  await visitor.go('/panel/papelera')
  await visitor.button('Restaurar… uno.cliente-ana.es').click()
  const into = visitor.dialog.getByLabel('Sitio que recibe los archivos')
  await into.fill('tienda.cliente-ana.es')
  await visitor.dialog.getByText('El sitio tienda.cliente-ana.es ya tiene archivos').waitFor()
  // An address that was pasted is understood.
  await into.fill('https://cliente-ana.es/')
  expect(await into.inputValue()).toBe('cliente-ana.es')
  await visitor.dialog.getByText('Los archivos vuelven a cliente-ana.es').waitFor()
  await visitor.button('Restaurar').click()
  await visitor.dialog.getByText('Restaurado', { exact: true }).waitFor()
  expect(await visited('cliente-ana.es')).toBe('<p>uno.cliente-ana.es')
  await visitor.dialog.getByText('Cerrar', { exact: true }).click()
  await visitor.button('Eliminar definitivamente… dos.cliente-ana.es').click()
  expect(await visitor.button('Eliminar definitivamente').isDisabled()).toBe(true)
  await visitor.field('Escriba dos.cliente-ana.es para confirmar').fill('dos.cliente-ana.es')
  await visitor.button('Eliminar definitivamente').click()
  await visitor.page.getByText('No se ha eliminado ningún sitio ni base de datos').waitFor()
  expect((await panel.api('GET', '/papelera', { bearer: token })).body.datos).toEqual([])
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('a customer is told which settings do not come back, before and afterwards', async () => {
  const call = (method: string, path: string, body?: object) =>
    panel.api(method, path, { bearer: token, ...(body ? { body } : {}) })
  const [domain, alias] = ['ajustes.cliente-ana.es', 'otro.cliente-ana.es']
  const made = await call('POST', '/sitios', { cliente: 'ana', domain, aliases: [alias] })
  writeFileSync(join(made.body.raiz, 'index.html'), '<p>ajustes', { mode: 0o644 })
  await call('PATCH', `/sitios/${domain}`, { protegidas: [{ ruta: '/', usuario: 'ana' }] })
  expect((await call('DELETE', `/sitios/${domain}`)).status).toBe(200)
  for (const name of [domain, alias])
    await call('POST', '/sitios', { cliente: 'ana', domain: name, aliases: [] })
  const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'es-ES' })
  await visitor.go('/panel/papelera')
  await visitor.button(`Restaurar… ${domain}`).click()
  await visitor.dialog.getByText('Esto no vuelve').waitFor()
  await visitor.dialog.getByText(`El nombre ${alias}. Ya lo tiene otro sitio.`).waitFor()
  await visitor.dialog.getByText('rutas protegidas con sus contraseñas').waitFor()
  expect(await visitor.axe()).toEqual([])
  await visitor.button('Restaurar').click()
  await visitor.dialog.getByText('Restaurado', { exact: true }).waitFor()
  await visitor.dialog.getByText('Esto no ha vuelto').waitFor()
  await visitor.dialog.getByText(`El nombre ${alias}. Ya lo tiene otro sitio.`).waitFor()
  const answer = await fetch(`http://127.0.0.1:${panel.httpPort}/`, { headers: { host: domain } })
  expect(answer.status).toBe(401)
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)
