import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isOutOfSpace } from '../../../lib/text/root-message.ts'
import { BESIDE, isFull, leftIn } from './room.ts'

/** Each gives back one inode and sixteen blocks of the usual size. */
const PIECE_BYTES = 65_536
export const PIECES = 64
/** What a step may take at a time: more would not help it. */
const MOST_AT_ONCE = 8

export type Reserve = ReturnType<typeof createReserve>
/** Runs a step that may use what is kept back; `mayHelp` tells of which faults room may be the cause. */
export type Lend = <T>(run: () => Promise<T>, mayHelp?: (error: unknown) => boolean) => Promise<T>
/** For a program that fails on a full disk without saying so. */
export const WHATEVER = () => true

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

  const give = (pieces: number) => {
    for (const name of names().slice(0, pieces)) unlinkSync(join(directory, name))
  }

  return {
    directory,
    left: () => names().length,

    /**
     * Runs what may find the disk full, again with a piece and then twice as many each time, as long as that may help:
     * whoever filled the disk is often at it still, and what runs longer needs more of a lead.
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
