import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BinEntry } from '../../../lib/endpoint/ports/bin.ts'
import type { Layout } from '../files/layout.ts'
import { move, type Owner, removeFile, syncDirectory } from '../host/files.ts'
import { removeTree } from './remove.ts'

export type Found = { entry: BinEntry; home: string; files: string }

const OWN_BIN = '.bin'
const ENTRY = /^(?:cliente|sitio|base)-\d+(?:-\d+)?$/
/** An entry that is being removed: nothing finds it any more, so that nobody is given half of it. */
const LEAVING = /^((?:cliente|sitio|base)-\d+(?:-\d+)?)\.purga-[0-9a-f]+$/

/** The client's own bin, in its subvolume. */
export const ownBin = (layout: Layout, clientId: number): string => join(layout.client(clientId), OWN_BIN)

/** Every directory that holds entries; none on a panel that has never served. */
export function homesOf(layout: Layout): string[] {
  const clients = existsSync(layout.clients) ? readdirSync(layout.clients) : []
  const own = clients.map((name) => join(layout.clients, name, OWN_BIN))
  return [layout.bin, ...own].filter((home) => existsSync(home))
}

/** The directories that can hold what was this client's. */
export function homesFor(layout: Layout, clientId: number): string[] {
  // Nobody has no directory.
  const own = clientId > 0 ? [ownBin(layout, clientId)] : []
  return [layout.bin, ...own].filter((home) => existsSync(home))
}

/** The entry of this name in a home; null where there is none, or it is being removed. */
export function entryIn(home: string, name: string): Found | null {
  if (!ENTRY.test(name)) return null
  const files = join(home, name, 'files')
  const entry = existsSync(files) ? parse(name, join(home, name, 'entry.json')) : null
  return entry === null ? null : { entry, home, files }
}

/** What is in these homes, oldest first. */
export const entriesIn = (homes: string[]): Found[] =>
  homes
    .flatMap((home) => readdirSync(home).flatMap((name) => entryIn(home, name) ?? []))
    .sort((a, b) => a.entry.deletedAt.getTime() - b.entry.deletedAt.getTime())

/** The files of each client's deleted sites that lie beside those of others; a bin of a client's own is in its directory. */
export function deletedSites(layout: Layout): Map<number, string[]> {
  const sites = existsSync(layout.bin)
    ? entriesIn([layout.bin]).filter(({ entry }) => entry.kind === 'site')
    : []
  const byClient = new Map<number, string[]>()
  for (const { entry, files } of sites)
    byClient.set(entry.clientId, [...(byClient.get(entry.clientId) ?? []), files])
  return byClient
}

/** Takes an entry out of the bin in one rename, to be removed by `removeLeaving`. */
export function beginLeaving({ entry, home }: Found): void {
  move(join(home, entry.id), join(home, `${entry.id}.purga-${randomBytes(9).toString('hex')}`))
  syncDirectory(home)
}

/**
 * Removes what has left the bin, now or in a purge that was killed, all of it or of one id. Returns the ids of what is
 * gone. `busy` holds what this process is removing already.
 */
export async function removeLeaving(
  homes: string[],
  { id, root, busy }: { id: string | null; root: Owner | null; busy: Set<string> },
): Promise<string[]> {
  const removed: string[] = []
  for (const home of homes) {
    for (const name of readdirSync(home)) {
      const left = LEAVING.exec(name)?.[1]
      const path = join(home, name)
      if (left === undefined || (id !== null && left !== id) || busy.has(path)) continue
      busy.add(path)
      try {
        if (!(await removeTree(join(path, 'files'), root))) continue
        forget(home, name)
        removed.push(left)
      } finally {
        busy.delete(path)
      }
    }
  }
  return removed
}

/** Removes entries without files, left by a deletion or a restore that was killed. */
export function forgetEmpty(homes: string[]): void {
  for (const home of homes) {
    for (const name of readdirSync(home)) {
      if (ENTRY.test(name) && !existsSync(join(home, name, 'files'))) forget(home, name)
    }
  }
}

/** Removes an entry whose files are gone. */
export function forget(home: string, name: string): void {
  removeFile(join(home, name, 'entry.json'))
  rmSync(join(home, name), { recursive: true, force: true })
}

function parse(name: string, path: string): BinEntry | null {
  const value: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
  if (typeof value !== 'object' || value === null) return null
  const {
    kind,
    clientId,
    siteId,
    databaseId,
    name: own,
    client,
    domain,
    deletedAt,
  } = value as Record<string, unknown>
  if (typeof clientId !== 'number' || typeof deletedAt !== 'string') return null
  const common = { id: name, clientId, deletedAt: new Date(deletedAt) }
  if (kind === 'client') return { ...common, kind, name: String(own) }
  if (kind === 'database')
    return typeof databaseId === 'number'
      ? { ...common, kind, databaseId, name: String(own), client: String(client) }
      : null
  return typeof siteId === 'number' ? { ...common, kind: 'site', siteId, domain: String(domain) } : null
}
