import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { ROOMY } from '../api/people.ts'
import { Panel } from '../support/panel.ts'
import { codeOf, firstAdmin, newToken, PASSWORD, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { startUnbound, type Unbound } from '../support/providers/unbound.ts'
import { eventually } from '../support/wait.ts'
import { customer, startBrowser, Visitor } from './browser.ts'

setDefaultTimeout(90_000)

const SITE = 'cliente-ana.es'
const DETAIL = `/panel/sitios/${SITE}/detalle`
const FILES = `/panel/sitios/${SITE}/archivos?ruta=/public`

let panel: Panel
let browser: Browser
/** Knows Ana's domain, which leads elsewhere; of others it gets no answer. */
let resolver: Unbound
let admin: SignedIn
let ana: SignedIn
let token: string

beforeAll(async () => {
  const elsewhere = [SITE, `www.${SITE}`].map((name) => `local-data: "${name}. A 198.51.100.7"`)
  resolver = await startUnbound({}, elsewhere)
  const env = {
    ...ROOMY,
    PANEL_BASES_PORT: String(await freePort()),
    PANEL_RESOLVER: `udp://127.0.0.1:${resolver.port}`,
    PANEL_ACME_URL: 'https://127.0.0.1:1/dir',
  }
  ;[panel, browser] = await Promise.all([Panel.start({ env }), startBrowser()])
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  ana = await customer(panel, token, 'ana')
})
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
  await resolver?.stop()
})

const names = async (ruta: string): Promise<string[]> => {
  const { body } = await panel.api('GET', `/sitios/${SITE}/archivos?ruta=${encodeURIComponent(ruta)}`, {
    bearer: token,
  })
  return (body.datos ?? []).map(({ nombre }: { nombre: string }) => nombre)
}
/** A folder of this machine with a file, and a folder with another in it. */
function tree(name: string): string {
  const path = join(panel.dataDir, name)
  mkdirSync(join(path, 'fotos de panes'), { recursive: true })
  writeFileSync(join(path, 'index.html'), '<h1>Pan</h1>')
  writeFileSync(join(path, 'fotos de panes/hogaza ñ.jpg'), 'x')
  return path
}
async function leave(visitor: Visitor): Promise<void> {
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}

