import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { ROOMY } from '../api/people.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { customer, startBrowser, Visitor } from './browser.ts'
import { overflow } from './overflow.ts'

setDefaultTimeout(90_000)

const SITE = 'cliente-ana.es'
const FILES = `/panel/sitios/${SITE}/archivos`

let panel: Panel
let browser: Browser
let admin: SignedIn
let ana: SignedIn
let token: string
/** The folder of Ana's site on the disk. */
let folder: string

beforeAll(async () => {
  const env = { ...ROOMY, PANEL_BASES_PORT: String(await freePort()) }
  ;[panel, browser] = await Promise.all([Panel.start({ env }), startBrowser()])
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  ana = await customer(panel, token, 'ana')
  const site = await panel.api('GET', `/sitios/${SITE}`, { bearer: token })
  folder = join(site.body.raiz, '..')
})
afterAll(async () => {
  await browser.close()
  await panel.stop()
})

const content = (ruta: string) => `/sitios/${SITE}/archivos/contenido?ruta=${encodeURIComponent(ruta)}`
const put = async (ruta: string, raw: string | Uint8Array) => {
  const { status, body } = await panel.api('PUT', content(ruta), { bearer: token, raw })
  if (status >= 300) throw new Error(`${ruta}: ${JSON.stringify(body)}`)
}
const read = async (ruta: string) => (await panel.api('GET', content(ruta), { bearer: token })).body
const operate = (body: object) =>
  panel.api('POST', `/sitios/${SITE}/archivos/operaciones`, { bearer: token, body })
const names = async (ruta: string): Promise<string[]> => {
  const { body } = await panel.api('GET', `/sitios/${SITE}/archivos?ruta=${encodeURIComponent(ruta)}`, {
    bearer: token,
  })
  return body.datos.map(({ nombre }: { nombre: string }) => nombre)
}
const row = ({ page }: Visitor, name: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: new RegExp(`: ${RegExp.escape(name)}$`) }) })

/** Comes to a folder of the site that has these files, and nothing else. */
async function at(path: string, files: Record<string, string>, as = ana): Promise<Visitor> {
  await operate({ operacion: 'carpeta', rutas: [path] })
  for (const [name, text] of Object.entries(files)) await put(`${path}/${name}`, text)
  const visitor = await Visitor.come(browser, panel, { as })
  await visitor.go(`${FILES}?ruta=${path}`)
  return visitor
}
const told = ({ page }: Visitor, text: string) => page.locator('.notice', { hasText: text }).waitFor()
const choose = (visitor: Visitor, name: string) => row(visitor, name).getByRole('checkbox').check()
/** What is not whole yet. */
const staged = () => readdirSync(join(folder, '.controlpanel'))
/** Nothing was refused by the page's policy, and no script failed. */
async function leave(visitor: Visitor): Promise<void> {
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}

