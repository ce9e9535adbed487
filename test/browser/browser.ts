import { createHash, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { newRenewal, RENEWAL_MS } from '../../lib/sign-in/renewal.ts'
import { plant } from '../api/store.ts'
import type { Panel } from '../support/panel.ts'
import { enrol, nowOf, type SignedIn } from '../support/people.ts'
import { random } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'

const ROOT = resolve(import.meta.dir, '../..')
const AXE = resolve(ROOT, 'node_modules/axe-core/axe.min.js')

declare global {
  interface Window {
    /** Once its text has been evaluated in a page. */
    axe: typeof import('axe-core')
  }
}

/** Debian's. */
export const CHROMIUM = '/usr/bin/chromium-headless-shell'

/** Builds the interface where it was not built yet; the test run builds it before. */
export async function requireBuild(): Promise<void> {
  if (existsSync(resolve(ROOT, 'web/dist/index.html'))) return
  const built = Bun.spawn(['bun', 'web/build.ts'], { cwd: ROOT, stdout: 'ignore', stderr: 'inherit' })
  if ((await built.exited) !== 0) throw new Error('the interface was not built')
}

/**
 * Debian's Chromium without a window, which takes a fifth less of a processor; it must call nobody by itself. `finds`:
 * where it finds names, such as `MAP ana.es:80 127.0.0.1:8080`. `trusts`: certificates (PEM) under which it also does
 * what needs one that it believes.
 */
export async function startBrowser(finds: string[] = [], trusts: string[] = []): Promise<Browser> {
  await requireBuild()
  return chromium.launch({
    executablePath: CHROMIUM,
    // Without a locale it cannot keep a file under a name that is not ASCII.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      // Each visit begins with empty caches: compiling what it never runs takes a fifth of all the time.
      '--js-flags=--max-lazy',
      ...(trusts.length > 0
        ? [`--ignore-certificate-errors-spki-list=${trusts.map(keyHash).join(',')}`]
        : []),
      ...(finds.length > 0 ? [`--host-resolver-rules=${finds.join(',')}`] : []),
    ],
  })
}

