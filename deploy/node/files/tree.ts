import { chownSync, closeSync, constants, fstatSync, openSync, readdirSync, type Stats } from 'node:fs'
import { mountOf } from '../usage/walk.ts'
import { hasCode, type Owner } from './safe.ts'

/** <fcntl.h> O_PATH, which node:fs does not name: a handle of anything, a link or a pipe too, that opens nothing. */
const O_PATH = 0o10000000
const ENTRY = O_PATH | constants.O_NOFOLLOW
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY
/** As deep as a path that the kernel takes can lead. */
const LEVELS_MAX = 2048

type Level = { handle: number; names: Buffer[]; next: number }
/** Sees an open entry: its handle stands for this very inode, whatever its name stands for by now. */
type Visit = (handle: number, found: Stats) => void

/**
 * Changes the owner of what belongs to the one customer. Anything else in there, and a file that has a second
 * name, which may lie elsewhere, keeps its owner. No path is named twice: whoever swaps names meanwhile leads
 * this nowhere. Throws where directories are nested too deep.
 */
export function giveTree(top: string, from: Owner, to: Owner): void {
  visitTree(top, (handle, found) => {
    if (found.uid !== from.uid || (!found.isDirectory() && found.nlink !== 1)) return
    chownSync(byHandle(handle), to.uid, found.gid === from.gid ? to.gid : found.gid)
  })
}

/**
 * Visits a directory and all below it on its mount, each directory before it is read. Each step goes from an
 * open directory to a name in it and follows no link (openat(2) with O_NOFOLLOW, through /proc/self/fd).
 */
function visitTree(top: string, visit: Visit): void {
  const levels: Level[] = []
  try {
    const first = openEntry(Buffer.from(top))
    if (first === null) return
    const mount = mountOf(first)
    enter(levels, first, visit)
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const name = level.names[level.next++]
      if (name === undefined) {
        closeSync(level.handle)
        levels.pop()
        continue
      }
      const entry = openEntry(Buffer.concat([Buffer.from(`${byHandle(level.handle)}/`), name]))
      if (entry === null) continue
      if (mountOf(entry) === mount) enter(levels, entry, visit)
      else closeSync(entry)
    }
  } finally {
    for (const { handle } of levels) closeSync(handle)
  }
}

/** Visits an entry and, where it is a directory, goes on in it. */
function enter(levels: Level[], entry: number, visit: Visit): void {
  try {
    const found = fstatSync(entry)
    visit(entry, found)
    if (!found.isDirectory()) return
    if (levels.length >= LEVELS_MAX)
      throw new Error(`directories are nested deeper than ${LEVELS_MAX} levels`)
    const level: Level = { handle: openSync(byHandle(entry), DIRECTORY), names: [], next: 0 }
    levels.push(level)
    // Names are bytes: not every one of them is text.
    level.names = readdirSync(byHandle(level.handle), { encoding: 'buffer' })
  } finally {
    closeSync(entry)
  }
}

/** Null where the name is gone. */
function openEntry(path: Buffer): number | null {
  try {
    return openSync(path, ENTRY)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

/** What a handle stands for, as a path: it leads to the inode itself, and nowhere on from there. */
const byHandle = (handle: number) => `/proc/self/fd/${handle}`
