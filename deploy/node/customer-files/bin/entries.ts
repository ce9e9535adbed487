import type { BinEntry, BinPage, FilePlace } from '../../../../lib/endpoint/ports/files.ts'
import { BIN_ENTRY } from '../../../../lib/files/bin.ts'
import { timeOf } from '../../../../lib/store/ids.ts'
import { BIN } from '../../files/layout.ts'
import { roomFor, told } from '../faults.ts'
import { found, stagingOf } from '../places.ts'
import type { SftpSession } from '../protocol/sftp.ts'
import { entryOf } from '../reading/listing.ts'
import { readJson, writeJson } from '../small-files.ts'

/**
 * The bin of a site's files is in its staging folder, so that one rename puts something there or brings it back, and
 * it counts for its client. `<bin>/<id>/` holds `content`, what was deleted, and `note.json`, where it was. Both belong
 * to the client: a path from a note is checked again when it is used.
 */
export const binOf = (at: Pick<FilePlace, 'domain'>) => `${stagingOf(at)}/${BIN}`
export const placeOf = (at: Pick<FilePlace, 'domain'>, id: string) => `${binOf(at)}/${id}`
export const contentOf = (at: Pick<FilePlace, 'domain'>, id: string) => `${placeOf(at, id)}/content`
const noteOf = (at: Pick<FilePlace, 'domain'>, id: string) => `${placeOf(at, id)}/note.json`

/** The most ids that are held at once. */
const MOST_HELD = 50_000

/** Makes the place of an entry with its note, or leaves nothing; what an earlier run has made stays. */
export async function makePlace(session: SftpSession, at: FilePlace, id: string): Promise<void> {
  try {
    if ((await found(session.lstat(binOf(at)))) === null) {
      await roomFor(session.mkdir(binOf(at)))
      // Closed to the web server too, which could read it by what its folder hands down.
      await told(session.permit(binOf(at), 0o700))
    }
    if ((await found(session.lstat(placeOf(at, id)))) === null) await roomFor(session.mkdir(placeOf(at, id)))
    if ((await found(session.lstat(noteOf(at, id)))) !== null) await told(session.remove(noteOf(at, id)))
    await roomFor(writeJson(session, noteOf(at, id), { path: at.path }))
  } catch (error) {
    await removePlace(session, at, id)
    throw error
  }
}

/** Removes the place of an entry without content, and a bin that is empty then. */
export async function removePlace(session: SftpSession, at: FilePlace, id: string): Promise<void> {
  if ((await found(session.lstat(contentOf(at, id)))) !== null) return
  await session.remove(noteOf(at, id)).catch(() => {})
  await session.rmdir(placeOf(at, id)).catch(() => {})
  await session.rmdir(binOf(at)).catch(() => {})
}

/** Where an entry was; null for what is none. */
export async function pathOf(session: SftpSession, at: FilePlace, id: string): Promise<string | null> {
  const note = await readJson(session, noteOf(at, id))
  const named = typeof note === 'object' && note !== null && 'path' in note && typeof note.path === 'string'
  return named ? (note.path as string) : null
}

/** One page of the bin, the newest first. */
export async function listBin(
  session: SftpSession,
  at: FilePlace,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<BinPage> {
  const ids = await idsIn(session, at, { after, most: limit + 1 })
  const shown = ids.slice(0, limit)
  const entries = await Promise.all(shown.map((id) => entryAt(session, at, id)))
  return {
    entries: entries.filter((entry) => entry !== null),
    next: ids.length > limit ? (shown.at(-1) ?? null) : null,
  }
}

async function entryAt(session: SftpSession, at: FilePlace, id: string): Promise<BinEntry | null> {
  const [attributes, path] = await Promise.all([
    found(session.lstat(contentOf(at, id))),
    pathOf(session, at, id),
  ])
  if (attributes === null || path === null) return null
  const name = path.slice(path.lastIndexOf('/') + 1)
  return { id, path, deleted: timeOf(id), entry: entryOf({ name, ...attributes }) }
}

/** The newest ids before `after`, at most `most`. */
async function idsIn(
  session: SftpSession,
  at: FilePlace,
  { after, most }: { after: string | undefined; most: number },
): Promise<string[]> {
  const newest = (ids: string[]) => ids.sort().reverse().slice(0, most)
  // An empty bin is removed at any time.
  const handle = await found(session.openFolder(binOf(at)))
  if (handle === null) return []
  let ids: string[] = []
  try {
    for (;;) {
      const some = await told(session.readFolder(handle))
      if (some === null) return newest(ids)
      for (const { name } of some) {
        if (BIN_ENTRY.test(name) && (after === undefined || name < after)) ids.push(name)
      }
      if (ids.length > MOST_HELD) ids = newest(ids)
    }
  } finally {
    await session.close(handle)
  }
}
