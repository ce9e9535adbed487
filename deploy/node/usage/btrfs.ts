import { join } from 'node:path'
import { type FileSystem, fileSystemOf } from './filesystem.ts'
import { outputOf } from './program.ts'

const BTRFS = '/usr/bin/btrfs'

/**
 * Makes a client's directory. On btrfs it is a subvolume, which has a quota group of its own; elsewhere, or
 * where that is not allowed, nothing is made and the caller makes a plain one. An existing one is kept.
 * Answers whether it is there now as a subvolume that this call made.
 */
export async function makeSubvolume(path: string, parent: FileSystem): Promise<boolean> {
  if (parent.type !== 'btrfs') return false
  return (await outputOf([BTRFS, 'subvolume', 'create', '--', path])) !== null
}

/**
 * Bytes that each directory's quota group refers to, by path; a directory without one is left out. Null
 * where quotas are off. Subvolumes that a customer made below are added: nothing hides in them.
 */
export async function quotaGroups(base: string, directories: string[]): Promise<Map<string, number> | null> {
  const output = await outputOf([BTRFS, '--format', 'json', 'qgroup', 'show', '--sync', '--raw', '--', base])
  const groups = output === null ? null : parseGroups(output)
  if (groups === null) return null
  const { inside } = await fileSystemOf(base)
  const bytes = new Map<string, number>()
  const wanted = new Map(directories.map((path) => [join(inside, path.slice(base.length)).slice(1), path]))
  for (const group of groups) {
    const path = owner(group.path, wanted)
    if (path !== null) bytes.set(path, (bytes.get(path) ?? 0) + group.bytes)
  }
  return bytes
}

/** Sets the hard limit of a subvolume's quota group in bytes, null for none; false where there is no quota. */
export async function limitSubvolume(path: string, diskBytes: number | null): Promise<boolean> {
  const size = diskBytes === null ? 'none' : String(diskBytes)
  return (await outputOf([BTRFS, 'qgroup', 'limit', '--', size, path])) !== null
}

/** The wanted directory that a subvolume is, or lies below. */
function owner(path: string, wanted: Map<string, string>): string | null {
  const parts = path.split('/')
  for (let length = parts.length; length > 0; length -= 1) {
    const found = wanted.get(parts.slice(0, length).join('/'))
    if (found !== undefined) return found
  }
  return null
}

/** Null for anything but the whole well-formed table: names in it are the customers' own. */
function parseGroups(output: string): { path: string; bytes: number }[] | null {
  let table: unknown
  try {
    table = JSON.parse(output)
  } catch {
    return null
  }
  const rows: unknown = table !== null && typeof table === 'object' ? Reflect.get(table, 'qgroup-show') : null
  if (!Array.isArray(rows)) return null
  return rows.flatMap((row: unknown) => {
    if (row === null || typeof row !== 'object') return []
    const { qgroupid, path, referenced }: { qgroupid?: unknown; path?: unknown; referenced?: unknown } = row
    // Level 0 are the subvolumes themselves; higher levels only add them up.
    if (typeof qgroupid !== 'string' || !qgroupid.startsWith('0/') || typeof path !== 'string') return []
    const bytes = Number(referenced)
    return Number.isSafeInteger(bytes) && bytes >= 0 ? [{ path, bytes }] : []
  })
}
