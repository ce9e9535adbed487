import { chmodSync, lchownSync, lstatSync, readdirSync, type Stats } from 'node:fs'

const SLASH = Buffer.from('/')

/**
 * Gives every directory of a tree to root, each before it is read: what lies in a directory that only root can
 * change stays what it was found to be, whoever still has it open. The tree's own parent must be root's alone.
 */
export function closeTree(top: string, root: { uid: number; gid: number }): void {
  const { dev } = lstatSync(top)
  // Names are bytes: not every one of them is text.
  const left = [Buffer.from(top)]
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const directory = path
    const found = statOf(directory)
    if (found === null || !found.isDirectory() || found.dev !== dev) continue
    lchownSync(directory, root.uid, root.gid)
    chmodSync(directory, 0o700)
    for (const name of readdirSync(directory, { encoding: 'buffer' })) {
      left.push(Buffer.concat([directory, SLASH, name]))
    }
  }
}

/** Null where the path has become too long to name. */
function statOf(path: Buffer): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}

/** As a program, so that a directory of any size takes none of the panel's time and memory. */
if (import.meta.main) {
  const [path = '', uid, gid] = process.argv.slice(2)
  closeTree(path, { uid: Number(uid), gid: Number(gid) })
}
