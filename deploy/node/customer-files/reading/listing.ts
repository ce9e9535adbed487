import { AppError } from '../../../../lib/endpoint/errors.ts'
import type { FileEntry, FilePlace } from '../../../../lib/endpoint/ports/files.ts'
import { STAGING } from '../../files/layout.ts'
import { told } from '../faults.ts'
import { isFolder, isLink, permissionsOf, realPath, rootOf } from '../places.ts'
import type { Entry, SftpSession } from '../protocol/sftp.ts'

/** A folder with more names is read anew for each so many that are wanted, which are what is held of it. */
const MOST_HELD = 20_000
const HELD_AHEAD = 10_000
/** For how long further pages come from the same moment as the first. */
const KEPT_MS = 30_000

type Names = {
  /** In order, without gaps, after `from`. */
  entries: FileEntry[]
  from: string
  /** There are none after these. */
  last: boolean
}
type Kept = Names & { path: string; until: number }

/** The last folder of each helper that needed more than one page; it is dropped with its helper. */
const kept = new WeakMap<SftpSession, Kept>()

/** Drops the names that are kept of a folder, since something was changed. */
export const forgetListing = (session: SftpSession): void => void kept.delete(session)

/** Entries after `after` by name, one more than `limit` where there are more. */
export async function list(
  session: SftpSession,
  at: FilePlace,
  { after = '', limit }: { after: string | undefined; limit: number },
): Promise<FileEntry[]> {
  const path = await realPath(session, at)
  const known = kept.get(session)
  const usable = after !== '' && known?.path === path && known.until > performance.now()
  const page = usable && pageOf(known, after, limit)
  if (page) return page
  if (!isFolder(await told(session.stat(path)))) throw new AppError('ruta_invalida')
  const names = await told(read(session, path, { after, root: rootOf(at) }))
  kept.delete(session)
  if (names.entries.length > limit) kept.set(session, { ...names, path, until: performance.now() + KEPT_MS })
  return names.entries.slice(0, limit + 1)
}

/** Null where these names do not hold the whole page. */
function pageOf({ entries, from, last }: Names, after: string, limit: number): FileEntry[] | null {
  const begin = firstAfter(entries, after)
  return after >= from && (last || entries.length > begin + limit)
    ? entries.slice(begin, begin + limit + 1)
    : null
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

/** The entries after `after`: all of them, or where they are too many the first. */
async function read(
  session: SftpSession,
  path: string,
  { after, root }: { after: string; root: string },
): Promise<Names> {
  const handle = await session.openFolder(path)
  let entries: FileEntry[] = []
  let last = true
  const first = () => sorted(entries).slice(0, HELD_AHEAD)
  try {
    for (
      let some = await session.readFolder(handle);
      some !== null;
      some = await session.readFolder(handle)
    ) {
      for (const one of some) {
        const own = one.name !== '.' && one.name !== '..' && !(one.name === STAGING && path === root)
        if (own && one.name > after) entries.push(entryOf(one))
      }
      if (entries.length <= MOST_HELD) continue
      last = false
      entries = first()
    }
  } finally {
    await session.close(handle)
  }
  return { entries: last ? sorted(entries) : first(), from: after, last }
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
