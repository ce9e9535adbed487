import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from '../services/program.ts'

/** System V's segments, queues and semaphores, with what ipcrm(1) calls them. */
const KINDS = [
  ['shm', 'shmid', '--shmem-id'],
  ['msg', 'msqid', '--queue-id'],
  ['sem', 'semid', '--semaphore-id'],
] as const
/** POSIX's shared memory and queues are files there. */
const DIRECTORIES = ['/dev/shm', '/dev/mqueue']
/** A customer makes thousands of them; a command line has an end. */
const AT_ONCE = 1_000

/** Removes what the kernel keeps in memory for a user when none of its processes is left. Throws when it cannot. */
export async function removeIpc(uid: number): Promise<void> {
  const options = KINDS.flatMap(([kind, column, option]) =>
    idsOf(uid, kind, column).map((id) => `${option}=${id}`),
  )
  while (options.length > 0) await must(['/usr/bin/ipcrm', ...options.splice(0, AT_ONCE)])
  const files = DIRECTORIES.flatMap((directory) => filesOf(uid, directory))
  while (files.length > 0) {
    await must(['/usr/bin/rm', '-rf', '--one-file-system', '--', ...files.splice(0, AT_ONCE)])
  }
}

/** By owner and by who made it: that one can give it to another user's number and keeps it. */
function idsOf(uid: number, kind: string, column: string): string[] {
  const path = `/proc/sysvipc/${kind}`
  if (!existsSync(path)) return []
  const [head = [], ...rows] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const [id, owner, maker] = [column, 'uid', 'cuid'].map((name) => head.indexOf(name))
  return rows.flatMap((row) =>
    [row[owner ?? -1], row[maker ?? -1]].includes(String(uid)) ? (row[id ?? -1] ?? []) : [],
  )
}

function filesOf(uid: number, directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.uid === uid)
}

async function must(argv: string[]): Promise<void> {
  const { code, output } = await runProgram(argv)
  if (code !== 0) throw new Error(`${argv[0]} failed (${code}): ${output.slice(0, 200)}`)
}
