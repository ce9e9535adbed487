import { createHash } from 'node:crypto'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type { FilePlace, OpenFile } from '../../../lib/endpoint/ports/files.ts'
import { told } from './faults.ts'
import { isFile, realPath } from './places.ts'
import { type Attributes, OPEN } from './protocol/packets.ts'
import { type Handle, PIECE, type SftpSession } from './protocol/sftp.ts'

/**
 * Up to this size a file's ETag is computed from its content, above from its length and its time, which SFTP gives in
 * seconds.
 */
const HASHED_BYTES = 1024 * 1024
/** For this long another change may have the same time. */
const SAME_TIME_MS = 2_000
/** Reads that are under way at once. */
const AHEAD = 4

/** Opens a file of a site; `leave` releases the helper once the file is closed. */
export async function openFile(
  session: SftpSession,
  at: FilePlace,
  { now, leave }: { now: () => number; leave: () => void },
): Promise<OpenFile> {
  const path = await realPath(session, at)
  const attributes = await told(session.stat(path))
  if (!isFile(attributes)) throw new AppError('ruta_invalida')
  if (attributes.bytes <= HASHED_BYTES) {
    const whole = await told(readWhole(session, path, HASHED_BYTES))
    if (whole !== null) {
      leave()
      return inMemory(whole, attributes)
    }
  }
  const handle = await told(session.open(path, OPEN.read))
  const close = async () => {
    await session.close(handle).catch(() => {})
    leave()
  }
  return {
    bytes: attributes.bytes,
    modified: modifiedOf(attributes),
    etag: tagOfTime(attributes, now()),
    content: (from, to) => streamOf(session, { handle, from, to, close }),
    close,
  }
}

/** The tag of what is there, as `openFile` tells it. */
export async function tagOf(
  session: SftpSession,
  path: string,
  { attributes, now }: { attributes: Attributes; now: number },
): Promise<string> {
  const whole =
    isFile(attributes) && attributes.bytes <= HASHED_BYTES
      ? await readWhole(session, path, HASHED_BYTES)
      : null
  return whole === null ? tagOfTime(attributes, now) : tagOfContent(whole)
}

const modifiedOf = ({ modified }: Attributes) => new Date(modified * 1000)

function tagOfTime(attributes: Attributes, now: number): string {
  const fresh = now - attributes.modified * 1000 < SAME_TIME_MS
  return `${fresh ? 'W/' : ''}"${attributes.bytes.toString(16)}-${attributes.modified.toString(16)}"`
}

const tagOfContent = (bytes: Uint8Array) =>
  `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`

function inMemory(bytes: Uint8Array, attributes: Attributes): OpenFile {
  return {
    bytes: bytes.length,
    modified: modifiedOf(attributes),
    etag: tagOfContent(bytes),
    content: (from, to) => new Blob([new Uint8Array(bytes.subarray(from, to))]).stream(),
    close: async () => {},
  }
}

/** The content of a small file; null if it turned out to be larger. */
async function readWhole(session: SftpSession, path: string, most: number): Promise<Uint8Array | null> {
  const handle = await session.open(path, OPEN.read)
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const part = await session.read(handle, length, PIECE)
      if (part === null) return new Uint8Array(Buffer.concat(parts))
      parts.push(part)
      length += part.length
      if (length > most) return null
    }
  } finally {
    await session.close(handle)
  }
}

type Piece = { handle: Handle; from: number; to: number; close: () => Promise<void> }

/** The bytes of an open file, read some pieces ahead of the consumer; breaks off if the file became shorter. */
function streamOf(session: SftpSession, { handle, from, to, close }: Piece): ReadableStream<Uint8Array> {
  const ahead: Promise<Uint8Array>[] = []
  let next = from
  const ask = () => {
    while (ahead.length < AHEAD && next < to) {
      const length = Math.min(PIECE, to - next)
      const piece = exactly(session, { handle, offset: next, length })
      piece.catch(() => {})
      ahead.push(piece)
      next += length
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          ask()
          const piece = await ahead.shift()
          if (piece !== undefined) return controller.enqueue(piece)
          await close()
          controller.close()
        } catch (error) {
          await close()
          controller.error(error)
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
}

/** Exactly that many bytes, however few each answer contains. */
async function exactly(
  session: SftpSession,
  { handle, offset, length }: { handle: Handle; offset: number; length: number },
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for (let got = 0; got < length; ) {
    const part = await session.read(handle, offset + got, length - got)
    if (part === null) throw new Error('the file became shorter while it was read')
    parts.push(part)
    got += part.length
  }
  return parts.length === 1 && parts[0] ? parts[0] : new Uint8Array(Buffer.concat(parts))
}
