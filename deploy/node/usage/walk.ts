import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
} from 'node:fs'
import { heldOpen } from './held-open.ts'

/** A directory, and the control group whose programs may hold deleted files of it open. */
export type Place = { path: string; group: string | null }

/**
 * One directory tree as the walker counts it. `nestedBytes` is what of `diskBytes` lies in other subvolumes;
 * `complete` is false where something could not be read.
 */
export type Walked = { diskBytes: number; nestedBytes: number; inodes: number; complete: boolean }

const BLOCK_BYTES = 512
const OPEN_DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** A tree may be deeper than a process may open files: so many of the nearest levels, and the top, stay open. */
const MOST_OPEN = 64

/** `fd` is null while the level is shut; it is opened again by `..` of the one below, if that still is `id`. */
type Level = { fd: number | null; id: string; names: Buffer[]; next: number }
type Tree = { device: number; mount: string; counted: Set<string>; sum: Walked }

/**
 * Counts occupied blocks and inodes below a directory, itself included, each inode once. Its owner may
 * change it meanwhile: every step goes from an open directory to a name in it without following links
 * (what openat(2) with O_NOFOLLOW does, through /proc/self/fd), so no swapped symlink leads outside. Names
 * are bytes. Other file systems mounted below are not counted. What is moved away below its level is not complete.
 * Null where there is no such directory.
 */
export function walkTree(directory: string): Walked | null {
  const sum = { diskBytes: 0, nestedBytes: 0, inodes: 1, complete: true }
  const fd = openDirectory(Buffer.from(directory), sum)
  if (fd === null) return null
  const top = fstatSync(fd)
  sum.diskBytes = top.blocks * BLOCK_BYTES
  const tree: Tree = { device: top.dev, mount: mountOf(fd), counted: new Set(), sum }
  const levels: Level[] = []
  descend(levels, fd, tree)
  try {
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const name = level.names[level.next]
      if (name === undefined || level.fd === null) {
        ascend(levels, sum)
      } else {
        level.next += 1
        visit(levels, entryPath(level.fd, name), tree)
      }
    }
    return sum
  } finally {
    for (const level of levels) shut(level)
  }
}

/** Leaves the deepest level for the one above it. */
function ascend(levels: Level[], sum: Walked): void {
  const left = levels.pop()
  const above = levels.at(-1)
  if (above !== undefined && above.fd === null) {
    above.fd = left === undefined || left.fd === null ? null : parentOf(left.fd, above.id)
    // The rest of a level that is not there any more is not counted.
    if (above.fd === null) sum.complete = false
  }
  if (left !== undefined) shut(left)
}

/** The directory above an open one, if it is still the one that the walk came from. */
function parentOf(fd: number, id: string): number | null {
  try {
    const parent = openSync(`/proc/self/fd/${fd}/..`, OPEN_DIRECTORY)
    if (idOf(fstatSync(parent)) === id) return parent
    closeSync(parent)
  } catch {
    // Removed meanwhile, with what it was in.
  }
  return null
}

function shut(level: Level): void {
  if (level.fd !== null) closeSync(level.fd)
  level.fd = null
}

const idOf = ({ dev, ino }: Stats) => `${dev}:${ino}`

function visit(levels: Level[], path: Buffer, tree: Tree): void {
  const entry = statOf(path, tree.sum)
  if (entry === null) return
  if (!entry.isDirectory()) {
    count(entry, tree)
    return
  }
  const fd = openDirectory(path, tree.sum)
  if (fd === null) return
  // The open directory is counted: its name may stand for another one by now.
  const opened = fstatSync(fd)
  // A subvolume has a device of its own but is no mount.
  if (opened.dev !== tree.device && mountOf(fd) !== tree.mount) {
    closeSync(fd)
    return
  }
  count(opened, tree)
  descend(levels, fd, tree)
}

function count(entry: Stats, tree: Tree): void {
  if (entry.nlink > 1 && !entry.isDirectory()) {
    const id = idOf(entry)
    if (tree.counted.has(id)) return
    tree.counted.add(id)
  }
  tree.sum.diskBytes += entry.blocks * BLOCK_BYTES
  if (entry.dev !== tree.device) tree.sum.nestedBytes += entry.blocks * BLOCK_BYTES
  tree.sum.inodes += 1
}

function descend(levels: Level[], fd: number, { sum }: Tree): void {
  let names: Buffer[] = []
  try {
    names = readdirSync(`/proc/self/fd/${fd}`, { encoding: 'buffer' })
  } catch (error) {
    noteFailure(error, sum)
  }
  levels.push({ fd, id: idOf(fstatSync(fd)), names, next: 0 })
  const far = levels[levels.length - MOST_OPEN]
  if (far !== undefined && far !== levels[0]) shut(far)
}

function statOf(path: Buffer, sum: Walked): Stats | null {
  try {
    return lstatSync(path)
  } catch (error) {
    noteFailure(error, sum)
    return null
  }
}

function openDirectory(path: Buffer, sum: Walked): number | null {
  try {
    return openSync(path, OPEN_DIRECTORY)
  } catch (error) {
    noteFailure(error, sum)
    return null
  }
}

/** What vanished or became something else since its directory was read occupies nothing there. */
function noteFailure(error: unknown, sum: Walked): void {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ELOOP') sum.complete = false
}

function entryPath(fd: number, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), name])
}

/** The mount that an open file is reached through (proc(5), fdinfo). */
export function mountOf(fd: number): string {
  return /^mnt_id:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? ''
}

/** As a program: a list of places from standard input; one JSON line each, in order. */
async function main(): Promise<void> {
  const places = (await Bun.stdin.json()) as Place[] // printed by walker.ts alone
  for (const place of places) process.stdout.write(`${JSON.stringify(walkPlace(place))}\n`)
}

function walkPlace({ path, group }: Place): Walked | null {
  const walked = walkTree(path)
  if (walked === null || group === null) return walked
  const held = heldOpen(group, lstatSync(path).dev)
  return {
    ...walked,
    diskBytes: walked.diskBytes + held.diskBytes,
    inodes: walked.inodes + held.inodes,
    complete: walked.complete && held.complete,
  }
}

if (import.meta.main) await main()
