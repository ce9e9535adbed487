import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dir, '..')

/** No folder's tests may take longer than this: several times what the slowest takes. */
const LONGEST_MS = 20 * 60_000
const LEFT_OPEN_MS = 5_000

type Counts = { passed: number; failed: number; skipped: number }

/** Everything that must hold, one after another: a later phase still runs when an earlier one failed. */
const phases: { name: string; run(): Promise<Counts> }[] = [
  { name: 'types', run: () => check(['bunx', 'tsc', '--noEmit']) },
  { name: 'lint', run: () => check(['bunx', 'biome', 'check', '.']) },
  { name: 'interface build', run: () => check(['bun', 'run', '--silent', 'build:web']) },
  ...suites().map((folder) => ({ name: folder, run: () => tests(folder) })),
  // The API tests again, on a libSQL server, and answered by workerd on it (test/support/under.ts).
  { name: 'api over a libSQL server', run: () => tests('api', { PANEL_UNDER: 'remote' }) },
  { name: 'api in workerd', run: () => tests('api', { PANEL_UNDER: 'function' }) },
]

const only = process.argv.slice(2)
const total: Counts = { passed: 0, failed: 0, skipped: 0 }
for (const { name, run } of phases) {
  if (only.length > 0 && !only.includes(name)) continue
  const started = performance.now()
  const counts = await run()
  total.passed += counts.passed
  total.failed += counts.failed
  total.skipped += counts.skipped
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(
    `== ${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped (${seconds} s)`,
  )
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)

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
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }
}

/**
 * Runs one folder's tests and reads Bun's summary; a run that ends without one, or not in time, counts as a
 * failure.
 */
async function tests(folder: string, env: Record<string, string> = {}): Promise<Counts> {
  const child = Bun.spawn(['bun', 'test', '--timeout', '60000', `test/${folder}/`], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  })
  const summary = echo(child.stderr)
  const status = await child.exited
  const text = await summary.end(LEFT_OPEN_MS)
  const count = (word: string) => Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(text)?.[1] ?? 0)
  const counts = { passed: count('pass'), failed: count('fail'), skipped: count('skip') + count('todo') }
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/** Shows what a program prints while it runs, and answers all of it. */
function echo(stream: ReadableStream<Uint8Array>): { end(graceMs: number): Promise<string> } {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      process.stderr.write(value)
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
