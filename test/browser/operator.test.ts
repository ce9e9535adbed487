import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { startWorld, type World } from '../support/node-world.ts'
import { eventually } from '../support/wait.ts'
import { startBrowser, Visitor } from './browser.ts'
import { overflow } from './overflow.ts'

setDefaultTimeout(120_000)

let world: World
let browser: Browser

beforeAll(async () => {
  ;[world, browser] = await Promise.all([startWorld(), startBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await world?.[Symbol.asyncDispose]()
}, 60_000)

const come = (locale: 'es-ES' | 'en-GB' = 'en-GB') =>
  Visitor.come(browser, world.panel, { as: world.admin, locale })

test('a refused destination of copies is told at its field, and another kind begins without its address', async () => {
  const visitor = await come()
  const { page } = visitor
  await visitor.go('/panel/nodos')
  expect(await visitor.field('Kind').inputValue()).toBe('carpeta')
  expect(await page.getByText('Credential', { exact: true }).count()).toBe(0)
  const folder = join(world.panel.dataDir, 'destino')
  mkdirSync(folder)
  await visitor.field('Address').fill(join(folder, 'falta'))
  await visitor.field('Password of the copies').fill('una frase larga')
  await visitor.button('Check and store').click()
  const told = (label: string) =>
    visitor.field(label).evaluate((field) => {
      const ids = field.getAttribute('aria-describedby')?.split(' ') ?? []
      return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
    })
  const isTold = (label: string, words: string) =>
    eventually(async () => (await told(label)).includes(words), words, 60_000)
  await isTold('Address', 'This folder is not there, or cannot be used.')
  // A look at another window has everything on the screen read again.
  const again = page.waitForResponse((answer) => answer.url().endsWith('/api/copias/destino'))
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  expect((await again).status()).toBe(404)
  expect(await visitor.field('Address').inputValue()).toBe(join(folder, 'falta'))
  expect(await told('Address')).toContain('This folder is not there, or cannot be used.')
  await visitor.field('Kind').selectOption('REST')
  expect(await visitor.field('Address').inputValue()).toBe('')
  await page.getByText('user:password, where the server asks for one.').waitFor()
  await visitor.field('Address').fill('/var/copias')
  await visitor.button('Check and store').click()
  await isTold('Address', 'It must begin with https://. It may have a path')
  await visitor.field('Kind').selectOption('A folder on this machine')
  expect(await visitor.field('Address').inputValue()).toBe(join(folder, 'falta'))
  await visitor.field('Address').fill(folder)
  await visitor.button('Check and store').click()
  await page.getByText('The destination works and is stored.').waitFor({ timeout: 60_000 })
  await visitor.button('Change').click()
  await visitor.field('Password of the copies').fill('otra frase larga')
  await visitor.button('Check and store').click()
  await isTold('Password of the copies', 'under another password.')
  expect(await visitor.axe()).toEqual([])
  await visitor.leave()
  expect(world.panel.log).not.toContain('TimeoutNegativeWarning')
})

test('a webhook that was never sent anything says so, in both languages', async () => {
  await world.panel.api('POST', '/avisos', {
    bearer: world.admin.bearer,
    body: { url: 'https://avisos.ejemplo.net/', tipos: ['*'] },
  })
  for (const [locale, words] of [
    ['en-GB', 'none yet'],
    ['es-ES', 'ninguna todavía'],
  ] as const) {
    const visitor = await come(locale)
    await visitor.go('/panel/avisos')
    await visitor.page.getByRole('cell', { name: words }).waitFor()
    await visitor.leave()
  }
})

test('days of a log and of the audit trail are those of the account’s own time zone', async () => {
  await world.panel.api('PATCH', '/yo', {
    bearer: world.admin.bearer,
    body: { zona_horaria: 'America/Mexico_City' },
  })
  const visitor = await come()
  const { page } = visitor
  const asked = (path: string) =>
    page.waitForRequest((request) => {
      const url = new URL(request.url())
      return url.pathname === path && url.search.includes('2026-11-2')
    })
  await visitor.go('/panel/sitios/vecino.es/bitacora')
  const log = asked('/api/sitios/vecino.es/bitacora')
  await visitor.field('From day').fill('2026-11-21')
  expect(new URL((await log).url()).searchParams.get('desde')).toBe('2026-11-21T06:00:00.000Z')
  await visitor.go('/panel/auditoria')
  const trail = asked('/api/auditoria')
  await visitor.field('To day').fill('2026-11-21')
  expect(new URL((await trail).url()).searchParams.get('dia_hasta')).toBe('2026-11-22T05:59:59.999Z')
  expect(visitor.complaints).toEqual([])
  await visitor.leave()
  await world.panel.api('PATCH', '/yo', { bearer: world.admin.bearer, body: { zona_horaria: null } })
})

test('the audit trail names what was acted on by the name that people know', async () => {
  const { admin, panel } = world
  const { body } = await panel.api('POST', '/personas', {
    bearer: admin.bearer,
    body: { correo: 'nueva@host.es' },
  })
  await panel.api('PATCH', `/personas/${body.id}`, { bearer: admin.bearer, body: { activa: false } })
  await world.client('parada', { aliases: [] })
  await world.done('POST', '/clientes/parada/suspender')
  const visitor = await come()
  await visitor.go('/panel/auditoria')
  const table = visitor.page.getByRole('table', { name: 'Audit trail' })
  await table.getByText('Client suspended: parada', { exact: true }).waitFor()
  expect(await table.getByText('nueva@host.es').count()).toBe(2)
  expect(await table.getByText(body.id).count()).toBe(0)
  await visitor.leave()
})

test('a plan with every limit is no wider than a small desktop, and all of them are told', async () => {
  const { admin, panel } = world
  const limits = {
    disco_bytes: 2 ** 40,
    inodos: 4_000_000,
    trafico_bytes: 2 ** 41,
    sitios: 500,
    aliases: 1000,
  }
  const more = { zonas: 500, cpu_porcentaje: 1600, memoria_bytes: 2 ** 36, procesos: 5000, cuentas_sftp: 100 }
  const rest = { bases: 500, bases_bytes: 2 ** 38, programadas: 100, correos_dia: 50_000 }
  const body = { plan: 'Profesional con todo', ...limits, ...more, ...rest }
  expect((await panel.api('POST', '/planes', { bearer: admin.bearer, body })).status).toBe(201)
  const visitor = await come('es-ES')
  await visitor.go('/panel/planes')
  const row = visitor.page.getByRole('row', { name: /Profesional con todo/ })
  for (const words of ['Archivos y carpetas 4.000.000', 'Correos al día 50.000', 'Alias 1.000'])
    expect(await row.textContent()).toContain(words)
  expect(await overflow(visitor.page)).toBeLessThanOrEqual(0)
  expect(await visitor.axe()).toEqual([])
  await visitor.leave()
})

test('a change of state is told in the words of the screens', async () => {
  const visitor = await come('es-ES')
  await visitor.go('/panel/auditoria')
  await visitor.page.getByText('Estado: Activo → Suspendido').first().waitFor()
  await visitor.leave()
})