/** The SHA-256 of a certificate's public key, by which Chromium is told of it. */
export function keyHash(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

export type Visit = {
  locale?: 'es-ES' | 'en-GB'
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  /** Comes with a session of this person's, as after a reload. */
  as?: SignedIn
}

/** What the sessions that visitors come with are known by. */
export const VISITOR_AGENT = 'visitor'

/** One person's browser: a context of its own, and what must not happen in it. */
export class Visitor {
  readonly page: Page
  readonly context: BrowserContext
  readonly panel: Panel
  /** Everything requested, `GET /path`, whatever its origin. */
  readonly requests: { method: string; url: string; status: number }[] = []
  /** Errors of scripts, refusals of the policy, and complaints of the console. */
  readonly complaints: string[] = []

  private constructor(panel: Panel, context: BrowserContext, page: Page) {
    this.panel = panel
    this.context = context
    this.page = page
  }

  static async come(browser: Browser, panel: Panel, visit: Visit = {}): Promise<Visitor> {
    const context = await browser.newContext({
      baseURL: panel.origin,
      // The certificate is the panel's own; that it is verified elsewhere is tested elsewhere.
      ignoreHTTPSErrors: true,
      locale: visit.locale ?? 'es-ES',
      timezoneId: 'Europe/Madrid',
      viewport: { width: visit.width ?? 1280, height: visit.height ?? 900 },
      colorScheme: visit.colorScheme ?? 'light',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    if (visit.as) await giveSession(panel, context, visit.as)
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const visitor = new Visitor(panel, context, page)
    await visitor.#watch()
    return visitor
  }

  async #watch(): Promise<void> {
    const { page, complaints, requests } = this
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`)
      })
    })
    page.on('pageerror', (error) => complaints.push(`script: ${error.message}`))
    page.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return
      // Chromium notes every answer of 4xx; what the API refuses is checked by the tests themselves.
      if (/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())) return
      complaints.push(`console: ${message.text()}`)
    })
    page.on('requestfinished', async (request) => {
      const response = await request.response().catch(() => null)
      requests.push({ method: request.method(), url: request.url(), status: response?.status() ?? 0 })
    })
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'net::ERR_ABORTED') return
      requests.push({ method: request.method(), url: request.url(), status: 0 })
    })
  }

  /** Goes to an address and waits until nothing is being read any more. */
  async go(path: string): Promise<void> {
    await this.page.goto(path)
    await this.settled()
  }

  /** Goes to another screen without loading the page anew, as a link does. */
  async to(path: string): Promise<void> {
    // A dialog of the screen before may still be open.
    if ((await this.dialog.count()) > 0) {
      await this.page.keyboard.press('Escape')
      await this.dialog.waitFor({ state: 'detached' })
    }
    await this.page.evaluate((target) => history.pushState(null, '', target), path)
    await this.settled()
  }

  /** Waits until the screen has its title and shows no waiting lines. */
  async settled(): Promise<void> {
    await this.page.locator('h1').first().waitFor()
    await eventually(async () => (await this.page.locator('.waiting').count()) === 0, 'a settled screen')
  }

  /** What axe-core finds on the screen as it is, as short lines. */
  async axe(): Promise<string[]> {
    // What lies under the bar at the top cannot be measured.
    await this.page.evaluate(() => scrollTo(0, 0))
    // Evaluated by the protocol: a script element would be refused by the policy.
    if (!(await this.page.evaluate(() => 'axe' in window)))
      await this.page.evaluate(await Bun.file(AXE).text())
    return this.page.evaluate(async () => {
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
      const { violations } = await window.axe.run({ runOnly: { type: 'tag', values: tags } })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
      )
    })
  }

  /** The text of an element, as written. */
  async text(element: Locator): Promise<string> {
    return (await element.textContent()) ?? ''
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
  }

  field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true })
  }

  /** The open dialog. */
  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }

  async leave(): Promise<void> {
    await this.context.close()
  }
}

/**
 * The renewal cookie of a session of its own, and the mark that one is worth asking for: each renewal replaces a
 * cookie, so two visitors cannot share one.
 */
export async function giveSession(panel: Panel, context: BrowserContext, { email }: SignedIn): Promise<void> {
  const { row, header } = newRenewal(random)
  const now = (await nowOf(panel)).getTime()
  plant(
    panel,
    `insert into sessions (id, person_id, renewal_hash, renewal_secret, created_at, renewed_at, expires_at, address, agent)
     select ?, id, ?, ?, ?, ?, ?, '127.0.0.1', ? from persons where email = ?`,
    `ses_${crypto.randomUUID()}`,
    row.renewalHash,
    row.renewalSecret,
    now,
    now,
    now + RENEWAL_MS,
    VISITOR_AGENT,
    email,
  )
  const [name = '', value = ''] = (header.split(';')[0] ?? '').split('=')
  await context.addCookies([
    { name, value, domain: 'localhost', path: '/', secure: true, httpOnly: true, sameSite: 'Strict' },
  ])
  await context.addInitScript(() => localStorage.setItem('panel.sesion', '1'))
}

/** A customer with a login, through the API: for tests whose subject is something else. */
export async function customer(panel: Panel, token: string, name: string): Promise<SignedIn> {
  const correo = `${name}@cliente-${name}.es`
  const body = { cliente: name, correo, domain: `cliente-${name}.es`, nombre: `Empresa ${name}` }
  const made = await panel.api('PUT', `/altas/ref:${name}`, { bearer: token, body })
  if (made.status !== 201) throw new Error(`no client: ${JSON.stringify(made.body)}`)
  const { link } = await panel.mailTo(correo)
  if (!link) throw new Error('the mail has no link')
  return enrol(panel, link, correo)
}