describe('a customer', () => {
  test('comes to the files from the site, through its folders and back', async () => {
    await operate({ operacion: 'carpeta', rutas: ['/public/uno'] })
    await operate({ operacion: 'carpeta', rutas: ['/public/uno/dos'] })
    const visitor = await Visitor.come(browser, panel, { as: ana })
    await visitor.go(`/panel/sitios/${SITE}/detalle`)
    await visitor.page.getByRole('link', { name: 'Archivos' }).click()
    for (const name of ['public', 'uno', 'dos']) await row(visitor, name).getByRole('button').click()
    await visitor.page.getByText('Esta carpeta está vacía').waitFor()
    expect(new URL(visitor.page.url()).searchParams.get('ruta')).toBe('/public/uno/dos')
    await visitor.page.getByRole('navigation', { name: 'Carpetas hasta aquí' }).getByText('public').click()
    await row(visitor, 'uno').waitFor()
    await visitor.page.goBack()
    await visitor.page.getByText('Esta carpeta está vacía').waitFor()
    await visitor.go(`${FILES}?ruta=/no-existe`)
    await visitor.page.getByText('No existe ese archivo o carpeta.').waitFor()
    await leave(visitor)
  })

  test('makes, renames, copies, moves, restricts and deletes', async () => {
    const visitor = await at('/public/orden', { 'a.txt': 'a', 'b.txt': 'b' })
    const { dialog } = visitor
    await visitor.button('Carpeta nueva').click()
    await dialog.getByLabel('Nombre de la carpeta').fill('a.txt')
    await dialog.getByText('Ese nombre ya existe aquí.').waitFor()
    await dialog.getByLabel('Nombre de la carpeta').fill('dentro')
    await dialog.getByRole('button', { name: 'Crear' }).click()
    await told(visitor, 'dentro creado.')
    await row(visitor, 'dentro').waitFor()
    await choose(visitor, 'a.txt')
    await visitor.page.getByText('2 elegidos').waitFor()
    await row(visitor, 'dentro').getByRole('checkbox').uncheck()
    await visitor.button('Cambiar el nombre').click()
    await dialog.getByLabel('Nombre nuevo').fill('dentro')
    await dialog.getByText('Ese nombre ya existe aquí.').waitFor()
    await dialog.getByLabel('Nombre nuevo').fill('ñandú & co.txt')
    await dialog.getByRole('button', { name: 'Cambiar el nombre' }).click()
    await told(visitor, 'Nombre cambiado.')
    await visitor.button('Copiar').click()
    await dialog.getByRole('button', { name: 'Copiar aquí' }).click()
    await told(visitor, 'Copiado.')
    // What was made is chosen once it is listed.
    await row(visitor, 'ñandú & co (2).txt').getByRole('checkbox', { checked: true }).waitFor()
    await choose(visitor, 'b.txt')
    await visitor.button('Mover').click()
    await dialog.getByRole('button', { name: 'dentro' }).click()
    await dialog.getByRole('button', { name: 'Mover aquí' }).click()
    await told(visitor, 'Movido.')
    expect(await names('/public/orden')).toEqual(['dentro', 'ñandú & co.txt'])
    expect(await names('/public/orden/dentro')).toEqual(['b.txt', 'ñandú & co (2).txt'])
    await row(visitor, 'ñandú & co.txt').locator('.file-time').click()
    await visitor.button('Más').click()
    await visitor.page.getByRole('menuitem', { name: 'Permisos' }).click()
    await dialog.getByRole('group', { name: 'Servidor web' }).getByLabel('leer').uncheck()
    expect(await dialog.getByLabel('Como número').inputValue()).toBe('0600')
    await dialog.getByRole('button', { name: 'Permisos' }).click()
    await told(visitor, 'Permisos guardados.')
    await row(visitor, 'ñandú & co.txt').getByText('0600').waitFor()
    await visitor.button('Eliminar').click()
    await dialog.getByLabel('Eliminar del todo').check()
    await dialog.getByText('No se puede deshacer').waitFor()
    await dialog.getByLabel('Eliminar del todo').uncheck()
    await dialog.getByText('Va a la papelera').waitFor()
    await dialog.getByRole('button', { name: 'Eliminar' }).click()
    await told(visitor, 'Eliminado.')
    expect(await names('/public/orden')).toEqual(['dentro'])
    await leave(visitor)
  })

  test('finds a file by its name, and brings one back from the bin beside what has its name by now', async () => {
    const visitor = await at('/public/busca', { 'a.txt': 'viejo' })
    const { dialog, page } = visitor
    await put('/public/busca/b.txt', 'sobra')
    await operate({ operacion: 'papelera', rutas: ['/public/busca/b.txt', '/public/busca/a.txt'] })
    await put('/public/busca/a.txt', 'nuevo')
    await visitor.button('Papelera').click()
    const entry = dialog.getByRole('row').filter({ hasText: 'a.txt' })
    await entry.getByRole('button', { name: 'Restaurar' }).click()
    await dialog.getByRole('button', { name: 'Restaurar' }).click()
    await dialog.getByText('Ya existe.').waitFor()
    await dialog.getByLabel('Restaurar como').fill('/public/busca/hondo/Antiguo.txt')
    await dialog.getByRole('button', { name: 'Restaurar' }).click()
    await told(visitor, 'Restaurado.')
    await dialog.getByRole('button', { name: 'Vaciar la papelera' }).click()
    await dialog.getByRole('button', { name: 'Vaciar la papelera' }).click()
    await dialog.getByText('La papelera está vacía').first().waitFor()
    await page.keyboard.press('Escape')
    await visitor.go(FILES)
    await page.getByLabel('Buscar por nombre').fill('ANTIG')
    const found = page.getByRole('table', { name: 'Archivos encontrados' })
    await found.getByRole('button', { name: 'Antiguo.txt' }).click()
    await dialog.getByRole('textbox', { name: 'Contenido de Antiguo.txt' }).waitFor()
    await page.keyboard.press('Escape')
    await found.getByRole('button', { name: '/public/busca/hondo' }).click()
    await row(visitor, 'Antiguo.txt').waitFor()
    expect([await page.getByLabel('Buscar por nombre').inputValue(), staged()]).toEqual(['', []])
    await leave(visitor)
  })

  test('packs and unpacks', async () => {
    const visitor = await at('/public/paquete', { 'a.txt': 'uno', 'b.txt': 'dos' })
    const { dialog, page } = visitor
    await choose(visitor, 'a.txt')
    await choose(visitor, 'b.txt')
    await visitor.button('Más').click()
    await page.getByRole('menuitem', { name: 'Comprimir' }).click()
    await dialog.getByLabel('Formato').selectOption('.tar.gz')
    await dialog.getByRole('button', { name: 'Comprimir' }).click()
    await told(visitor, 'paquete.tar.gz creado.')
    await row(visitor, 'paquete.tar.gz').locator('.file-time').click()
    await visitor.button('Más').click()
    await page.getByRole('menuitem', { name: 'Extraer' }).click()
    await dialog.getByRole('button', { name: 'Extraer' }).click()
    await told(visitor, 'Extraído en paquete.')
    expect(await names('/public/paquete/paquete')).toEqual(['a.txt', 'b.txt'])
    await put('/public/paquete/falso.zip', 'no zip')
    await page.reload()
    await row(visitor, 'falso.zip').locator('.file-time').click()
    await visitor.button('Más').click()
    await page.getByRole('menuitem', { name: 'Extraer' }).click()
    await dialog.getByRole('button', { name: 'Extraer' }).click()
    await dialog.getByText('La ruta no es válida').waitFor()
    await leave(visitor)
  })

  test('downloads a file by its name, and a folder as a ZIP', async () => {
    const visitor = await at('/public/bajar', { 'año 1.html': '<b>año</b>' })
    const download = async (name: string) => {
      const [got] = await Promise.all([visitor.page.waitForEvent('download'), visitor.button(name).click()])
      return { name: got.suggestedFilename(), bytes: readFileSync(await got.path()) }
    }
    await choose(visitor, 'año 1.html')
    expect(await download('Descargar')).toEqual({ name: 'año 1.html', bytes: Buffer.from('<b>año</b>') })
    await visitor.to(`${FILES}?ruta=/public`)
    await choose(visitor, 'bajar')
    const zip = await download('Descargar como ZIP')
    writeFileSync(join(panel.dataDir, 'bajar.zip'), zip.bytes)
    const env = { LC_ALL: 'C.UTF-8' }
    const { stdout } = spawnSync('/usr/bin/bsdtar', ['-xOf', join(panel.dataDir, 'bajar.zip')], { env })
    expect([zip.name, stdout.toString()]).toEqual(['bajar.zip', '<b>año</b>'])
    await leave(visitor)
  })
})

