import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  lchownSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  type Stats,
} from 'node:fs'

const SLASH = Buffer.from('/')
const BTRFS = '/usr/bin/btrfs'
/** Inode number of every subvolume's own directory, see usage/btrfs.ts. */
const SUBVOLUME_INODE = 256

/**
 * Gives every directory of a tree to root, each before it is read: the content of a directory that only root can
 * change stays as it was read, whoever still has it open. The tree's parent must belong to root. Returns the btrfs
 * subvolumes in it, outer ones first, which any user can make and rm(1) does not remove.
 */
export function closeTree(top: string, root: { uid: number; gid: number }): string[] {
  const { dev } = lstatSync(top)
  const mount = mountOf(top)
  const subvolumes: string[] = []
  // Names are bytes: not every one of them is text.
  const left = [Buffer.from(top)]
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const found = statOf(path)
    if (found === null || !found.isDirectory()) continue
    if (found.dev !== dev && mountOf(path) !== mount) continue
    const directory = Buffer.from(asText(path))
    if (found.dev !== dev && found.ino === SUBVOLUME_INODE) {
      subvolumes.push(directory.toString())
      makeWritable(directory.toString())
    }
    lchownSync(directory, root.uid, root.gid)
    chmodSync(directory, 0o700)
    for (const name of readdirSync(directory, { encoding: 'buffer' })) {
      left.push(Buffer.concat([directory, SLASH, name]))
    }
  }
  return subvolumes
}

/** Null where the path has become too long to name. */
function statOf(path: Buffer): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}

/** The mount that a path is reached through: a subvolume has a device of its own and is no mount. */
function mountOf(path: string | Buffer): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    return /^mnt_id:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? ''
  } finally {
    closeSync(fd)
  }
}

/** A path as a program's argument; a name that is no text is replaced. */
function asText(path: Buffer): string {
  if (Buffer.from(path.toString()).equals(path)) return path.toString()
  const parent = path.subarray(0, path.lastIndexOf(SLASH))
  const named = Buffer.concat([parent, Buffer.from(`/${randomBytes(9).toString('hex')}`)])
  renameSync(path, named)
  return named.toString()
}

function makeWritable(subvolume: string): void {
  spawnSync(BTRFS, ['property', 'set', '-f', '-ts', subvolume, 'ro', 'false'])
}

/** As a program, so that a directory of any size takes none of the panel's time and memory. */
if (import.meta.main) {
  const [path = '', uid, gid] = process.argv.slice(2)
  const subvolumes = closeTree(path, { uid: Number(uid), gid: Number(gid) })
  for (const one of subvolumes.reverse()) spawnSync(BTRFS, ['subvolume', 'delete', '--', one])
}
