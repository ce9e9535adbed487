import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const STALE_MS = 86_400_000

/** Writes a whole file or none, on the disk when it returns: temporary file, fsync, rename. */
export async function writeAtomic(path: string, content: string, mode: number): Promise<void> {
  const temporary = await writeTemporary(path, content, mode)
  try {
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncDirectory(dirname(path))
}

/** Like `writeAtomic` for a file that must not exist yet; answers false, changing nothing, where it does. */
export async function createAtomic(path: string, content: string, mode: number): Promise<boolean> {
  const temporary = await writeTemporary(path, content, mode)
  try {
    await link(temporary, path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
  await syncDirectory(dirname(path))
  return true
}

/** Moves a file over another in one rename, on the disk when it returns. */
export async function moveFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await rename(from, to)
  await syncDirectory(dirname(to))
}

/** Removes files that a killed process left more than a day ago. */
export async function removeStale(directory: string, now: Date): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const info = await stat(path).catch(() => null)
    if (info?.isFile() && now.getTime() - info.mtimeMs > STALE_MS) await rm(path, { force: true })
  }
}

async function writeTemporary(path: string, content: string, mode: number): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}`)
  const file = await open(temporary, 'wx', mode)
  try {
    await file.writeFile(content)
    // The process's umask narrows the mode of `open`.
    await file.chmod(mode)
    await file.sync()
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return temporary
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
