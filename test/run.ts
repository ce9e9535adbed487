import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { idleShare } from './idle'
import { type Counts, type Failure, readReport } from './report'
import { BUILT_PROGRAM } from './support/program'
import { noWorlds, type World, worldFor } from './worlds'

const ROOT = resolve(import.meta.dir, '..')

/** No folder's tests may take longer than this: twice what the slowest takes on a busy machine. */
const LONGEST_MS = 35 * 60_000
const LEFT_OPEN_MS = 5_000
/** More files with failures than this are not run again. */
const FILES_AGAIN = 8

/** `processorSeconds`: of its programs, as far as they were waited for. */
type Ended = Counts & { processorSeconds: number }
type Phase = { name: string; run(print: Print): Promise<Ended> }
type Print = (bytes: Uint8Array | string) => void

const FIRST: Phase[] = [
  { name: 'types', run: (print) => check(print, ['bunx', 'tsc', '--noEmit']) },
  {
    name: 'lint',
    run: (print) =>
      checks(print, [
        ['bunx', 'biome', 'check', '.'],
        ['bunx', '--bun', 'knip'],
      ]),
  },
  { name: 'interface build', run: (print) => check(print, ['bun', 'run', '--silent', 'build:web']) },
  { name: 'panel build', run: (print) => check(print, ['bun', 'test/support/program.ts']) },
]
const BUILDS = ['interface build', 'panel build']

/** How a host reads requests and writes answers; that every operation works in workerd is shown by test/remote. */
const ON_FUNCTION_HOSTS = apiTests('errors', 'pages', 'provisioning', 'repeat')
/** What a server does with writes at once, with refused ones, and with what all hosts count together. */
const SHARED = ['clients', 'limits', 'links', 'provisioning', 'repeat', 'revocation', 'sign-in']
const ON_A_SERVER = apiTests(...SHARED)
/** The API's tests again, on other ground (test/support/under.ts). */
const API_AGAIN: Phase[] = [
  { name: 'api in Deno', run: (print) => tests(print, ON_FUNCTION_HOSTS, { PANEL_UNDER: 'deno' }) },
  { name: 'api in workerd', run: (print) => tests(print, ON_FUNCTION_HOSTS, { PANEL_UNDER: 'function' }) },
  { name: 'api over a libSQL server', run: (print) => tests(print, ON_A_SERVER, { PANEL_UNDER: 'remote' }) },
]

/** How many folders' tests run at a time, each in a world of its own where it can be had (test/worlds.ts). */
const LANES = 3
/** A further folder begins when this much of the processors was idle for so long: some folders mostly wait. */
const IDLE = { share: 0.3, ms: 10_000 }
/** Longest first: what takes long and begins last would run alone in the end. */
const IN_ORDER = [
  ...['faults', 'browser', 'copies', 'moves', 'applications', 'bases', 'node', 'systemd', 'groups', 'api'],
  ...['abuse', 'commands', 'billing', 'sftp', 'imports', 'function', 'api over a libSQL server'],
  ...['usage', 'files', 'api in workerd', 'dns', 'certificates', 'document', 'api in Deno', 'deno', 'trash'],
  ...['logs', 'schedules', 'settings', 'cage', 'remote', 'mirror', 'fuzz', 'unit'],
]
/** Its machines are worlds themselves, and are made where all processes are seen. */
const OUTSIDE = ['test/systemd/']
/** What needs nothing but Bun and its packages: neither a panel nor a program beside it. */
const WITHOUT_A_PANEL = [
  ...['certificates/schedule', 'dns/rdata', 'dns/zone', 'mirror/address', 'mirror/difference'],
  ...['usage/record', 'usage/warnings'],
].map((name) => `${name}.test.ts`)
const QUICK: Phase[] = [
  ...FIRST.filter(({ name }) => !BUILDS.includes(name)),
  ofFolder('unit'),
  { name: 'without a panel', run: (print) => tests(print, WITHOUT_A_PANEL) },
]

const asked = process.argv.slice(2)
/** Whether all the names are known is all that is asked. */
const askedForNames = asked[0] === '--named'
const quick = asked.join() === 'quick'
const only = quick ? [] : asked.slice(askedForNames ? 1 : 0)
refuseUnknown(only)
if (askedForNames) process.exit(0)
const WHY_SHARED = noWorlds()
if (WHY_SHARED !== null) console.log(`the tests share this machine's network and users: ${WHY_SHARED}`)
// Where it is made anew: an earlier one may be of other sources.
const program = only.length === 0 || only.includes('panel build') ? { PANEL_TEST_PROGRAM: BUILT_PROGRAM } : {}
const total: Counts = { passed: 0, failed: 0, skipped: 0 }
/** What failed, to be told again at the end, where it is found. */
const failures: (Failure & { env: Record<string, string> })[] = []
await (quick ? inTurn(QUICK) : everything())
for (const { told, env } of failures) console.log(`\n== failed: ${under(env)}${told}`)
await runAgain()
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)

