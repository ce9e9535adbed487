import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isOutOfSpace } from '../../../lib/text/root-message.ts'
import { BESIDE, isFull, leftIn } from './room.ts'

/** Each piece gives back one inode and sixteen blocks of the usual size. */
const PIECE_BYTES = 65_536
export const PIECES = 64
/** How many pieces a step may take at a time: more would not help. */
const MOST_AT_ONCE = 8

export type Reserve = ReturnType<typeof createReserve>
/** Runs a step that may use the reserve; `mayHelp` says which faults may be due to lack of room. */
export type Lend = <T>(run: () => Promise<T>, mayHelp?: (error: unknown) => boolean) => Promise<T>
/** For a program that fails on a full disk without saying so. */
export const WHATEVER = () => true

/**
 * Files that reserve room on a file system and are given up one by one when it is full: for suspending and deleting,
 * which make a link or a directory before they free anything, and for the panel's start.
 */
export function createReserve(directory: string) {
  const names = () => {
    try {
      return readdirSync(directory)
    } catch {
      return []
    }
  }

  const give = (pieces: number) => {
    for (const name of names().slice(0, pieces)) unlinkSync(join(directory, name))
  }

  return {
    directory,
    left: () => names().length,

    /**
     * Runs a step that may find the disk full; repeats it with one piece of the reserve and then twice as many each
     * time, as long as that may help. Whoever filled the disk often keeps writing, and a longer step needs more of a
     * lead.
     */
    async lend<T>(run: () => Promise<T>, mayHelp = isOutOfSpace): Promise<T> {
      for (let pieces = 1; ; pieces *= 2) {
        try {
          return await run()
        } catch (error) {
          const helps = pieces <= MOST_AT_ONCE && mayHelp(error)
          if (!helps || names().length === 0 || !isFull(directory)) throw error
          give(pieces)
        }
      }
    },

    /** Restores the pieces that were given up, once there is room for them and more. */
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
    // Allocated on the disk, not only promised.
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
