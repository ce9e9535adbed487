import { Database } from 'bun:sqlite'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type { Panel } from '../support/panel.ts'
import { codeOf, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'

const AXE = require.resolve('axe-core/axe.min.js')
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** A loaded machine is slow; what has not come by then does not come. */
const PATIENCE_MS = 20_000

/** `fresh`: nobody has chosen a language on it yet, so that whoever signs in brings their own. */
export type Look = { locale?: 'es-ES' | 'en-GB'; width?: number; dark?: boolean; fresh?: boolean }

/** Has the language of a browser's locale chosen on it, before any page. */
export const chooseLanguage = (context: BrowserContext, locale: string): Promise<unknown> =>
  context.addInitScript(
    (language) => {
      if (localStorage.getItem('panel.idioma') === null) localStorage.setItem('panel.idioma', language)
    },
    locale.slice(0, 2),
  )

/** Marks all jobs of a kind as failed for good, as many failed tries would have left them. */
export function failJobs(panel: Panel, kind: string, error: string): void {
  using database = new Database(join(panel.dataDir, 'panel.db'))
  database.exec('PRAGMA busy_timeout = 5000')
  database.run("UPDATE jobs SET state = 'fallida', attempts = 8, error = ? WHERE kind = ?", [error, kind])
}

/** A person at a browser: one page, and everything that went wrong on it. */
export class Visitor {
  readonly page: Page
  /** Console errors, uncaught exceptions, and requests that left the panel. */
  readonly faults: string[] = []
  readonly #panel: Panel
  readonly #context: BrowserContext

  private constructor(panel: Panel, context: BrowserContext, page: Page) {
    this.#panel = panel
    this.#context = context
    this.page = page
    page.setDefaultTimeout(PATIENCE_MS)
    page.on('console', (message) => {
      // Chromium writes every refused request there too; those a test provokes are part of the API.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        this.faults.push(message.text())
      }
    })
    page.on('pageerror', (error) => this.faults.push(String(error)))
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(panel.origin) && !/^(?:blob|data):/.test(url)) this.faults.push(`request: ${url}`)
    })
  }

  static async open(browser: Browser, panel: Panel, look: Look = {}): Promise<Visitor> {
    const context = await browser.newContext({
      // The panel's certificate is of its own authority, which no browser knows; TLS is tested elsewhere.
      ignoreHTTPSErrors: true,
      locale: look.locale ?? 'en-GB',
      timezoneId: 'Europe/Madrid',
      viewport: { width: look.width ?? 1280, height: 900 },
      colorScheme: look.dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    if (!look.fresh) await chooseLanguage(context, look.locale ?? 'en-GB')
    return new Visitor(panel, context, await context.newPage())
  }

  /** Signs in as a person does: address, password, code. */
  async signIn(person: SignedIn): Promise<void> {
    const { page } = this
    await page.goto(`${this.#panel.origin}/entrar`)
    await page.locator('input[name=username]').fill(person.email)
    await page.locator('input[name=current-password]').fill(person.password)
    await page.locator('button[type=submit]').click()
    // Sent as soon as it is whole.
    await page.locator('.input-code input').fill(await this.freshCode(person.totp))
    await page.locator('.shell').waitFor()
  }

  /** A code that was not used yet: the panel's clock goes on by a step for each (RFC 6238, 5.2). */
  async freshCode(totp: string): Promise<string> {
    const offset = Number(await readFile(`${this.#panel.dataDir}/clock`, 'utf8').catch(() => '0'))
    await this.#panel.setClock(offset + 30)
    return codeOf(this.#panel, totp)
  }

  /** Goes to a place of the menu and waits for its heading. */
  async goto(path: string, heading: string): Promise<void> {
    await this.page.goto(this.#panel.origin + path)
    await this.page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await this.settled()
  }

  /** Waits until nothing is being read any more. */
  async settled(): Promise<void> {
    await eventually(async () => (await this.page.locator('.waiting').count()) === 0, 'the screen to load')
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name })
  }

  /** What axe-core finds on the screen and its dialogs, one line for each; the frame around is not a screen's. */
  async axe(of: 'screen' | 'dialog' = 'screen'): Promise<string[]> {
    const rules = of === 'screen' ? [...WCAG, 'best-practice'] : WCAG
    await this.#still()
    // Opened by the driver, not by the page, whose policy lets no text run as code.
    if (!(await this.page.evaluate(() => 'axe' in window)))
      await this.page.evaluate(await readFile(AXE, 'utf8'))
    return this.page.evaluate(async (values) => {
      const dialog = document.querySelector('[role=dialog]')
      const screen = dialog ?? document.querySelector('main') ?? document
      const { violations } = await window.axe.run(screen, { runOnly: { type: 'tag', values } })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary ?? ''}`),
      )
    }, rules)
  }

  /** Waits for the end of what moves: a colour on its way is no colour to be measured. */
  async #still(): Promise<void> {
    await this.page.evaluate(async () => {
      const ending = document
        .getAnimations()
        .filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
      await Promise.allSettled(ending.map(({ finished }) => finished))
    })
  }

  close(): Promise<void> {
    return this.#context.close()
  }
}
