import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { Panel } from '../support/panel.ts'
import { codeOf, firstAdmin, newToken, PASSWORD, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { startBrowser, VISITOR_AGENT, Visitor } from './browser.ts'

const WEB = resolve(import.meta.dir, '../../web')
let panel: Panel
let browser: Browser
let admin: SignedIn
let token: string

beforeAll(async () => {
  ;[panel, browser] = await Promise.all([Panel.start(), startBrowser()])
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  const body = { correo: 'ana@acme.es', domain: 'acme.es', cliente: 'acme' }
  await panel.api('PUT', '/altas/ref:1', { bearer: token, body })
}, 60_000)

afterAll(async () => {
  await browser.close()
  await panel.stop()
})

/** A fresh session: a test may have moved the clock past the one before. */
async function signedIn(steps: number): Promise<SignedIn> {
  const first = await panel.access('/entrar', { correo: admin.email, contrasena: PASSWORD })
  const second = await panel.access('/segundo-factor', {
    paso_token: first.body.paso_token,
    codigo: await codeOf(panel, admin.totp, steps),
  })
  const cookie = second.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { ...admin, bearer: second.body.sesion, cookie }
}

test('everything requested is an operation of the OpenAPI document or a file of the interface', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin })
  const screens = [
    '',
    '/clientes',
    '/clientes/nuevo',
    '/clientes/acme/resumen',
    '/clientes/acme/acceso',
    '/clientes/acme/auditoria',
    '/sitios/acme.es/detalle',
    '/sitios/acme.es/ajustes',
    '/planes',
    '/zonas/acme.es/registros',
    '/zonas/acme.es/archivo',
    '/espejo',
    '/tokens',
    '/personas',
    '/tareas',
    '/nodos',
    '/cuenta',
  ]
  await visitor.go('/panel')
  for (const screen of screens) await visitor.to(`/panel${screen}`)
  const document = (await (await panel.fetch('/openapi.json')).json()) as { paths: Record<string, object> }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
    })),
  )
  const files = new Set((await readdir(resolve(WEB, 'dist'), { recursive: true })).map((name) => `/${name}`))
  const strange = visitor.requests.filter(({ method, url }) => {
    const { origin, pathname } = new URL(url)
    if (origin !== panel.origin) return true
    if (/^\/(?:api|acceso)\//.test(pathname)) {
      return !operations.some((one) => one.method === method && one.pattern.test(pathname))
    }
    return method !== 'GET' || !(files.has(pathname) || pathname.startsWith('/panel'))
  })
  expect(strange).toEqual([])
  expect(visitor.requests.filter(({ url }) => url.includes('/api/')).length).toBeGreaterThan(20)
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('the command shown for a form does the same with a token; where a token may not, it says so', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin })
  const { page } = visitor
  await visitor.go('/panel/clientes/nuevo?solo')
  await visitor.field('Nombre de cliente').fill('por-curl')
  await visitor.field('Nombre visible').fill("O'Higgins & $(id) `x`")
  await visitor.field('Plan').selectOption('Sin plan, sin límites')
  await page.getByText('Ver como llamada a la API').click()
  const command = await visitor.text(page.locator('.command pre'))
  const shell = Bun.spawn(['/bin/sh', '-c', command], {
    // Where the file is that the command names: the panel's certificate is its own.
    cwd: dirname(panel.certPath),
    env: { PATH: process.env.PATH ?? '', API_TOKEN: token },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  expect(JSON.parse(await new Response(shell.stdout).text())).toMatchObject({ cliente: 'por-curl' })
  const { body } = await panel.api('GET', '/clientes/por-curl', { bearer: token })
  expect(body.nombre).toBe("O'Higgins & $(id) `x`")
  await visitor.go('/panel/tokens')
  await visitor.button('Nuevo token').click()
  await page.getByText('Ver como llamada a la API').click()
  await page.getByText(/no se puede hacer con un token|hace falta una persona|necesita una persona/).waitFor()
  await visitor.leave()
}, 60_000)

