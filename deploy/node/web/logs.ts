import { lstatSync, readdirSync, renameSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
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
  const grown = readdirSync(layout.logs).filter((name) => {
    const found = lstatSync(join(layout.logs, name), { throwIfNoEntry: false })
    return /\.(?:log|out)$/.test(name) && found?.isFile() === true && found.size >= maxBytes
  })
  for (const name of grown) {
    const path = join(layout.logs, name)
    if (name.endsWith('.out')) truncateSync(path)
    else putAside(path)
  }
  if (grown.some((name) => name.endsWith('.log'))) {
    const nginx = supervisor.processOf('nginx')
    if (nginx !== null) signal(nginx, 'SIGUSR1')
  }
  return grown
}

function putAside(path: string): void {
  removeFile(`${path}.${KEPT}`)
  for (let age = KEPT - 1; age >= 0; age--) {
    const from = age === 0 ? path : `${path}.${age}`
    if (lstatSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${path}.${age + 1}`)
  }
}