describe('the first files', () => {
  test('may be a folder that is chosen by a button, which keeps its tree', async () => {
    const visitor = await Visitor.come(browser, panel, { as: ana })
    const { page } = visitor
    await visitor.go(FILES)
    await page.getByText('Suelte aquí archivos o carpetas. Lo primero que ven los visitantes es').waitFor()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      visitor.button('Subir una carpeta').click(),
    ])
    await chooser.setFiles(tree('panaderia'))
    // A site of its own may be meant to be seen at the domain, or in its folder.
    expect(await visitor.axe()).toEqual([])
    await visitor.button('En /panaderia/').click()
    const inner = '/public/panaderia/fotos de panes'
    await eventually(async () => (await names(inner)).includes('hogaza ñ.jpg'), 'the inner file')
    expect(await names('/public/panaderia')).toContain('index.html')
    const [single] = await Promise.all([
      page.waitForEvent('filechooser'),
      visitor.button('Subir archivos').click(),
    ])
    expect(
      await page.locator('input[type=file]').evaluate((one: HTMLInputElement) => one.webkitdirectory),
    ).toBe(false)
    await single.setFiles(join(panel.dataDir, 'panaderia/index.html'))
    await eventually(async () => (await names('/public')).includes('index.html'), 'the single file')
    expect(await visitor.axe()).toEqual([])
    await leave(visitor)
  })

  test('may be a whole site in a folder, which is seen at the domain where that is chosen', async () => {
    const before = `/sitios/${SITE}/archivos/contenido?ruta=/public/index.html`
    await panel.api('DELETE', before, { bearer: token })
    const visitor = await Visitor.come(browser, panel, { as: ana })
    await visitor.go(FILES)
    const [chooser] = await Promise.all([
      visitor.page.waitForEvent('filechooser'),
      visitor.button('Subir una carpeta').click(),
    ])
    await chooser.setFiles(tree('entera'))
    await visitor.button('En el dominio').click()
    const inner = '/public/fotos de panes'
    await eventually(async () => (await names(inner)).includes('hogaza ñ.jpg'), 'the inner file')
    const all = await names('/public')
    expect([all.includes('index.html'), all.includes('entera')]).toEqual([true, false])
    await visitor.page.getByText('2 archivos subidos.').waitFor()
    await visitor.context.route(`http://${SITE}/`, (route) => route.fulfill({ body: 'Pan' }))
    const [site] = await Promise.all([
      visitor.context.waitForEvent('page'),
      visitor.page.locator('.notice').getByRole('button', { name: 'Ver el sitio' }).click(),
    ])
    await site.waitForURL(`http://${SITE}/`)
    const see = visitor.page.getByRole('link', { name: 'Ver el sitio' })
    expect(await see.getAttribute('href')).toBe(`http://${SITE}/`)
    await leave(visitor)
  })

  test('of which one is gone before its turn are told of it at once, and the others go up', async () => {
    const visitor = await Visitor.come(browser, panel, { as: ana })
    const { page } = visitor
    await visitor.go(FILES)
    const path = tree('rota')
    for (const name of ['masa.html', 'corteza.html']) writeFileSync(join(path, name), 'x')
    // It goes while the first request is on its way.
    await page.route('**/subidas', async (route) => {
      rmSync(join(path, 'masa.html'), { force: true })
      await route.continue()
    })
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      visitor.button('Subir archivos').click(),
    ])
    await chooser.setFiles([join(path, 'masa.html'), join(path, 'corteza.html')])
    await page.getByText('El navegador no pudo leer «masa.html».').waitFor({ timeout: 5_000 })
    await eventually(async () => (await names('/public')).includes('corteza.html'), 'what was readable')
    expect(await names('/public')).not.toContain('masa.html')
    expect(await visitor.axe()).toEqual([])
    await visitor.button('Quitar: masa.html').click()
    await page.getByText('El navegador no pudo leer').waitFor({ state: 'detached' })
    await visitor.leave()
  })

  test('that the browser cannot read are named, and the others go up', async () => {
    const visitor = await Visitor.come(browser, panel, { as: ana })
    const { page } = visitor
    await visitor.go(FILES)
    // As Chromium answers for a name that it cannot find again, such as one in another encoding.
    await page.evaluate(() => {
      const { webkitGetAsEntry } = DataTransferItem.prototype
      DataTransferItem.prototype.webkitGetAsEntry = function () {
        const entry = webkitGetAsEntry.call(this)
        if (!entry?.isFile) return entry
        const kind = Object.getPrototypeOf(entry) as FileSystemFileEntry
        const { file } = kind
        kind.file = function (this: FileSystemFileEntry, found, failed) {
          if (this.name.startsWith('hogaza')) failed?.(new DOMException('gone', 'NotFoundError'))
          else file.call(this, found, failed)
        }
        return entry
      }
    })
    const line = await visitor.context.newCDPSession(page)
    const data = {
      items: [],
      files: [tree('horno'), join(panel.dataDir, 'horno/index.html')],
      dragOperationsMask: 1,
    }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await line.send('Input.dispatchDragEvent', { type, x: 700, y: 330, data })
    const note = page.locator('.note', { hasText: 'no pudo leer' })
    await note.getByText('hogaza ñ.jpg').waitFor()
    await eventually(async () => (await names('/public/horno')).includes('index.html'), 'what was readable')
    expect(await names('/public/horno/fotos de panes')).toEqual([])
    expect(await page.getByText('La interfaz falló').count()).toBe(0)
    expect(await visitor.axe()).toEqual([])
    await leave(visitor)
  })
})

