import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import type { Panel } from '../support/panel.ts'
import { codeOf, type SignedIn } from '../support/people.ts'
import { chooseLanguage } from './admin-support.ts'

const AXE = require.resolve('axe-core/axe.min.js')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** A page of somebody signed in, and all that went wrong on it. */
export type Desk = { page: Page; faults: string[]; close: () => Promise<void> }

type Look = { width?: number; dark?: boolean; locale?: 'es-ES' | 'en-GB' }

/** Signs in with address, password and code, as a person does. */
export async function deskOf(
  browser: Browser,
  panel: Panel,
  person: SignedIn,
  { width = 1280, dark = false, locale = 'en-GB' }: Look = {},
): Promise<Desk> {
  const context = await browser.newContext({
    // The panel's own authority is unknown to a browser; TLS is tested elsewhere.
    ignoreHTTPSErrors: true,
    locale,
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  await chooseLanguage(context, locale)
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const faults: string[] = []
  page.on('console', (message) => {
    // Chromium writes every answer that is no success there; those that a test provokes are the API's.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(message.text())
    }
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(panel.origin) && !request.url().startsWith('blob:'))
      faults.push(request.url())
  })
  await page.goto(`${panel.origin}/entrar`)
  await page.locator('input[name=username]').fill(person.email)
  await page.locator('input[name=current-password]').fill(person.password)
  await page.locator('button[type=submit]').click()
  // Sent as soon as it is whole.
  await page.locator('.input-code input').fill(await unusedCode(panel, person.totp))
  await page.locator('.shell').waitFor()
  return { page, faults, close: () => context.close() }
}

/** The panel's clock goes on by a step, since a code is taken once (RFC 6238 section 5.2). */
async function unusedCode(panel: Panel, totp: string): Promise<string> {
  const offset = Number(await readFile(`${panel.dataDir}/clock`, 'utf8').catch(() => '0'))
  await panel.setClock(offset + 30)
  return codeOf(panel, totp)
}

/** What axe-core finds on the screen, or on the dialog that is open. */
export async function axe(page: Page): Promise<string[]> {
  // A colour on its way is no colour to be measured.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  // Opened by the driver: the page's own policy lets no text run as code.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await readFile(AXE, 'utf8'))
  return page.evaluate(async (values) => {
    const screen = document.querySelector('[role=dialog]') ?? document.querySelector('main') ?? document
    const { violations } = await window.axe.run(screen, { runOnly: { type: 'tag', values } })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(' ')}`))
  }, TAGS)
}
