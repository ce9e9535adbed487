import {
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  type Stats,
} from 'node:fs'
import { hasCode, type Owner, putInPlaceAt } from '../host/files.ts'
import { mountOf } from '../usage/walk.ts'

/** <fcntl.h> O_PATH, which node:fs does not name: a handle of anything, a link or a pipe too, that opens nothing. */
const O_PATH = 0o10000000
const ENTRY = O_PATH | constants.O_NOFOLLOW
const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY
/** Levels that are held open at once: a customer can nest directories as deep as it likes. */
const OPEN_LEVELS = 64
const CLOSED = -1
const ROOT = 0

/** A directory under way; `handle` is CLOSED while so many below it are open. */
type Level = { handle: number; dev: number; ino: number; names: Buffer[]; next: number }
/** Where an entry was found: its name in an open directory; null for the top. */
type Place = { directory: number; name: Buffer } | null
/** Sees an open entry: its handle stands for this very inode, whatever its name stands for by now. */
type Visit = (handle: number, found: Stats, place: Place) => void

/**
 * Changes the owner of what belongs to one customer. Anything else in the tree keeps its owner. A file that has a name
 * elsewhere, by which its former owner could go on writing it, is replaced by a copy. No path is named twice, so that
 * swapping names meanwhile leads this to no other file. A killed change is finished by the same call.
 */
export function giveTree(top: string, from: Owner, to: Owner): void {
  const named = new Map<string, number>()
  visitTree(top, (_handle, found) => {
    if (isShared(found)) named.set(keyOf(found), (named.get(keyOf(found)) ?? 0) + 1)
  })
  visitTree(top, (handle, found, place) => {
    if (found.uid !== from.uid) return
    const gid = found.gid === from.gid ? to.gid : found.gid
    const hasNameElsewhere = isShared(found) && named.get(keyOf(found)) !== found.nlink
    if (hasNameElsewhere && place !== null) replace(handle, place, { uid: to.uid, gid, mode: found.mode })
    else chownSync(byHandle(handle), to.uid, gid)
  })
}

/**
 * Gives a customer what is root's in a directory of its own that became root's, as by a `chown -R`; no customer makes
 * such files. One with another name stays, which may be anybody's, and so does a device. The directory itself is left
 * for last, so that a killed change is finished by the same call.
 */
export function giveRoots(top: string, to: Owner): void {
  if (lstatSync(top, { throwIfNoEntry: false })?.uid !== ROOT) return
  visitTree(top, (handle, found, place) => {
    if (place === null || found.uid !== ROOT || isShared(found)) return
    if (!found.isFile() && !found.isDirectory() && !found.isSymbolicLink()) return
    chownSync(byHandle(handle), to.uid, found.gid === ROOT ? to.gid : found.gid)
  })
}

const isShared = (found: Stats) => found.isFile() && found.nlink > 1
const keyOf = ({ dev, ino }: Stats) => `${dev}:${ino}`

/** Puts a file of the same content in the place of one, under its name and nowhere else. */
function replace(
  handle: number,
  { directory, name }: NonNullable<Place>,
  { uid, gid, mode }: Owner & { mode: number },
): void {
  const own = `.copy-${crypto.randomUUID()}`
  const copy = `${byHandle(directory)}/${own}`
  try {
    copyFileSync(byHandle(handle), copy, constants.COPYFILE_EXCL)
    const made = openSync(copy, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      fchownSync(made, uid, gid)
      fchmodSync(made, mode & 0o777)
      putInPlaceAt(directory, { handle: made, name: Buffer.from(own) }, name)
    } finally {
      closeSync(made)
    }
  } catch (error) {
    rmSync(copy, { force: true })
    throw error
  }
}

/**
 * Visits a directory and all below it on its mount, each directory before it is read. Each step goes from an
 * open directory to a name in it and follows no link (openat(2) with O_NOFOLLOW, through /proc/self/fd), or back up
 * to the very directory that it came from.
 */
function visitTree(top: string, visit: Visit): void {
  const levels: Level[] = []
  try {
    const first = openEntry(Buffer.from(top))
    if (first === null) return
    const mount = mountOf(first)
    enter(levels, { entry: first, place: null }, visit)
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const name = level.names[level.next++]
      if (name === undefined) {
        leave(levels, level.handle)
        continue
      }
      const entry = openEntry(Buffer.concat([Buffer.from(`${byHandle(level.handle)}/`), name]))
      if (entry === null) continue
      if (mountOf(entry) === mount) enter(levels, { entry, place: { directory: level.handle, name } }, visit)
      else closeSync(entry)
    }
  } finally {
    for (const { handle } of levels) if (handle !== CLOSED) closeSync(handle)
  }
}

/** Visits an entry and, where it is a directory, goes on in it. */
function enter(levels: Level[], { entry, place }: { entry: number; place: Place }, visit: Visit): void {
  try {
    const found = fstatSync(entry)
    visit(entry, found, place)
    if (!found.isDirectory()) return
    const { dev, ino } = found
    const level: Level = { handle: openSync(byHandle(entry), DIRECTORY), dev, ino, names: [], next: 0 }
    levels.push(level)
    // Names are bytes: not every one of them is text.
    level.names = readdirSync(byHandle(level.handle), { encoding: 'buffer' })
    const upper = levels.at(-1 - OPEN_LEVELS)
    if (upper === undefined || upper.handle === CLOSED) return
    closeSync(upper.handle)
    upper.handle = CLOSED
  } finally {
    closeSync(entry)
  }
}

/** Goes back up, by `..` where the upper level is closed: only the very directory that it came from will do. */
function leave(levels: Level[], handle: number): void {
  const upper = levels.at(-2)
  if (upper?.handle === CLOSED) {
    const found = openSync(`${byHandle(handle)}/..`, DIRECTORY)
    const { dev, ino } = fstatSync(found)
    upper.handle = found
    if (dev !== upper.dev || ino !== upper.ino)
      throw new Error('a directory was moved while its owner changed')
  }
  closeSync(handle)
  levels.pop()
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