describe('a site whose name leads elsewhere', () => {
  test('waits for its certificate without an alarm, and shows no expiry of its own one', async () => {
    await panel.api('POST', `/sitios/${SITE}/https`, { bearer: token })
    const https = await eventually(async () => {
      const { body } = await panel.api('GET', `/sitios/${SITE}`, { bearer: token })
      return body.https.error === null ? null : body.https
    }, 'the outcome')
    expect(https.estado).toBe('pendiente')
    const visitor = await Visitor.come(browser, panel, { as: ana })
    const { page } = visitor
    await visitor.go(DETAIL)
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Certificado' }) })
    const words = (await card.textContent()) ?? ''
    expect(words).toContain('apunta aún a este servidor')
    expect(words).not.toMatch(/años|UTC|resuelve|tercios/)
    expect(words).toContain('Caduca—')
    const next = await page.evaluate((iso) => {
      const style = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Madrid' } as const
      return new Intl.DateTimeFormat('es-ES', style).format(new Date(iso))
    }, https.se_reintenta)
    expect(words).toContain(`Se comprueba de nuevo el ${next}.`)
    expect(await card.locator('.note-bad').count()).toBe(0)
    await visitor.go('/panel')
    const step = page.locator('.setup > li', { hasText: 'Certificado HTTPS' })
    await step.getByText('Se pide solo en cuanto el dominio apunte aquí.').waitFor()
    expect(await step.getByText('Tarda uno o dos minutos').count()).toBe(0)
    await leave(visitor)
  })

  test('says why no certificate can be asked for while one is being asked for', async () => {
    const visitor = await Visitor.come(browser, panel, { as: ana })
    const { page } = visitor
    await page.route(`**/api/sitios/${SITE}`, async (route) => {
      const answer = await route.fetch()
      const site = await answer.json()
      site.https = { ...site.https, estado: 'pendiente', error: null, se_reintenta: null }
      await route.fulfill({ response: answer, json: site })
    })
    await visitor.go(DETAIL)
    const ask = visitor.button('Pedir un certificado ahora')
    expect(await ask.isDisabled()).toBe(true)
    await page.getByText('Ya se está pidiendo uno: tarda uno o dos minutos.').waitFor()
    await leave(visitor)
  })
})

test('a full plan is told before a new site is typed, and a domain with www is made without it too', async () => {
  const bearer = token
  const hugo = await customer(panel, token, 'hugo')
  const plan = { plan: 'dos', sitios: 2, aliases: 10 }
  expect((await panel.api('POST', '/planes', { bearer, body: plan })).status).toBe(201)
  await panel.api('POST', '/clientes/hugo/plan', { bearer, body: { plan: 'dos' } })
  const visitor = await Visitor.come(browser, panel, { as: hugo })
  const { page, dialog } = visitor
  await visitor.go('/panel/sitios')
  await visitor.button('Sitio nuevo').click()
  await dialog.getByLabel('Dominio', { exact: true }).fill('https://www.Otra-Hugo.es/inicio')
  const both = dialog.getByLabel('Crear otra-hugo.es con www.otra-hugo.es')
  expect(await both.isChecked()).toBe(true)
  expect(await visitor.axe()).toEqual([])
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  expect((await sent).postDataJSON()).toEqual({ cliente: 'hugo', domain: 'otra-hugo.es' })
  await page.keyboard.press('Escape')
  const body = { cliente: 'hugo', domain: 'otra-hugo.es' }
  expect((await panel.api('POST', '/sitios', { bearer, body })).status).toBe(201)
  await visitor.go('/panel/sitios')
  await visitor.button('Sitio nuevo').click()
  await dialog.getByText('El plan da para 2 sitios, y ya hay 2.').waitFor()
  await dialog.getByText('Elimine uno que ya no haga falta').waitFor()
  expect(await dialog.getByLabel('Dominio', { exact: true }).count()).toBe(0)
  expect(await visitor.axe()).toEqual([])
  await leave(visitor)
})

