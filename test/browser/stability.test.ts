import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { customer, startBrowser, Visitor } from './browser.ts'
import { seenOn, shiftOf, watchShifts } from './shifts.ts'

/** What browsers call good (web.dev, "Cumulative Layout Shift"). */
const MOST_SHIFT = 0.1

const OF_ADMIN = [
  '/panel',
  '/panel/clientes',
  '/panel/clientes/acme/resumen',
  '/panel/sitios/cliente-acme.es/detalle',
  '/panel/sitios/cliente-acme.es/ajustes',
  '/panel/sitios/cliente-acme.es/bitacora',
  '/panel/espejo',
  '/panel/nodos',
  '/panel/cuenta',
]
const OF_CUSTOMER = [
  '/panel',
  '/panel/sitios/cliente-acme.es/detalle',
  '/panel/sitios/cliente-acme.es/ajustes',
  '/panel/zonas/cliente-acme.es/registros',
]
const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

let panel: Panel
let browser: Browser
let admin: SignedIn
let ana: SignedIn

beforeAll(async () => {
  ;[panel, browser] = await Promise.all([Panel.start(), startBrowser()])
  admin = await firstAdmin(panel)
  ana = await customer(panel, await newToken(panel, admin), 'acme')
}, 60_000)
afterAll(async () => {
  await browser.close()
  await panel.stop()
})

test.each([
  ['an admin’s desktop', DESKTOP, OF_ADMIN, () => admin],
  ['an admin’s phone', PHONE, OF_ADMIN, () => admin],
  ['a customer’s desktop', DESKTOP, OF_CUSTOMER, () => ana],
  ['a customer’s phone', PHONE, OF_CUSTOMER, () => ana],
] as const)(
  'nothing that is shown on %s is pushed away by what is read after it',
  async (_, size, paths, who) => {
    const visitor = await Visitor.come(browser, panel, { as: who(), ...size })
    await watchShifts(visitor)
    const moved: unknown[] = []
    for (const path of paths) {
      await visitor.go(path)
      const seen = await seenOn(visitor.page)
      if (shiftOf(seen) > MOST_SHIFT) moved.push([path, shiftOf(seen), seen.shifts])
    }
    expect(moved).toEqual([])
    expect(visitor.complaints).toEqual([])
    await visitor.leave()
  },
  120_000,
)

test('what somebody does on a screen takes nothing else from it while it is read', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, ...DESKTOP })
  const { page } = visitor
  await watchShifts(visitor)
  await visitor.go('/panel/clientes/acme/resumen')
  const beside = page.getByRole('heading', { name: 'Datos' })
  await beside.evaluate((heading) => {
    const seen = { hidden: false }
    Object.assign(window, { beside: seen })
    const look = () => {
      if (getComputedStyle(heading).visibility === 'hidden') seen.hidden = true
      requestAnimationFrame(look)
    }
    look()
  })
  await page.getByLabel('Periodo').focus()
  const answer = page.waitForResponse(/uso\/historial/)
  await page.keyboard.press('ArrowDown')
  await answer
  await visitor.settled()
  expect(await page.evaluate('beside')).toEqual({ hidden: false })
  await visitor.leave()
}, 60_000)

test('what is known of a zone’s name servers stands before they are asked again', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, ...PHONE })
  const { page } = visitor
  await watchShifts(visitor)
  const { promise: asked, resolve: letGo } = Promise.withResolvers<void>()
  const delegacion = { estado: 'ninguna', servidores: [], esperados: ['ns1.panel.example'] }
  await page.route('**/api/zonas/cliente-acme.es', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), delegacion } })
  })
  await page.route('**/api/zonas/cliente-acme.es/conexion', async (route) => {
    await asked
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), delegacion } })
  })
  await visitor.go('/panel/zonas/cliente-acme.es/registros')
  await page.locator('.zone-error .note').getByText('ns1.panel.example').first().waitFor()
  const ask = visitor.button('Comprobar ahora')
  expect(await ask.isDisabled()).toBe(true)
  await page.evaluate(async () => void (await document.fonts.ready))
  const before = shiftOf(await seenOn(page))
  letGo()
  await eventually(() => ask.isEnabled(), 'the answer')
  expect(shiftOf(await seenOn(page)) - before).toBeLessThan(0.01)
  await visitor.leave()
}, 60_000)

test('what a screen reads comes compressed, its text no smaller on a phone, and signing in as it is', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, ...PHONE })
  const answers = new Map<string, string>()
  visitor.page.on('response', (response) => {
    answers.set(new URL(response.url()).pathname, response.headers()['content-encoding'] ?? 'none')
  })
  await visitor.go('/panel')
  expect([answers.get('/api/resumen'), answers.get('/acceso/renovar')]).toEqual(['zstd', 'none'])
  await visitor.go('/panel/sitios/cliente-acme.es/bitacora')
  const letters = visitor.page.locator('.plot svg text').first()
  const drawn = await letters.evaluate((text) => {
    const box = text.closest('svg')
    const shown = box ? box.getBoundingClientRect().width / box.viewBox.baseVal.width : 0
    return Number.parseFloat(getComputedStyle(text).fontSize) * shown
  })
  expect(drawn).toBeGreaterThanOrEqual(11)
  await visitor.leave()
}, 60_000)
