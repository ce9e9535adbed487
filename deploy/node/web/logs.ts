import { lstatSync, readdirSync, renameSync, type Stats, truncateSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Layout } from '../files/layout.ts'
import { removeFile } from '../host/files.ts'
import { signal } from '../services/process.ts'
import type { Supervisor } from '../services/supervisor.ts'

const MAX_BYTES = 32 * 1_048_576
const KEPT = 3

/**
 * Bounds the services' logs, whether or not something else rotates them: a log that has grown too large becomes `.1`,
 * and the old `.3` goes. The programs reopen theirs; the measurement of traffic follows renamings. A log of a
 * program's output is emptied, since the program cannot be made to reopen it. Answers the names of those put aside.
 */
export function boundServiceLogs(layout: Layout, supervisor: Supervisor, maxBytes = MAX_BYTES): string[] {
  const grown = logsIn(layout.logs, /\.(?:log|out)$/, ({ size }) => size >= maxBytes)
  for (const path of grown) {
    if (path.endsWith('.out')) truncateSync(path)
    else putAside(path)
  }
  if (grown.some((path) => path.endsWith('.log'))) reopenLogs(supervisor)
  return grown.map((path) => basename(path))
}

/** Puts aside the logs of the web server that were begun before a moment: others rotate them more often than that. */
export function putOldAside(layout: Layout, supervisor: Supervisor, begunBefore: Date): void {
  const old = logsIn(layout.logs, /\.log$/, (found) => isBegunBefore(found, begunBefore))
  for (const path of old) putAside(path)
  if (old.length > 0) reopenLogs(supervisor)
}

/** Not of an empty one, nor where the file system does not tell. */
export const isBegunBefore = ({ size, birthtimeMs }: Stats, moment: Date): boolean =>
  size > 0 && birthtimeMs > 0 && birthtimeMs < moment.getTime()

/** The logs in a directory by their names and what they are. */
export const logsIn = (directory: string, pattern: RegExp, isDue: (found: Stats) => boolean): string[] =>
  readdirSync(directory)
    .filter((name) => pattern.test(name))
    .map((name) => join(directory, name))
    .filter((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false })
      return found?.isFile() === true && isDue(found)
    })

function reopenLogs(supervisor: Supervisor): void {
  const nginx = supervisor.processOf('nginx')
  if (nginx !== null) signal(nginx, 'SIGUSR1')
}

/** Keeps a log as `.1`, and those that were kept before under the next number, up to the third. */
export function putAside(path: string): void {
  removeFile(`${path}.${KEPT}`)
  for (let age = KEPT - 1; age >= 0; age--) {
    const from = age === 0 ? path : `${path}.${age}`
    if (lstatSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${path}.${age + 1}`)
  }
}