test('a site is seen before its domain leads here: as the server answers it, and by a line for hosts', async () => {
  const nora = await customer(panel, token, 'nora')
  const raw = '<!doctype html><title>Mi panadería</title>'
  const path = '/sitios/cliente-nora.es/archivos/contenido?ruta=/public/index.html'
  expect((await panel.api('PUT', path, { bearer: token, raw })).status).toBeLessThan(300)
  const visitor = await Visitor.come(browser, panel, { as: nora, width: 390, height: 844 })
  const { page } = visitor
  await visitor.go('/panel')
  await visitor.button('Comprobar mi página de inicio').click()
  await page.getByText('Su página de inicio responde: 200, «Mi panadería», 43 B.').waitFor()
  await page.getByText('Verlo en su navegador').click()
  await visitor.button('Copiar para el archivo hosts').click()
  const line = '127.0.0.1 cliente-nora.es www.cliente-nora.es'
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(line)
  for (const system of ['Windows', 'macOS', 'Linux']) await page.getByText(`${system}: abra`).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await visitor.axe()).toEqual([])
  const failing = { bearer: token, raw: '<?php fallo();' }
  const program = path.replace('index.html', 'index.php')
  expect((await panel.api('PUT', program, failing)).status).toBeLessThan(300)
  await visitor.go('/panel/sitios/cliente-nora.es/detalle')
  await visitor.button('Comprobar mi página de inicio').click()
  await page.getByText('Su página de inicio falla (error 500).').waitFor()
  const log = '/panel/sitios/cliente-nora.es/bitacora?tipo=php'
  expect(await page.getByRole('link', { name: 'Ver la bitácora' }).getAttribute('href')).toBe(log)
  await page.reload()
  await page.getByText('Errores de sus programas en la última hora: 1').waitFor()
  await page.getByText(/Call to undefined function fallo\(\) in \/public\/index.php/).waitFor()
  expect(await visitor.axe()).toEqual([])
  await page.getByRole('link', { name: 'Verlos en la bitácora' }).click()
  await page.getByRole('cell', { name: /undefined function fallo/ }).waitFor()
  await leave(visitor)
})

test('a domain that nobody could ask about is not said to have no name servers', async () => {
  const bea = await customer(panel, token, 'bea')
  const visitor = await Visitor.come(browser, panel, { as: bea })
  const { page } = visitor
  await page.route('**/sitios/*/conexion', async (route) => {
    const answer = await route.fetch()
    const found = await answer.json()
    for (const seen of found.nombres) Object.assign(seen, { estado: 'sin_respuesta', visto: [] })
    if (found.delegacion) found.delegacion = { estado: 'sin_respuesta', servidores: [] }
    await route.fulfill({ response: answer, json: found })
  })
  await visitor.go('/panel')
  await page.getByText('Ahora no se pudo consultar').first().waitFor()
  expect(await page.getByText(/no está registrado|delegado/).count()).toBe(0)
  await leave(visitor)
})

test('an application is not offered into a folder with files: the ways out stand there', async () => {
  await panel.api('PUT', `/sitios/${SITE}/archivos/contenido?ruta=/public/suyo.html`, {
    bearer: token,
    raw: 'x',
  })
  const visitor = await Visitor.come(browser, panel, { as: ana })
  const { page } = visitor
  await visitor.go(DETAIL)
  await page.getByText('Para instalar una aplicación la carpeta del sitio debe estar vacía').waitFor()
  expect(await page.getByRole('button', { name: /^Instalar/ }).count()).toBe(0)
  const files = page.getByRole('link', { name: 'Abrir la carpeta' })
  expect(await files.getAttribute('href')).toContain(`${SITE}/archivos?ruta=%2Fpublic`)
  await visitor.button(`Crear el sitio blog.${SITE}`).click()
  expect(await visitor.dialog.getByLabel('Dominio', { exact: true }).inputValue()).toBe(`blog.${SITE}`)
  await visitor.page.keyboard.press('Escape')
  await visitor.button('Vaciar la carpeta').click()
  await visitor.dialog.getByText('Todo lo que contiene va a la papelera').waitFor()
  await visitor.dialog.getByRole('button', { name: 'Vaciar la carpeta' }).click()
  await page.getByRole('button', { name: /^Instalar/ }).waitFor()
  const languages = await page.getByLabel('Idioma').locator('option').allTextContents()
  expect(languages).toEqual([...languages].sort((a, b) => a.localeCompare(b, 'es')))
  // Where the plan has no database left, that is said before the click.
  await page.route('**/clientes/*/uso', async (route) => {
    const answer = await route.fetch()
    const use = await answer.json()
    Object.assign(use.consumo.bases, { usado: 2, limite: 2 })
    await route.fulfill({ response: answer, json: use })
  })
  await page.reload()
  await page.getByText('A su plan no le queda ninguna base de datos').waitFor()
  expect(await page.getByRole('button', { name: /^Instalar/ }).isDisabled()).toBe(true)
  await page.unrouteAll()
  await leave(visitor)
})

