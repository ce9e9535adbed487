import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { plant } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { customer, startBrowser, Visitor } from './browser.ts'
import { overflow } from './overflow.ts'

let panel: Panel
let browser: Browser
let admin: SignedIn
let ana: SignedIn

/** Each screen by its address, and what opens its dialog, if it has one. */
const ADMIN_SCREENS: [string, string?][] = [
  ['/panel'],
  ['/panel/clientes'],
  ['/panel/clientes/nuevo'],
  ['/panel/clientes/nuevo?solo'],
  ['/panel/clientes/acme/resumen', 'Suspender|Suspend'],
  ['/panel/clientes/acme/acceso'],
  ['/panel/clientes/acme/sitios', 'Sitio nuevo|New site'],
  ['/panel/clientes/acme/bases', 'Base de datos nueva|New database'],
  ['/panel/clientes/acme/sftp', 'Cuenta nueva|New account'],
  ['/panel/clientes/acme/copias'],
  ['/panel/clientes/acme/zonas'],
  ['/panel/clientes/acme/auditoria'],
  ['/panel/clientes/acme/ajustes', 'Eliminar…|Delete…'],
  ['/panel/sitios'],
  ['/panel/sitios/cliente-acme.es/detalle', 'Eliminar|Delete'],
  ['/panel/sitios/cliente-acme.es/ajustes'],
  ['/panel/sitios/cliente-acme.es/archivos', 'Carpeta nueva|New folder'],
  ['/panel/sitios/cliente-acme.es/bitacora'],
  ['/panel/papelera'],
  ['/panel/planes', 'Plan nuevo|New plan'],
  ['/panel/importar'],
  ['/panel/zonas'],
  ['/panel/zonas/cliente-acme.es/registros'],
  ['/panel/zonas/cliente-acme.es/archivo'],
  ['/panel/zonas/cliente-acme.es/historial'],
  ['/panel/zonas/cliente-acme.es/correo'],
  ['/panel/zonas/cliente-acme.es/dnssec'],
  ['/panel/zonas/cliente-acme.es/espejo'],
  ['/panel/espejo'],
  ['/panel/tokens', 'Nuevo token|New token'],
  ['/panel/avisos', 'Webhook nuevo|New webhook'],
  ['/panel/avisos/avi_1', 'Cambiar…|Change…'],
  ['/panel/personas', 'Invitar|Invite'],
  ['/panel/apariencia'],
  ['/panel/auditoria'],
  ['/panel/tareas'],
  ['/panel/nodos'],
  ['/panel/cuenta', 'Cambiar la contraseña|Change the password'],
]
const CUSTOMER_SCREENS: [string, string?][] = [
  ['/panel'],
  ['/panel/sitios', 'Sitio nuevo|New site'],
  ['/panel/sitios/cliente-acme.es/detalle'],
  ['/panel/sitios/cliente-acme.es/ajustes'],
  ['/panel/sitios/cliente-acme.es/archivos', 'Archivo nuevo|New file'],
  ['/panel/sitios/cliente-acme.es/bitacora'],
  ['/panel/bases', 'Base de datos nueva|New database'],
  ['/panel/sftp', 'Cuenta nueva|New account'],
  ['/panel/copias'],
  ['/panel/papelera'],
  ['/panel/zonas'],
  ['/panel/zonas/cliente-acme.es/registros'],
  ['/panel/zonas/cliente-acme.es/espejo'],
  ['/panel/cuenta'],
]
const OUTSIDE: [string, string?][] = [['/entrar'], ['/enlace']]
const HOSTILE = '<img src=x onerror=alert(1)>'
/** Turns round whatever follows it on its line, unless it is kept to itself. */
const REVERSING = '\u202Eoiratnoc javascript:alert(1)'

beforeAll(async () => {
  ;[panel, browser] = await Promise.all([Panel.start(), startBrowser()])
  admin = await firstAdmin(panel)
  const token = await newToken(panel, admin)
  ana = await customer(panel, token, 'acme')
  const bearer = token
  const confined = { cpu_porcentaje: 100, memoria_bytes: 268435456, procesos: 100 }
  await panel.api('POST', '/planes', {
    bearer,
    body: { plan: 'básico', disco_bytes: 1073741824, sitios: 3, ...confined },
  })
  await panel.api('POST', '/clientes/acme/plan', { bearer, body: { plan: 'básico' } })
  await panel.api('POST', '/clientes', {
    bearer,
    body: { cliente: 'javascript', nombre: HOSTILE },
  })
  await panel.api('PUT', '/zonas/cliente-acme.es/registros/malo/TXT', {
    bearer,
    body: { ttl: 300, valores: ['"<script>alert(1)</script><img src=x onerror=alert(2)>"'] },
  })
  await panel.api('DELETE', '/planes/no-existe', { bearer })
  await newToken(panel, admin, 'reverses')
  plant(panel, "update tokens set name = ? where name = 'reverses'", REVERSING)
  holdBack()
  addWebhook()
  plant(panel, "update sites set certificate_issuer = ?, certificate_state = 'activo'", HOSTILE)
}, 60_000)

