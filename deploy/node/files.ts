import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type KeyRing, newKeyLine, parseKeyRing } from '../../lib/keys.ts'

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

/** The key ring in its file, made at the first start, mode 0600; it is outside the database and its backups. */
export async function loadKeyRing(path: string): Promise<KeyRing> {
  const known = await readIfThere(path)
  if (known !== null) return parseKeyRing(known)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const line = `${newKeyLine(random)}\n`
  await writeAtomically(path, line, 0o600)
  return parseKeyRing(line)
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
