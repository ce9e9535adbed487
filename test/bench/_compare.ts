import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Measured, measuresIn, median, ratioOf } from './_measures.ts'

/** The commit before the rooms were made. */
const BEFORE = '8783cca'
const ROUNDS = 3
const LEAST = 0.95
const ROOT = resolve(import.meta.dir, '../..')

/** What each benchmark's `run` is given: sizes at which both commits take a turn within minutes. */
const BENCHMARKS: Record<string, string> = { api: '', zones: '2000', sites: '[0, 1000]', function: '' }

/** All values of each measure, of the commit before and of this checkout. */
type Found = Map<string, { kind: Measured['kind']; before: number[]; after: number[] }>

/**
 * `bun run bench compare [COMMIT] [NAME…] [--strict]`: the same benchmarks of a commit and of this checkout, in turn
 * and in one run. Prints what this one has of the other's rate and memory; with `--strict` fails for less than 0.95.
 */
export async function compare(words: string[]): Promise<boolean> {
  const strict = words.includes('--strict')
  const names = Object.keys(BENCHMARKS).filter((name) => words.includes(name))
  const commit = words.find((word) => word !== '--strict' && !(word in BENCHMARKS)) ?? BEFORE
  const tree = mkdtempSync(join(tmpdir(), 'bench-before-'))
  const remove = () => {
    Bun.spawnSync(['git', 'worktree', 'remove', '--force', tree], { cwd: ROOT })
    rmSync(tree, { recursive: true, force: true })
  }
  const stop = () => {
    remove()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  try {
    await done(['git', 'worktree', 'add', '--quiet', '--detach', tree, commit], ROOT)
    symlinkSync(join(ROOT, '.tools'), join(tree, '.tools'))
    await done([process.execPath, 'install', '--frozen-lockfile', '--silent'], tree)
    const slow: string[] = []
    for (const name of names.length > 0 ? names : Object.keys(BENCHMARKS)) {
      console.log(`== ${name}: ${commit}, this checkout, and the part of its rate or memory`)
      slow.push(...told(await inTurn(name, tree)))
    }
    if (slow.length > 0) console.log(`worse than ${LEAST}: ${slow.join(', ')}`)
    return !strict || slow.length === 0
  } finally {
    remove()
  }
}

async function inTurn(name: string, tree: string): Promise<Found> {
  const found: Found = new Map()
  for (let round = 0; round < ROUNDS; round++) {
    const sides = [
      ['before', tree],
      ['after', ROOT],
    ] as const
    // Each is first as often as second: a machine that warms up favours neither.
    for (const [side, cwd] of round % 2 ? sides.toReversed() : sides) {
      const code = `await (await import('./test/bench/${name}.ts')).run(${BENCHMARKS[name]}); process.exit(0)`
      for (const { what, kind, value } of measuresIn(await done([process.execPath, '-e', code], cwd))) {
        const one = found.get(what) ?? { kind, before: [], after: [] }
        one[side].push(value)
        found.set(what, one)
      }
    }
  }
  return found
}

/** Prints each measure; answers those that are worse. What only one of the two measures is told as such. */
function told(found: Found): string[] {
  return [...found].flatMap(([what, { kind, before, after }]) => {
    if (before.length === 0 || after.length === 0) {
      console.log(`${what.padEnd(44)} only ${before.length === 0 ? 'this checkout' : 'the commit'} has it`)
      return []
    }
    const [old, now] = [median(before), median(after)]
    const ratio = ratioOf(kind, old, now)
    const numbers = [old, now].map((one) => one.toFixed(one < 100 ? 2 : 0).padStart(9)).join('')
    console.log(`${what.padEnd(44)} ${kind.padEnd(6)} ${numbers}  ${ratio.toFixed(2)}`)
    return (kind === 'memory' ? ratio <= 1 / LEAST : ratio >= LEAST) ? [] : [what]
  })
}

async function done(argv: string[], cwd: string): Promise<string> {
  const child = Bun.spawn(argv, { cwd, stdout: 'pipe', stderr: 'pipe' })
  const [output, error, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (status !== 0) throw new Error(`${argv.join(' ')}: ${error}${output}`)
  return output
}
