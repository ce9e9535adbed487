import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../support/wait.ts'
import type { Visitor } from '../browser.ts'
import { FILES, type FilesSite, leave, row, startFiles, told } from './site.ts'

setDefaultTimeout(90_000)

let site: FilesSite

beforeAll(async () => {
  site = await startFiles()
})
afterAll(() => site?.stop())

test('that a limit keeps out is told with what is used of the plan, and leads to the bin', async () => {
  const visitor = await site.at('/public/lleno', { 'a.html': 'uno' })
  const { page, dialog } = visitor
  await site.operate({ operacion: 'carpeta', rutas: ['/public/lleno/vieja'] })
  await site.operate({ operacion: 'papelera', rutas: ['/public/lleno/vieja'] })
  const refuse = (status: number, members: object) => ({
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ status, title: 'Refused', detail: 'No queda espacio (disco).', ...members }),
  })
  const full = { codigo: 'sin_espacio', recurso: 'disco' }
  await page.route('**/subidas', (route) =>
    route.fulfill(refuse(507, { ...full, usado: 477_000_000, limite: 400_000_000 })),
  )
  // A quota of the file system refuses without numbers.
  await page.route('**/contenido?**', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill(refuse(507, { ...full, usado: null, limite: null }))
      : route.continue(),
  )
  await page.route('**/uso', async (route) => {
    const answer = await route.fetch()
    const use = await answer.json()
    Object.assign(use.consumo.disco_bytes, { usado: 399_000_000, limite: 400_000_000 })
    Object.assign(use.consumo.procesos, { usado: 108, limite: 20, porcentaje: 540, nivel: 'superado' })
    return route.fulfill({ response: answer, json: use })
  })
  await row(visitor, 'a.html').getByRole('button').click()
  await dialog.getByLabel('Contenido de a.html').fill('dos')
  await page.keyboard.press('Control+s')
  await dialog.getByText('El plan da 400 MB, y se usan 399 MB.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Cerrar de todos modos' }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    visitor.button('Subir archivos').click(),
  ])
  await chooser.setFiles({ name: 'b.html', mimeType: 'text/html', buffer: Buffer.from('x') })
  await page.getByText('El plan da 400 MB, y se usan 477 MB.').waitFor()
  await page.getByText('Lo que hay en la papelera también cuenta').waitFor()
  expect(await visitor.axe()).toEqual([])
  await page.getByRole('link', { name: 'Vaciar la papelera' }).click()
  await dialog.getByRole('row').filter({ hasText: 'vieja' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.route('**/archivos?**', (route) => route.fulfill(refuse(503, { codigo: 'no_disponible' })))
  await page.reload()
  await page.getByText('El plan permite 20 procesos, y hay 108.').waitFor()
  await site.operate({ operacion: 'vaciar' })
  await visitor.leave()
})

