import { access } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Place, Walked } from './walk.ts'

const PROGRAM = fileURLToPath(new URL('./walk.ts', import.meta.url))
// Absolute: a program of the same name planted in PATH is not run.
const LOW_PRIORITY = [
  ['/usr/bin/nice', '-n', '19'],
  ['/usr/bin/ionice', '-c', '3'],
] as const

/**
 * Walks directories one after another in a process of its own, below everything else in CPU and disk
 * priority. Calls `found` as each is done; what the deadline cuts off is not found, and the caller keeps
 * its last measurement with its age. Rejects when the process cannot run.
 */
export async function walkDirectories(
  directories: string[],
  options: {
    deadlineMs: number
    found: (index: number, walked: Walked | null) => void
    /** The control group whose deleted files count as a directory's, in the same order. */
    groups?: (string | null)[]
  },
): Promise<void> {
  if (directories.length === 0) return
  const places = directories.map((path, at): Place => ({ path, group: options.groups?.[at] ?? null }))
  const child = Bun.spawn([...(await lowPriority()), process.execPath, PROGRAM], {
    stdin: Buffer.from(JSON.stringify(places)),
    stdout: 'pipe',
    stderr: 'ignore',
    // Nothing of the panel's environment, which holds secrets, is needed.
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), options.deadlineMs)
  let index = 0
  try {
    for await (const line of linesOf(child.stdout)) {
      options.found(index, JSON.parse(line) as Walked | null) // printed by walk.ts alone
      index += 1
    }
    const code = await child.exited
    if (code !== 0 && child.signalCode !== 'SIGKILL') throw new Error(`the walk ended with status ${code}`)
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

async function lowPriority(): Promise<string[]> {
  const found = await Promise.all(
    LOW_PRIORITY.map(async (argv) => ((await exists(argv[0])) ? [...argv] : [])),
  )
  return found.flat()
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
