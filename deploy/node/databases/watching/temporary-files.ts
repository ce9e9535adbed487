import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'

/** More threads than a server has at a time are not kept in mind. */
const MOST_THREADS = 4096

type Session = { id: number; owner: string; thread: number }
/** Of each file, by its inode: its size, and how much of that is whose. */
export type Held = ReadonlyMap<number, { bytes: number; by: ReadonlyMap<string, number> }>

/**
 * Finds whose statements fill the disk: what does not fit into memory is sorted and grouped in temporary files, which
 * count as nobody's. What a file grows by is credited to those who wrote meanwhile, and stays theirs while they sleep.
 */
export function temporaryFiles(
  directory: string,
  { mostBytes, report }: { mostBytes: number; report(message: string): void },
) {
  /** What each thread had written at the look before. */
  let written: ReadonlyMap<number, number> | null = null
  let held: Held = new Map()

  /**
   * All sessions of the client that holds most, where all together hold too much; otherwise none. `pid` is the
   * server's, null while it does not run.
   */
  return function fillers(pid: number | null, sessions: Session[]): number[] {
    if (pid === null || sessions.length === 0) return []
    const now = new Map(sessions.map(({ thread }) => [thread, writtenBy(pid, thread)]))
    const grown = new Map<string, number>()
    for (const { owner, thread } of written === null ? [] : sessions) {
      const since = (now.get(thread) ?? 0) - (written?.get(thread) ?? 0)
      grown.set(owner, (grown.get(owner) ?? 0) + Math.max(0, since))
    }
    written = new Map([...(written && written.size < MOST_THREADS ? written : []), ...now])
    const files = temporarySizes(pid, directory)
    held = credited(held, files, grown)
    if ([...files.values()].reduce((sum, bytes) => sum + bytes, 0) <= mostBytes) return []
    const owner = holderOf(held, new Set(sessions.map((session) => session.owner)))
    if (owner === null) return []
    report(`statements of ${owner} end: what is sorted takes too much of the disk`)
    return sessions.filter((session) => session.owner === owner).map(({ id }) => id)
  }
}

/** Whose the files are after a look: each file's growth is divided as the bytes that each client has written since. */
export function credited(
  before: Held,
  files: ReadonlyMap<number, number>,
  grown: ReadonlyMap<string, number>,
): Held {
  const all = [...grown.values()].reduce((sum, bytes) => sum + bytes, 0)
  const entries = [...files].map(([inode, bytes]) => {
    const known = before.get(inode)
    // A smaller one is another file under the same number.
    const kept = known && known.bytes <= bytes ? known : { bytes: 0, by: new Map<string, number>() }
    const by = new Map(kept.by)
    for (const [owner, part] of all > 0 ? grown : [])
      by.set(owner, (by.get(owner) ?? 0) + ((bytes - kept.bytes) * part) / all)
    return [inode, { bytes, by }] as const
  })
  return new Map(entries)
}

/** Who of these clients holds most of all files; null if none holds anything. */
export function holderOf(held: Held, owners: ReadonlySet<string>): string | null {
  const sums = new Map<string, number>()
  for (const { by } of held.values())
    for (const [owner, bytes] of by) sums.set(owner, (sums.get(owner) ?? 0) + bytes)
  const [most] = [...sums].filter(([owner, sum]) => owners.has(owner) && sum > 0).sort((a, b) => b[1] - a[1])
  return most?.[0] ?? null
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
 * Sizes of the files that a server has open below its directory for temporary ones, by inode. What it sorts has no
 * name there any more, so that its descriptors are asked; none once it has ended.
 */
function temporarySizes(pid: number, directory: string): Map<number, number> {
  const open = `/proc/${pid}/fd`
  // One file may be open several times.
  const sizes = new Map<number, number>()
  for (const name of entriesOf(open)) {
    const size = sizeBelow(`${open}/${name}`, directory)
    if (size) sizes.set(size.inode, size.bytes)
  }
  return sizes
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Null for what was closed meanwhile, and for what lies elsewhere. */
function sizeBelow(descriptor: string, directory: string): { inode: number; bytes: number } | null {
  try {
    if (!readlinkSync(descriptor).startsWith(`${directory}/`)) return null
    const { ino, blocks } = statSync(descriptor)
    return { inode: ino, bytes: blocks * 512 }
  } catch {
    return null
  }
}
