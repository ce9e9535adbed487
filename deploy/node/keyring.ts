import { readFileSync, statSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { KeyRing, newKeyLine, parseKeyRing, parseKeys, type RingKey } from '../../lib/secrets/keys.ts'
import { createWhole, readIfThere, writeWhole } from './host/files.ts'
import { random } from './host/random.ts'

/**
 * The key ring in its file of mode 0600, made at the first start; it is not part of the database or its backups. A
 * rotation by another process takes effect at once. No ring is made if `needed` names keys, since a new ring could
 * not open what they sealed.
 */
export async function loadKeyRing(path: string, needed: () => Promise<string[]>): Promise<KeyRing> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new Error('is a directory: it must name the file of the key ring')
  if ((await readIfThere(path)) === null) {
    const ids = await needed()
    if (ids.length > 0) throw new Error(keyRingAway(ids))
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    createWhole({ path, content: `${newKeyLine(random)}\n`, mode: 0o600 })
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

const keyRingAway = (ids: string[]) =>
  `there is no key ring here, and the database needs key ${ids.join(', ')}. Name the file that holds it, or copy it there from the original (its data/keys); docs/operating.md says what to do where it is lost`

/** Identifies the file's content, since each content is written as a new file. */
function versionOf(path: string): string {
  try {
    const { ino, mtimeMs } = statSync(path)
    return `${ino}:${mtimeMs}`
  } catch {
    return ''
  }
}

/**
 * The keys in the file; null while it is missing or damaged: the keys that were read before still open what they
 * sealed.
 */
function readKeys(path: string): RingKey[] | null {
  try {
    const keys = parseKeys(readFileSync(path, 'utf8'))
    return keys.length > 0 ? keys : null
  } catch {
    return null
  }
}

/** The ring of a file with a new key first, and the text of the file that would hold it; nothing is written. */
export async function withNewKey(path: string): Promise<{ ring: KeyRing; text: string }> {
  const text = `${newKeyLine(random)}\n${(await readIfThere(path)) ?? ''}`
  return { ring: parseKeyRing(text), text }
}

/** Replaces the file's key ring; a running panel uses the new one at once. */
export const writeKeyRing = (path: string, text: string): void =>
  writeWhole({ path, content: text, mode: 0o600 })

/** Leaves only the newest key, once nothing is sealed under an older one. */
export async function keepNewestKey(path: string): Promise<void> {
  const known = (await readIfThere(path)) ?? ''
  writeKeyRing(path, `${known.split('\n')[0]}\n`)
}
