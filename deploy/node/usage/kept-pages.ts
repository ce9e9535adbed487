import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../host/files.ts'

/** nginx writes its own head and `KEY: ` with the key first; the site is the key's third part, after a host name. */
const HEAD_BYTES = 1024
const SITE = /\nKEY: https?\|[^|\n]{1,300}\|([1-9][0-9]{0,15})\|/
const BLOCK_BYTES = 512

/** What the page cache of nginx holds on disk for each site, in bytes. What goes away meanwhile is left out. */
export async function keptPages(pages: string): Promise<Map<number, number>> {
  const bytes = new Map<number, number>()
  for (const path of await filesBelow(pages)) {
    const kept = await siteOf(path)
    if (kept !== null) bytes.set(kept.siteId, (bytes.get(kept.siteId) ?? 0) + kept.bytes)
  }
  return bytes
}

async function filesBelow(pages: string): Promise<string[]> {
  try {
    const found = await readdir(pages, { recursive: true, withFileTypes: true })
    return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

async function siteOf(path: string): Promise<{ siteId: number; bytes: number } | null> {
  let file: FileHandle
  try {
    file = await open(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const [, site] = SITE.exec(buffer.toString('latin1', 0, bytesRead)) ?? []
    return site === undefined
      ? null
      : { siteId: Number(site), bytes: (await file.stat()).blocks * BLOCK_BYTES }
  } finally {
    await file.close()
  }
}
