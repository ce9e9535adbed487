import { statfsSync } from 'node:fs'

/** A file system counts as full below the smaller value of each: the rest is not enough for anything new. */
const FULL = { bytes: 1_048_576, inodes: 32, share: 0.02 }
const NEARLY = { share: 0.05, bytes: 2 * 1_073_741_824 }

export type Level = 'bien' | 'casi_lleno' | 'lleno'
export type Room = { bytes: number; inodes: number; level: Level; scarce: 'disco' | 'inodos' }

/** This much has to be left besides the reserve. */
export const BESIDE = { bytes: 16 * 1_048_576, inodes: 256 }

/** What the file system of a directory has left, for whoever is not root. Some have no fixed number of inodes. */
export function leftIn(path: string): Room {
  const { blocks, bavail, bsize, files, ffree } = statfsSync(path)
  const left = { bytes: bavail * bsize, inodes: files > 0 ? ffree : Number.POSITIVE_INFINITY }
  const noInodes = files > 0 && ffree < Math.min(FULL.inodes, FULL.share * files)
  const inodesScarce = noInodes || (files > 0 && ffree / files < bavail / blocks)
  const full = noInodes || left.bytes < Math.min(FULL.bytes, FULL.share * blocks * bsize)
  const nearly =
    (bavail / blocks < NEARLY.share && left.bytes < NEARLY.bytes) ||
    (files > 0 && ffree / files < NEARLY.share)
  const level = full ? 'lleno' : nearly ? 'casi_lleno' : 'bien'
  return { ...left, level, scarce: inodesScarce ? 'inodos' : 'disco' }
}

/** Whether there is no room for anything new. */
export function isFull(path: string): boolean {
  return leftIn(path).level === 'lleno'
}
