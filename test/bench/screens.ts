import { customer, startBrowser, type Visit, Visitor } from '../browser/browser.ts'
import { seenOn, shiftOf, watchShifts } from '../browser/shifts.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { fill } from './_many-records.ts'

/** Longer than this without an answer is felt (web.dev, "Total Blocking Time"). */
const FELT_MS = 50
const DEVICES = [
  ['desktop', { width: 1280, height: 900 }, 1],
  ['phone', { width: 390, height: 844 }, 4],
] as const
const SCREENS = [
  '/panel',
  '/panel/clientes',
  '/panel/clientes/acme/resumen',
  '/panel/sitios',
  '/panel/sitios/cliente-acme.es/detalle',
  '/panel/sitios/cliente-acme.es/archivos',
  '/panel/sitios/cliente-acme.es/bitacora',
  '/panel/planes',
  '/panel/zonas',
  '/panel/zonas/cliente-acme.es/registros',
  '/panel/espejo',
  '/panel/auditoria',
  '/panel/tareas',
  '/panel/nodos',
  '/panel/cuenta',
]
const OF_CUSTOMER = [
  '/panel',
  '/panel/sitios/cliente-acme.es/detalle',
  '/panel/zonas/cliente-acme.es/registros',
]

/**
 * How the screens come up and answer in Chromium, with 10,000 clients and a zone of 1,000 records: what moves, how long
 * the page is blocked, and the slowest answer to a key or a click. The phone's processor is slowed down four times.
 */
export async function run(): Promise<void> {
  const [panel, browser] = await Promise.all([Panel.start(), startBrowser()])
  try {
    const admin = await firstAdmin(panel)
    const bearer = await newToken(panel, admin)
    const owner = await customer(panel, bearer, 'acme')
    await fill(panel, bearer)
    for (const [device, size, slowdown] of DEVICES) {
      const at = { panel, browser, slowdown }
      for (const [as, paths, who] of [
        [admin, SCREENS, 'admin'],
        [owner, OF_CUSTOMER, 'customer'],
      ] as const) {
        const visitor = await come(at, { as, ...size })
        for (const path of paths) await comesUp(visitor, path, `${path} of ${who}, ${device}`)
        await visitor.leave()
      }
      const visitor = await come(at, { as: admin, ...size })
      await answers(visitor, device)
      await visitor.leave()
    }
  } finally {
    await browser.close()
    await panel.stop()
  }
}

type Device = { panel: Panel; browser: Parameters<typeof Visitor.come>[0]; slowdown: number }

async function come({ panel, browser, slowdown }: Device, visit: Visit) {
  const visitor = await Visitor.come(browser, panel, visit)
  await watchShifts(visitor, { slowdown })
  return visitor
}

async function comesUp(visitor: Visitor, path: string, what: string): Promise<void> {
  await visitor.go(path)
  const seen = await seenOn(visitor.page)
  const blockedMs = seen.long.reduce((sum, ms) => sum + Math.max(0, ms - FELT_MS), 0)
  console.log(
    JSON.stringify({ what, shift: Number(shiftOf(seen).toFixed(4)), blockedMs: Math.round(blockedMs) }),
  )
}

/** Each is done on a screen that stands still. */
async function answers(visitor: Visitor, device: string): Promise<void> {
  const { page } = visitor
  const slowest = async (what: string, act: () => Promise<void>) => {
    const before = (await seenOn(page)).slow.length
    await act()
    const { slow } = await seenOn(page)
    console.log(JSON.stringify({ what: `${what}, ${device}`, answerMs: Math.max(0, ...slow.slice(before)) }))
  }
  await visitor.go('/panel/zonas/cliente-acme.es/registros')
  const filter = page.locator('.rr-filter input')
  await slowest('a letter in the filter of 1,000 records', () =>
    filter.pressSequentially('host9', { delay: 60 }),
  )
  await slowest('choosing a record', () => page.locator('.rr-check input').nth(20).check())
  await slowest('choosing all', () => page.locator('.rr-table thead input').click())
  await slowest('opening a record', () => page.locator('.rr-actions button').nth(40).click())
  await visitor.go('/panel/clientes')
  const search = page.locator('.filters input, main input[type=search]').first()
  await slowest('a letter in the search of 10,000 clients', () =>
    search.pressSequentially('c0123', { delay: 60 }),
  )
  await visitor.settled()
  await slowest('choosing clients', () => page.locator('.row-choice input').first().click())
  await page.keyboard.press('Control+k')
  await page.locator('[role=combobox]').waitFor()
  await slowest('a letter in the palette', () => page.keyboard.type('c0999', { delay: 60 }))
}
