import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { ROOMY } from '../api/people.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { customer, startBrowser, Visitor } from './browser.ts'
import { overflow } from './overflow.ts'

setDefaultTimeout(90_000)

let panel: Panel
let browser: Browser
let token: string
let ana: SignedIn

beforeAll(async () => {
  ;[panel, browser] = await Promise.all([Panel.start({ env: ROOMY }), startBrowser()])
  token = await newToken(panel, await firstAdmin(panel))
  ana = await customer(panel, token, 'ana')
})
afterAll(async () => {
  await browser?.close()
  await panel?.stop()
})

const addSites = async (from: number, to: number) => {
  for (let n = from; n < to; n++) {
    const body = { cliente: 'ana', domain: `sitio-${n}.cliente-ana.es` }
    expect((await panel.api('POST', '/sitios', { bearer: token, body })).status).toBe(201)
  }
}

test('a customer with few sites is not asked to search, order or save them; with many, it can', async () => {
  const visitor = await Visitor.come(browser, panel, { as: ana })
  const tools = () =>
    visitor.page.locator('main').getByRole('button', { name: /Vistas|Guardar como CSV|Filas compactas/ })
  await visitor.go('/panel/sitios')
  await visitor.page.getByRole('link', { name: 'cliente-ana.es' }).first().waitFor()
  expect([await tools().count(), await visitor.page.getByLabel('Parte del dominio').count()]).toEqual([0, 0])
  await addSites(0, 9)
  await visitor.page.reload()
  await tools().first().waitFor()
  expect(await tools().count()).toBe(3)
  await visitor.leave()
})

test.each([
  '/panel/sitios/cliente-ana.es/archivos',
  '/panel/sftp',
  '/panel/sitios/cliente-ana.es/detalle',
  '/panel/sitios/cliente-ana.es/ajustes',
])('on a phone, %s has fields that iOS does not zoom into and buttons for thumbs', async (path) => {
  const visitor = await Visitor.come(browser, panel, { as: ana, width: 390, height: 844 })
  await visitor.go(path)
  const small = await visitor.page.evaluate(() => {
    const of = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
    const seen = (one: HTMLElement) => one.checkVisibility() && one.getBoundingClientRect().height > 1
    const fields = of('input:not([type=checkbox], [type=radio], [type=file]), select, textarea')
    return {
      fields: fields.filter((one) => seen(one) && Number.parseFloat(getComputedStyle(one).fontSize) < 16)
        .length,
      buttons: of('main .mantine-Button-root, .top button').filter(
        (one) =>
          seen(one) && (one.getBoundingClientRect().height < 40 || one.getBoundingClientRect().width < 40),
      ).length,
    }
  })
  expect(small).toEqual({ fields: 0, buttons: 0 })
  expect(await overflow(visitor.page)).toBe(0)
  await visitor.leave()
})
