import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { callPhp } from '../billing/php.ts'
import { serviceParams } from '../billing/world.ts'
import { type Pebble, startPebble } from '../certificates/pebble.ts'
import { SmtpSink } from '../faults/smtp.ts'
import { clientsOf, localFile, localFolder } from '../sftp/client.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { Panel } from '../support/panel.ts'
import { codeOf, firstAdmin, newToken, PASSWORD } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { startBrowser, Visitor } from './browser.ts'

setDefaultTimeout(180_000)

const SITE = 'bodega-luz.es'
const HOME = `https://${SITE}`
const ANA = 'ana@bodega-luz.es'
const PLAN = 'tienda'
const CRON = 'secreto-del-cron'

let directory: string
let pebble: Pebble
let smtp: SmtpSink
let panel: Panel
let browser: Browser
let token: string
/** Ana at the panel, and at her site. */
let ana: Visitor
let site: Page

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'life-'))
  const http = await freePort()
  ;[pebble, smtp] = await Promise.all([startPebble(http), SmtpSink.start()])
  await Bun.write(join(directory, 'ca.pem'), pebble.caPem)
  await Bun.write(join(directory, 'root.pem'), await pebble.rootPem())
  const [mariadb, sftp, bases] = [await freePort(), await freePort(), await freePort()]
  panel = await Panel.start({
    env: {
      PANEL_HTTP_PORT: String(http),
      PANEL_ACME_URL: pebble.directoryUrl,
      PANEL_ACME_CA: join(directory, 'ca.pem'),
      PANEL_RESOLVER: `udp://${pebble.dnsAddress}`,
      PANEL_MARIADB_PORT: String(mariadb),
      PANEL_SFTP_PORT: String(sftp),
      PANEL_BASES_PORT: String(bases),
      PANEL_MAIL_FROM: 'Panel <panel@host.es>',
      PANEL_SMTP_URL: smtp.url,
      PANEL_CRON_SECRET: CRON,
      NODE_EXTRA_CA_CERTS: (await loopbackCertificate()).caPath,
    },
  })
  // Chromium finds every site where this panel serves sites.
  browser = await startBrowser([`MAP *:80 127.0.0.1:${http}`, `MAP *:443 127.0.0.1:${panel.httpsPort}`])
  token = await newToken(panel, await firstAdmin(panel))
  const made = await panel.api('POST', '/planes', { bearer: token, body: { plan: PLAN } })
  expect(made.status).toBe(201)
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await pebble?.stop()
  await panel?.stop()
  await smtp?.stop()
  await rm(directory, { recursive: true })
})

/** Calls the billing module for Ana's service. */
const bill = (fn: string, more: Record<string, unknown> = {}) => {
  const clientsdetails = { email: ANA, firstname: 'Ana', lastname: 'Luz', language: 'spanish' }
  const service = { domain: SITE, serverpassword: token, configoption1: PLAN, clientsdetails, ...more }
  return callPhp(fn, serviceParams(panel.port, service), { ca: panel.certPath })
}

/** The mail to Ana whose subject has these words, once it has come. */
function mailed(words: string) {
  return eventually(
    async () => {
      const headers = { authorization: `Bearer ${CRON}` }
      await panel.fetch('/cron/envios', { method: 'POST', headers })
      return smtp.received.find(({ subject, to }) => to === ANA && subject.includes(words)) ?? null
    },
    `a mail: ${words}`,
    60_000,
  )
}
const linkIn = (text: string, pattern: RegExp): string => {
  const [found = ''] = pattern.exec(text) ?? []
  expect(found).not.toBe('')
  return found
}
/** A card of the site's screen. */
const card = (title: string) =>
  ana.page.locator('section', { has: ana.page.getByRole('heading', { name: title, exact: true }) })
/** Asks for the certificate, which the panel does by itself some time, on the site's screen. */
async function certified(): Promise<void> {
  await ana.button('Pedir un certificado ahora').click()
  await card('Certificado').getByText('Activo', { exact: true }).waitFor({ timeout: 60_000 })
}
/** Status and body of a request by somebody who only knows the address. */
async function visit(path: string): Promise<{ status: number; text: string; headers: Headers }> {
  const [, host = '', rest = '/'] = /^https?:\/\/([^/]+)(\/.*)?$/.exec(path) ?? []
  const port = path.startsWith('https') ? panel.httpsPort : panel.httpPort
  const url = `${path.split(':')[0]}://${host}:${port}${rest}`
  const argv = ['curl', '-s', '-i', '--resolve', `${host}:${port}:127.0.0.1`, '-H', `host: ${host}`]
  const child = Bun.spawn([...argv, '--cacert', join(directory, 'root.pem'), url])
  const said = await new Response(child.stdout).text()
  const at = said.indexOf('\r\n\r\n')
  const [first = '', ...lines] = said.slice(0, at).split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(':')[0] ?? '', line.replace(/^[^:]*: ?/, '')]),
  )
  return { status: Number(first.split(' ')[1]), text: said.slice(at + 4), headers }
}

