import { existsSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'

/** For one client; as many descriptors as it may have are looked at in less. */
const DEADLINE_MS = 20_000
const BLOCK_BYTES = 512

/** What has no name any more: it is in no directory, and goes when nothing has it open. */
export type HeldOpen = { diskBytes: number; inodes: number; complete: boolean }

/**
 * Counts the deleted files of a file system that programs of a control group have open or mapped. Threads may have open
 * files of their own. A descriptor on its way through a socket is seen by nobody.
 */
export function heldOpen(group: string, device: number, deadlineMs = DEADLINE_MS): HeldOpen {
  const held = { diskBytes: 0, inodes: 0, complete: true }
  const counted = new Set<number>()
  const until = performance.now() + deadlineMs
  for (const path of descriptors(group)) {
    if (performance.now() > until) return { ...held, complete: false }
    const file = statOf(path)
    if (file === null || file.nlink > 0 || file.dev !== device || counted.has(file.ino)) continue
    counted.add(file.ino)
    held.diskBytes += file.blocks * BLOCK_BYTES
    held.inodes += 1
  }
  return held
}

function* descriptors(group: string): Generator<string> {
  const threads = existsSync(join(group, 'cgroup.threads')) ? 'cgroup.threads' : 'tasks'
  for (const id of idsIn(join(group, threads)))
    for (const fd of namesIn(`/proc/${id}/fd`)) yield `/proc/${id}/fd/${fd}`
  for (const id of idsIn(join(group, 'cgroup.procs')))
    for (const range of deletedMappings(id)) yield `/proc/${id}/map_files/${range}`
}

const idsIn = (path: string) => textOf(path).split('\n').filter(Boolean)

/** One range of each file, as the kernel names its link (proc(5), maps and map_files). */
function deletedMappings(id: string): Iterable<string> {
  const ranges = new Map<string, string>()
  for (const line of textOf(`/proc/${id}/maps`).split('\n')) {
    const [, from = '', to = '', file = ''] =
      /^0*([0-9a-f]+)-0*([0-9a-f]+) \S+ \S+ (\S+ \d+) .*\(deleted\)$/.exec(line) ?? []
    if (file !== '') ranges.set(file, `${from}-${to}`)
  }
  return ranges.values()
}

/** A program may end between any two looks. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
