import { AppError } from '../../../lib/endpoint/errors.ts'
import type { Conditions, FilePlace, NewContent } from '../../../lib/endpoint/ports/files.ts'
import { requireConditions } from '../../../lib/files/decide.ts'
import { tagOf } from './content.ts'
import { noRoom, roomFor, told } from './faults.ts'
import { entryPath, found, isFile, isFolder, permissionsOf, realPath, stagingOf } from './places.ts'
import { type Attributes, STATUS } from './protocol/packets.ts'
import { type Handle, NEW_FILE, PIECE, SftpError, type SftpSession } from './protocol/sftp.ts'

/** Writes that are under way at once. */
const AHEAD = 8

/** `alone` runs what changes one path of a site one after another. */
export type Writing = { now: () => number; alone: <T>(path: string, run: () => Promise<T>) => Promise<T> }

/**
 * Writes a file beside its destination and renames it there in one step, if what is there still is what the caller
 * meant.
 */
export async function writeFile(
  session: SftpSession,
  at: FilePlace,
  content: NewContent & Writing,
): Promise<{ created: boolean; etag: string }> {
  const { now, room, alone } = content
  const path = await realPath(session, at, 409)
  const before = await present(session, path)
  await requireStill(session, path, { conditions: content, now, present: before })
  if (room !== null && content.length !== null && content.length > room) throw noRoom()
  const temporary = `${stagingOf(at)}/${crypto.randomUUID()}`
  const handle = await roomFor(session.open(temporary, NEW_FILE))
  try {
    await pour(session, handle, content)
    await roomFor(session.sync(handle))
    await session.close(handle)
    if (before) await told(session.permit(temporary, permissionsOf(before)))
    // Of two that mean the same content, the second finds that of the first.
    return await alone(path, async () => {
      const still = await present(session, path)
      await requireStill(session, path, { conditions: content, now, present: still })
      await place(session, { temporary, path, exclusive: content.ifNoneMatch !== null && still === null })
      const attributes = await told(session.stat(path))
      return { created: still === null, etag: await told(tagOf(session, path, { attributes, now: now() })) }
    })
  } catch (error) {
    await session.close(handle).catch(() => {})
    await session.remove(temporary).catch(() => {})
    throw error
  }
}

/** Removes a file or a link. */
export async function removeEntry(
  session: SftpSession,
  at: FilePlace,
  { conditions, now, alone }: Writing & { conditions: Conditions },
): Promise<void> {
  const path = await entryPath(session, at)
  await alone(path, async () => {
    const attributes = await told(session.lstat(path))
    if (isFolder(attributes)) throw new AppError('ruta_invalida')
    await requireStill(session, path, { conditions, now, present: attributes })
    await told(session.remove(path))
  })
}

/** What exists at a file's destination; anything but a file is 422. */
async function present(session: SftpSession, path: string): Promise<Attributes | null> {
  const attributes = await found(session.lstat(path))
  if (attributes && !isFile(attributes)) throw new AppError('ruta_invalida')
  return attributes
}

type Still = { conditions: Conditions; now: () => number; present: Attributes | null }

async function requireStill(session: SftpSession, path: string, { conditions, now, present }: Still) {
  if (conditions.ifMatch === null && conditions.ifNoneMatch === null) return
  const etag = present && (await told(tagOf(session, path, { attributes: present, now: now() })))
  requireConditions(etag, conditions)
}

/** Writes all that comes; 507 where there is no room for it. */
export async function pour(
  session: SftpSession,
  handle: Handle,
  { content, room, from = 0 }: Pick<NewContent, 'content' | 'room'> & { from?: number },
): Promise<number> {
  const under = new Set<Promise<void>>()
  let offset = from
  let failure: unknown = null
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = chunk.subarray(at, at + PIECE)
      if (room !== null && offset - from + piece.length > room) throw noRoom()
      const write = roomFor(session.write(handle, offset, piece))
        .catch((error) => {
          failure ??= error
        })
        .finally(() => under.delete(write))
      under.add(write)
      offset += piece.length
      if (under.size >= AHEAD) await Promise.race(under)
      if (failure !== null) throw failure
    }
  }
  await Promise.all(under)
  if (failure !== null) throw failure
  return offset
}

type Placing = { temporary: string; path: string; exclusive: boolean }

/** With `exclusive`, a file that another request created first stays, and the answer is 412. */
async function place(session: SftpSession, { temporary, path, exclusive }: Placing): Promise<void> {
  if (!exclusive) return roomFor(session.replace(temporary, path))
  try {
    await told(session.rename(temporary, path))
  } catch (error) {
    if (!(error instanceof SftpError) || error.code !== STATUS.failure) throw error
    throw (await found(session.lstat(path))) ? new AppError('version_distinta') : noRoom()
  }
}