describe('a text', () => {
  test('is edited, with the ends of its lines as they were', async () => {
    const visitor = await site.at('/public/texto', { 'w.ini': 'a=1\r\nb=2\r\n' })
    const { page, dialog } = visitor
    await row(visitor, 'w.ini').getByRole('button').click()
    const field = dialog.getByLabel('Contenido de w.ini')
    await field.fill('a=1\nb=3 ñ\n')
    await page.keyboard.press('Control+s')
    await told(visitor, 'Guardado.')
    expect(await site.read('/public/texto/w.ini')).toBe('a=1\r\nb=3 ñ\r\n')
    await field.fill('sin guardar')
    await page.keyboard.press('Escape')
    await dialog.getByText('¿Cerrar? Se perdería lo escrito.').waitFor()
    await dialog.getByRole('button', { name: 'Seguir aquí' }).click()
    await page.goBack()
    await dialog.getByText('¿Cerrar? Se perdería lo escrito.').waitFor()
    await dialog.getByRole('button', { name: 'Cerrar de todos modos' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(FILES)
    expect(await site.read('/public/texto/w.ini')).toBe('a=1\r\nb=3 ñ\r\n')
    await leave(visitor)
  })

  test('has the colours of its language and a search of its own, and Tab leaves it', async () => {
    const visitor = await site.at('/public/color', { 'c.php': '<?php\n// nota\necho "hola";\n' })
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
    const visitor = await site.at('/public/dos', { 'p.html': 'primero' })
    const { dialog } = visitor
    await row(visitor, 'p.html').getByRole('button').click()
    const field = dialog.getByLabel('Contenido de p.html')
    await field.fill('lo mío')
    await site.put('/public/dos/p.html', 'lo de otro')
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    await dialog.getByText('Alguien ha cambiado este archivo entretanto').waitFor()
    expect(await dialog.getByLabel('Lo que contiene ahora').inputValue()).toBe('lo de otro')
    expect(await field.textContent()).toBe('lo mío')
    expect(await visitor.axe()).toEqual([])
    expect(await site.read('/public/dos/p.html')).toBe('lo de otro')
    await dialog.getByRole('button', { name: 'Quedarme con lo otro' }).click()
    expect(await field.textContent()).toBe('lo de otro')
    await field.fill('lo mío otra vez')
    await site.put('/public/dos/p.html', 'otra vez lo de otro')
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    await dialog.getByRole('button', { name: 'Guardar lo mío encima' }).click()
    await told(visitor, 'Guardado.')
    expect(await site.read('/public/dos/p.html')).toBe('lo mío otra vez')
    await leave(visitor)
  })

  test('that is new is there once it is saved; what is no text is not edited', async () => {
    const visitor = await site.at('/public/nuevo', { 'datos.txt': 'a\0b' })
    const { dialog } = visitor
    await row(visitor, 'datos.txt').getByRole('button').click()
    await dialog.getByText('No se puede mostrar aquí').waitFor()
    await visitor.page.keyboard.press('Escape')
    await visitor.button('Archivo nuevo').click()
    await dialog.getByLabel('Nombre del archivo').fill('index.php')
    await dialog.getByRole('button', { name: 'Continuar' }).click()
    const field = dialog.getByLabel('Contenido de index.php')
    await field.fill('<?php')
    expect(await site.names('/public/nuevo')).toEqual(['datos.txt'])
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    await told(visitor, 'Guardado.')
    await visitor.page.keyboard.press('Escape')
    await row(visitor, 'index.php').waitFor()
    expect(await site.read('/public/nuevo/index.php')).toBe('<?php')
    await leave(visitor)
  })

  test('of a page or a drawing runs nothing; a picture is drawn', async () => {
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title="x"</script></svg>'
    const visitor = await site.at('/public/ver', {
      'a.svg': script,
      'b.html': '<script>document.title="x"</script>',
    })
    await site.put('/public/ver/c.png', PIXEL)
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
    const path = join(site.panel.dataDir, name)
    writeFileSync(path, bytes)
    return path
  }
  const send = ({ page }: Visitor, paths: string[]) => page.locator('input[type=file]').setInputFiles(paths)

  test('of 100 MB that is cut goes on where it was, and is whole', async () => {
    const visitor = await site.at('/public/subir', {})
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
    expect(await site.names('/public/subir')).toEqual([])
    await line.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
    await row(visitor, 'grande.bin').waitFor({ timeout: 60_000 })
    expect(offsets.filter((offset) => offset === 0).length).toBe(1)
    expect(before).toBeGreaterThan(0)
    const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
    expect(hash(join(site.folder, 'public/subir/grande.bin'))).toBe(hash(path))
    expect(statSync(join(site.folder, 'public/subir/grande.bin')).size).toBe(BIG)
    await visitor.leave()
  })

  test('of a name that is taken asks first; a cancelled one leaves nothing', async () => {
    const visitor = await site.at('/public/tomado', { 'a.txt': 'viejo', 'b.txt': 'viejo' })
    const { page, context } = visitor
    const strip = page.getByRole('region', { name: 'Transferencias' })
    await send(visitor, [own('a.txt', 'nuevo'), own('b.txt', 'nuevo'), own('vacio.txt', '')])
    await strip.getByText('Ya hay un archivo con ese nombre.').nth(1).waitFor()
    await row(visitor, 'vacio.txt').waitFor()
    expect(await visitor.axe()).toEqual([])
    const line = (name: string) => strip.getByRole('listitem').filter({ hasText: name })
    await line('a.txt').getByRole('button', { name: 'Sustituir', exact: true }).click()
    await line('b.txt').getByRole('button', { name: 'Omitir', exact: true }).click()
    await strip.waitFor({ state: 'detached' })
    expect([await site.read('/public/tomado/a.txt'), await site.read('/public/tomado/b.txt')]).toEqual([
      'nuevo',
      'viejo',
    ])
    const cdp = await context.newCDPSession(page)
    await cdp.send('Network.enable')
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1024 * 1024 }
    await cdp.send('Network.emulateNetworkConditions', slow)
    await send(visitor, [own('c.bin', new Uint8Array(40 * 1024 * 1024))])
    await strip.getByText(/MB de 41,9/).waitFor()
    await strip.getByRole('button', { name: 'Cancelar: c.bin' }).click()
    await strip.waitFor({ state: 'detached' })
    await eventually(async () => site.staged().length === 0, 'nothing left of it')
    expect(await site.names('/public/tomado')).toEqual(['a.txt', 'b.txt', 'vacio.txt'])
    await leave(visitor)
  })

  test('of a folder that is dropped makes it with all that is in it', async () => {
    const visitor = await site.at('/public/soltar', {})
    const dropped = join(site.panel.dataDir, 'carpeta')
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
      async () => (await site.names('/public/soltar/carpeta/interior')).length > 0,
      'the inner file',
    )
    expect([
      await site.names('/public/soltar'),
      await site.names('/public/soltar/carpeta'),
      await site.read('/public/soltar/carpeta/interior/dos.txt'),
    ]).toEqual([['carpeta', 'suelto.txt'], ['interior', 'uno.txt'], '2'])
    await leave(visitor)
  })
})
