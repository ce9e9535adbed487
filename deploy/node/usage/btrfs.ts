import { lstat } from 'node:fs/promises'
import { fileSystemOf } from './filesystem.ts'
import { outputOf } from './program.ts'

const BTRFS = '/usr/bin/btrfs'
/** Inode number of every subvolume's own directory (BTRFS_FIRST_FREE_OBJECTID), and of no other. */
const SUBVOLUME_INODE = 256

/**
 * Makes a new client's directory a subvolume, which has a quota group of its own, if `base` is on a btrfs with
 * quotas. If not, or if that fails, nothing is made: the caller makes a plain directory, and the client is measured
 * by a walk. Returns whether it was made.
 */
export async function makeSubvolume(base: string, path: string): Promise<boolean> {
  if ((await fileSystemOf(base)).type !== 'btrfs') return false
  if (!(await hasSubvolumeQuota(base))) return false
  return (await outputOf([BTRFS, 'subvolume', 'create', '--', path])) !== null
}

/** Whether quotas are on there. */
export async function hasSubvolumeQuota(base: string): Promise<boolean> {
  return (await outputOf([BTRFS, 'qgroup', 'show', '--', base])) !== null
}

/** Updates the counts of the quota groups with everything written so far. */
export async function settleCounts(base: string): Promise<void> {
  await outputOf([BTRFS, 'filesystem', 'sync', base])
}

/**
 * Bytes that a subvolume's quota group refers to; null for a plain directory or where quotas are off. Asked one
 * by one: the table of all of them holds the paths of subvolumes that customers can make and name so as to
 * forge a row of it, and its JSON form crashes btrfs-progs 6.2 once a limit is set.
 */
export async function subvolumeBytes(path: string): Promise<number | null> {
  const found = await lstat(path).catch(() => null)
  // For a plain directory the group of the subvolume around it would be returned.
  if (found?.ino !== SUBVOLUME_INODE) return null
  const output = await outputOf([BTRFS, 'qgroup', 'show', '--raw', '-f', '--', path])
  const referenced = /^0\/\d+\s+(\d+)\s+\d+/m.exec(output ?? '')?.[1]
  return referenced === undefined ? null : Number(referenced)
}

/** Sets the hard limit of a subvolume's quota group in bytes, null for none; false where there is no quota. */
export async function limitSubvolume(path: string, diskBytes: number | null): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  if (found?.ino !== SUBVOLUME_INODE) return false
  const size = diskBytes === null ? 'none' : String(diskBytes)
  return (await outputOf([BTRFS, 'qgroup', 'limit', '--', size, path])) !== null
}
