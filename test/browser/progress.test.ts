import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { ROOMY } from '../api/people.ts'
import { plant } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { customer, startBrowser, Visitor } from './browser.ts'

setDefaultTimeout(120_000)

const SITE = 'cliente-ana.es'
/** MariaDB's first start, and restic on a busy machine. */
const LONG_MS = 60_000

let panel: Panel
let browser: Browser
let token: string
let ana: SignedIn

beforeAll(async () => {
  const env = {
    ...ROOMY,
    PANEL_BASES_PORT: String(await freePort()),
    PANEL_MARIADB_PORT: String(await freePort()),
  }
  ;[panel, browser] = await Promise.all([Panel.start({ env }), startBrowser()])
  const admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  ana = await customer(panel, token, 'ana')
  const url = join(panel.dataDir, 'destino')
  mkdirSync(url)
  const body = { tipo: 'carpeta', url, contrasena: 'una frase larga' }
  const { status } = await panel.api('PUT', '/copias/destino', { bearer: admin.bearer, body })
  expect(status).toBe(200)
})
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
})

const content = (ruta: string) => `/sitios/${SITE}/archivos/contenido?ruta=${encodeURIComponent(ruta)}`
const read = async (ruta: string) => (await panel.api('GET', content(ruta), { bearer: token })).body
async function put(ruta: string, raw: string): Promise<void> {
  expect((await panel.api('PUT', content(ruta), { bearer: token, raw })).status).toBeLessThan(300)
}
const isDone = (visitor: Visitor, title: string) =>
  visitor.dialog.getByText(title, { exact: true }).waitFor({ timeout: LONG_MS })

