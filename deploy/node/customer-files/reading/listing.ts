import { AppError } from '../../../../lib/endpoint/errors.ts'
import type { FileEntry, FilePlace } from '../../../../lib/endpoint/ports/files.ts'
import { STAGING } from '../../files/layout.ts'
import { told } from '../faults.ts'
import { isFolder, isLink, permissionsOf, realPath, rootOf } from '../places.ts'
import type { Entry, SftpSession } from '../protocol/sftp.ts'

/** The most names that are held at once; a larger folder is read anew for each page. */
const MOST_HELD = 200_000
/** For how long further pages come from the same moment as the first. */
const KEPT_MS = 30_000

type Kept = { path: string; entries: FileEntry[]; until: number }

/** The last folder of each helper that needed more than one page; it is dropped with its helper. */
const kept = new WeakMap<SftpSession, Kept>()

/** Drops the names that are kept of a folder, since something was changed. */
export const forgetListing = (session: SftpSession): void => void kept.delete(session)

/** Entries after `after` by name, one more than `limit` where there are more. */
export async function list(
  session: SftpSession,
  at: FilePlace,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<FileEntry[]> {
  const path = await realPath(session, at)
  const known = kept.get(session)
  const usable = after !== undefined && known?.path === path && known.until > performance.now()
  if (usable) return pageOf(known.entries, after, limit)
  if (!isFolder(await told(session.stat(path)))) throw new AppError('ruta_invalida')
  const { entries, whole } = await told(read(session, path, { after, most: limit + 1, root: rootOf(at) }))
  kept.delete(session)
  if (whole && entries.length > limit)
    kept.set(session, { path, entries, until: performance.now() + KEPT_MS })
  return pageOf(entries, after, limit)
}

function pageOf(entries: FileEntry[], after: string | undefined, limit: number): FileEntry[] {
  const begin = after === undefined ? 0 : firstAfter(entries, after)
  return entries.slice(begin, begin + limit + 1)
}

function firstAfter(entries: FileEntry[], after: string): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.name ?? '') <= after) low = middle + 1
    else high = middle
  }
  return low
}

/** All entries in order, or where they are too many the `most` first after `after`. */
async function read(
  session: SftpSession,
  path: string,
  { after = '', most, root }: { after: string | undefined; most: number; root: string },
): Promise<{ entries: FileEntry[]; whole: boolean }> {
  const handle = await session.openFolder(path)
  let entries: FileEntry[] = []
  let whole = true
  try {
    for (
      let some = await session.readFolder(handle);
      some !== null;
      some = await session.readFolder(handle)
    ) {
      const own = some.filter(
        ({ name }) => name !== '.' && name !== '..' && !(name === STAGING && path === root),
      )
      entries.push(...own.map(entryOf))
      if (entries.length <= MOST_HELD) continue
      whole = false
      entries = sorted(entries.filter(({ name }) => name > after)).slice(0, most)
    }
  } finally {
    await session.close(handle)
  }
  return { entries: sorted(entries), whole }
}

const sorted = (entries: FileEntry[]) =>
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

export const entryOf = (entry: Entry): FileEntry => ({
  name: entry.name,
  kind: isFolder(entry) ? 'carpeta' : isLink(entry) ? 'enlace' : 'archivo',
  bytes: entry.bytes,
  modified: new Date(entry.modified * 1000),
  permissions: permissionsOf(entry),
})
