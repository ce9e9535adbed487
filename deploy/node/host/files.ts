import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unfinishedIn } from './unfinished.ts'

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const STALE_MS = 3_600_000

export type Owner = { uid: number; gid: number }
export const ROOT: Owner = { uid: 0, gid: 0 }
export type DirectoryRules = {
  mode: number
  /** null leaves the owner as the kernel gave it: without root there is one user only. */
  owner: Owner | null
  /** Leaves a directory alone that already has this owner: its mode is then the customer's choice. */
  keepMode?: boolean
}

/**
 * Makes a directory, or brings one that is there to owner and mode. Never follows a symbolic link in the
 * last component; the directories above must be such that only root can change them.
 */
export function ensureDirectory(path: string, rules: DirectoryRules): void {
  try {
    mkdirSync(path, 0o700)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  const handle = openSync(path, DIRECTORY)
  try {
    const now = fstatSync(handle)
    const { owner } = rules
    const owned = owner === null || (now.uid === owner.uid && now.gid === owner.gid)
    if (owner !== null && !owned) fchownSync(handle, owner.uid, owner.gid)
    // A directory that a killed run left has neither owner nor mode yet: where the owner fits, it is finished.
    const finished = owner !== null && owned && rules.keepMode === true
    if (!finished && (now.mode & 0o7777) !== rules.mode) fchmodSync(handle, rules.mode)
  } finally {
    closeSync(handle)
  }
}

/** Makes a directory below one that is there, with all between them. */
export function ensureWay(top: string, segments: string[], rules: DirectoryRules): string {
  return segments.reduce((above, segment) => {
    const path = join(above, segment)
    ensureDirectory(path, rules)
    return path
  }, top)
}

/** A file as it is to be; null or no owner leaves the one that the kernel gives. */
export type WholeFile = { path: string; content: string | Uint8Array; mode: number; owner?: Owner | null }

/**
 * Writes a file whole or not at all, on the disk when it returns: a kill or a power cut at any moment leaves the old
 * one or the new one. It is made in `temporary`, on the same file system, where names beside it would be taken for files.
 */
export function writeWhole(file: WholeFile, temporary = dirname(file.path)): void {
  const made = makeIn(temporary, file)
  renameOver(made, file.path)
  syncDirectory(dirname(file.path))
}

/** The same without waiting for the disk: a kill leaves the old one or the new one, a power cut an older one too. */
export function writeQuickly(file: WholeFile, temporary = dirname(file.path)): void {
  renameOver(makeIn(temporary, file, false), file.path)
}

/** Writes a whole file that must not be there yet; answers false, changing nothing, where it is. */
export function createWhole(file: WholeFile): boolean {
  const made = makeIn(dirname(file.path), file)
  try {
    linkSync(made, file.path)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    removeFile(made)
  }
  syncDirectory(dirname(file.path))
  return true
}

/**
 * Puts a finished file, which another program may have written, in the place of another: as durable as `writeWhole`.
 */
export function putInPlace(made: string, path: string): void {
  const handle = openSync(made, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(made, path)
  syncDirectory(dirname(path))
}

/**
 * Points the link `path` at `target` in one rename, so that readers see the old target or the new one; a directory
 * there is refused. The link is durable after the next `syncDirectory`, one for all the links of a change. Answers
 * whether it changed.
 */
export function setLink(temporary: string, path: string, target: string): boolean {
  if (readLink(path) === target) return false
  const made = unfinishedIn(temporary)
  symlinkSync(target, made)
  renameOver(made, path)
  return true
}

function makeIn(directory: string, { content, mode, owner }: Omit<WholeFile, 'path'>, sync = true): string {
  const made = unfinishedIn(directory)
  const handle = openSync(made, 'wx', 0o600)
  try {
    writeFileSync(handle, content)
    if (owner) fchownSync(handle, owner.uid, owner.gid)
    fchmodSync(handle, mode)
    if (sync) fsyncSync(handle)
  } catch (error) {
    removeFile(made)
    throw error
  } finally {
    closeSync(handle)
  }
  return made
}

function renameOver(made: string, path: string): void {
  try {
    renameSync(made, path)
  } catch (error) {
    removeFile(made)
    throw error
  }
}

/** A file's text, or null where there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

/** The same in a directory that is held open for reading, where a name may be any bytes. */
export function putInPlaceAt(directory: number, made: { handle: number; name: Buffer }, name: Buffer): void {
  const at = (one: Buffer) => Buffer.concat([Buffer.from(`/proc/self/fd/${directory}/`), one])
  fsyncSync(made.handle)
  renameSync(at(made.name), at(name))
  fsyncSync(directory)
}

/** The target of a symbolic link; null when there is none or something else stands there. */
export function readLink(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EINVAL', 'ENOTDIR')) return null
    throw error
  }
}

/** Whether something has this name, a dangling link too. */
export function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Removes a file or a link; false when there was none. */
export function removeFile(path: string): boolean {
  return ignoringAbsence(() => unlinkSync(path))
}

/** Removes an empty directory; false when there was none. */
export function removeEmptyDirectory(path: string): boolean {
  return ignoringAbsence(() => rmdirSync(path))
}

/** Removes a directory unless something is in it; answers whether it is gone. */
export function removeIfEmpty(path: string): boolean {
  try {
    removeEmptyDirectory(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) return false
    throw error
  }
}

/** The names of the directories in a directory; none where there is none. */
export function directoriesIn(path: string): string[] {
  if (!exists(path)) return []
  return readdirSync(path, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
}

/** Removes what killed processes left in a directory, more than an hour ago where nothing else is said. */
export function removeStale(directory: string, before = new Date(Date.now() - STALE_MS)): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory() === false && found.mtime < before) removeFile(path)
  }
}

/** Moves by one rename within a file system; false when there was nothing to move. */
export function move(from: string, to: string): boolean {
  return ignoringAbsence(() => renameSync(from, to))
}

function ignoringAbsence(run: () => void): boolean {
  try {
    run()
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

/** Brings the names made in a directory to the disk: they must not be lost after an answer has been given. */
export function syncDirectory(path: string): void {
  const handle = openSync(path, DIRECTORY)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The first directory on the way to `path` that others may not pass; null when all are open. */
export function firstClosedDirectory(path: string): string | null {
  const parent = dirname(path)
  const closed = parent === path ? null : firstClosedDirectory(parent)
  if (closed !== null) return closed
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && (found.mode & 0o001) === 0 ? path : null
}

/** Whether an error of the system has one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