test('work that takes long is followed on every screen, and given up', async () => {
  const visitor = await at('/public/largo', {})
  await put('/public/largo/grande.bin', '')
  const noise = Buffer.alloc(16 * 1024 * 1024)
  for (let from = 0; from < noise.length; from += 65536)
    crypto.getRandomValues(noise.subarray(from, from + 65536))
  for (let part = 0; part < 32; part++) appendFileSync(join(folder, 'public/largo/grande.bin'), noise)
  await visitor.page.reload()
  await choose(visitor, 'grande.bin')
  await visitor.button('Más').click()
  await visitor.page.getByRole('menuitem', { name: 'Comprimir' }).click()
  await visitor.dialog.getByRole('button', { name: 'Comprimir' }).click()
  const strip = visitor.page.getByRole('region', { name: 'Transferencias' })
  await strip.waitFor()
  await visitor.to('/panel/bases')
  await strip.getByRole('button', { name: /^Cancelar: Comprimir/ }).click()
  await told(visitor, 'Cancelado: Comprimir')
  expect([await names('/public/largo'), staged()]).toEqual([['grande.bin'], []])
  await leave(visitor)
})

test('a database is downloaded as a dump', async () => {
  const body = { cliente: 'ana', base: 'tienda' }
  expect((await panel.api('POST', '/bases', { bearer: token, body })).status).toBe(201)
  const visitor = await Visitor.come(browser, panel, { as: ana })
  await visitor.go('/panel/bases')
  await visitor.button('Conectar ana_tienda').click()
  const [got] = await Promise.all([
    visitor.page.waitForEvent('download'),
    visitor.dialog.getByRole('button', { name: 'Descargar un volcado' }).click(),
  ])
  const sql = gunzipSync(readFileSync(await got.path())).toString()
  expect([got.suggestedFilename(), sql.includes('-- Dump completed')]).toEqual(['ana_tienda.sql.gz', true])
  expect(await visitor.axe()).toEqual([])
  await leave(visitor)
})

