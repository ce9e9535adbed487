import { statfsSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'

export type FileSystem = {
  /** As the kernel calls it: ext4, xfs, btrfs, … */
  type: string
  mountPoint: string
}

/** The file system that a directory is on (proc(5), mountinfo). Throws where the directory is absent. */
export async function fileSystemOf(path: string): Promise<FileSystem> {
  const real = await realpath(path)
  const found = (await readFile('/proc/self/mountinfo', 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map(parseMount)
    .filter((mount) => real === mount.mountPoint || real.startsWith(join(mount.mountPoint, '/')))
  // Of several mounts on one point the last one is seen.
  const mount = found.reduce((best, one) => (one.mountPoint.length >= best.mountPoint.length ? one : best), {
    mountPoint: '',
    type: 'unknown',
  })
  return mount
}

/**
 * The resource that the file system of a directory has relatively less of: bytes or inodes. If one has run out, this
 * names it, even after the failed attempt has been undone. File systems without a fixed number of inodes report zero.
 */
export function scarceIn(path: string): 'disco' | 'inodos' {
  const { blocks, bavail, files, ffree } = statfsSync(path)
  return files > 0 && ffree / files < bavail / blocks ? 'inodos' : 'disco'
}

/** The resource that the file system of a directory has run out of, for users other than root. */
export function exhaustedIn(path: string): 'disco' | 'inodos' | null {
  const { bavail, files, ffree } = statfsSync(path)
  if (files > 0 && ffree === 0) return 'inodos'
  return bavail === 0 ? 'disco' : null
}

function parseMount(line: string): FileSystem {
  const [before = '', after = ''] = line.split(' - ')
  const fields = before.split(' ')
  return { mountPoint: unescaped(fields[4]), type: after.split(' ')[0] ?? '' }
}

/** The kernel writes blank, tab, newline and backslash as three octal digits. */
function unescaped(text = ''): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}
