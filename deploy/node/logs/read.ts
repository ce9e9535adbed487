import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogFilter, LogKind, LogPage, PlacedRow } from '../../../lib/endpoint/ports/logs.ts'
import { hasCode } from '../host/files.ts'
import { filesOf, inOrder, type LogFile, placeOf, placeText } from './names.ts'
import { fits, rowOf } from './view.ts'

const PIECE = 131_072
const NEWLINE = 0x0a
/** No row is as long: damage, such as zeros after a power cut. */
const LONGEST_LINE = 262_144
/** What one look reads at most. */
const LOOK_BYTES = 64 * 1_048_576
/** Rows stand in the order in which requests ended, but for what several workers wrote at once. */
const DISORDER_MS = 60_000

export type Wanted = { filter: LogFilter; before: string | null; limit: number }

/** Rows before a place in a site's log, the newest first: read from the end on, and no more than a look's bytes. */
export async function readPage(directory: string, kind: LogKind, wanted: Wanted): Promise<LogPage | null> {
  const before = wanted.before === null ? null : placeOf(wanted.before)
  if (wanted.before !== null && before === null) return null
  const found: PlacedRow[] = []
  const look = { left: LOOK_BYTES }
  const files = filesOf(directory, kind).filter((file) => before === null || inOrder(file, before) <= 0)
  for (const file of files.reverse()) {
    const end = before !== null && inOrder(file, before) === 0 ? before.offset : null
    const over = await readFile({ directory, kind, file, end }, { ...wanted, found, look })
    if (over !== null) return over
  }
  return { rows: found, next: null }
}

type Source = { directory: string; kind: LogKind; file: LogFile; end: number | null }
type Search = Wanted & { found: PlacedRow[]; look: { left: number } }

/** Answers the page where it ends in this file. */
async function readFile(source: Source, search: Search): Promise<LogPage | null> {
  const { file, kind } = source
  const handle = await opened(join(source.directory, file.name))
  if (handle === null) return null
  try {
    const { filter, limit, found, look } = search
    const { size } = await handle.stat()
    const last = Math.min(source.end ?? size, size)
    const start =
      filter.to === null ? last : Math.min(last, await endOfTime(handle, kind, { size, to: filter.to }))
    for await (const { line, offset } of linesBefore(handle, start)) {
      look.left -= line.length + 1
      const place = placeText({ ...file, offset })
      const row = rowOf(kind, line)
      if (row !== null && filter.from !== null && row.at.getTime() < filter.from.getTime() - DISORDER_MS)
        return { rows: found, next: null }
      if (row !== null && fits(row, filter)) {
        // One more than asked for tells that there is more.
        if (found.length === limit) return { rows: found, next: found.at(-1)?.place ?? null }
        found.push({ row, place })
      }
      if (look.left <= 0) return { rows: found, next: place }
    }
    return null
  } finally {
    await handle.close()
  }
}

/** Null for a file that was removed meanwhile. */
async function opened(path: string): Promise<FileHandle | null> {
  try {
    return await open(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

/** Lines before a place, the last one first. */
async function* linesBefore(
  handle: FileHandle,
  end: number,
): AsyncGenerator<{ line: string; offset: number }> {
  let rest = Buffer.alloc(0)
  for (let at = end; at > 0; ) {
    const length = Math.min(PIECE, at)
    const piece = await bytesAt(handle, at - length, length)
    at -= length
    const bytes = Buffer.concat([piece, rest])
    // What comes before the first end of a line may go on in the piece before.
    let stop = bytes.length
    for (let newline = before(bytes, stop); stop > 0; newline = before(bytes, stop)) {
      if (newline < 0 && at > 0) break
      if (stop - newline > 1)
        yield { line: bytes.toString('utf8', newline + 1, stop), offset: at + newline + 1 }
      stop = Math.max(newline, 0)
      if (newline < 0) break
    }
    rest = stop > LONGEST_LINE ? Buffer.alloc(0) : bytes.subarray(0, stop)
  }
}

/** The last end of a line before there. */
const before = (bytes: Buffer, stop: number) => (stop === 0 ? -1 : bytes.lastIndexOf(NEWLINE, stop - 1))

async function bytesAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  const { bytesRead } = await handle.read(bytes, 0, length, at)
  return bytes.subarray(0, bytesRead)
}

/** The first place from which on all rows are later, found by halves. */
async function endOfTime(
  handle: FileHandle,
  kind: LogKind,
  { size, to }: { size: number; to: Date },
): Promise<number> {
  const latest = to.getTime() + DISORDER_MS
  let [low, high] = [0, size]
  while (high - low > PIECE) {
    const middle = low + Math.floor((high - low) / 2)
    const at = await firstTime(handle, kind, middle)
    if (at !== null && at > latest) high = middle
    else low = middle
  }
  // What is left is read from its end on, a line that began before that too.
  return Math.min(size, high + PIECE)
}

/** When the first whole row after a place was. */
async function firstTime(handle: FileHandle, kind: LogKind, place: number): Promise<number | null> {
  const lines = (await bytesAt(handle, place, PIECE)).toString('utf8').split('\n').slice(1, -1)
  for (const line of lines) {
    const row = rowOf(kind, line)
    if (row !== null) return row.at.getTime()
  }
  return null
}
