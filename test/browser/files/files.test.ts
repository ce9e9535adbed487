import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { freePort } from '../../support/ports.ts'
import { eventually } from '../../support/wait.ts'
import { overflow } from '../overflow.ts'
import { choose, FILES, type FilesSite, leave, row, SITE, startFiles, told } from './site.ts'

setDefaultTimeout(90_000)

let site: FilesSite

beforeAll(async () => {
  site = await startFiles({ PANEL_BASES_PORT: String(await freePort()) })
})
afterAll(() => site?.stop())

describe('a customer', () => {
  test('comes to the files from the site, through its folders and back', async () => {
    await site.operate({ operacion: 'carpeta', rutas: ['/public/uno'] })
    await site.operate({ operacion: 'carpeta', rutas: ['/public/uno/dos'] })
    const visitor = await site.visit()
    await visitor.go(`/panel/sitios/${SITE}/detalle`)
    await visitor.page.getByRole('link', { name: 'Archivos', exact: true }).click()
    for (const name of ['uno', 'dos']) await row(visitor, name).getByRole('button').click()
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
    const visitor = await site.at('/public/orden', { 'a.txt': 'a', 'b.txt': 'b' })
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
    expect(await site.names('/public/orden')).toEqual(['dentro', 'ñandú & co.txt'])
    expect(await site.names('/public/orden/dentro')).toEqual(['b.txt', 'ñandú & co (2).txt'])
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
    expect(await site.names('/public/orden')).toEqual(['dentro'])
    await leave(visitor)
  })

  test('brings back all that was put into the bin at once, and names what is in the way', async () => {
    const names = Array.from({ length: 13 }, (_, n) => `pieza-${n}.html`)
    const visitor = await site.at('/public/vaciada', Object.fromEntries(names.map((name) => [name, name])))
    const { dialog } = visitor
    await site.operate({ operacion: 'vaciar' })
    const binned = names.map((name) => `/public/vaciada/${name}`)
    await site.operate({ operacion: 'papelera', rutas: binned })
    await site.put('/public/vaciada/pieza-3.html', 'otra')
    await visitor.button('Papelera').click()
    await dialog.getByRole('row').filter({ hasText: 'pieza-12.html' }).waitFor()
    await dialog.getByRole('button', { name: 'Elegir todo' }).click()
    expect(await visitor.axe()).toEqual([])
    await dialog.getByRole('button', { name: 'Restaurar lo elegido' }).click()
    await dialog.getByText('/public/vaciada/pieza-3.html: Ya existe.').waitFor()
    await told(visitor, 'Restaurados: 12')
    expect((await site.names('/public/vaciada')).length).toBe(13)
    expect([await site.read(binned[3] ?? ''), await site.read(binned[4] ?? '')]).toEqual([
      'otra',
      'pieza-4.html',
    ])
    await dialog.getByRole('checkbox', { name: 'Seleccionar pieza-3.html' }).check()
    await dialog.getByRole('button', { name: 'Eliminar lo elegido' }).click()
    await dialog.getByText('No se puede deshacer').waitFor()
    await dialog.getByRole('button', { name: 'Eliminar del todo' }).click()
    await dialog.getByText('La papelera está vacía').first().waitFor()
    await leave(visitor)
  })

  test('finds a file by its name, and brings one back from the bin beside what has its name by now', async () => {
    const visitor = await site.at('/public/busca', { 'a.txt': 'viejo' })
    const { dialog, page } = visitor
    await site.put('/public/busca/b.txt', 'sobra')
    await site.operate({ operacion: 'papelera', rutas: ['/public/busca/b.txt', '/public/busca/a.txt'] })
    await site.put('/public/busca/a.txt', 'nuevo')
    await visitor.button('Papelera').click()
    const entry = dialog.getByRole('row').filter({ hasText: 'a.txt' })
    // Where it was is asked about only since that is taken.
    await entry.getByRole('button', { name: 'Restaurar' }).click()
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
    expect([await page.getByLabel('Buscar por nombre').inputValue(), site.staged()]).toEqual(['', []])
    await leave(visitor)
  })

  test('packs and unpacks', async () => {
    const visitor = await site.at('/public/paquete', { 'a.txt': 'uno', 'b.txt': 'dos' })
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
    await dialog.getByLabel('En una carpeta propia').check()
    await dialog.getByRole('button', { name: 'Extraer' }).click()
    await told(visitor, 'Extraído en paquete.')
    expect(await site.names('/public/paquete/paquete')).toEqual(['a.txt', 'b.txt'])
    await site.put('/public/paquete/falso.zip', 'no zip')
    await page.reload()
    await row(visitor, 'falso.zip').locator('.file-time').click()
    await visitor.button('Más').click()
    await page.getByRole('menuitem', { name: 'Extraer' }).click()
    await dialog.getByRole('button', { name: 'Extraer' }).click()
    await dialog.getByText('La ruta no es válida').waitFor()
    await leave(visitor)
  })

  test('downloads a file by its name, and a folder as a ZIP', async () => {
    const visitor = await site.at('/public/bajar', { 'año 1.html': '<b>año</b>' })
    const download = async (name: string) => {
      const [got] = await Promise.all([visitor.page.waitForEvent('download'), visitor.button(name).click()])
      return { name: got.suggestedFilename(), bytes: readFileSync(await got.path()) }
    }
    await choose(visitor, 'año 1.html')
    expect(await download('Descargar')).toEqual({ name: 'año 1.html', bytes: Buffer.from('<b>año</b>') })
    await visitor.to(`${FILES}?ruta=/public`)
    await choose(visitor, 'bajar')
    const zip = await download('Descargar como ZIP')
    writeFileSync(join(site.panel.dataDir, 'bajar.zip'), zip.bytes)
    const env = { LC_ALL: 'C.UTF-8' }
    const { stdout } = spawnSync('/usr/bin/bsdtar', ['-xOf', join(site.panel.dataDir, 'bajar.zip')], { env })
    expect([zip.name, stdout.toString()]).toEqual(['bajar.zip', '<b>año</b>'])
    await leave(visitor)
  })
})