describe('the first link', () => {
  /** A customer who has a link and has not used it. */
  async function invited(name: string): Promise<string> {
    const correo = `${name}@cliente-${name}.es`
    const body = { cliente: name, correo, domain: `cliente-${name}.es` }
    await panel.api('PUT', `/altas/ref:${name}`, { bearer: token, body })
    const { link } = await panel.mailTo(correo)
    return link ?? ''
  }
  const choose = async (visitor: Visitor, link: string) => {
    await visitor.go(`/enlace#${link}`)
    await visitor.field('Contraseña').fill(PASSWORD)
    await visitor.button('Guardar la contraseña').click()
    await visitor.page.getByRole('heading', { name: 'Proteja su cuenta con el móvil' }).waitFor()
  }

  test('that is loaded anew before the phone says that the password is saved, and goes on', async () => {
    const link = await invited('eva')
    const visitor = await Visitor.come(browser, panel)
    const { page } = visitor
    await choose(visitor, link)
    await page.getByText('Google Authenticator, 2FAS y Aegis son gratuitas').waitFor()
    expect(await page.getByText(/secreto|segundo factor/i).count()).toBe(0)
    expect(await visitor.axe()).toEqual([])
    const first = await visitor.text(page.locator('.totp code'))
    await page.reload()
    await page.getByRole('heading', { name: 'Su contraseña está guardada' }).waitFor()
    await visitor.button('Entrar').click()
    await visitor.field('Correo').fill('eva@cliente-eva.es')
    await visitor.field('Contraseña').fill(PASSWORD)
    await visitor.button('Entrar').click()
    await page.getByText('borre esa entrada de la aplicación y escanee este').waitFor()
    const second = (await visitor.text(page.locator('.totp code'))).replaceAll(' ', '')
    expect(second).not.toBe(first.replaceAll(' ', ''))
    await visitor.field('Código').fill(await codeOf(panel, second))
    await page.getByText('Si pierde el teléfono, entre con uno de estos códigos.').waitFor()
    await page.getByLabel('Los he guardado').check()
    await visitor.button('Continuar').click()
    await page.getByRole('heading', { name: 'Siguientes pasos' }).waitFor()
    await leave(visitor)
  })

  test('that was used says once what to do', async () => {
    const link = await invited('leo')
    const visitor = await Visitor.come(browser, panel)
    await choose(visitor, link)
    const again = await Visitor.come(browser, panel)
    await again.go(`/enlace#${link}`)
    await again.page.getByRole('heading', { name: 'Este enlace ya se usó' }).waitFor()
    expect(await again.page.getByRole('alert').count()).toBe(0)
    expect(await again.page.getByText(/ya se usó|sustituido/).count()).toBe(1)
    await again.page.getByText('ya está guardada: entre con ella para seguir').waitFor()
    await again.leave()
    await visitor.leave()
  })

  test('that cannot be looked at now is not called wrong', async () => {
    const visitor = await Visitor.come(browser, panel)
    const { page } = visitor
    await page.route('**/acceso/enlace', (route) => route.abort())
    await page.goto(`/enlace#${'x'.repeat(40)}`)
    await page.getByRole('alert').waitFor()
    expect(await page.getByText('Este enlace no funciona').count()).toBe(0)
    await page.unroute('**/acceso/enlace')
    await page.getByRole('alert').getByRole('button').click()
    await page.getByRole('heading', { name: 'Este enlace no funciona' }).waitFor()
    await visitor.leave()
  })
})