/** A name that no phase has would run nothing and pass for done. */
function refuseUnknown(names: string[]): void {
  const known = [...FIRST, ...everyPart()].map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const list = ['quick', ...known].map((name) => (name.includes(' ') ? `'${name}'` : name)).join(', ')
  console.error(`there are no tests called '${unknown}': ${list}`)
  process.exit(2)
}

/** All but the first, in the order in which they begin. A folder that no list names comes first: it may take long. */
function everyPart(): Phase[] {
  const placeOf = ({ name }: Phase) => IN_ORDER.indexOf(name)
  return [...suites().map(ofFolder), ...API_AGAIN].sort((one, other) => placeOf(one) - placeOf(other))
}

/** A later phase still runs when an earlier one failed. */
async function everything(): Promise<void> {
  await Promise.all(FIRST.map((phase) => inTurn([phase], true)))
  const rest = everyPart()
  await Promise.all([...Array.from({ length: LANES }, () => inTurn(rest, true)), whileIdle(rest)])
}

/** Takes the short ones from the end: what is begun beside three others is to be over soon. */
async function whileIdle(queue: Phase[]): Promise<void> {
  while (queue.length > 0) {
    if ((await idleShare(IDLE.ms)) >= IDLE.share) await inTurn(queue.splice(-1), true)
  }
}

/**
 * Runs the files of failed tests once more with nothing beside them. What passes then counts as passed, and is named:
 * it failed for something that the lanes share, or it is a race, which is to be found. Many failures are no accident.
 */
async function runAgain(): Promise<void> {
  const again = new Map<string, { file: string; env: Record<string, string>; failed: number }>()
  for (const { file, env } of failures) {
    if (file === null) return
    const known = again.get(under(env) + file) ?? { file, env, failed: 0 }
    again.set(under(env) + file, { ...known, failed: known.failed + 1 })
  }
  if (quick || again.size > FILES_AGAIN) return
  for (const [name, { file, env, failed }] of again) {
    const counts = await tests(write, [file.replace(/^test\//, '')], env)
    if (counts.failed > 0 || counts.passed < failed) continue
    total.passed += failed
    total.failed -= failed
    console.log(`== passed when run again, alone: ${failed} of ${name}`)
  }
}

function under(env: Record<string, string>): string {
  return env.PANEL_UNDER ? `under ${env.PANEL_UNDER}: ` : ''
}

function apiTests(...names: string[]): string[] {
  return names.map((name) => `api/${name}.test.ts`)
}

function ofFolder(folder: string): Phase {
  return { name: folder, run: (print) => tests(print, [`${folder}/`]) }
}

/** Runs what is left of a queue, which others may take from as well; what those beside others print is held back until they have ended. */
async function inTurn(queue: Phase[], held = false): Promise<void> {
  for (let phase = queue.shift(); phase; phase = queue.shift()) {
    const { name, run } = phase
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
      `== ${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped (${seconds} s, ${counts.processorSeconds.toFixed(0)} s of processor)`,
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

/** Runs all of them, also when one fails. */
async function checks(print: Print, all: string[][]): Promise<Ended> {
  const counts: Ended = { passed: 0, failed: 0, skipped: 0, processorSeconds: 0 }
  for (const argv of all) {
    const { passed, failed, processorSeconds } = await check(print, argv)
    counts.passed += passed
    counts.failed += failed
    counts.processorSeconds += processorSeconds
  }
  return counts
}

async function check(print: Print, argv: string[]): Promise<Ended> {
  const child = Bun.spawn(argv, { cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const streams = [echo(child.stderr, print), echo(child.stdout, print)]
  const ok = (await child.exited) === 0
  await Promise.all(streams.map((stream) => stream.end(LEFT_OPEN_MS)))
  if (!ok) failures.push({ file: null, told: argv.join(' '), env: {} })
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, processorSeconds: processorSecondsOf(child) }
}

function processorSecondsOf(child: Bun.Subprocess): number {
  return Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000_000
}

/** Runs the tests at these paths below test/ and reads Bun's report. */
async function tests(print: Print, below: string[], env: Record<string, string> = {}): Promise<Ended> {
  const paths = below.map((path) => `test/${path}`)
  const world = surroundings(
    ['bun', 'test', '--timeout', '60000', ...paths],
    !OUTSIDE.some((folder) => paths.join().startsWith(folder)),
  )
  const child = Bun.spawn(world.argv, {
    cwd: ROOT,
    env: { ...process.env, ...program, ...world.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL',
  })
  const streams = [echo(child.stderr, print), echo(child.stdout, print)]
  const status = await child.exited
  world.end()
  const [text = ''] = await Promise.all(streams.map((stream) => stream.end(LEFT_OPEN_MS)))
  const report = readReport(text, status)
  failures.push(...report.failures.map((failure) => ({ ...failure, env })))
  return { ...report.counts, processorSeconds: processorSecondsOf(child) }
}

function surroundings(argv: string[], apart: boolean): World {
  return apart && WHY_SHARED === null ? worldFor(argv) : { argv, env: {}, end: () => {} }
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
