import { spawnSync } from 'node:child_process'
import { lchownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Puts a file below a customer's folder, as a program of the customer's would. Answers its path. */
export function giveFile(folder: string, name: string, text: string | Uint8Array): string {
  const path = join(folder, name)
  const made = mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
  writeFileSync(path, text, { mode: 0o644 })
  const { uid, gid } = statSync(folder)
  for (const one of [path, ...(made ? [made, dirname(path)] : [])]) lchownSync(one, uid, gid)
  return path
}

/** All files below a folder with owners, modes and content, without the logs of its sites. */
export function filesBelow(folder: string): string {
  const words =
    'find "$1" -name registros -prune -o -printf "%p %u %m %l\\n" -type f -exec md5sum {} + | sort'
  return spawnSync('sh', ['-c', words, '-', folder]).stdout.toString()
}