describe('small things', () => {
  test('the address of a site that is cut by hand leads to the site', async () => {
    for (const as of [ana, admin]) {
      const visitor = await Visitor.come(browser, panel, { as })
      await visitor.go(`/panel/sitios/${SITE}`)
      await visitor.page.waitForURL(`**${DETAIL}`)
      await visitor.page.getByRole('heading', { name: 'Certificado' }).waitFor()
      await leave(visitor)
    }
  })

  test('the log tells addresses as they are read, and calls requests what they are', async () => {
    const address = '/fotos%20de%20panes/hogaza%20%C3%B1.jpg'
    await fetch(`http://127.0.0.1:${panel.httpPort}${address}`, { headers: { host: SITE } })
    const visitor = await Visitor.come(browser, panel, { as: ana })
    const { page } = visitor
    await eventually(async () => {
      await visitor.go(`/panel/sitios/${SITE}/bitacora`)
      return (await page.getByText('GET /fotos de panes/hogaza ñ.jpg').count()) > 0
    }, 'the request in the log')
    await page.getByRole('heading', { name: 'Peticiones' }).first().waitFor()
    expect(await page.getByText(/Visitas|no hay más/).count()).toBe(0)
    await leave(visitor)
  })

  test('a customer’s first screen tells the limits of the plan once, and not how they are measured', async () => {
    const plan = { plan: 'Panadería', disco_bytes: 2 ** 30, inodos: 60, sitios: 3 }
    expect((await panel.api('POST', '/planes', { bearer: admin.bearer, body: plan })).status).toBe(201)
    const assigned = await panel.api('POST', '/clientes/ana/plan', {
      bearer: token,
      body: { plan: 'Panadería' },
    })
    expect(assigned.status).toBeLessThan(300)
    const visitor = await Visitor.come(browser, panel, { as: ana })
    const { page } = visitor
    await visitor.go('/panel')
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Su plan' }) })
    await card.getByText('Panadería').waitFor()
    expect(await visitor.text(card)).not.toMatch(/Disco|Gi?B|Sitios/)
    await page
      .getByText(/^Disco medido|aún no se han medido/)
      .first()
      .waitFor()
    expect(await page.getByText(/recorriendo|cuota del sistema/).count()).toBe(0)
    expect(await visitor.axe()).toEqual([])
    await leave(visitor)
  })

  test('a file is not called saved before it was, and a folder counts what is in it', async () => {
    await panel.api('PUT', `/sitios/${SITE}/archivos/contenido?ruta=/public/nota.txt`, {
      bearer: token,
      raw: 'x',
    })
    const visitor = await Visitor.come(browser, panel, { as: ana })
    const { page, dialog } = visitor
    await visitor.go(FILES)
    await page.getByText(/^\d+ elementos?$/).waitFor()
    await page.getByRole('button', { name: /nota\.txt$/ }).click()
    const field = dialog.getByLabel('Contenido de nota.txt')
    await field.waitFor()
    expect(await dialog.getByText(/guardado/i).count()).toBe(0)
    await field.fill('y')
    await dialog.getByText('Sin guardar').waitFor()
    await page.keyboard.press('Control+s')
    await dialog.getByText('Guardado', { exact: true }).waitFor()
    await leave(visitor)
  })

  test('an operator’s list leads into the form of a plan, and says where a setting stands', async () => {
    const visitor = await Visitor.come(browser, panel, { as: admin })
    const { page, dialog } = visitor
    await page.route('**/api/resumen', async (route) => {
      const answer = await route.fetch()
      const summary = await answer.json()
      for (const point of summary.puesta_en_marcha) if (point.punto === 'plan') point.hecho = false
      await route.fulfill({ response: answer, json: summary })
    })
    await visitor.go('/panel')
    const mail = page.locator('.setup > li', { hasText: 'Correo' })
    await mail.getByText(/panel\.env, en el directorio de datos .*reinicie el panel\.$/).waitFor()
    expect(await page.locator('.card', { hasText: 'Puesta en marcha' }).locator('.bar-mark').count()).toBe(0)
    await page.getByRole('link', { name: 'Crear un plan' }).click()
    // What is still asked for by then is nobody's any more.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await dialog.getByLabel('Archivos y carpetas', { exact: true }).fill('60')
    await dialog.getByLabel('Disco', { exact: true }).fill('2 GB')
    await dialog.getByText('= 2 GB').waitFor()
    expect(await dialog.getByText('= 60').count()).toBe(0)
    const contrast = await dialog
      .locator('.mantine-Checkbox-input:not(:checked)')
      .first()
      .evaluate((box) => {
        const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
        const light = (colour: string) => {
          const [r = 0, g = 0, b = 0] = channels(colour).map((value) =>
            value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4,
          )
          return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        }
        const { borderColor, backgroundColor } = getComputedStyle(box)
        return light(backgroundColor) / light(borderColor)
      })
    expect(contrast).toBeGreaterThan(3)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Cerrar de todos modos' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
    await visitor.go('/panel/clientes/nuevo')
    const crumb = page.locator('.crumbs span').last()
    expect([await visitor.text(crumb), await crumb.getAttribute('class')]).toEqual(['Cliente nuevo', null])
    await leave(visitor)
  })

  test('what is to be copied stands in the middle of its box', async () => {
    const bea = await customer(panel, token, 'sol')
    const visitor = await Visitor.come(browser, panel, { as: bea })
    await visitor.go('/panel')
    const off = await visitor.page
      .locator('.copy-line')
      .first()
      .evaluate((box) => {
        const middle = (one: Element) => {
          const { top, height } = one.getBoundingClientRect()
          return top + height / 2
        }
        return [...box.children].map((part) => Math.abs(middle(part) - middle(box)))
      })
    for (const distance of off) expect(distance).toBeLessThan(1)
    await leave(visitor)
  })
})