test('a database is loaded from a dump, looked into and changed in Adminer, and deleted once its name is typed', async () => {
  await put('/public/copia.sql', 'create table cosas (id int primary key, nombre varchar(20));')
  await put('/public/mala.sql', 'create table cosas (id nada);')
  const visitor = await Visitor.come(browser, panel, { as: ana })
  const { page, dialog } = visitor
  await visitor.go('/panel/bases')
  await visitor.button('Base de datos nueva').click()
  await dialog.getByLabel('Nombre').fill('blog')
  await dialog.getByRole('button', { name: 'Crear la base de datos' }).click()
  const line = page.getByRole('row').filter({ hasText: 'ana_blog' })
  await line.getByText('Activa').waitFor()
  await visitor.button('Conectar ana_blog').click()
  await dialog.getByRole('button', { name: 'Cuenta nueva' }).click()
  await dialog.getByLabel('Cuenta').fill('informes')
  await dialog.getByRole('button', { name: 'Crear la cuenta' }).click()
  await dialog.getByText('ana_informes').waitFor()
  await visitor.go('/panel/bases')
  const load = async (path: string) => {
    await visitor.button('Cargar un volcado ana_blog').click()
    await dialog.getByLabel('Ruta del volcado').fill(path)
    await dialog.getByRole('button', { name: 'Cargarlo' }).click()
  }
  await load(`/sitios/${SITE}/public/mala.sql`)
  await dialog.getByText('línea 1').waitFor()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await load(`/sitios/${SITE}/public/copia.sql`)
  await dialog.getByText('El volcado se ha cargado.').waitFor()
  expect(await visitor.axe()).toEqual([])
  await dialog.getByRole('button', { name: 'Cerrar' }).last().click()
  await visitor.button('Conectar ana_blog').click()
  await dialog.getByRole('button', { name: 'Abrir en Adminer' }).click()
  await page.getByRole('link', { name: 'cosas', exact: true }).first().waitFor()
  await page.goto(`${page.url().split('?')[0]}?edit=cosas`)
  await page.locator('input[name="fields[id]"]').fill('41')
  await page.locator('[name="fields[nombre]"]').fill('una cosa')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await page.getByRole('cell', { name: 'una cosa' }).waitFor()
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await page.getByText('La sesión ha terminado').waitFor()
  await visitor.go('/panel/bases')
  await visitor.button('Eliminar ana_blog').click()
  const remove = dialog.getByRole('button', { name: 'Eliminar la base de datos' })
  expect(await remove.isDisabled()).toBe(true)
  await dialog.getByLabel('Escriba ana_blog para confirmar').fill('ana_blog')
  await remove.click()
  await line.waitFor({ state: 'detached' })
  await leave(visitor)
})

