import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { choose, FILES, type FilesSite, leave, row, startFiles, told } from './site.ts'

setDefaultTimeout(90_000)

let site: FilesSite

beforeAll(async () => {
  site = await startFiles()
})
afterAll(() => site?.stop())

test('an archive is unpacked where it lies, and asks about each file that is there already', async () => {
  const visitor = await site.at('/public/suyo', { 'index.html': 'viejo', 'b.txt': 'viejo', 'c.txt': 'viejo' })
  const { dialog, page } = visitor
  await site.operate({ operacion: 'carpeta', rutas: ['/public/zip'] })
  for (const name of ['index.html', 'b.txt', 'd.txt']) await site.put(`/public/zip/${name}`, 'nuevo')
  const rutas = ['index.html', 'b.txt', 'd.txt'].map((name) => `/public/zip/${name}`)
  await site.operate({ operacion: 'comprimir', rutas, destino: '/public/suyo/web.zip' })
  await page.reload()
  await choose(visitor, 'web.zip')
  await visitor.button('Más').click()
  await page.getByRole('menuitem', { name: 'Extraer' }).click()
  await dialog.getByRole('button', { name: 'Extraer' }).click()
  await dialog.getByText('Ya existen estos 2:').waitFor()
  const of = (path: string) => dialog.getByRole('radiogroup', { name: `Qué hacer con ${path}` })
  await of('/public/suyo/index.html').getByText('Sustituir').click()
  await of('/public/suyo/b.txt').getByText('Omitir').click()
  expect(await visitor.axe()).toEqual([])
  await dialog.getByRole('button', { name: 'Extraer' }).click()
  await told(visitor, 'Extraído.')
  const read = (name: string) => site.read(`/public/suyo/${name}`)
  expect(await Promise.all(['index.html', 'b.txt', 'd.txt'].map(read))).toEqual(['nuevo', 'viejo', 'nuevo'])
  await leave(visitor)
})

test('what was deleted comes back by the notice that tells of it', async () => {
  const visitor = await site.at('/public/vuelve', { 'a.txt': 'a', 'b.txt': 'b' })
  await visitor.page.getByLabel('Elegir todo').check()
  await visitor.button('Eliminar').click()
  await visitor.dialog.getByRole('button', { name: 'Eliminar' }).click()
  await visitor.page.getByText('Esta carpeta está vacía').waitFor()
  await visitor.page.locator('.notice').getByRole('button', { name: 'Deshacer' }).click()
  await told(visitor, 'Vuelve a estar donde estaba.')
  await row(visitor, 'b.txt').waitFor()
  expect(await site.names('/public/vuelve')).toEqual(['a.txt', 'b.txt'])
  await leave(visitor)
})

test('everything in a folder is chosen at once, and moved over what is there', async () => {
  await site.operate({ operacion: 'carpeta', rutas: ['/public/alto'] })
  await site.put('/public/alto/a.txt', 'viejo')
  const visitor = await site.at('/public/alto/bajo', { 'a.txt': 'nuevo', 'b.txt': 'nuevo' })
  const { dialog, page } = visitor
  await page.getByLabel('Elegir todo').check()
  await page.getByText('2 elegidos').waitFor()
  await visitor.button('Mover').click()
  await dialog.getByRole('button', { name: 'Carpeta superior' }).click()
  await dialog.getByRole('button', { name: 'Mover aquí' }).click()
  await dialog.getByText('Esto ya existe:').waitFor()
  await dialog.getByText('/public/alto/a.txt').waitFor()
  await dialog.getByText('Sustituir', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Mover aquí' }).click()
  await told(visitor, 'Movido.')
  await page.getByText('Esta carpeta está vacía').waitFor()
  await visitor.to(`${FILES}?ruta=/public/alto`)
  await row(visitor, 'b.txt').waitFor()
  expect(await site.read('/public/alto/a.txt')).toBe('nuevo')
  await leave(visitor)
})