test('the shop provisions Ana’s account, and a mail brings her to the panel', async () => {
  expect(await bill('CreateAccount')).toBe('success')
  const { text } = await mailed('')
  const link = linkIn(text, /https:\/\/localhost:\d+\/enlace#[0-9A-Za-z]+/)
  ana = await Visitor.come(browser, panel)
  await ana.go(link)
  await ana.field('Contraseña').fill(PASSWORD)
  await ana.button('Guardar la contraseña').click()
  const secret = (await ana.text(ana.page.locator('.totp code'))).replaceAll(' ', '')
  await ana.field('Código').fill(await codeOf(panel, secret))
  await ana.page.getByLabel('Los he guardado').check()
  await ana.button('Continuar').click()
  await ana.page.getByRole('heading', { name: 'Ana Luz', level: 1 }).waitFor()
  await ana.page.getByRole('link', { name: 'Sitios' }).click()
  await ana.page.getByRole('link', { name: SITE }).click()
  await ana.page.getByRole('heading', { name: SITE, level: 1 }).waitFor()
  await certified()
})

test('what the SFTP screen tells is enough for OpenSSH and lftp', async () => {
  const { page } = ana
  await page.getByRole('link', { name: 'Acceso SFTP' }).click()
  await ana.button('Cuenta nueva').click()
  await ana.button('Crear la cuenta').click()
  await ana.dialog.getByRole('button', { name: 'Con contraseña' }).click()
  const row = page.getByRole('row').filter({ hasText: 'todos los sitios' })
  const account = await ana.text(row.locator('code').first())
  await ana.dialog.getByRole('button', { name: 'Crear contraseña' }).click()
  const password = await ana.text(ana.dialog.locator('.copy-line code').first())
  await ana.dialog.getByRole('button', { name: 'Ya la he copiado' }).click()
  const port = Number(
    await ana.text(page.getByText('Puerto', { exact: true }).locator('xpath=following-sibling::*[1]//code')),
  )
  const { sftp, lftp } = clientsOf(port)
  const login = { account, password }
  const hello = localFile('<h1>Abrimos pronto</h1>')
  const put = await sftp(login, `put ${hello} /sitios/${SITE}/public/index.html`)
  expect(put).toMatchObject({ code: 0 })
  expect((await visit(`${HOME}/`)).text).toContain('Abrimos pronto')
  const listed = await lftp(login, `cls /sitios/${SITE}/public/`)
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('index.html') })

  // What is in the installer's way is said before it is asked, and lftp takes it away.
  await ana.to(`/panel/sitios/${SITE}/detalle`)
  await card('Aplicación').getByText('la carpeta del sitio debe estar vacía').waitFor()
  expect((await lftp(login, `rm /sitios/${SITE}/public/index.html`)).code).toBe(0)
})

test('WordPress is installed by the form, and its mail lets Ana choose a password', async () => {
  await card('Aplicación')
    .getByRole('button', { name: /^Instalar WordPress/ })
    .click()
  await card('Aplicación').getByText('WordPress está instalado.').waitFor({ timeout: 90_000 })
  const { text } = await mailed('Su WordPress está instalado')
  const link = linkIn(text, /https:\/\/bodega-luz\.es\/wp-login\.php\S+/)
  site = await ana.context.newPage()
  site.setDefaultTimeout(60_000)
  await site.goto(link)
  // WordPress proposes one of its own first.
  const proposed = site.locator('#pass1')
  await eventually(async () => (await proposed.inputValue()) !== '', 'the proposed password', 60_000)
  await proposed.fill(PASSWORD)
  await site.locator('#wp-submit').click()
  await site.locator('.reset-pass a[href*="wp-login.php"]').waitFor()
})

/** Signs Ana in to her WordPress, with the name that its mail told. */
async function signIn(name: string): Promise<void> {
  await site.goto(`${HOME}/wp-login.php`)
  await site.locator('#user_login').fill(name)
  await site.locator('#user_pass').fill(PASSWORD)
  await site.locator('#wp-submit').click()
  await site.locator('#wpadminbar').waitFor()
}

