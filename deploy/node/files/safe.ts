import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
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
import { dirname, join } from 'node:path'

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const STALE_MS = 3_600_000

export type Owner = { uid: number; gid: number }
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
    // A directory fresh from a killed run has neither yet, so an owner that fits means a finished one.
    const finished = owner !== null && owned && rules.keepMode === true
    if (!finished && (now.mode & 0o7777) !== rules.mode) fchmodSync(handle, rules.mode)
  } finally {
    closeSync(handle)
  }
}

/** Points `path` at `target` in one rename, so that a reader sees the old or the new one; a directory there is refused. */
export function setLink(temporary: string, path: string, target: string): void {
  if (readLink(path) === target) return
  const made = join(temporary, randomBytes(9).toString('hex'))
  symlinkSync(target, made)
  renameOver(made, path)
}

/** Writes a whole file or none. The content is on the disk before it gets its name. */
export function writeWhole(
  temporary: string,
  file: { path: string; content: string; mode: number; owner?: Owner | null },
): void {
  const made = join(temporary, randomBytes(9).toString('hex'))
  const handle = openSync(made, 'wx', 0o600)
  try {
    writeFileSync(handle, file.content)
    if (file.owner) fchownSync(handle, file.owner.uid, file.owner.gid)
    fchmodSync(handle, file.mode)
    fsyncSync(handle)
  } catch (error) {
    removeFile(made)
    throw error
  } finally {
    closeSync(handle)
  }
  renameOver(made, file.path)
}

function renameOver(made: string, path: string): void {
  try {
    renameSync(made, path)
  } catch (error) {
    removeFile(made)
    throw error
  }
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

/** Removes a directory unless something is in it; whether it is gone. */
export function removeIfEmpty(path: string): boolean {
  try {
    removeEmptyDirectory(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) return false
    throw error
  }
}

/** Removes what killed processes left in the directory for temporary files more than an hour ago. */
export function removeStale(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found !== undefined && Date.now() - found.mtimeMs > STALE_MS) removeFile(path)
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
