import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Counts, readReport } from './report'

const ROOT = resolve(import.meta.dir, '..')

/** No folder's tests may take longer than this: several times what the slowest takes. */
const LONGEST_MS = 20 * 60_000
const LEFT_OPEN_MS = 5_000

type Phase = { name: string; run(print: Print): Promise<Counts> }
type Print = (bytes: Uint8Array | string) => void

const FIRST: Phase[] = [
  { name: 'types', run: () => check(['bunx', 'tsc', '--noEmit']) },
  { name: 'lint', run: () => check(['bunx', 'biome', 'check', '.']) },
  { name: 'interface build', run: () => check(['bun', 'run', '--silent', 'build:web']) },
]
/** What of the API depends on how a function host reads requests and writes answers. */
const API_IN_DENO = ['errors', 'pages', 'provisioning', 'repeat'].map((name) => `api/${name}.test.ts`)
/** The first two mostly wait, for deadlines and for a minute to be over; the others measure no time. */
const BESIDE: Phase[][] = [
  [ofFolder('function')],
  [
    ofFolder('deno'),
    { name: 'api in Deno', run: (print) => tests(print, API_IN_DENO, { PANEL_UNDER: 'deno' }) },
  ],
  ['dns', 'mirror', 'remote', 'unit'].map(ofFolder),
]
const LAST: Phase[] = [
  // The API tests again, on a libSQL server, and answered by workerd on it (test/support/under.ts).
  { name: 'api over a libSQL server', run: (print) => tests(print, ['api/'], { PANEL_UNDER: 'remote' }) },
  { name: 'api in workerd', run: (print) => tests(print, ['api/'], { PANEL_UNDER: 'function' }) },
]

/** What needs nothing but Bun and its packages: neither a panel nor a program beside it. */
const WITHOUT_A_PANEL = [
  ...['certificates/schedule', 'dns/rdata', 'dns/zone', 'mirror/address', 'mirror/difference'],
  ...['usage/record', 'usage/warnings'],
].map((name) => `${name}.test.ts`)
const QUICK: Phase[] = [
  ...FIRST.filter(({ name }) => name !== 'interface build'),
  ofFolder('unit'),
  { name: 'without a panel', run: (print) => tests(print, WITHOUT_A_PANEL) },
]

const quick = process.argv.slice(2).join() === 'quick'
const only = quick ? [] : process.argv.slice(2)
const total: Counts = { passed: 0, failed: 0, skipped: 0 }
/** What failed, to be told again at the end, where it is found. */
const failures: string[] = []
await (quick ? inTurn(QUICK) : everything())
for (const failure of failures) console.log(`\n== failed: ${failure}`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)

/** A later phase still runs when an earlier one failed. */
async function everything(): Promise<void> {
  await inTurn(FIRST)
  await Promise.all(BESIDE.map((phases) => inTurn(phases, true)))
  const done = BESIDE.flat().map(({ name }) => name)
  await inTurn(
    suites()
      .filter((folder) => !done.includes(folder))
      .map(ofFolder),
  )
  await inTurn(LAST)
}

function ofFolder(folder: string): Phase {
  return { name: folder, run: (print) => tests(print, [`${folder}/`]) }
}

/** Runs phases one after another; what those beside others print is held back until they have ended. */
async function inTurn(phases: Phase[], held = false): Promise<void> {
  for (const { name, run } of phases) {
    if (only.length > 0 && !only.includes(name)) continue
    const started = performance.now()
    const kept: (Uint8Array | string)[] = []
    const counts = await run(held ? (bytes) => void kept.push(bytes) : write)
    kept.forEach(write)
    total.passed += counts.passed
    total.failed += counts.failed
    total.skipped += counts.skipped
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(
      `== ${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped (${seconds} s)`,
    )
  }
}

function write(bytes: Uint8Array | string): void {
  process.stderr.write(bytes)
}

/** The folders below test/ that hold tests; support and benchmarks hold none. */
function suites(): string[] {
  const folders = readdirSync(import.meta.dir, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders
    .map(({ name }) => name)
    .filter((name) => hasTests(join(import.meta.dir, name)))
    .sort()
}

function hasTests(folder: string): boolean {
  return (
    existsSync(folder) &&
    readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.test.ts'))
  )
}

async function check(argv: string[]): Promise<Counts> {
  const child = Bun.spawn(argv, { cwd: ROOT, stdout: 'inherit', stderr: 'inherit' })
  const ok = (await child.exited) === 0
  if (!ok) failures.push(argv.join(' '))
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }
}

/** Runs the tests at these paths below test/ and reads Bun's report. */
async function tests(print: Print, paths: string[], env: Record<string, string> = {}): Promise<Counts> {
  const child = Bun.spawn(['bun', 'test', '--timeout', '60000', ...paths.map((path) => `test/${path}`)], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  })
  const streams = [echo(child.stderr, print), echo(child.stdout, print)]
  const status = await child.exited
  const [text = ''] = await Promise.all(streams.map((stream) => stream.end(LEFT_OPEN_MS)))
  const report = readReport(text, status)
  const under = env.PANEL_UNDER ? `under ${env.PANEL_UNDER}: ` : ''
  failures.push(...report.failures.map((failure) => under + failure))
  return report.counts
}

/** Passes on what a program prints while it runs, and answers all of it. */
function echo(stream: ReadableStream<Uint8Array>, print: Print): { end(graceMs: number): Promise<string> } {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      print(value)
      text += decoder.decode(value, { stream: true })
    }
  })()
  return {
    /** A process that a failed test left behind may hold the stream open: it is waited for only so long. */
    async end(graceMs) {
      await Promise.race([reading, Bun.sleep(graceMs)])
      await reader.cancel()
      return text
    },
  }
}
