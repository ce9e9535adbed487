import { lstatSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { clientIdsOf } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'

const MAX_BYTES = 10 * 1024 * 1024

/** PHP's own of a program's errors, and PHP-FPM's, which it opens anew with its next start. */
const LOGS = ['php.log', 'php-fpm.log']

/**
 * Puts each client's PHP logs that have grown too large aside, over the ones put aside before; answers how many. The
 * directory is the customer's own, so nothing in it is opened, emptied or followed: a rename moves whatever has the
 * name, and its owner could do the same. PHP opens the file anew for each line.
 */
export function boundPhpLogs(layout: Layout, maxBytes = MAX_BYTES): number {
  const logs = clientIdsOf(layout).flatMap((clientId) =>
    LOGS.map((name) => join(layout.client(clientId), 'logs', name)),
  )
  return logs.filter((path) => putAside(path, maxBytes)).length
}

function putAside(path: string, maxBytes: number): boolean {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined || !found.isFile() || found.size < maxBytes) return false
    renameSync(path, `${path}.1`)
    return true
  } catch {
    // Whatever blocks the rename is the customer's own, and so is the room that it takes.
    return false
  }
}