test('she signs in, uploads a picture, and publishes a post with it under an address of words', async () => {
  const [, name = ''] = /Usuario: (\S+)/.exec((await mailed('Su WordPress está instalado')).text) ?? []
  await signIn(name)
  await site.goto(`${HOME}/wp-admin/media-new.php?browser-uploader`)
  await site.locator('#async-upload').setInputFiles('docs/panel.png')
  await site.locator('#html-upload').click()
  await site.waitForURL(/upload\.php/)
  await site.goto(`${HOME}/wp-admin/upload.php?mode=list`)
  await site.locator('#the-list .title a').first().click()
  const picture = await site.locator('#attachment_url').inputValue()
  expect((await visit(picture)).headers.get('content-type')).toBe('image/png')

  await site.goto(`${HOME}/wp-admin/post-new.php`)
  // Its tour comes first.
  await site.getByRole('dialog').waitFor()
  await site.keyboard.press('Escape')
  await site.keyboard.press('Control+Shift+Alt+m')
  const image = `<!-- wp:image --><figure class="wp-block-image"><img src="${picture}" alt=""/></figure><!-- /wp:image -->`
  await site.locator('textarea.editor-post-text-editor').fill(image)
  await site.locator('.editor-post-title__input').click()
  await site.keyboard.type('Vendimia de este año')
  await site.locator('.editor-post-publish-panel__toggle').click()
  await site.locator('.editor-post-publish-panel .editor-post-publish-button').click()
  const link = site.locator('.post-publish-panel__postpublish-header a')
  const address = (await link.getAttribute('href')) ?? ''
  expect(address).toMatch(/^https:\/\/bodega-luz\.es\/\d{4}\/\d\d\/\d\d\/vendimia-de-este-ano\/$/)
  const page = await visit(address)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(picture)])
})

test('a plug-in is uploaded, and somebody who forgot the password gets a mail', async () => {
  const folder = localFolder({
    'saludo/saludo.php':
      "<?php\n/* Plugin Name: Saludo */\nadd_action('wp_footer', fn () => print('<p>Visite la bodega</p>'));\n",
  })
  // As customers' programs pack it; WordPress takes no archive whose sizes come last.
  const pack =
    "$z = new ZipArchive; $z->open($argv[1], 1); $z->addFile($argv[2], 'saludo/saludo.php'); $z->close();"
  expect(Bun.spawnSync(['php', '-r', pack, `${folder}.zip`, `${folder}/saludo/saludo.php`]).exitCode).toBe(0)
  await site.goto(`${HOME}/wp-admin/plugin-install.php?tab=upload`)
  await site.locator('input[name=pluginzip]').setInputFiles(`${folder}.zip`)
  await site.locator('#install-plugin-submit').click()
  await site.locator('a[href*="action=activate"]').click()
  await site.waitForURL(/plugins\.php/)
  expect((await visit(`${HOME}/`)).text).toContain('Visite la bodega')

  const stranger = await browser.newPage({ ignoreHTTPSErrors: true })
  await stranger.goto(`${HOME}/wp-login.php?action=lostpassword`)
  await stranger.locator('#user_login').fill(ANA)
  await stranger.locator('#wp-submit').click()
  expect((await mailed('Restablecer')).text).toContain('action=rp')
  await stranger.close()
})

/** Changes a post in the list, as the quick edit of WordPress does. */
async function quickEdit(page: Page, title: string, change: (form: Locator) => Promise<void>): Promise<void> {
  const row = page.locator('#the-list tr', { hasText: title })
  await row.hover()
  await row.locator('button.editinline').click()
  const form = page.locator('#the-list tr.inline-edit-row')
  await change(form)
  await form.locator('button.save').click()
  await form.waitFor({ state: 'detached' })
}

/** When the scheduled post is due, as an instant of this machine. */
let due = 0

test('a post that is scheduled is not there yet', async () => {
  await site.goto(`${HOME}/wp-admin/options-general.php`)
  const zone = await site.locator('#timezone_string').inputValue()
  await site.goto(`${HOME}/wp-admin/edit.php`)
  // To the minute; WordPress publishes at once what is due within one.
  due = Math.ceil((Date.now() + 70_000) / 60_000) * 60_000
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone.startsWith('UTC') ? 'UTC' : zone,
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    } as const)
      .formatToParts(due)
      .map(({ type, value }) => [type, value]),
  )
  await quickEdit(site, '¡Hola mundo!', async (form) => {
    await form.locator('select[name=mm]').selectOption(parts.month ?? '')
    const fields = { jj: parts.day, aa: parts.year, hh: parts.hour, mn: parts.minute }
    for (const [name, value] of Object.entries(fields))
      await form.locator(`input[name=${name}]`).fill(value ?? '')
  })
  expect((await visit(`${HOME}/`)).text).not.toContain('¡Hola mundo!')
})

