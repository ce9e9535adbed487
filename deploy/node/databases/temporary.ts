import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'

/** Statements that last longer are looked at: what fills a disk takes its time. */
const SHORT_MS = 1_000

type Session = { id: number; owner: string; isBusy: boolean; ms: number; thread: number }

/**
 * Finds whose statements fill the disk: what does not fit into memory is sorted and grouped in temporary files, which
 * count as nobody's.
 */
export function temporaryFiles(
  directory: string,
  { mostBytes, report }: { mostBytes: number; report(message: string): void },
) {
  /** What each thread with a long statement had written at the look before. */
  let before: ReadonlyMap<number, number> = new Map()

  /**
   * The statements of the client that wrote most since the look before, where all together hold too much; otherwise
   * none. `pid` is the server's, null while it does not run.
   */
  return function fillers(pid: number | null, sessions: Session[]): number[] {
    const long = sessions.filter(({ isBusy, ms }) => isBusy && ms > SHORT_MS)
    if (pid === null || long.length === 0) return []
    const now = new Map(long.map(({ thread }) => [thread, writtenBy(pid, thread)]))
    const grown = ({ thread }: Session) => (now.get(thread) ?? 0) - (before.get(thread) ?? Number.NaN)
    const writers = long.filter((session) => grown(session) > 0)
    before = now
    if (temporaryBytes(pid, directory) <= mostBytes) return []
    const { owner } = writers.toSorted((one, other) => grown(other) - grown(one))[0] ?? {}
    if (owner === undefined) return []
    report(`statements of ${owner} end: what is sorted takes too much of the disk`)
    return long.filter((session) => session.owner === owner).map(({ id }) => id)
  }
}

/** Bytes that a thread of a process has written so far (proc(5), `wchar`). */
function writtenBy(pid: number, thread: number): number {
  try {
    const io = readFileSync(`/proc/${pid}/task/${thread}/io`, 'utf8')
    return Number(/^wchar: (\d+)$/m.exec(io)?.[1] ?? 0)
  } catch {
    return 0
  }
}

/**
 * Bytes of the files that a server has open below its directory for temporary ones. What it sorts has no name there
 * any more, so that its descriptors are asked; 0 once it has ended.
 */
function temporaryBytes(pid: number, directory: string): number {
  const open = `/proc/${pid}/fd`
  // One file may be open several times.
  const sizes = new Map<number, number>()
  for (const name of entriesOf(open)) {
    const size = sizeBelow(`${open}/${name}`, directory)
    if (size) sizes.set(size.ino, size.bytes)
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Null for what was closed meanwhile, and for what lies elsewhere. */
function sizeBelow(descriptor: string, directory: string): { ino: number; bytes: number } | null {
  try {
    if (!readlinkSync(descriptor).startsWith(`${directory}/`)) return null
    const { ino, blocks } = statSync(descriptor)
    return { ino, bytes: blocks * 512 }
  } catch {
    return null
  }
}
