import { AppError } from '../../../lib/endpoint/errors.ts'
import type { FilePlace, NewUpload, Upload, UploadPart } from '../../../lib/endpoint/ports/files.ts'
import { parsePath } from '../../../lib/files/paths.ts'
import { noRoom, roomFor, told } from './faults.ts'
import { entryPath, found, isFile, isFolder, permissionsOf, realPath, stagingOf } from './places.ts'
import { OPEN } from './protocol/packets.ts'
import type { SftpSession } from './protocol/sftp.ts'
import { readJson, writeJson, writeNew } from './small-files.ts'
import { settle } from './work.ts'
import { pour } from './writing.ts'

/** What is noted beside a part. The note belongs to the client, so its path is checked again when it is used. */
type Note = { path: string; length: number; replaces: boolean }

/** How long a part is kept without further bytes. */
const WAITS_MS = 24 * 3_600_000

const partOf = (at: FilePlace, id: string) => `${stagingOf(at)}/s-${id}`
const noteOf = (at: FilePlace, id: string) => `${partOf(at, id)}.json`

/** Begins an upload; an empty file is complete at once. */
export async function beginUpload(
  session: SftpSession,
  at: FilePlace,
  { length, replaces, room }: NewUpload,
): Promise<{ id: string; done: boolean }> {
  if (room !== null && length > room) throw noRoom()
  await requirePlace(session, at, replaces)
  const id = crypto.randomUUID().replaceAll('-', '')
  const note: Note = { path: at.path, length, replaces }
  try {
    await roomFor(writeJson(session, noteOf(at, id), note))
    await roomFor(writeNew(session, partOf(at, id), new Uint8Array()))
  } catch (error) {
    await session.remove(noteOf(at, id)).catch(() => {})
    throw error
  }
  if (length > 0) return { id, done: false }
  await finish(session, at, { id, note })
  return { id, done: true }
}

/** How far an upload is. */
export async function lookAtUpload(session: SftpSession, at: FilePlace, id: string): Promise<Upload> {
  const { note, offset, modified } = await known(session, at, id)
  return { ...note, offset, expires: new Date(modified * 1000 + WAITS_MS) }
}

/** Appends bytes to a part, synced to the disk before the answer; the last bytes make it a file of the site. */
export async function appendToUpload(
  session: SftpSession,
  at: FilePlace,
  { id, offset, content }: UploadPart,
): Promise<{ offset: number; done: boolean }> {
  const { note, offset: reached } = await known(session, at, id)
  if (reached !== offset) throw new AppError('desplazamiento_distinto')
  const handle = await told(session.open(partOf(at, id), OPEN.write))
  let end: number
  try {
    end = await pour(session, handle, { content, from: offset, room: note.length - offset })
    await roomFor(session.sync(handle))
  } finally {
    await session.close(handle).catch(() => {})
  }
  if (end < note.length) return { offset: end, done: false }
  await finish(session, at, { id, note })
  return { offset: end, done: true }
}

export async function dropUpload(session: SftpSession, at: FilePlace, id: string): Promise<void> {
  await known(session, at, id)
  await told(session.remove(partOf(at, id)))
  await told(session.remove(noteOf(at, id)))
}

async function known(session: SftpSession, at: FilePlace, id: string) {
  const part = await found(session.lstat(partOf(at, id)))
  const note = part && isFile(part) ? await readNote(session, noteOf(at, id)) : null
  if (!part || !note) throw new AppError('subida_no_existe')
  return { note, offset: part.bytes, modified: part.modified }
}

/** Moves a complete part to its destination; if it replaces a file, it gets that file's permissions. */
async function finish(session: SftpSession, at: FilePlace, { id, note }: { id: string; note: Note }) {
  const place = { ...at, path: parsePath(note.path) }
  if (note.replaces) {
    const target = await realPath(session, place, 409)
    const before = await found(session.lstat(target))
    if (before && !isFile(before)) throw new AppError('ruta_invalida')
    if (before) await told(session.permit(partOf(at, id), permissionsOf(before)))
    await roomFor(session.replace(partOf(at, id), target))
  } else await settle(session, partOf(at, id), await entryPath(session, place, 409))
  await session.remove(noteOf(at, id)).catch(() => {})
}

async function requirePlace(session: SftpSession, at: FilePlace, replaces: boolean): Promise<void> {
  const target = await entryPath(session, at, 409)
  const folder = await told(session.stat(target.slice(0, target.lastIndexOf('/'))), { missing: 409 })
  if (!isFolder(folder)) throw new AppError('ruta_invalida')
  const there = await found(session.lstat(target))
  if (there && (!replaces || isFolder(there))) throw new AppError('ya_existe')
}

/** Null for what is no note of ours. */
async function readNote(session: SftpSession, path: string): Promise<Note | null> {
  const read = await readJson(session, path)
  return isNote(read) ? read : null
}

const isNote = (read: unknown): read is Note =>
  typeof read === 'object' &&
  read !== null &&
  'path' in read &&
  typeof read.path === 'string' &&
  'length' in read &&
  Number.isSafeInteger(read.length) &&
  'replaces' in read &&
  typeof read.replaces === 'boolean'