describe('on a desktop', () => {
  /** From each card down to what follows it in its column, and how much longer one column is than the other. */
  const measured = ({ page }: Visitor) =>
    page.evaluate(() => {
      const boxes = [...document.querySelectorAll('.main .card')].map((card) => card.getBoundingClientRect())
      const middle = (box: DOMRect) => box.left + box.width / 2
      const centre = innerWidth / 2
      const above = (box: DOMRect) =>
        boxes.filter(
          (other) => other.bottom <= box.top + 1 && other.left < box.right && box.left < other.right,
        )
      const gaps = boxes.flatMap((box) => {
        const bottoms = above(box).map(({ bottom }) => bottom)
        return bottoms.length === 0 ? [] : [Math.round(box.top - Math.max(...bottoms))]
      })
      const ends = [-1, 1].map((side) => {
        const column = boxes.filter((box) => (middle(box) - centre) * side > 8)
        return Math.max(...column.map(({ bottom }) => bottom))
      })
      return { gaps, longer: Math.abs((ends[0] ?? 0) - (ends[1] ?? 0)) }
    })

  test.each(['detalle', 'ajustes'])('the cards of %s stand 16 pixels apart, without holes', async (tab) => {
    const visitor = await Visitor.come(browser, panel, { as: ana, width: 1280 })
    await visitor.go(`/panel/sitios/${SITE}/${tab}`)
    const { gaps, longer } = await measured(visitor)
    expect(gaps.length).toBeGreaterThan(2)
    expect([...new Set(gaps)]).toEqual([16])
    if (tab === 'ajustes') expect(longer).toBeLessThan(160)
    await leave(visitor)
  })
})
