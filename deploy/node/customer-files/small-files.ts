import { told } from './faults.ts'
import { found, isFile } from './places.ts'
import { OPEN } from './protocol/packets.ts'
import { NEW_FILE, PIECE, type SftpSession } from './protocol/sftp.ts'

/** Writes a file that is not there yet, and has the disk hold it. */
export async function writeNew(session: SftpSession, path: string, bytes: Uint8Array): Promise<void> {
  const handle = await session.open(path, NEW_FILE)
  try {
    if (bytes.length > 0) await session.write(handle, 0, bytes)
    await session.sync(handle)
  } finally {
    await session.close(handle)
  }
}

/** A note of the panel's beside what belongs to a client. */
export const writeJson = (session: SftpSession, path: string, note: object) =>
  writeNew(session, path, new TextEncoder().encode(JSON.stringify(note)))

/** What such a note says, which its client may have changed; null for what is no JSON. */
export async function readJson(session: SftpSession, path: string): Promise<unknown> {
  const attributes = await found(session.lstat(path))
  if (!attributes || !isFile(attributes)) return null
  const handle = await told(session.open(path, OPEN.read))
  try {
    const bytes = await session.read(handle, 0, PIECE)
    return JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  } finally {
    await session.close(handle)
  }
}
