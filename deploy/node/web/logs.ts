import { lstatSync, readdirSync, renameSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../files/layout.ts'
import { removeFile } from '../files/safe.ts'
import { signal } from '../services/process.ts'
import type { Supervisor } from '../services/supervisor.ts'

const MAX_BYTES = 32 * 1_048_576
const KEPT = 3

/**
 * Keeps the services' logs from growing without end, whoever else rotates them or does not: one that has grown too
 * large becomes `.1`, and what was `.3` goes. The programs open theirs anew; the traffic is read across renamings.
 * What a program prints is emptied, since nobody could have it opened anew. Answers the names of those put aside.
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
    for (const service of supervisor.names()) {
      const process = /^(?:nginx|php)/.test(service) ? supervisor.processOf(service) : null
      if (process !== null) signal(process, 'SIGUSR1')
    }
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