test('a bearer that ran out is renewed and the request repeated, unseen', async () => {
  const mine = await signedIn(1)
  const visitor = await Visitor.come(browser, panel, { as: mine })
  await visitor.go('/panel/planes')
  const renewals = () => visitor.requests.filter(({ url }) => url.endsWith('/acceso/renovar')).length
  const before = renewals()
  // The panel's clock goes on alone: the interface believes its bearer to be good.
  await panel.setClock(16 * 60)
  await visitor.page.getByRole('link', { name: 'Administradores' }).click()
  await visitor.page.getByRole('cell', { name: admin.email }).first().waitFor()
  expect(renewals()).toBe(before + 1)
  await visitor.leave()
}, 60_000)

/** Ends the visitors' sessions, as their person does elsewhere. */
async function endSession({ bearer }: SignedIn): Promise<void> {
  const { body } = await panel.api('GET', '/yo/sesiones', { bearer })
  const theirs = body.datos.filter(({ agente }: { agente: string }) => agente === VISITOR_AGENT)
  expect(theirs).not.toEqual([])
  for (const { id } of theirs) await panel.api('DELETE', `/yo/sesiones/${id}`, { bearer })
}

test('a session that ends over a form takes nothing that was typed, and the request goes on demand', async () => {
  const mine = await signedIn(0)
  const visitor = await Visitor.come(browser, panel, { as: mine })
  const { page } = visitor
  await visitor.go('/panel/clientes/nuevo?solo')
  await visitor.field('Nombre de cliente').fill('escrito')
  await visitor.field('Plan').selectOption('Sin plan, sin límites')
  await endSession(mine)
  await visitor.button('Crear').click()
  await visitor.dialog.getByText('Su sesión terminó. Entre de nuevo.').waitFor()
  expect(await visitor.dialog.getByLabel('Correo').inputValue()).toBe(mine.email)
  expect(await visitor.axe()).toEqual([])
  await visitor.dialog.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await visitor.dialog.getByRole('button', { name: 'Entrar', exact: true }).click()
  // A code is taken once, and the one of this step was just used.
  await visitor.dialog.getByLabel('Código').fill(await codeOf(panel, mine.totp, 1))
  await visitor.dialog.waitFor({ state: 'detached' })
  await page.getByText('No se envió nada. Lo que escribió sigue aquí').waitFor()
  expect(await visitor.field('Nombre de cliente').inputValue()).toBe('escrito')
  expect((await panel.api('GET', '/clientes/escrito', { bearer: token })).status).toBe(404)
  await visitor.button('Crear').click()
  await page.getByRole('heading', { name: 'escrito', level: 1 }).waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('a person who does not sign in again over a screen is led out, and nothing of the screen is left', async () => {
  await panel.setClock(1150)
  const mine = await signedIn(0)
  const visitor = await Visitor.come(browser, panel, { as: mine })
  await visitor.go('/panel/nodos')
  await endSession(mine)
  await visitor.page.getByRole('link', { name: 'Planes' }).click()
  await visitor.dialog.getByText('Su sesión terminó. Entre de nuevo.').waitFor()
  await visitor.page.keyboard.press('Escape')
  await visitor.page.getByRole('heading', { name: 'Entrar en el panel', level: 1 }).waitFor()
  expect(await visitor.page.locator('.shell').count()).toBe(0)
  await visitor.leave()
}, 60_000)

test("a look at a customer's account that a reload ends says so", async () => {
  await panel.api('POST', '/clientes/acme/acceso', { bearer: token, body: { correo: 'ana@acme.es' } })
  await panel.setClock(1300)
  const visitor = await Visitor.come(browser, panel, { as: await signedIn(0) })
  const { page } = visitor
  await visitor.go('/panel/clientes/acme/resumen')
  await visitor.button('Ver como el cliente').click()
  await visitor.dialog.getByLabel('Motivo').fill('Pide ayuda')
  await visitor.button('Abrir la sesión').click()
  await page.getByText('Está viendo la cuenta de').waitFor()
  await page.reload()
  const told = page.getByText('Al recargar la página terminó su sesión como')
  await told.waitFor()
  // The screen comes right after the frame that tells it.
  await page.locator('h1').waitFor()
  expect(await visitor.axe()).toEqual([])
  await visitor.button('Entendido').click()
  await told.waitFor({ state: 'detached' })
  // Told once: the next reload has nothing to tell.
  await page.reload()
  await visitor.settled()
  expect(await told.count()).toBe(0)
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('a panel that cannot be reached is told as that, and tried again', async () => {
  const mine = await signedIn(1)
  const visitor = await Visitor.come(browser, panel, { as: mine })
  await visitor.go('/panel')
  // The other screens are fetched ahead once there is time.
  const plans = await fileWith('PATCH /api/planes/:plan')
  await eventually(
    async () => visitor.requests.some(({ url }) => url.endsWith(`/${plans}`)),
    'the screen fetched ahead',
  )
  await visitor.context.setOffline(true)
  await visitor.page.getByRole('link', { name: 'Planes' }).click()
  await visitor.page.getByText('No se puede contactar con el panel.').waitFor({ timeout: 15_000 })
  await visitor.page.getByText('Sin conexión con el panel.').waitFor()
  expect(await visitor.axe()).toEqual([])
  // Reading goes on by itself, what changes something waits for a button.
  await visitor.context.setOffline(false)
  await visitor.page.getByText('Aún no hay planes.').waitFor()
  await visitor.page.getByText('El panel ha vuelto.').waitFor()
  expect(await visitor.page.getByText('Sin conexión con el panel.').count()).toBe(0)
  await visitor.leave()
}, 60_000)

test('what was typed is sent by one button once the panel is there again, and once only', async () => {
  const visitor = await Visitor.come(browser, panel, { as: await signedIn(2) })
  await visitor.go('/panel/clientes/nuevo?solo')
  await visitor.field('Nombre de cliente').fill('sin-red')
  await visitor.field('Plan').selectOption('Sin plan, sin límites')
  await visitor.context.setOffline(true)
  await visitor.button('Crear').click()
  await visitor.page.getByText('No se puede contactar con el panel.').waitFor()
  await visitor.context.setOffline(false)
  await visitor.page.getByText('El panel ha vuelto.').waitFor()
  expect((await panel.api('GET', '/clientes/sin-red', { bearer: token })).status).toBe(404)
  await visitor.button('Reintentar').click()
  await visitor.page.getByRole('heading', { name: 'sin-red', level: 1 }).waitFor()
  await visitor.leave()
}, 60_000)

test('a page with something typed is left by link, way back or reload only on the person’s word', async () => {
  const visitor = await Visitor.come(browser, panel, { as: await signedIn(3) })
  const { page, dialog } = visitor
  await visitor.go('/panel/zonas')
  await page.getByRole('link', { name: 'Clientes' }).click()
  await page.getByRole('heading', { name: 'Clientes', level: 1 }).waitFor()
  await visitor.to('/panel/clientes/nuevo?solo')
  const name = visitor.field('Nombre de cliente')
  await name.fill('a medias')
  await page.getByRole('link', { name: 'Planes' }).click()
  await dialog.getByText('Lo que ha escrito no se ha enviado').waitFor()
  expect(await visitor.axe()).toEqual([])
  await visitor.button('Seguir aquí').click()
  await dialog.waitFor({ state: 'detached' })
  await page.goBack()
  await dialog.getByText('Lo que ha escrito no se ha enviado').waitFor()
  expect(new URL(page.url()).pathname).toBe('/panel/clientes/nuevo')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('a medias')
  const asked = new Promise<string>((resolve) =>
    page.once('dialog', (box) => {
      resolve(box.type())
      void box.dismiss()
    }),
  )
  await page.evaluate(() => location.reload())
  expect(await asked).toBe('beforeunload')
  expect(await name.inputValue()).toBe('a medias')
  // Typed back, nothing would be lost.
  await name.fill('')
  await page.getByRole('link', { name: 'Planes' }).click()
  await page.getByRole('heading', { name: 'Planes', level: 1 }).waitFor()
  await visitor.to('/panel/clientes/nuevo?solo')
  await name.fill('otra vez')
  await page.getByRole('link', { name: 'Zonas' }).click()
  await visitor.button('Salir').click()
  await page.getByRole('heading', { name: 'Zonas DNS', level: 1 }).waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

/** The built script that holds a text. */
async function fileWith(text: string): Promise<string> {
  const names = (await readdir(resolve(WEB, 'dist/assets'))).filter((name) => name.endsWith('.js'))
  for (const name of names)
    if ((await Bun.file(resolve(WEB, 'dist/assets', name)).text()).includes(text)) return name
  throw new Error(`no script holds ${text}`)
}

test('the first screen stands within a second, from compressed files that are kept for good', async () => {
  const loads = []
  for (let visit = 0; visit < 3; visit++) loads.push(await firstLoad())
  // The machine does other things meanwhile: the interface is as fast as its fastest first visit.
  expect(Math.min(...loads.map(({ paint }) => paint))).toBeLessThan(1000)
  for (const { bytes } of loads) expect(bytes).toBeLessThan(250 * 1024)
  const names = loads[0]?.names.filter((path) => path.startsWith('/assets/')) ?? []
  expect(names.length).toBeGreaterThan(2)
  for (const name of names) {
    const response = await panel.fetch(name, { headers: { 'accept-encoding': 'br, gzip' } })
    expect(response.headers.get('cache-control')).toContain('immutable')
  }
}, 60_000)

/** A first visit with an empty cache: milliseconds to the first paint, bytes as sent. */
async function firstLoad(): Promise<{ paint: number; bytes: number; names: string[] }> {
  const visitor = await Visitor.come(browser, panel)
  // What is fetched ahead for other screens comes after the form stands.
  await visitor.page.addInitScript(() => {
    const look = () => {
      const stands = [...document.querySelectorAll('button')].some((one) => one.textContent === 'Entrar')
      if (stands && performance.getEntriesByName('stands').length === 0) performance.mark('stands')
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
  await visitor.page.goto('/entrar')
  await visitor.button('Entrar').waitFor()
  // Told once the frame was shown, a little after the elements are there.
  const painted = () =>
    visitor.page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  await eventually(painted, 'the first paint')
  const load = await visitor.page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const [stands] = performance.getEntriesByName('stands')
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const files = all.filter(({ startTime }) => startTime <= (stands?.startTime ?? Number.POSITIVE_INFINITY))
    return {
      paint: paint?.startTime ?? Number.POSITIVE_INFINITY,
      bytes: files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      names: files.map(({ name }) => new URL(name).pathname),
    }
  })
  await visitor.leave()
  return load
}

test('the page may run only its own scripts and make no style element, and nobody may frame it', async () => {
  const { headers } = await panel.fetch('/panel/clientes/acme/resumen')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).not.toContain('unsafe')
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(headers.get('strict-transport-security')).toContain('max-age=')
  const visitor = await Visitor.come(browser, panel)
  await visitor.go('/entrar')
  await visitor.page.evaluate(() => {
    const style = document.createElement('style')
    style.textContent = 'body { display: none }'
    document.head.append(style)
  })
  await eventually(async () => visitor.complaints.some((line) => line.includes('style-src')), 'a refusal')
  expect(await visitor.page.locator('body').isVisible()).toBe(true)
  await visitor.leave()
}, 60_000)