describe('a text', () => {
  test('is edited, with the ends of its lines as they were', async () => {
    const visitor = await at('/public/texto', { 'w.ini': 'a=1\r\nb=2\r\n' })
    const { page, dialog } = visitor
    await row(visitor, 'w.ini').getByRole('button').click()
    const field = dialog.getByLabel('Contenido de w.ini')
    await field.fill('a=1\nb=3 ñ\n')
    await page.keyboard.press('Control+s')
    await told(visitor, 'Guardado.')
    expect(await read('/public/texto/w.ini')).toBe('a=1\r\nb=3 ñ\r\n')
    await field.fill('sin guardar')
    await page.keyboard.press('Escape')
    await dialog.getByText('¿Cerrar? Se perdería lo escrito.').waitFor()
    await dialog.getByRole('button', { name: 'Seguir aquí' }).click()
    await page.goBack()
    await dialog.getByText('¿Cerrar? Se perdería lo escrito.').waitFor()
    await dialog.getByRole('button', { name: 'Cerrar de todos modos' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(FILES)
    expect(await read('/public/texto/w.ini')).toBe('a=1\r\nb=3 ñ\r\n')
    await leave(visitor)
  })

  test('has the colours of its language and a search of its own, and Tab leaves it', async () => {
    const visitor = await at('/public/color', { 'c.php': '<?php\n// nota\necho "hola";\n' })
    const { page, dialog } = visitor
    await row(visitor, 'c.php').getByRole('button').click()
    const line = dialog.locator('.cm-line', { hasText: 'echo' })
    const colours = () =>
      line.locator('span').evaluateAll((all) => all.map((one) => getComputedStyle(one).color))
    await eventually(async () => new Set(await colours()).size > 1, 'the colours of PHP')
    await dialog.getByLabel('Contenido de c.php').press('Control+f')
    await dialog.getByLabel('Buscar').fill('hola')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Buscar').waitFor({ state: 'detached' })
    expect([await dialog.count(), await visitor.axe()]).toEqual([1, []])
    await dialog.getByLabel('Contenido de c.php').press('Tab')
    const left = () => page.evaluate(() => document.activeElement?.classList.contains('code') === false)
    await eventually(left, 'the focus to leave the editor')
    await leave(visitor)
  })

  test('that somebody else changed meanwhile is never overwritten unasked', async () => {
    const visitor = await at('/public/dos', { 'p.html': 'primero' })
    const { dialog } = visitor
    await row(visitor, 'p.html').getByRole('button').click()
    const field = dialog.getByLabel('Contenido de p.html')
    await field.fill('lo mío')
    await put('/public/dos/p.html', 'lo de otro')
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    await dialog.getByText('Alguien ha cambiado este archivo entretanto').waitFor()
    expect(await dialog.getByLabel('Lo que contiene ahora').inputValue()).toBe('lo de otro')
    expect(await field.textContent()).toBe('lo mío')
    expect(await visitor.axe()).toEqual([])
    expect(await read('/public/dos/p.html')).toBe('lo de otro')
    await dialog.getByRole('button', { name: 'Quedarme con lo otro' }).click()
    expect(await field.textContent()).toBe('lo de otro')
    await field.fill('lo mío otra vez')
    await put('/public/dos/p.html', 'otra vez lo de otro')
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    await dialog.getByRole('button', { name: 'Guardar lo mío encima' }).click()
    await told(visitor, 'Guardado.')
    expect(await read('/public/dos/p.html')).toBe('lo mío otra vez')
    await leave(visitor)
  })

  test('that is new is there once it is saved; what is no text is not edited', async () => {
    const visitor = await at('/public/nuevo', { 'datos.txt': 'a\0b' })
    const { dialog } = visitor
    await row(visitor, 'datos.txt').getByRole('button').click()
    await dialog.getByText('No se puede mostrar aquí').waitFor()
    await visitor.page.keyboard.press('Escape')
    await visitor.button('Archivo nuevo').click()
    await dialog.getByLabel('Nombre del archivo').fill('index.php')
    await dialog.getByRole('button', { name: 'Continuar' }).click()
    const field = dialog.getByLabel('Contenido de index.php')
    await field.fill('<?php')
    expect(await names('/public/nuevo')).toEqual(['datos.txt'])
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    await told(visitor, 'Guardado.')
    await visitor.page.keyboard.press('Escape')
    await row(visitor, 'index.php').waitFor()
    expect(await read('/public/nuevo/index.php')).toBe('<?php')
    await leave(visitor)
  })

  test('of a page or a drawing runs nothing; a picture is drawn', async () => {
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title="x"</script></svg>'
    const visitor = await at('/public/ver', {
      'a.svg': script,
      'b.html': '<script>document.title="x"</script>',
    })
    await put('/public/ver/c.png', PIXEL)
    await visitor.page.reload()
    for (const name of ['a.svg', 'b.html']) {
      await row(visitor, name).getByRole('button').click()
      const field = visitor.dialog.getByLabel(`Contenido de ${name}`)
      expect(await field.textContent()).toContain('<script>')
      await visitor.page.keyboard.press('Escape')
      await visitor.dialog.waitFor({ state: 'detached' })
    }
    await row(visitor, 'c.png').getByRole('button').click()
    const drawn = visitor.dialog.getByRole('img', { name: 'Imagen c.png' })
    await drawn.waitFor()
    expect(await drawn.evaluate((canvas: HTMLCanvasElement) => [canvas.width, canvas.height])).toEqual([1, 1])
    expect(await visitor.page.title()).not.toBe('x')
    await leave(visitor)
  })
})

/** A red point. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)

describe('an upload', () => {
  const BIG = 100 * 1024 * 1024

  /** Files of this machine for the upload's field. */
  const own = (name: string, bytes: Uint8Array | string) => {
    const path = join(panel.dataDir, name)
    writeFileSync(path, bytes)
    return path
  }
  const send = ({ page }: Visitor, paths: string[]) => page.locator('input[type=file]').setInputFiles(paths)

  test('of 100 MB that is cut goes on where it was, and is whole', async () => {
    const visitor = await at('/public/subir', {})
    const { page, context } = visitor
    const path = own('grande.bin', crypto.getRandomValues(Buffer.alloc(65536)))
    spawnSync('/usr/bin/truncate', ['-s', String(BIG), path])
    const line = await context.newCDPSession(page)
    await line.send('Network.enable')
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 25 * 1024 * 1024 }
    await line.send('Network.emulateNetworkConditions', slow)
    const offsets: number[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
    })
    await send(visitor, [path])
    await eventually(async () => offsets.some((offset) => offset > 0), 'the second part')
    await line.send('Network.emulateNetworkConditions', { ...slow, offline: true })
    const before = Math.max(...offsets)
    await page.getByRole('region', { name: 'Transferencias' }).getByText('grande.bin').waitFor()
    expect(await names('/public/subir')).toEqual([])
    await line.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
    await row(visitor, 'grande.bin').waitFor({ timeout: 60_000 })
    expect(offsets.filter((offset) => offset === 0).length).toBe(1)
    expect(before).toBeGreaterThan(0)
    const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
    expect(hash(join(folder, 'public/subir/grande.bin'))).toBe(hash(path))
    expect(statSync(join(folder, 'public/subir/grande.bin')).size).toBe(BIG)
    await visitor.leave()
  })

  test('of a name that is taken asks first; a cancelled one leaves nothing', async () => {
    const visitor = await at('/public/tomado', { 'a.txt': 'viejo', 'b.txt': 'viejo' })
    const { page, context } = visitor
    const strip = page.getByRole('region', { name: 'Transferencias' })
    await send(visitor, [own('a.txt', 'nuevo'), own('b.txt', 'nuevo'), own('vacio.txt', '')])
    await strip.getByText('Ya hay un archivo con ese nombre.').nth(1).waitFor()
    await row(visitor, 'vacio.txt').waitFor()
    expect(await visitor.axe()).toEqual([])
    const line = (name: string) => strip.getByRole('listitem').filter({ hasText: name })
    await line('a.txt').getByRole('button', { name: 'Sustituirlo' }).click()
    await line('b.txt').getByRole('button', { name: 'Omitirlo' }).click()
    await strip.waitFor({ state: 'detached' })
    expect([await read('/public/tomado/a.txt'), await read('/public/tomado/b.txt')]).toEqual([
      'nuevo',
      'viejo',
    ])
    const cdp = await context.newCDPSession(page)
    await cdp.send('Network.enable')
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1024 * 1024 }
    await cdp.send('Network.emulateNetworkConditions', slow)
    await send(visitor, [own('c.bin', new Uint8Array(40 * 1024 * 1024))])
    await strip.getByText(/MiB de 40/).waitFor()
    await strip.getByRole('button', { name: 'Cancelar: c.bin' }).click()
    await strip.waitFor({ state: 'detached' })
    await eventually(async () => staged().length === 0, 'nothing left of it')
    expect(await names('/public/tomado')).toEqual(['a.txt', 'b.txt', 'vacio.txt'])
    await leave(visitor)
  })

  test('of a folder that is dropped makes it with all that is in it', async () => {
    const visitor = await at('/public/soltar', {})
    const dropped = join(panel.dataDir, 'carpeta')
    mkdirSync(join(dropped, 'interior'), { recursive: true })
    writeFileSync(join(dropped, 'uno.txt'), '1')
    writeFileSync(join(dropped, 'interior/dos.txt'), '2')
    const line = await visitor.context.newCDPSession(visitor.page)
    const data = { items: [], files: [dropped, own('suelto.txt', '3')], dragOperationsMask: 1 }
    const place = { x: 700, y: 330, data }
    await line.send('Input.dispatchDragEvent', { type: 'dragEnter', ...place })
    await line.send('Input.dispatchDragEvent', { type: 'dragOver', ...place })
    await line.send('Input.dispatchDragEvent', { type: 'drop', ...place })
    await row(visitor, 'suelto.txt').waitFor()
    await eventually(
      async () => (await names('/public/soltar/carpeta/interior')).length > 0,
      'the inner file',
    )
    expect([
      await names('/public/soltar'),
      await names('/public/soltar/carpeta'),
      await read('/public/soltar/carpeta/interior/dos.txt'),
    ]).toEqual([['carpeta', 'suelto.txt'], ['interior', 'uno.txt'], '2'])
    await leave(visitor)
  })
})

