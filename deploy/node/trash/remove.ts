import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Owner } from '../host/files.ts'
import { runProgram } from '../services/program.ts'

const CLOSE_TREE = fileURLToPath(new URL('./close-tree.ts', import.meta.url))
const ATTEMPTS = 3

/**
 * Removes a directory whose parent belongs to root, at the lowest priority for processor and disk. rm(1) goes from
 * open directories to names and follows no link, so a customer's process that still holds one of them open cannot
 * mislead it; and the directories are closed first, so that the process cannot keep filling them. False if something
 * is left.
 */
export async function removeTree(path: string, root: Owner | null): Promise<boolean> {
  if (root !== null) await unhurried([process.execPath, CLOSE_TREE, path, `${root.uid}`, `${root.gid}`])
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await unhurried(['/usr/bin/rm', '-rf', '--one-file-system', '--', path])) return true
  }
  return false
}

async function unhurried(argv: string[]): Promise<boolean> {
  const idle = ['/usr/bin/ionice', '-c', '3'].filter(() => existsSync('/usr/bin/ionice'))
  const { code } = await runProgram(['/usr/bin/nice', '-n', '19', ...idle, ...argv], { timeoutMs: null })
  return code === 0
}
