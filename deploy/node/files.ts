import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { KeyRing, newKeyLine, parseKeyRing, parseKeys, type RingKey } from '../../lib/keys.ts'

/** Randomness of the operating system. */
export const random = (bytes: number): Uint8Array => new Uint8Array(randomBytes(bytes))

/** Writes a file whole or not at all: a new one beside it, flushed, then renamed over it. */
export async function writeAtomically(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.${process.pid}.new`
  const file = await open(temporary, 'w', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await chmod(temporary, mode)
  await rename(temporary, path)
}

/** A file's text, or null where there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * The key ring in its file, made at the first start, mode 0600; it is outside the database and its backups. The
 * ring is always what the file says: a rotation by another process is followed at once.
 */
export async function loadKeyRing(path: string): Promise<KeyRing> {
  if ((await readIfThere(path)) === null) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeAtomically(path, `${newKeyLine(random)}\n`, 0o600)
  }
  let version = versionOf(path)
  let keys = parseKeys(await readFile(path, 'utf8'))
  return new KeyRing(() => {
    const found = versionOf(path)
    if (found === version) return keys
    version = found
    keys = readKeys(path) ?? keys
    return keys
  })
}

/** Tells one content of a file from another, as each is written as a file of its own. */
function versionOf(path: string): string {
  try {
    const { ino, mtimeMs } = statSync(path)
    return `${ino}:${mtimeMs}`
  } catch {
    return ''
  }
}

/** Null where the file is away or damaged for the moment: what was read before still opens what it sealed. */
function readKeys(path: string): RingKey[] | null {
  try {
    const keys = parseKeys(readFileSync(path, 'utf8'))
    return keys.length > 0 ? keys : null
  } catch {
    return null
  }
}

/** Puts a new key first: it seals from now on, the older ones still open. */
export async function addKey(path: string): Promise<KeyRing> {
  const known = (await readIfThere(path)) ?? ''
  const text = `${newKeyLine(random)}\n${known}`
  await writeAtomically(path, text, 0o600)
  return parseKeyRing(text)
}

/** Leaves only the newest key, once nothing is sealed under an older one. */
export async function keepNewestKey(path: string): Promise<void> {
  const known = (await readIfThere(path)) ?? ''
  await writeAtomically(path, `${known.split('\n')[0]}\n`, 0o600)
}