/** A webhook that the panel switched off, whose receiver replied with what must not be run. */
function addWebhook(): void {
  plant(
    panel,
    `insert into webhooks (id, url, types, active, stopped, secret, created_at)
     values ('avi_1', 'https://avisos.ejemplo.es/panel?clave=0123456789', '["sitio.activo","sitio.error"]', 0, 'sin_entregas', '', ?)`,
    Date.now(),
  )
  plant(
    panel,
    `insert into deliveries (webhook_id, event_id, state, attempts, queued_at, next_at, tried_at, status, reply, took_ms, fault)
     select 'avi_1', max(id), 'abandonada', 10, ?1, ?1, ?1, 500, ?2, 12, 'rechazada' from events`,
    Date.now(),
    HOSTILE,
  )
}

/** A client that its plan held back, so that its bars and what is said of that are looked at too. */
function holdBack(): void {
  const lately = { since: Date.now() - 900_000, cpuPercent: 97.5, memory: 3, processes: 12, cpuSeconds: 41.2 }
  const counters = { cpuMicros: 0, memory: 3, processes: 12, throttledMicros: 0 }
  plant(
    panel,
    `insert or replace into usage (client_id, measured_at, source, disk_bytes, inodes, warned, groups)
     select id, ?, 'recorrido', 1000000, 12, '{}', ? from clients where name = 'acme'`,
    Date.now(),
    JSON.stringify({ memoryBytes: 268435456, processes: 96, lately, counters }),
  )
}

afterAll(async () => {
  await browser.close()
  await panel.stop()
})

/** Opens each screen, and its dialog; answers what is wrong with any of them. */
async function walk(visitor: Visitor, screens: [string, string?][], look: (v: Visitor) => Promise<string[]>) {
  const wrong: string[] = []
  const note = (where: string, found: string[]) => wrong.push(...found.map((line) => `${where}: ${line}`))
  for (const [index, [path, dialog]] of screens.entries()) {
    if (index === 0) await visitor.go(path)
    else await visitor.to(path)
    note(path, await look(visitor))
    if (!dialog) continue
    await visitor
      .button(new RegExp(`^(?:${dialog})$`))
      .first()
      .click()
    await visitor.dialog.waitFor()
    note(`${path} +`, await look(visitor))
  }
  return wrong
}

const axe = (visitor: Visitor) => visitor.axe()
const fits = async (visitor: Visitor) => {
  const wider = await overflow(visitor.page)
  return wider > 0 ? [`${wider} px wider than the window`] : []
}

describe('axe-core finds nothing', () => {
  test('on any screen of an admin, in light and Spanish', async () => {
    const visitor = await Visitor.come(browser, panel, { as: admin })
    expect(await walk(visitor, ADMIN_SCREENS, axe)).toEqual([])
    expect(visitor.complaints).toEqual([])
    await visitor.leave()
  }, 180_000)

  test('on any screen of an admin, in dark, English and phone width', async () => {
    const visit = { as: admin, colorScheme: 'dark', locale: 'en-GB', width: 360, height: 740 } as const
    const visitor = await Visitor.come(browser, panel, visit)
    expect(await walk(visitor, ADMIN_SCREENS, async (v) => [...(await axe(v)), ...(await fits(v))])).toEqual(
      [],
    )
    expect(visitor.complaints).toEqual([])
    await visitor.leave()
  }, 180_000)

  test('on any screen of a customer and outside, at both widths', async () => {
    const both = async (v: Visitor) => {
      const wide = await axe(v)
      await v.page.setViewportSize({ width: 360, height: 740 })
      const narrow = [...(await axe(v)), ...(await fits(v))]
      await v.page.setViewportSize({ width: 1280, height: 900 })
      return [...wide, ...narrow]
    }
    const inside = await Visitor.come(browser, panel, { as: ana })
    expect(await walk(inside, CUSTOMER_SCREENS, both)).toEqual([])
    const outside = await Visitor.come(browser, panel, { colorScheme: 'dark' })
    expect(await walk(outside, OUTSIDE, both)).toEqual([])
    expect([...inside.complaints, ...outside.complaints]).toEqual([])
    await inside.leave()
    await outside.leave()
  }, 180_000)
})