test('an admin does without a mouse: choose, rename, open, go up, delete', async () => {
  const visitor = await at('/public/teclas', { 'a.txt': '1', 'b.txt': '2', 'c.txt': '3' }, admin)
  const { page, dialog } = visitor
  const list = page.getByRole('grid', { name: 'Archivos' })
  await list.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('F2')
  await dialog.getByLabel('Nombre nuevo').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('z.txt')
  await page.keyboard.press('Enter')
  await told(visitor, 'Nombre cambiado.')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /z\.txt/ }).waitFor()
  const isBack = () => list.evaluate((one) => one.contains(document.activeElement))
  await eventually(isBack, 'the focus on the list again')
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('2 elegidos').waitFor()
  await page.keyboard.press('Delete')
  await dialog.getByRole('button', { name: 'Eliminar' }).focus()
  await page.keyboard.press('Enter')
  await told(visitor, 'Eliminado.')
  expect(await names('/public/teclas')).toEqual(['z.txt'])
  await dialog.waitFor({ state: 'detached' })
  await list.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Contenido de z.txt').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await eventually(isBack, 'the focus on the list after the editor')
  await page.keyboard.press('Backspace')
  await row(visitor, 'teclas').waitFor()
  await page.keyboard.press('Enter')
  await row(visitor, 'z.txt').waitFor()
  expect(new URL(page.url()).searchParams.get('ruta')).toBe('/public/teclas')
  await leave(visitor)
})

