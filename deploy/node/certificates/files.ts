import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, renameSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode, removeFile, syncDirectory, writeWhole } from '../files/safe.ts'

const STALE_MS = 86_400_000

/** Writes a whole file or none, on the disk when it returns; makes its directory. */
export function writeAtomic(path: string, content: string, mode: number): void {
  const directory = dirname(path)
  mkdirSync(directory, { recursive: true })
  writeWhole(directory, { path, content, mode })
  syncDirectory(directory)
}

/** Like `writeAtomic` for a file that must not exist yet; answers false, changing nothing, where it does. */
export function createAtomic(path: string, content: string, mode: number): boolean {
  const made = `${path}.${randomBytes(9).toString('hex')}`
  writeAtomic(made, content, mode)
  try {
    linkSync(made, path)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    removeFile(made)
  }
  syncDirectory(dirname(path))
  return true
}

/** Moves a file over another in one rename, on the disk when it returns. */
export function moveFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  renameSync(from, to)
  syncDirectory(dirname(to))
}

/** Removes files that a killed process left more than a day ago. */
export async function removeStale(directory: string, now: Date): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const info = await stat(path).catch(() => null)
    if (info?.isFile() && now.getTime() - info.mtimeMs > STALE_MS) await rm(path, { force: true })
  }
}