test('the scheduled post is published by the task of the site', async () => {
  await eventually(async () => Date.now() > due, 'its minute', 150_000)
  await ana.to(`/panel/sitios/${SITE}/detalle`)
  await ana.page
    .getByRole('row')
    .filter({ hasText: 'wp-cron.php' })
    .getByRole('button', { name: 'Ejecuciones' })
    .click()
  await eventually(
    async () => {
      await ana.dialog.getByRole('button', { name: 'Ejecutarla ahora' }).click()
      return (await visit(`${HOME}/?s=mundo`)).text.includes('¡Hola mundo!')
    },
    'the post',
    60_000,
  )
})

test('a suspension tells visitors and Ana, and ends as it began', async () => {
  expect(await bill('SuspendAccount', { suspendreason: 'Factura 7 sin pagar' })).toBe('success')
  expect((await visit(`${HOME}/`)).status).toBe(503)
  await ana.page.reload()
  await ana.page.getByText('Su cuenta está suspendida').waitFor()
  await ana.page.getByText('Factura 7 sin pagar').waitFor()
  expect(await bill('UnsuspendAccount')).toBe('success')
  expect((await visit(`${HOME}/`)).status).toBe(200)
  await ana.page.reload()
  await ana.page
    .getByRole('navigation', { name: 'Principal' })
    .getByRole('link', { name: 'Sitios' })
    .waitFor()
})

test('a clone is changed and published back', async () => {
  await ana.go(`/panel/sitios/${SITE}/detalle`)
  await card('Aplicación').getByRole('button', { name: 'Clonar para hacer pruebas' }).click()
  await card('Aplicación').getByText('Hecho.').waitFor({ timeout: 90_000 })
  const clone = `prueba.${SITE}`
  expect((await visit(`http://${clone}/`)).headers.get('x-robots-tag')).toBe('noindex, nofollow')
  await ana.go(`/panel/sitios/${clone}/detalle`)
  const [own] = await Promise.all([
    ana.context.waitForEvent('page'),
    card('Aplicación').getByRole('button', { name: 'Entrar en WordPress' }).click(),
  ])
  await own.locator('#wpadminbar').waitFor()
  await own.goto(new URL('/wp-admin/edit.php', own.url()).href)
  await quickEdit(own, 'Vendimia de este año', (form) =>
    form.locator('input[name=post_title]').fill('Vendimia ya embotellada'),
  )
  await own.close()
  expect((await visit(`${HOME}/`)).text).not.toContain('Vendimia ya embotellada')
  await ana.go(`/panel/sitios/${clone}/detalle`)
  await ana.field('Tablas').fill('wp_posts')
  await card('Aplicación')
    .getByRole('button', { name: `Publicar en ${SITE}` })
    .click()
  await card('Aplicación').getByText('Hecho.').waitFor({ timeout: 90_000 })
  const front = await visit(`${HOME}/`)
  expect([front.status, front.text.includes('Vendimia ya embotellada')]).toEqual([200, true])
})

test('the page cache comes by one switch', async () => {
  await ana.go(`/panel/sitios/${SITE}/ajustes`)
  await card('Caché de páginas').getByRole('switch', { name: 'Guardar las páginas un rato' }).click()
  await card('Caché de páginas').getByRole('button', { name: 'Guardar' }).click()
  await eventually(
    async () => (await visit(`${HOME}/`)).headers.get('x-cache') === 'HIT',
    'a page out of the cache',
    60_000,
  )
})

test('a site that was deleted comes back from the bin', async () => {
  await ana.go(`/panel/sitios/${SITE}/detalle`)
  await ana.button('Eliminar').first().click()
  await ana.dialog.getByRole('textbox').fill(SITE)
  await ana.dialog.getByRole('button', { name: 'Eliminar', exact: true }).click()
  await ana.page.waitForURL(/\/panel\/sitios$/)
  await eventually(async () => (await visit(`http://${SITE}/`)).status === 404, 'the end of the site', 60_000)
  const { lines } = await panel.command('papelera')
  const kept = lines.flat().find(({ tipo, nombre }) => tipo === 'sitio' && nombre === SITE)
  await ana.button('Sitio nuevo').first().click()
  await ana.dialog.getByLabel('Dominio', { exact: true }).fill(SITE)
  await ana.dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await eventually(async () => (await visit(`http://${SITE}/`)).status === 200, 'the new site', 60_000)
  expect((await panel.command('papelera', 'restaurar', kept.id, '--sitio', SITE)).status).toBe(0)
  await certified()
  // The page cache is on again and asks under this test's port, from which WordPress leads away; a query passes it by.
  expect((await visit(`${HOME}/?vuelta=1`)).text).toContain('Vendimia ya embotellada')
})

test('no script of the panel failed on the way', () => {
  expect(ana.complaints.filter((text) => !text.includes('bodega-luz.es'))).toEqual([])
})