test('work that takes long is followed on every screen, and given up', async () => {
  const visitor = await site.at('/public/largo', {})
  await site.put('/public/largo/grande.bin', '')
  const noise = Buffer.alloc(16 * 1024 * 1024)
  for (let from = 0; from < noise.length; from += 65536)
    crypto.getRandomValues(noise.subarray(from, from + 65536))
  for (let part = 0; part < 32; part++) appendFileSync(join(site.folder, 'public/largo/grande.bin'), noise)
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
  expect([await site.names('/public/largo'), site.staged()]).toEqual([['grande.bin'], []])
  await leave(visitor)
})

test('a database is downloaded as a dump', async () => {
  const body = { cliente: 'ana', base: 'tienda' }
  expect((await site.panel.api('POST', '/bases', { bearer: site.token, body })).status).toBe(201)
  const visitor = await site.visit()
  await visitor.go('/panel/bases')
  await visitor.button('Importar / Exportar (.sql) ana_tienda').click()
  const [got] = await Promise.all([
    visitor.page.waitForEvent('download'),
    visitor.dialog.getByRole('button', { name: 'Descargar como .sql.gz' }).click(),
  ])
  const sql = gunzipSync(readFileSync(await got.path())).toString()
  expect([got.suggestedFilename(), sql.includes('-- Dump completed')]).toEqual(['ana_tienda.sql.gz', true])
  expect(await visitor.axe()).toEqual([])
  await leave(visitor)
})