test('a folder of 5,000 names has only those in sight in the page', async () => {
  const visitor = await at('/public/muchos', {})
  const { uid, gid } = statSync(join(folder, 'public'))
  const code = 'for ($i = 0; $i < 5000; $i++) touch(sprintf("n%05d.txt", $i));'
  const user = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', 'php8.2', '-r', code]
  expect(spawnSync('/usr/bin/setpriv', user, { cwd: join(folder, 'public/muchos') }).status).toBe(0)
  await visitor.page.reload()
  await row(visitor, 'n00000.txt').waitFor()
  const list = visitor.page.getByRole('grid')
  const scrolled = async () => {
    await list.evaluate((box) => {
      box.scrollTop = box.scrollHeight
    })
    return (await row(visitor, 'n04999.txt').count()) > 0
  }
  await eventually(scrolled, 'the last page', 60_000)
  expect(await visitor.page.getByRole('row').count()).toBeLessThan(80)
  expect(await visitor.axe()).toEqual([])
  await leave(visitor)
})

test('nothing is wider than a phone, with names of every length', async () => {
  const long = `${'nombre-muy-largo-'.repeat(12)}.html`
  await (await at('/public/estrecho', { [long]: 'x', 'a.txt': 'x' })).leave()
  const visitor = await Visitor.come(browser, panel, { as: ana, locale: 'en-GB', width: 360, height: 740 })
  await visitor.go(`${FILES}?ruta=/public/estrecho`)
  await choose(visitor, long)
  expect([await overflow(visitor.page), await visitor.axe()]).toEqual([0, []])
  for (const name of ['Move', 'Rename', 'Delete']) {
    await visitor.button(name).click()
    await visitor.dialog.waitFor()
    expect([name, await overflow(visitor.page), await visitor.axe()]).toEqual([name, 0, []])
    await visitor.page.keyboard.press('Escape')
    await visitor.dialog.waitFor({ state: 'detached' })
  }
  await row(visitor, 'a.txt').getByRole('button').click()
  await visitor.dialog.getByLabel('Content of a.txt').waitFor()
  expect([await overflow(visitor.page), await visitor.axe()]).toEqual([0, []])
  await leave(visitor)
})
