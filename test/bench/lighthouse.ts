import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { Audit, desktopConfig, type Result } from 'lighthouse'
import { chromium } from 'playwright-core'
import { CHROMIUM, customer, giveSession, keyHash, requireBuild } from '../browser/browser.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { blockedMs } from './_blocked.ts'
import { fill } from './_many-records.ts'
import { median } from './_measures.ts'
import { until } from './_web.ts'

/** Of so many runs of a screen each number's median is told: one run is blocked by whatever else the machine does. */
const RUNS = Number(process.env.LIGHTHOUSE_RUNS ?? 3)
const SIGN_IN = '/entrar'
const SCREENS = [
  '/panel',
  '/panel/clientes',
  '/panel/clientes/acme/resumen',
  '/panel/sitios/cliente-acme.es/detalle',
  '/panel/sitios/cliente-acme.es/archivos',
  '/panel/zonas/cliente-acme.es/registros',
  '/panel/planes',
]
const PROFILES = {
  mobile: { config: undefined, slowdown: 4, blocking: { p10: 200, median: 600 } },
  desktop: { config: desktopConfig, slowdown: 1, blocking: { p10: 150, median: 350 } },
}
type Profile = keyof typeof PROFILES

/**
 * Lighthouse's performance of the main screens at a first visit, with nothing kept but the session: 10,000 clients, a
 * zone of 1,000 records, the panel itself over TLS. `LIGHTHOUSE_ONLY` and `LIGHTHOUSE_RUNS` narrow it, and
 * `LIGHTHOUSE_REPORTS` names a folder for the whole reports. `ownTbt` and `ownScore` leave out what the page waited for
 * other programs on the machine.
 */
export async function run(): Promise<void> {
  await requireBuild()
  const panel = await Panel.start()
  try {
    const admin = await firstAdmin(panel)
    const bearer = await newToken(panel, admin)
    await customer(panel, bearer, 'acme')
    await fill(panel, bearer)
    await withChromium(panel, async (port) => {
      for (const profile of ['mobile', 'desktop'] as const)
        await tell(`${panel.origin}${SIGN_IN}`, SIGN_IN, { port, profile })
    })
    await withChromium(panel, async (port) => {
      await signIn(panel, admin, port)
      for (const path of SCREENS)
        for (const profile of ['mobile', 'desktop'] as const)
          await tell(`${panel.origin}${path}`, path, { port, profile })
    })
  } finally {
    await panel.stop()
  }
}

/** A Chromium that Lighthouse finds at a port, with a profile of its own; it believes the panel's certificate. */
async function withChromium(panel: Panel, measure: (port: number) => Promise<void>): Promise<void> {
  const [port, profile] = await Promise.all([freePort(), mkdtemp(join(tmpdir(), 'lighthouse-'))])
  const options = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--lang=es-ES']
  const child = Bun.spawn(
    [
      ...[
        CHROMIUM,
        ...options,
        `--ignore-certificate-errors-spki-list=${keyHash(panel.ca)}`,
        `--remote-debugging-port=${port}`,
      ],
      ...[`--user-data-dir=${profile}`, 'about:blank'],
    ],
    { env: { ...process.env, LC_ALL: 'C.UTF-8' }, stdout: 'ignore', stderr: 'ignore' },
  )
  try {
    await until(async () => (await fetch(`http://127.0.0.1:${port}/json/version`).catch(() => null)) !== null)
    await measure(port)
  } finally {
    child.kill()
    await child.exited
    await rm(profile, { recursive: true, force: true })
  }
}

/** Leaves the session where Lighthouse's pages find it: in the profile. */
async function signIn(panel: Panel, admin: SignedIn, port: number): Promise<void> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const [context] = browser.contexts()
  if (!context) throw new Error('Chromium has no profile')
  await giveSession(panel, context, admin)
  const page = await context.newPage()
  await page.goto(`${panel.origin}/icon.svg`)
  await page.close()
  await browser.close()
}

type Figures = {
  score: number
  fcp: number
  lcp: number
  si: number
  tbt: number
  cls: number
  kib: number
  ownTbt: number
  ownScore: number
}

async function tell(
  url: string,
  path: string,
  { port, profile }: { port: number; profile: Profile },
): Promise<void> {
  const only = process.env.LIGHTHOUSE_ONLY
  if (only && !`${path} ${profile}`.match(only)) return
  const runs: Figures[] = []
  for (let at = 0; at < RUNS; at++) runs.push(await measured(url, { port, profile }))
  const names = Object.keys(runs[0] ?? {}) as (keyof Figures)[]
  const figures = Object.fromEntries(names.map((name) => [name, median(runs.map((one) => one[name]))]))
  console.log(JSON.stringify({ what: `${path}, ${profile}`, ...figures }))
}

async function measured(
  url: string,
  { port, profile }: { port: number; profile: Profile },
): Promise<Figures> {
  const flags = {
    port,
    onlyCategories: ['performance'],
    disableFullPageScreenshot: true,
    logLevel: 'error' as const,
  }
  const result = await lighthouse(url, flags, PROFILES[profile].config)
  if (!result || result.lhr.runtimeError) throw new Error(`${url}: ${result?.lhr.runtimeError?.message}`)
  const { audits, categories, finalDisplayedUrl } = result.lhr
  const reports = process.env.LIGHTHOUSE_REPORTS
  if (reports)
    await Bun.write(
      join(reports, `${profile}${finalDisplayedUrl.replace(/^.*:\d+|\W/g, '-')}.json`),
      JSON.stringify(result.lhr),
    )
  if (finalDisplayedUrl !== url) throw new Error(`${url} became ${finalDisplayedUrl}`)
  const { slowdown } = PROFILES[profile]
  const ownTbt = blockedMs(result.artifacts.Trace.traceEvents, slowdown)
  const of = (id: string) => audits[id]?.numericValue ?? Number.NaN
  return {
    score: Math.round((categories.performance?.score ?? Number.NaN) * 100),
    fcp: Math.round(of('first-contentful-paint')),
    lcp: Math.round(of('largest-contentful-paint')),
    si: Math.round(of('speed-index')),
    tbt: Math.round(of('total-blocking-time')),
    cls: Math.round(of('cumulative-layout-shift') * 10_000) / 10_000,
    kib: Math.round(of('total-byte-weight') / 1024),
    ownTbt: Math.round(ownTbt),
    ownScore: ownScore(result.lhr, profile, ownTbt),
  }
}

/** The score with the blocking time of the page's own clock. */
function ownScore({ audits, categories }: Result, profile: Profile, ownTbt: number): number {
  const scores = (categories.performance?.auditRefs ?? []).map(({ id, weight }) =>
    id === 'total-blocking-time'
      ? weight * Audit.computeLogNormalScore(PROFILES[profile].blocking, ownTbt)
      : weight * (audits[id]?.score ?? 0),
  )
  // The weights are parts of a hundred.
  return Math.round(scores.reduce((sum, score) => sum + score, 0))
}
