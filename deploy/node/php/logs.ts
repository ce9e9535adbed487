import { lstatSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { clientIdsOf } from '../files/clients.ts'
import type { Layout } from '../files/layout.ts'

const MAX_BYTES = 10 * 1024 * 1024

/**
 * Puts each client's PHP log that has grown too large aside, in the place of the one put aside before; answers
 * how many those were. The directory is the customer's own, so nothing in it is opened, emptied or followed: a
 * rename moves the name that is there, whatever it leads to, and its owner could do the same. PHP opens the file
 * anew for each line.
 */
export function boundPhpLogs(layout: Layout, maxBytes = MAX_BYTES): number {
  return clientIdsOf(layout).filter((clientId) => putAside(layout.client(clientId), maxBytes)).length
}

function putAside(home: string, maxBytes: number): boolean {
  const path = join(home, 'logs', 'php.log')
  try {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined || !found.isFile() || found.size < maxBytes) return false
    renameSync(path, `${path}.1`)
    return true
  } catch {
    // What stands in the way is the customer's own, and so is the room that it takes.
    return false
  }
}
