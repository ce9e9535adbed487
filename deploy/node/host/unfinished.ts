import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, readProcess } from '../services/process.ts'

/** SQLite keeps more beside a database that is being made. */
const NAME = /^\.unfinished-(\d+)-(\d+)-[0-9a-f]{18}(?:-wal|-shm|-journal)?$/

/**
 * The temporary name of a file that is being made. It names its process, so that leftovers of a killed process are
 * distinguished from a file that another one is still writing, however long that takes.
 */
export function unfinishedIn(directory: string): string {
  const { pid } = process
  const startTicks = readProcess(pid)?.startTicks ?? 0
  return join(directory, `.unfinished-${pid}-${startTicks}-${randomBytes(9).toString('hex')}`)
}

/** Removes the unfinished files of processes that have ended; to be called while this process makes none. */
export function removeUnfinished(directories: string[]): void {
  for (const directory of directories) {
    for (const name of filesIn(directory)) {
      const [, pid, startTicks] = (NAME.exec(name) ?? []).map(Number)
      if (pid === undefined || startTicks === undefined) continue
      if (pid === process.pid || !isAlive({ pid, startTicks })) rmSync(join(directory, name), { force: true })
    }
  }
}

function filesIn(directory: string): string[] {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return []
  const found = readdirSync(directory, { withFileTypes: true })
  return found.flatMap((one) => (one.isDirectory() ? [] : [one.name]))
}
