import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const CHUNK_BYTES = 1_048_576
const HEAD_BYTES = 256
const NEWLINE = 0x0a
const MISSED_KEPT = 32

/**
 * How far one file of the log has been read. `head` is a hash of its first `headBytes` bytes: what tells it
 * from a later file that got the same inode, and from itself once it has been emptied and written anew.
 */
type Position = { inode: number; offset: number; headBytes: number; head: string }

type OpenLog = { handle: FileHandle; inode: number; size: number }

export type TailOptions = {
  /** At most so many bytes are read at a time. */
  maxBytes: number
  line(text: string): void
}

/**
 * Reads a log of whole lines from where the cursor says, through rotations, and answers the cursor to go on from: whoever
 * keeps that together with what the lines led to takes each line once. Rotated files (`access.log.1`, …) are read too:
 * a worker may still write to one after its renaming. The log has been read to its end when the cursor answered is the
 * one given.
 */
export async function readLog(
  logPath: string,
  cursor: string | null,
  { maxBytes, line }: TailOptions,
): Promise<string> {
  const known = parseCursor(cursor)
  const logs = await openLogs(logPath)
  try {
    const positions: Position[] = []
    const matched = await match(logs, known)
    let left = maxBytes
    for (const { log, position } of matched) {
      const from = Math.min(position?.offset ?? 0, log.size)
      const to = await readLines(log, { from, limit: left }, line)
      left -= to - from
      if (to > 0) positions.push(await positionOf(log, position, to))
    }
    // A file that was being renamed may have been missed: forgotten, it would be counted from its start.
    const missed = known.filter((one) => !matched.some(({ position }) => position === one))
    return JSON.stringify([...positions, ...missed.slice(0, MISSED_KEPT)])
  } finally {
    for (const log of logs) await log.handle.close()
  }
}

/**
 * Finds for each file how far it has been read. A file is known by inode and head. One with another inode
 * and a known head is a copy (a rotation by copying): it goes on where its original stood once that has been
 * emptied, and is left alone while the original is still being written.
 */
async function match(
  logs: OpenLog[],
  known: Position[],
): Promise<{ log: OpenLog; position: Position | null }[]> {
  const unclaimed = new Set(known)
  const pairs = await Promise.all(
    logs.map(async (log) => ({ log, position: await find(log, known, (one) => one.inode === log.inode) })),
  )
  for (const { position } of pairs) if (position) unclaimed.delete(position)
  const matched: { log: OpenLog; position: Position | null }[] = []
  for (const { log, position } of pairs) {
    if (position !== null) {
      matched.push({ log, position })
      continue
    }
    const original = await find(log, known, () => true)
    // The original itself is still there: its copy would be counted twice.
    if (original !== null && !unclaimed.delete(original)) continue
    matched.push({ log, position: original })
  }
  return matched
}

async function find(
  log: OpenLog,
  known: Position[],
  fits: (position: Position) => boolean,
): Promise<Position | null> {
  for (const position of known) {
    if (fits(position) && (await headOf(log, position.headBytes)) === position.head) return position
  }
  return null
}

/** Calls `line` for each whole line; answers the offset after the last one. */
async function readLines(
  log: OpenLog,
  range: { from: number; limit: number },
  line: (text: string) => void,
): Promise<number> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  let offset = range.from
  while (offset < log.size && offset - range.from < range.limit) {
    const { bytesRead } = await log.handle.read(buffer, 0, CHUNK_BYTES, offset)
    const end = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE)
    if (end < 0) {
      // No line is as long as a chunk: damage, such as zeros after a power cut, and passed over.
      if (bytesRead < CHUNK_BYTES) break
      offset += bytesRead
      continue
    }
    for (const text of buffer.toString('utf8', 0, end).split('\n')) line(text)
    offset += end + 1
  }
  return offset
}

async function positionOf(log: OpenLog, before: Position | null, offset: number): Promise<Position> {
  if (before?.headBytes === HEAD_BYTES) return { ...before, inode: log.inode, offset }
  const headBytes = Math.min(offset, HEAD_BYTES)
  return { inode: log.inode, offset, headBytes, head: (await headOf(log, headBytes)) ?? '' }
}

/** Hash of a file's first bytes, or null where it has fewer. */
async function headOf(log: OpenLog, bytes: number): Promise<string | null> {
  const buffer = Buffer.alloc(bytes)
  const { bytesRead } = await log.handle.read(buffer, 0, bytes, 0)
  return bytesRead === bytes ? createHash('sha256').update(buffer).digest('base64url') : null
}

/** The log and its rotated files, the oldest first; compressed ones have been read before. */
async function openLogs(logPath: string): Promise<OpenLog[]> {
  const name = basename(logPath)
  // Before the web server's first start there is no log.
  const files = (await readdir(dirname(logPath)).catch(absent)) ?? []
  const names = files
    .map((file) => ({ file, age: ageOf(file, name) }))
    .filter((one) => one.age !== null)
    .sort((a, b) => (b.age ?? 0) - (a.age ?? 0))
  const logs: OpenLog[] = []
  const seen = new Set<number>()
  for (const { file } of names) {
    const handle = await open(join(dirname(logPath), file)).catch(absent)
    if (handle === null) continue
    const { ino: inode, size } = await handle.stat()
    // Renamed between listing and opening, a file could be met under both names.
    if (seen.has(inode)) await handle.close()
    else logs.push({ handle, inode, size })
    seen.add(inode)
  }
  return logs
}

function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

/** 0 for the log itself, its number for a rotated file, null for anything else. */
function ageOf(file: string, name: string): number | null {
  if (file === name) return 0
  const number = file.startsWith(`${name}.`) ? file.slice(name.length + 1) : ''
  return /^\d{1,9}$/.test(number) ? Number(number) : null
}

function parseCursor(cursor: string | null): Position[] {
  // Written by `readLog` alone and stored whole; empty from a node that had no log to read.
  return cursor === null || cursor === '' ? [] : (JSON.parse(cursor) as Position[])
}