test('a database is loaded from a dump, looked into and changed in Adminer, and deleted once its name is typed', async () => {
  await site.put('/public/copia.sql', 'create table cosas (id int primary key, nombre varchar(20));')
  await site.put('/public/mala.sql', 'create table cosas (id nada);')
  const visitor = await site.visit()
  const { page, dialog } = visitor
  await visitor.go('/panel/bases')
  await visitor.button('Base de datos nueva').click()
  await dialog.getByLabel('Nombre').fill('blog')
  await dialog.getByRole('button', { name: 'Crear la base de datos' }).click()
  const line = page.getByRole('row').filter({ hasText: 'ana_blog' })
  await line.getByText('Activa').waitFor()
  await visitor.button('Datos de conexión ana_blog').click()
  await dialog.getByRole('button', { name: 'Cuenta nueva' }).click()
  await dialog.getByLabel('Cuenta').fill('informes')
  await dialog.getByRole('button', { name: 'Crear la cuenta' }).click()
  await dialog.getByText('ana_informes').waitFor()
  await visitor.go('/panel/bases')
  const load = async (path: string) => {
    await visitor.button('Importar / Exportar (.sql) ana_blog').click()
    await dialog.getByLabel('Ruta del archivo').fill(path)
    await dialog.getByRole('button', { name: 'Importarlo' }).click()
  }
  await load(`/sitios/${SITE}/public/mala.sql`)
  await dialog.getByText('línea 1').waitFor()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await load(`/sitios/${SITE}/public/copia.sql`)
  await dialog.getByText('Se ha importado.').waitFor()
  expect(await visitor.axe()).toEqual([])
  await dialog.getByRole('button', { name: 'Cerrar' }).last().click()
  await page.keyboard.press('Escape')
  const [adminer] = await Promise.all([
    visitor.context.waitForEvent('page'),
    visitor.button('Abrir ana_blog').click(),
  ])
  await adminer.getByRole('link', { name: 'cosas', exact: true }).first().waitFor()
  await adminer.goto(`${adminer.url().split('?')[0]}?edit=cosas`)
  await adminer.locator('input[name="fields[id]"]').fill('41')
  await adminer.locator('[name="fields[nombre]"]').fill('una cosa')
  await adminer.getByRole('button', { name: 'Guardar', exact: true }).click()
  await adminer.getByRole('cell', { name: 'una cosa' }).waitFor()
  await adminer.getByRole('button', { name: 'Cerrar sesión' }).click()
  await adminer.getByText('Ha salido de la base de datos').waitFor()
  expect(await adminer.evaluate(() => window.opener)).toBe(null)
  await adminer.getByRole('link', { name: 'Volver al panel' }).click()
  await adminer.waitForURL(/\/panel\/bases$/)
  await adminer.close()
  await visitor.go('/panel/bases')
  await visitor.button('Eliminar ana_blog').click()
  const remove = dialog.getByRole('button', { name: 'Eliminar la base de datos' })
  expect(await remove.isDisabled()).toBe(true)
  await dialog.getByLabel('Escriba ana_blog para confirmar').fill('ana_blog')
  await remove.click()
  await line.waitFor({ state: 'detached' })
  await leave(visitor)
})

test('an admin does without a mouse: choose, rename, open, go up, delete', async () => {
  const visitor = await site.at('/public/teclas', { 'a.txt': '1', 'b.txt': '2', 'c.txt': '3' }, site.admin)
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
  expect(await site.names('/public/teclas')).toEqual(['z.txt'])
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
  const visitor = await site.at('/public/muchos', {})
  const { uid, gid } = statSync(join(site.folder, 'public'))
  const code = 'for ($i = 0; $i < 5000; $i++) touch(sprintf("n%05d.txt", $i));'
  const user = ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', 'php8.2', '-r', code]
  expect(spawnSync('/usr/bin/setpriv', user, { cwd: join(site.folder, 'public/muchos') }).status).toBe(0)
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
  await (await site.at('/public/estrecho', { [long]: 'x', 'a.txt': 'x' })).leave()
  const visitor = await site.visit({ locale: 'en-GB', width: 360, height: 740 })
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