test('a customer reads what its plan’s limits refused, and when', async () => {
  const visitor = await Visitor.come(browser, panel, { as: ana })
  // What was measured meanwhile says nothing of it.
  holdBack()
  await visitor.go('/panel')
  await visitor.page.getByText('Se han alcanzado los límites del plan').waitFor()
  await visitor.page.getByText('Procesos que no pudieron arrancar: 12').waitFor()
  await visitor.page.getByText('Programas terminados por falta de memoria: 3').waitFor()
  await visitor.page.getByText('Tiempo de espera por el procesador: 41 s').waitFor()
  await visitor.leave()
}, 60_000)

test('the language is the browser’s, can be switched, and is asked of the API too', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, locale: 'en-GB' })
  await visitor.page.goto('/panel/clientes/no-existe/resumen')
  await visitor.page.getByText('There is no such client.').waitFor()
  expect(await visitor.page.locator('html').getAttribute('lang')).toBe('en')
  await visitor.button('Español').click()
  await visitor.page.reload()
  await visitor.page.getByText('No existe ese cliente.').waitFor()
  expect(await visitor.page.locator('html').getAttribute('lang')).toBe('es')
  await visitor.leave()
}, 60_000)

test('dates are written as in the account’s country and time zone, wherever somebody signs in', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin })
  const { page } = visitor
  await visitor.go('/panel/cuenta')
  await page.getByLabel('Fechas y números').selectOption('MX')
  await page.getByLabel('Zona horaria').selectOption('Pacific/Auckland')
  const form = page.locator('form', { has: page.getByLabel('Zona horaria') })
  await form.getByRole('button', { name: 'Guardar' }).click()
  await page.getByText('Guardado.').waitFor()
  const { creado } = (await panel.api('GET', '/clientes/acme', { bearer: admin.bearer })).body
  const shape = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Pacific/Auckland' } as const
  const written = await page.evaluate(
    ([iso, options]) => new Intl.DateTimeFormat('es-MX', options).format(new Date(iso)),
    [creado, shape] as const,
  )
  await visitor.go('/panel/clientes/acme/resumen')
  await page.getByText(written).first().waitFor()
  const ways = { region: null, zona_horaria: null }
  expect((await panel.api('PATCH', '/yo', { bearer: admin.bearer, body: ways })).status).toBe(200)
  await visitor.leave()
}, 60_000)

test('hostile names and records are shown as the text that they are', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin })
  await visitor.go('/panel/clientes')
  await visitor.page.getByText('<img src=x onerror=alert(1)>').waitFor()
  await visitor.go('/panel/zonas/cliente-acme.es/registros')
  await visitor.page.getByText('<script>alert(1)</script>').waitFor()
  expect(await visitor.page.locator('main img, main script').count()).toBe(0)
  await visitor.go('/panel/sitios/cliente-acme.es/detalle')
  await visitor.page.getByText(HOSTILE).waitFor()
  expect(await visitor.page.locator('main img, main script').count()).toBe(0)
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('a customer has pages kept, for as long as is said, empties them, and switches it off', async () => {
  const visitor = await Visitor.come(browser, panel, { as: ana })
  const card = visitor.page.locator('section, .card', { hasText: 'Caché de páginas' }).last()
  const cacheNow = async () =>
    (await panel.api('GET', '/sitios/cliente-acme.es', { bearer: ana.bearer })).body.cache
  const files = { estaticos: false, tipos: {} }
  const save = async (told: string) => {
    await card.getByRole('button', { name: told === 'Vaciada.' ? 'Vaciar la caché' : 'Guardar' }).click()
    await visitor.page.getByText(told).last().waitFor()
  }
  await visitor.go('/panel/sitios/cliente-acme.es/ajustes')
  await card.getByRole('switch', { name: 'Guardar las páginas un rato' }).click()
  await card.getByLabel('Segundos').fill('no')
  await card.getByRole('button', { name: 'Guardar' }).click()
  await card.locator('[aria-invalid=true]').waitFor()
  // At its field, and not a second time below the form.
  const fault = card.getByText('Un número entero de segundos, de 1 a 86.400.')
  await fault.first().waitFor()
  await card.getByRole('alert').waitFor()
  expect(await fault.count()).toBe(1)
  await card.getByLabel('Segundos').fill('120')
  await card.getByLabel('Parámetros').fill('pagina orden')
  await save('Guardado.')
  expect(await cacheNow()).toEqual({ segundos: 120, parametros: ['pagina', 'orden'], ...files })
  await save('Vaciada.')
  await card.getByRole('switch', { name: 'Guardar las páginas un rato' }).click()
  await card.getByRole('button', { name: 'Guardar' }).click()
  await card.getByRole('button', { name: 'Vaciar la caché' }).waitFor({ state: 'detached' })
  expect(await cacheNow()).toBeNull()
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
}, 60_000)

