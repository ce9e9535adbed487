import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator } from 'playwright-core'
import { ROOMY } from '../api/people.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { customer, startBrowser, Visitor } from './browser.ts'

/** What a customer does on the screens of a site without knowing how any of it is written. */

setDefaultTimeout(90_000)

const SITE = 'cliente-marta.es'
const FILES = `/panel/sitios/${SITE}/archivos`
const SETTINGS = `/panel/sitios/${SITE}/ajustes`

let panel: Panel
let browser: Browser
let marta: SignedIn
let token: string

beforeAll(async () => {
  ;[panel, browser] = await Promise.all([Panel.start({ env: ROOMY }), startBrowser()])
  token = await newToken(panel, await firstAdmin(panel))
  marta = await customer(panel, token, 'marta')
})
afterAll(async () => {
  await browser.close()
  await panel.stop()
})

const site = async () => (await panel.api('GET', `/sitios/${SITE}`, { bearer: token })).body
const change = (body: object) => panel.api('PATCH', `/sitios/${SITE}`, { bearer: token, body })
const card = ({ page }: Visitor, title: string): Locator =>
  page.locator('section.card', { has: page.getByRole('heading', { name: title, exact: true }) })

async function leave(visitor: Visitor): Promise<void> {
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}

test('a folder whose name has blanks is protected as it is typed', async () => {
  const visitor = await Visitor.come(browser, panel, { as: marta })
  const { dialog, page } = visitor
  await visitor.go(SETTINGS)
  await card(visitor, 'Rutas protegidas').getByRole('button', { name: 'Cambiar' }).click()
  await dialog.getByRole('button', { name: 'Añadir una ruta' }).click()
  await dialog.getByLabel('Ruta', { exact: true }).fill('/fotos de panes/')
  await dialog.getByLabel('Usuario', { exact: true }).fill('marta')
  await dialog.getByRole('button', { name: 'Añadir una ruta' }).click()
  await dialog.getByLabel('Ruta 2', { exact: true }).fill('100 % masa')
  await dialog.getByLabel('Usuario 2', { exact: true }).fill('dos nombres')
  await visitor.button('Guardar').last().click()
  await dialog.locator('[aria-invalid="true"]').waitFor()
  expect(await dialog.getByLabel('Usuario 2', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  expect(await dialog.locator('.mantine-InputWrapper-error').allTextContents()).toEqual([
    'De 1 a 64 letras, cifras, «.», «_», «@» y «-».',
  ])
  expect(await visitor.axe()).toEqual([])
  await dialog.getByLabel('Usuario 2', { exact: true }).fill('ana')
  await dialog.getByRole('button', { name: 'Guardar', exact: true }).click()
  await page.getByText('Guardado.').waitFor()
  const paths = (await site()).protegidas.map(({ ruta, usuario }: Record<string, string>) => [ruta, usuario])
  expect(paths).toEqual([
    ['/100 % masa', 'ana'],
    ['/fotos de panes', 'marta'],
  ])
  await card(visitor, 'Rutas protegidas').getByRole('button', { name: 'Cambiar' }).click()
  await dialog.getByRole('button', { name: 'Quitar la ruta 1' }).click()
  await dialog.getByRole('button', { name: 'Guardar', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await site()).protegidas).toMatchObject([{ ruta: '/fotos de panes', usuario: 'marta' }])
  await change({ protegidas: [] })
  await leave(visitor)
})

test('a folder to protect is named as the screen of files does, or chosen; one that is not there is told', async () => {
  const visitor = await Visitor.come(browser, panel, { as: marta })
  const { dialog, page } = visitor
  const address = `/sitios/${SITE}/archivos/operaciones`
  const body = { operacion: 'carpeta', rutas: ['/public/css', '/public/css/altas', '/public/galería'] }
  await panel.api('POST', address, { bearer: token, body })
  await visitor.go(SETTINGS)
  await card(visitor, 'Rutas protegidas').getByRole('button', { name: 'Cambiar' }).click()
  await dialog.getByLabel('Ruta', { exact: true }).fill('public/css')
  await dialog.getByText('Los visitantes ven esta carpeta en /css: eso es lo que se protege.').waitFor()
  await dialog.getByLabel('Usuario', { exact: true }).fill('marta')
  await dialog.getByRole('button', { name: 'Añadir una ruta' }).click()
  await dialog.getByLabel('Ruta 2', { exact: true }).fill('galeria')
  await dialog.getByText('En public no hay ninguna carpeta /galeria').waitFor()
  await dialog.getByLabel('Usuario 2', { exact: true }).fill('ana')
  expect(await visitor.axe()).toEqual([])
  await dialog.getByRole('button', { name: 'Elegir una carpeta' }).last().click()
  await dialog.getByRole('button', { name: 'galería' }).waitFor()
  await dialog.getByRole('button', { name: 'galería' }).click()
  expect(await dialog.getByLabel('Ruta 2', { exact: true }).inputValue()).toBe('/galería')
  await dialog.getByText('En public no hay').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Guardar', exact: true }).click()
  await page.getByText('Guardado.').waitFor()
  expect((await site()).protegidas.map(({ ruta }: { ruta: string }) => ruta)).toEqual(['/css', '/galería'])
  // By the API anything may be protected, also what only an application answers: the list tells of it.
  await change({ protegidas: [{ ruta: '/public/css', usuario: 'ana' }] })
  await page.reload()
  await card(visitor, 'Rutas protegidas').getByText('No existe en public.').waitFor()
  await change({ protegidas: [] })
  await leave(visitor)
})

test('a redirect is written in fields, and what is wrong stands at the field it is about', async () => {
  await change({ redirecciones: [{ de: '/a b', a: '/c', codigo: 301 }] })
  const visitor = await Visitor.come(browser, panel, { as: marta })
  await visitor.go(SETTINGS)
  const addresses = card(visitor, 'Direcciones')
  expect(await addresses.getByLabel('De', { exact: true }).inputValue()).toBe('/a b')
  await addresses.getByRole('button', { name: 'Añadir una redirección' }).click()
  await addresses.getByLabel('De 2', { exact: true }).fill('/pan de centeno')
  await addresses.getByLabel('A 2', { exact: true }).fill('panes')
  await addresses.getByLabel('Clase 2', { exact: true }).selectOption('Temporal (302)')
  await addresses.getByRole('button', { name: 'Guardar' }).click()
  await addresses.locator('[aria-invalid="true"]').waitFor()
  expect(await addresses.getByLabel('A 2', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await addresses.getByLabel('A 2', { exact: true }).fill('/panes.html')
  await addresses.getByRole('button', { name: 'Guardar' }).click()
  await visitor.page.getByText('Guardado.').waitFor()
  expect((await site()).redirecciones).toEqual([
    { de: '/a b', a: '/c', codigo: 301 },
    { de: '/pan de centeno', a: '/panes.html', codigo: 302 },
  ])
  expect(await visitor.axe()).toEqual([])
  await change({ redirecciones: [] })
  await leave(visitor)
})

test('a folder in which there is nothing is published only on the word of who does it', async () => {
  const visitor = await Visitor.come(browser, panel, { as: marta })
  const { page } = visitor
  await visitor.go(SETTINGS)
  const addresses = card(visitor, 'Direcciones')
  const root = addresses.getByLabel('Carpeta que se publica', { exact: true })
  const save = addresses.getByRole('button', { name: 'Guardar' })
  await root.fill('/public/nueva/')
  await addresses.getByText('No hay ninguna carpeta public/nueva').waitFor()
  await save.click()
  await addresses.getByText('Esta carpeta no existe.').waitFor()
  expect((await site()).raiz_web).toBe('public')
  await addresses.getByRole('button', { name: 'Crear la carpeta' }).click()
  await addresses.getByText('public/nueva está vacía').waitFor()
  await save.click()
  await addresses.getByText('En esta carpeta aún no hay nada.').waitFor()
  expect((await site()).raiz_web).toBe('public')
  expect(await visitor.axe()).toEqual([])
  await addresses.getByLabel('Usarla ya de todos modos').check()
  await save.click()
  await page.getByText('Guardado.').waitFor()
  expect((await site()).raiz_web).toBe('public/nueva')
  await root.fill('web')
  await addresses.getByText('web no existe: se creará, vacía').waitFor()
  await Promise.all([
    page.waitForResponse((answer) => answer.url().includes('ruta=%2Fpublic&')),
    root.fill('public'),
  ])
  await addresses.getByText('web no existe: se creará, vacía').waitFor({ state: 'detached' })
  await save.click()
  await eventually(async () => (await site()).raiz_web === 'public', 'the folder before')
  await leave(visitor)
})

describe('the files', () => {
  test('open in the folder that visitors see, which the settings name', async () => {
    await change({ raiz_web: 'html' })
    const visitor = await Visitor.come(browser, panel, { as: marta })
    const { page } = visitor
    await visitor.go(`/panel/sitios/${SITE}/detalle`)
    await page.getByRole('link', { name: 'Archivos' }).click()
    await page.getByText('Los visitantes ven lo que hay en html.').waitFor()
    const current = page.getByRole('navigation', { name: 'Carpetas hasta aquí' }).locator('[aria-current]')
    expect(await current.textContent()).toBe('html')
    await change({ raiz_web: 'public' })
    await page.reload()
    await page.getByText('Los visitantes ven lo que hay en public.').waitFor()
    expect(await current.textContent()).toBe('public')
    await visitor.button('Archivo nuevo').click()
    await visitor.dialog.getByLabel('Nombre del archivo').fill('hola.txt')
    await visitor.page.keyboard.press('Enter')
    await visitor.dialog.getByRole('textbox', { name: 'Contenido de hola.txt' }).fill('hola')
    await page.keyboard.press('Control+s')
    await page.locator('.notice', { hasText: 'Guardado.' }).waitFor()
    await page.keyboard.press('Escape')
    await leave(visitor)
  })

  test('offer nothing in the folder above that would be refused, and lead to where it is not', async () => {
    const visitor = await Visitor.come(browser, panel, { as: marta })
    const { page, dialog } = visitor
    await visitor.go(FILES)
    await page.getByRole('link', { name: 'La carpeta del sitio' }).click()
    await page.getByText('Aquí no se puede cambiar nada').waitFor()
    const refused = /^(?:Subir|Carpeta nueva|Archivo nuevo|Cambiar el nombre|Mover|Eliminar|Más)/
    expect(await page.locator('main').getByRole('button', { name: refused }).count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Elegir public' }).check()
    await page.getByRole('grid').press('Delete')
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.items.add(new File(['x'], 'index.html'))
      const zone = document.querySelector('.files')
      for (const kind of ['dragover', 'drop'])
        zone?.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }))
    })
    expect(await dialog.count()).toBe(0)
    expect(await page.locator('.files-over').count()).toBe(0)
    expect(await visitor.axe()).toEqual([])
    await page.getByRole('link', { name: 'Abrir public' }).click()
    await visitor.button('Carpeta nueva').waitFor()
    expect(visitor.requests.filter(({ url }) => url.includes('/subidas'))).toEqual([])
    await leave(visitor)
  })
})

