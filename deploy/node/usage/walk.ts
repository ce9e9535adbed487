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

/**
 * One directory tree as the walker counts it. `nestedBytes` is what of `diskBytes` lies in other subvolumes;
 * `complete` is false where something could not be read.
 */
export type Walked = { diskBytes: number; nestedBytes: number; inodes: number; complete: boolean }

const BLOCK_BYTES = 512
const OPEN_DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

type Level = { fd: number; names: Buffer[]; next: number }
type Tree = { device: number; mount: string; counted: Set<string>; sum: Walked }

/**
 * Counts occupied blocks and inodes below a directory, itself included, each inode once. Its owner may
 * change it meanwhile: every step goes from an open directory to a name in it without following links
 * (what openat(2) with O_NOFOLLOW does, through /proc/self/fd), so no swapped symlink leads outside. Names
 * are bytes. Other file systems mounted below are not counted. Null where there is no such directory.
 */
export function walkTree(directory: string): Walked | null {
  const sum = { diskBytes: 0, nestedBytes: 0, inodes: 1, complete: true }
  const fd = openDirectory(Buffer.from(directory), sum)
  if (fd === null) return null
  const top = fstatSync(fd)
  sum.diskBytes = top.blocks * BLOCK_BYTES
  const tree: Tree = { device: top.dev, mount: mountOf(fd), counted: new Set(), sum }
  const levels: Level[] = []
  descend(levels, fd, sum)
  try {
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const name = level.names[level.next]
      if (name === undefined) {
        closeSync(level.fd)
        levels.pop()
      } else {
        level.next += 1
        visit(levels, entryPath(level.fd, name), tree)
      }
    }
    return sum
  } finally {
    for (const level of levels) closeSync(level.fd)
  }
}

function visit(levels: Level[], path: Buffer, tree: Tree): void {
  const entry = statOf(path, tree.sum)
  if (entry === null) return
  if (!entry.isDirectory()) {
    count(entry, tree)
    return
  }
  const fd = openDirectory(path, tree.sum)
  if (fd === null) return
  // What is open is what is counted: the name may stand for another directory by now.
  const opened = fstatSync(fd)
  // A subvolume has a device of its own but is no mount.
  if (opened.dev !== tree.device && mountOf(fd) !== tree.mount) {
    closeSync(fd)
    return
  }
  count(opened, tree)
  descend(levels, fd, tree.sum)
}

function count(entry: Stats, tree: Tree): void {
  if (entry.nlink > 1 && !entry.isDirectory()) {
    const id = `${entry.dev}:${entry.ino}`
    if (tree.counted.has(id)) return
    tree.counted.add(id)
  }
  tree.sum.diskBytes += entry.blocks * BLOCK_BYTES
  if (entry.dev !== tree.device) tree.sum.nestedBytes += entry.blocks * BLOCK_BYTES
  tree.sum.inodes += 1
}

function descend(levels: Level[], fd: number, sum: Walked): void {
  let names: Buffer[] = []
  try {
    names = readdirSync(`/proc/self/fd/${fd}`, { encoding: 'buffer' })
  } catch (error) {
    noteFailure(error, sum)
  }
  levels.push({ fd, names, next: 0 })
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

/** As a program: directories from standard input, NUL between them; one JSON line each, in order. */
async function main(): Promise<void> {
  const input = await Bun.stdin.text()
  for (const directory of input.split('\0').filter((path) => path !== '')) {
    process.stdout.write(`${JSON.stringify(walkTree(directory))}\n`)
  }
}

if (import.meta.main) await main()