test('a name that turns the direction round turns nothing that stands beside it', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin })
  await visitor.go('/panel/cuenta')
  await visitor.button(/^(Cambiar la contraseña|Change the password)$/).click()
  await visitor.dialog.waitFor()
  await expectBeside(visitor, 'will be revoked')
  await visitor.go('/panel/tokens')
  await visitor
    .button(/^(Revocar|Revoke) /)
    .last()
    .click()
  await visitor.dialog.waitFor()
  await expectBeside(visitor, 'is asked about')
  await visitor.leave()
}, 60_000)

/** In the dialog, the token's name stands before its hint, as in the markup. */
async function expectBeside({ dialog }: Visitor, what: string): Promise<void> {
  const name = dialog.locator('b', { hasText: 'javascript:alert(1)' })
  const hint = name.locator('xpath=following-sibling::code[1]')
  const [before, after] = [await name.boundingBox(), await hint.boundingBox()]
  expect([what, (before?.x ?? 0) < (after?.x ?? 0)]).toEqual([what, true])
}

test('the palette goes anywhere by keyboard alone', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin })
  const { page } = visitor
  await visitor.go('/panel')
  // A quick hand types on before the dialog has come up.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const field = document.querySelector('[role=combobox]')
      if (!field) return
      observer.disconnect()
      document.body.dataset.focused = String(document.activeElement === field)
    }).observe(document.body, { childList: true, subtree: true })
  })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  expect(await page.evaluate(() => document.body.dataset.focused)).toBe('true')
  await page.keyboard.type('cliente-ac')
  await page.getByRole('option', { name: 'zona de acme' }).waitFor()
  // Its client and its site come first.
  await page.getByRole('option', { name: 'Empresa acme' }).waitFor()
  await page.getByRole('option', { name: 'sitio de acme' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'cliente-acme.es', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/panel/zonas/cliente-acme.es/registros')
  // What comes next is the new screen, not the menu.
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('contenido')
  await visitor.leave()
}, 60_000)

test('the navigation and the tabs of each screen are not cut off on a phone', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin, width: 360, height: 740 })
  const cut: string[] = []
  for (const path of [
    '/panel/clientes/acme/ajustes',
    '/panel/zonas/cliente-acme.es/espejo',
    '/panel/tareas',
  ]) {
    await visitor.go(path)
    const found = await visitor.page.locator('.crumbs, .crumbs > *, .tabs, .tabs a').evaluateAll((parts) =>
      parts
        .filter((part) => part instanceof HTMLElement)
        .filter(
          (part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline',
        )
        .map((part) => part.outerHTML.slice(0, 80)),
    )
    cut.push(...found.map((part) => `${path}: ${part}`))
    const right = await visitor.page
      .locator('.crumbs > *, .tabs a')
      .evaluateAll((parts) => Math.max(...parts.map((part) => part.getBoundingClientRect().right)))
    if (right > 360) cut.push(`${path}: reaches to ${right}`)
  }
  expect(cut).toEqual([])
  await visitor.leave()
}, 60_000)

test('every control on a screen shows where the focus is', async () => {
  const visitor = await Visitor.come(browser, panel, { as: admin })
  const { page } = visitor
  await visitor.go('/panel/clientes')
  const unseen: string[] = []
  for (let step = 0; step < 30; step++) {
    await page.keyboard.press('Tab')
    const unmarked = await page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return null
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      const marked = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      return marked ? null : element.outerHTML.slice(0, 120)
    })
    if (unmarked) unseen.push(unmarked)
  }
  expect(unseen).toEqual([])
  await visitor.leave()
}, 60_000)