describe('the bin', () => {
  test('is asked anew each time it is shown', async () => {
    const domain = `tienda.${SITE}`
    await panel.api('POST', '/sitios', { bearer: token, body: { cliente: 'marta', domain } })
    const made = await panel.api('GET', `/sitios/${domain}`, { bearer: token })
    writeFileSync(join(made.body.raiz, 'index.html'), '<p>tienda', { mode: 0o644 })
    const visitor = await Visitor.come(browser, panel, { as: marta })
    const { page } = visitor
    await visitor.go('/panel/papelera')
    await page.getByText('No se ha eliminado ningún sitio ni base de datos').waitFor()
    await panel.api('DELETE', `/sitios/${domain}`, { bearer: token })
    await visitor.to('/panel/cuenta')
    await visitor.to('/panel/papelera')
    await page.getByRole('cell', { name: `${domain} Sitio` }).waitFor()
    await leave(visitor)
  })

  test('leads to the bins of the sites, where deleted files are', async () => {
    await panel.api('POST', `/sitios/${SITE}/archivos/operaciones`, {
      bearer: token,
      body: { operacion: 'carpeta', rutas: ['/public/menú'] },
    })
    await panel.api('POST', `/sitios/${SITE}/archivos/operaciones`, {
      bearer: token,
      body: { operacion: 'papelera', rutas: ['/public/menú'] },
    })
    const visitor = await Visitor.come(browser, panel, { as: marta })
    await visitor.go('/panel/papelera')
    await visitor.page.getByRole('heading', { name: 'Archivos y carpetas' }).waitFor()
    expect(await visitor.axe()).toEqual([])
    await visitor.page.getByRole('link', { name: SITE, exact: true }).click()
    await visitor.dialog.getByRole('row').filter({ hasText: 'menú' }).waitFor()
    await leave(visitor)
  })
})

test('who chooses another password is told before that passkeys end', async () => {
  await panel.access('/olvido', { correo: marta.email })
  const mail = await panel.mailTo(marta.email, 2)
  expect(mail.text).toContain('Las llaves de acceso que tuviera dejan de servir')
  const visitor = await Visitor.come(browser, panel)
  await visitor.go(`/enlace#${mail.link}`)
  await visitor.page.getByText('Las llaves de acceso que tuviera dejarán de servir').waitFor()
  expect(await visitor.axe()).toEqual([])
  await leave(visitor)
})
