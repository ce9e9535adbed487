import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { customer, startBrowser, Visitor } from './browser.ts'

let panel: Panel
let browser: Browser
let admin: SignedIn

beforeAll(async () => {
  ;[panel, browser] = await Promise.all([Panel.start(), startBrowser()])
  admin = await firstAdmin(panel)
}, 60_000)
afterAll(async () => {
  await browser.close()
  await panel.stop()
})

/** Holds the interface itself back, as a slow network does, until it is let go. */
async function withoutInterface(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const html = await (await page.request.get('/panel')).text()
  const entry = /type="module" src="([^"]+)"/.exec(html)?.[1] ?? 'none'
  await page.route(`**${entry}`, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const paths = (visitor: Visitor) => visitor.requests.map(({ url }) => new URL(url).pathname)

test('the session and the screen’s files are asked for before the interface is there, and once', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin })
  const letGo = await withoutInterface(visitor.page)
  const asked: string[] = []
  visitor.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await visitor.page.goto('/panel/planes', { waitUntil: 'commit' })
  await eventually(async () => asked.includes('/acceso/renovar'), 'the renewal')
  await eventually(
    async () => asked.some((path) => /^\/assets\/panel-\w+\.js$/.test(path)),
    'the files of the panel',
  )
  letGo()
  await visitor.settled()
  expect(await visitor.text(visitor.page.locator('h1'))).toBe('Planes')
  expect(asked.filter((path) => path === '/acceso/renovar')).toHaveLength(1)
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test.each([
  ['a desktop', { width: 1280, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const)(
  'on %s the frame stands before the interface is there, and stays where it is',
  async (_, size) => {
    const visitor = await Visitor.come(browser, panel, { as: admin, ...size })
    const { page } = visitor
    const letGo = await withoutInterface(page)
    await page.goto('/panel/planes', { waitUntil: 'commit' })
    await page.locator('.is-empty .waiting').waitFor()
    const places = () =>
      page.evaluate(() =>
        ['.top', 'main', '.search-button', '.menu-button'].map((name) => {
          const { x, y, height } = document.querySelector(name)?.getBoundingClientRect() ?? new DOMRect()
          // The buttons beside the search are as wide as their words.
          return name === '.top' ? { name, x, y, height } : { name, y, x: Math.round(x / 40) }
        }),
      )
    const before = await places()
    letGo()
    await visitor.settled()
    expect(await places()).toEqual(before)
    expect(visitor.complaints).toEqual([])
    await visitor.leave()
  },
  60_000,
)

test('who is not signed in sees no frame, and sends no renewal', async () => {
  const visitor = await Visitor.come(browser, panel)
  const letGo = await withoutInterface(visitor.page)
  await visitor.page.goto('/panel/planes', { waitUntil: 'commit' })
  await eventually(
    async () => (await visitor.page.evaluate(() => globalThis.boot)) !== undefined,
    'the first script',
  )
  expect(await visitor.page.locator('.is-empty').isVisible()).toBe(false)
  letGo()
  await visitor.settled()
  expect(new URL(visitor.page.url()).pathname).toBe('/entrar')
  expect(paths(visitor)).not.toContain('/acceso/renovar')
  await visitor.leave()
}, 60_000)

test('the files of the other screens come after the first, and are then there without the panel', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin })
  await visitor.go('/panel/planes')
  const all = new Set(await visitor.page.evaluate(() => globalThis.boot?.parts ?? []))
  expect(all.size).toBeGreaterThan(30)
  await eventually(async () => [...all].every((path) => paths(visitor).includes(path)), 'all files', 30_000)
  expect(paths(visitor).filter((path) => all.has(path)).length).toBe(all.size)
  await visitor.context.setOffline(true)
  await visitor.page.evaluate(() => history.pushState(null, '', '/panel/auditoria'))
  await visitor.page.getByRole('heading', { name: 'Auditoría', level: 1 }).waitFor()
  await visitor.leave()
}, 60_000)

test('what a screen fetches when it is asked for is there without the panel, too', async () => {
  await customer(panel, await newToken(panel, admin), 'acme')
  const visitor = await Visitor.come(browser, panel, { as: admin })
  const asked: string[] = []
  visitor.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const form = /^\/assets\/record-form-\w+\.js$/
  await visitor.go('/panel/zonas/cliente-acme.es/registros')
  expect(asked.filter((path) => form.test(path))).toEqual([])
  await eventually(async () => paths(visitor).some((path) => form.test(path)), 'the form', 30_000)
  const all = new Set(await visitor.page.evaluate(() => globalThis.boot?.parts ?? []))
  await eventually(async () => [...all].every((path) => paths(visitor).includes(path)), 'all files', 30_000)
  await visitor.context.setOffline(true)
  await visitor.button('Añadir registro').click()
  await visitor.page.getByRole('heading', { name: 'Registro nuevo' }).waitFor()
  await visitor.field('Nombre').waitFor()
  await visitor.leave()
}, 60_000)
