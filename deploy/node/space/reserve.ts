import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isOutOfSpace } from '../../../lib/root-message.ts'
import { BESIDE, isFull, leftIn } from './room.ts'

/** Each gives back one inode and sixteen blocks of the usual size. */
const PIECE_BYTES = 65_536
export const PIECES = 64
/** What one step of an operation may take: more would not help it. */
const MOST_A_STEP = 8

export type Reserve = ReturnType<typeof createReserve>

/**
 * Files that hold room on a file system, given up one by one where it is full: for suspending and deleting, which
 * make a link or a directory before they free anything, and for the panel's start.
 */
export function createReserve(directory: string) {
  const names = () => {
    try {
      return readdirSync(directory)
    } catch {
      return []
    }
  }

  /** Answers how many could be given up. */
  const give = (pieces: number): number => {
    const given = names().slice(0, pieces)
    for (const name of given) unlinkSync(join(directory, name))
    return given.length
  }

  return {
    directory,
    left: () => names().length,
    give,

    /**
     * Runs what may find the disk full, again with a piece more, as long as that may help. `telling` false is for a
     * program that fails on a full disk without saying so.
     */
    async lend<T>(run: () => Promise<T>, telling = true): Promise<T> {
      for (let given = 0; ; given++) {
        try {
          return await run()
        } catch (error) {
          const helps = given < MOST_A_STEP && (!telling || isOutOfSpace(error))
          if (!helps || names().length === 0 || !isFull(directory)) throw error
          give(1)
        }
      }
    },

    /** Puts back what was given up, once there is room for it and more. */
    refill(): void {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      const there = new Set(names())
      for (let piece = 0; piece < PIECES; piece++) {
        const left = leftIn(directory)
        if (left.bytes < BESIDE.bytes || left.inodes < BESIDE.inodes) return
        if (!there.has(String(piece))) writePiece(join(directory, String(piece)))
      }
    },
  }
}

function writePiece(path: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, Buffer.alloc(PIECE_BYTES, 1))
    // On the disk, not only promised.
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
