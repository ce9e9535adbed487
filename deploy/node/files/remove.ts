import { existsSync } from 'node:fs'
import { chmod, lchown, lstat, readdir } from 'node:fs/promises'
import { runProgram } from '../services/program.ts'
import type { Owner } from './safe.ts'

const ATTEMPTS = 3
const SLASH = Buffer.from('/')

/**
 * Removes a directory whose parent is root's alone, at the lowest priority for processor and disk. rm(1) walks
 * by directory handles and follows no link, so that a process of the customer's that still holds one of these
 * directories open cannot lead it elsewhere; and as they are closed first, it cannot hold it up either.
 * False when something is left.
 */
export async function removeTree(path: string, root: Owner | null): Promise<boolean> {
  if (root !== null) await close(path, root)
  const idle = ['/usr/bin/ionice', '-c', '3'].filter(() => existsSync('/usr/bin/ionice'))
  const rm = ['/usr/bin/rm', '-rf', '--one-file-system', '--', path]
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const result = await runProgram(['/usr/bin/nice', '-n', '19', ...idle, ...rm], { timeoutMs: null })
    if (result.code === 0) return true
  }
  return false
}

/**
 * Gives every directory of the tree to root, each before it is read: what lies in a directory that only root
 * can change stays what it was found to be, whoever still has it open.
 */
async function close(top: string, root: Owner): Promise<void> {
  const { dev } = await lstat(top)
  // Names are bytes: not every one of them is text.
  const left = [Buffer.from(top)]
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const directory = path
    const found = await lstat(directory).catch(() => null)
    if (found === null || !found.isDirectory() || found.dev !== dev) continue
    await lchown(directory, root.uid, root.gid)
    await chmod(directory, 0o700)
    for (const entry of await readdir(directory, { encoding: 'buffer', withFileTypes: true })) {
      if (entry.isDirectory()) left.push(Buffer.concat([directory, SLASH, entry.name]))
    }
  }
}