test('a customer copies its client now, restores a file in its place, and undoes that', async () => {
  await put('/public/nota.txt', 'antes')
  const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB' })
  await visitor.go('/panel/copias')
  await visitor.button('Back up now').click()
  await isDone(visitor, 'Done')
  expect(await visitor.axe()).toEqual([])
  await visitor.dialog.getByRole('button', { name: 'Close' }).last().click()
  await put('/public/nota.txt', 'después')
  await visitor
    .button(/^Restore/)
    .first()
    .click()
  await visitor.dialog.getByLabel('Folder or file').fill('/public/nota.txt')
  const [archive] = await Promise.all([
    visitor.page.waitForEvent('download'),
    visitor.dialog.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(archive.suggestedFilename()).toBe('nota.txt.tar.gz')
  await visitor.dialog.getByLabel('Where to').selectOption('sustituir')
  await visitor.dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await isDone(visitor, 'Done')
  expect(await read('/public/nota.txt')).toBe('antes')
  await visitor.dialog.getByRole('button', { name: 'Undo this' }).click()
  await eventually(async () => (await read('/public/nota.txt')) === 'después', 'the undoing', LONG_MS)
  await isDone(visitor, 'Done')
  // What was sent cannot be lost any more.
  await visitor.page.keyboard.press('Escape')
  await visitor.dialog.waitFor({ state: 'detached' })
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
})

test('a file that is gone is put back where it was, found in the copy of a named day', async () => {
  await put('/public/ida.txt', 'de vuelta')
  const { body } = await panel.api('POST', '/clientes/ana/copias', { bearer: token })
  const visitor = await Visitor.come(browser, panel, { as: ana })
  await visitor.go('/panel/copias')
  const list = async () => (await panel.api('GET', '/clientes/ana/copias', { bearer: token })).body
  if ((await list()).en_curso === body.tarea.id)
    await visitor.page.getByText('Se está haciendo una copia').waitFor()
  await eventually(async () => (await list()).en_curso === null, 'the copy', LONG_MS)
  expect((await panel.api('DELETE', content('/public/ida.txt'), { bearer: token })).status).toBe(200)
  await visitor.page.reload()
  await visitor
    .button(/^Restaurar o descargar/)
    .first()
    .click()
  await visitor.page.getByRole('heading', { name: /^Copia del \d/ }).waitFor()
  const where = visitor.dialog.getByLabel('Adónde')
  expect(await where.inputValue()).toBe('aparte')
  await visitor.dialog.getByRole('button', { name: 'Ver el contenido de la copia' }).click()
  await visitor.dialog.getByRole('button', { name: 'Abrir public' }).click()
  await visitor.dialog.getByRole('button', { name: 'Restaurar /public/ida.txt' }).click()
  await visitor.dialog.getByRole('button', { name: 'Restaurar /public/ida.txt', pressed: true }).waitFor()
  await eventually(async () => (await where.inputValue()) === 'sustituir', 'its own place')
  await visitor.dialog.getByText('Ya no está').waitFor()
  expect(await visitor.axe()).toEqual([])
  await visitor.dialog.getByRole('button', { name: 'Restaurar', exact: true }).click()
  await isDone(visitor, 'Hecho')
  expect(await read('/public/ida.txt')).toBe('de vuelta')
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
})

test('a customer imports a dump of this computer, which stays on no site', async () => {
  const body = { cliente: 'ana', base: 'equipo' }
  expect((await panel.api('POST', '/bases', { bearer: token, body })).status).toBeLessThan(300)
  const dump = join(panel.dataDir, 'pedidos.sql')
  writeFileSync(dump, 'CREATE TABLE pedidos (a int);\n-- Dump completed\n')
  const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB' })
  await visitor.go('/panel/bases')
  await visitor.button('Import / Export (.sql) ana_equipo').click()
  const [chooser] = await Promise.all([
    visitor.page.waitForEvent('filechooser'),
    visitor.dialog.getByRole('button', { name: 'Choose a file on this computer' }).click(),
  ])
  await chooser.setFiles(dump)
  const path = visitor.dialog.getByLabel('Path of the file')
  await eventually(async () => /\/public\/pedidos-\w+\.sql$/.test(await path.inputValue()), 'the upload')
  expect(await visitor.axe()).toEqual([])
  await visitor.dialog.getByRole('button', { name: 'Choose one of the site' }).click()
  await visitor.dialog.getByRole('button', { name: /^pedidos-\w+\.sql$/, pressed: true }).waitFor()
  await visitor.dialog.getByRole('button', { name: 'Import it' }).click()
  await isDone(visitor, 'It has been imported.')
  const names = async () => {
    const list = `/sitios/${SITE}/archivos?ruta=/public`
    const { datos } = (await panel.api('GET', list, { bearer: token })).body
    return datos.map(({ nombre }: { nombre: string }) => nombre)
  }
  await eventually(async () => !(await names()).some((name: string) => name.startsWith('pedidos')), 'its end')
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
})

test('a customer loads a dump and is told when it is done, or that it was refused and nothing changed', async () => {
  const body = { cliente: 'ana', base: 'tienda' }
  expect((await panel.api('POST', '/bases', { bearer: token, body })).status).toBeLessThan(300)
  await put('/public/bien.sql', 'CREATE TABLE t (a int);\n-- Dump completed\n')
  await put('/public/mal.sql', 'USE mysql;\n-- Dump completed\n')
  const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB' })
  for (const [file, told] of [
    ['bien', 'It has been imported.'],
    [
      'mal',
      'The dump names another database, or does what a client may not do. Make it of one database alone, without its name.',
    ],
  ] as const) {
    await visitor.go('/panel/bases')
    await visitor.button('Import / Export (.sql) ana_tienda').click()
    await visitor.dialog.getByLabel('Path of the file').fill(`/sitios/${SITE}/public/${file}.sql`)
    await visitor.dialog.getByRole('button', { name: 'Import it' }).click()
    await isDone(visitor, told)
    expect(await visitor.axe()).toEqual([])
  }
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
})

test('a damaged copy is shown as that, and says so before anything of it is restored', async () => {
  const spoilt = `update copies set state = 'danada', parts = (select json_group_array(json_set(value, '$.damaged', json('true')))
    from json_each(parts)) where id = (select max(id) from copies)`
  plant(panel, spoilt)
  const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB' })
  await visitor.go('/panel/copias')
  await visitor.page.getByText('Damaged', { exact: true }).first().waitFor()
  await visitor.page
    .getByRole('button', { name: /^Restore or download/ })
    .first()
    .click()
  await visitor.dialog.getByText('Take another backup', { exact: false }).waitFor()
  expect(await visitor.axe()).toEqual([])
  await visitor.dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await visitor.dialog.getByText('This copy is damaged', { exact: false }).waitFor()
})
