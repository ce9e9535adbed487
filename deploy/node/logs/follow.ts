import { lstatSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogFilter, LogKind, PlacedRow } from '../../../lib/endpoint/ports/logs.ts'
import { hasCode } from '../host/files.ts'
import { filesOf, inOrder, type Place, placeOf, placeText } from './names.ts'
import { fits, rowOf } from './view.ts'

const PIECE = 1_048_576
const EVERY_MS = 500
const NEWLINE = 0x0a

export type Following = {
  filter: LogFilter
  /** The place of the last row that was seen; null for rows from now on. */
  after: string | null
  /** Brings what the log has not got yet. */
  bring(): Promise<void>
}

/** Rows of a site's log as they come. */
export async function* followLog(
  directory: string,
  kind: LogKind,
  { filter, after, bring }: Following,
): AsyncGenerator<PlacedRow[]> {
  await bring()
  const seen = after === null ? null : placeOf(after)
  let at = seen ?? endOf(directory, kind)
  for (;;) {
    const read = await readOn(directory, kind, at)
    at = read.at
    yield read.lines.flatMap(({ line, place }) => {
      const row = rowOf(kind, line)
      return row !== null && place !== after && fits(row, filter) ? { row, place } : []
    })
    if (read.lines.length > 0) continue
    await Bun.sleep(EVERY_MS)
    await bring()
  }
}

/** Where the next row will stand, before the first file the beginning of all. */
function endOf(directory: string, kind: LogKind): Place {
  const newest = filesOf(directory, kind).at(-1)
  if (newest === undefined) return { day: '', part: 0, offset: 0 }
  const size = lstatSync(join(directory, newest.name), { throwIfNoEntry: false })?.size ?? 0
  return { ...newest, offset: size }
}

type Read = { lines: { line: string; place: string }[]; at: Place }

/** Whole lines from a place on, of one file at a time. */
async function readOn(directory: string, kind: LogKind, at: Place): Promise<Read> {
  for (const file of filesOf(directory, kind).filter((one) => inOrder(one, at) >= 0)) {
    const from = inOrder(file, at) === 0 ? at.offset : 0
    const bytes = await bytesFrom(join(directory, file.name), from)
    const end = bytes.lastIndexOf(NEWLINE) + 1
    if (end === 0) continue
    const lines: Read['lines'] = []
    for (let start = 0; start < end; ) {
      const stop = bytes.indexOf(NEWLINE, start)
      const place = placeText({ ...file, offset: from + start })
      lines.push({ line: bytes.toString('utf8', start, stop), place })
      start = stop + 1
    }
    return { lines, at: { ...file, offset: from + end } }
  }
  return { lines: [], at }
}

/** A piece of a file; nothing of one that was removed meanwhile. */
async function bytesFrom(path: string, from: number): Promise<Buffer> {
  try {
    const handle = await open(path)
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PIECE), 0, PIECE, from)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return Buffer.alloc(0)
    throw error
  }
}
