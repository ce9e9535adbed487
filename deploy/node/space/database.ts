import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../../lib/store/database.ts'
import { settings } from '../../../schema/tables.ts'
import { BESIDE, leftIn } from './room.ts'

/** Room for some thousands of rows. */
const ROOM_BYTES = 6 * 1_048_576
const NAME = 'reserva'

/**
 * Keeps room inside the database's own files, which nobody else can take: free pages in the main file, and a large
 * journal. Sessions, audit rows and states are then written in place, even on a disk without a free block.
 */
export async function keepRoom(db: Database, path: string): Promise<void> {
  if (leftIn(dirname(path)).bytes < BESIDE.bytes + 2 * ROOM_BYTES) return
  if ((await freeBytes(db)) >= ROOM_BYTES / 2 && journalBytes(path) >= ROOM_BYTES) return
  const filler = sql`insert or replace into ${settings} (name, value) values (${NAME}, zeroblob(${ROOM_BYTES}))`
  // In separate transactions: pages that one transaction takes and frees are never written.
  await db.write(async (tx) => tx.run(filler))
  await db.write(async (tx) => tx.delete(settings).where(eq(settings.name, NAME)))
  // Until the journal is copied into the main file, the free pages are only in the journal, which then has no room
  // itself.
  await db.read.values(sql`pragma wal_checkpoint(passive)`)
}

/** The bytes of the database's file that are free for new rows. */
export async function freeBytes(db: Database): Promise<number> {
  const [pages] = await db.read.values(sql`pragma freelist_count`)
  const [size] = await db.read.values(sql`pragma page_size`)
  return Number(pages?.[0] ?? 0) * Number(size?.[0] ?? 0)
}

function journalBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
}
