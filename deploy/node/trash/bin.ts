import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../../lib/endpoint/errors.ts'
import { type BinEntry, type BinPort, type Deleted, NOBODY } from '../../../lib/endpoint/ports/bin.ts'
import { openDump } from '../databases/dump.ts'
import type { Identity } from '../files/clients.ts'
import { copyTree } from '../files/copy.ts'
import { id, isDocumentRoot, type Layout } from '../files/layout.ts'
import { giveTree } from '../files/tree.ts'
import {
  directoriesIn,
  ensureDirectory,
  exists,
  move,
  type Owner,
  removeFile,
  removeIfEmpty,
  syncDirectory,
  writeWhole,
} from '../host/files.ts'
import { removeTree } from './remove.ts'
import { createSizes } from './sizes.ts'

export type Bin = ReturnType<typeof createBin>

/** `give` changes the owner of a tree. */
type Moving = { root: Owner | null; give: (top: string) => void }
type Found = { entry: BinEntry; home: string; files: string }

export type BinOptions = {
  layout: Layout
  identity: Identity
  now: () => Date
  /** Ends whatever runs as the client's user. */
  endProcesses(clientId: number): Promise<void>
}

const OWN_BIN = '.bin'
const ENTRY = /^(?:cliente|sitio|base)-\d+(?:-\d+)?$/

/**
 * Deleted files: moved by one rename into a directory that only root can enter, kept for as long as the operator
 * says, and then removed at low priority.
 */
export function createBin(options: BinOptions): BinPort & { put(what: Deleted, path: string): void } {
  const { layout, identity } = options

  const find = (name: string): Found | null => {
    if (!ENTRY.test(name)) return null
    for (const home of homesOf(layout)) {
      const files = join(home, name, 'files')
      const found = existsSync(files) ? parse(name, join(home, name, 'entry.json')) : null
      if (found !== null) return { entry: found, home, files }
    }
    return null
  }

  const besides = ({ id, deletedAt }: Pick<BinEntry, 'id' | 'deletedAt'>) =>
    join(layout.restored, `${id}-${deletedAt.getTime()}`)

  return {
    /** Moves a directory into the bin. If it is missing, a killed deletion may have moved it already. */
    put(what: Deleted, path: string): void {
      if (!exists(path)) return
      const home = homeFor(layout, what, path)
      ensureDirectory(home, { mode: 0o700, owner: identity.root })
      const directory = join(home, freeName(layout, what))
      ensureDirectory(directory, { mode: 0o700, owner: identity.root })
      const content = JSON.stringify({ ...what, deletedAt: options.now().toISOString() })
      // The note is written first: files without one could not be purged by age.
      const note = { path: join(directory, 'entry.json'), content, mode: 0o600 }
      writeWhole(note)
      move(path, join(directory, 'files'))
      syncDirectory(directory)
    },

    find: (name) => find(name)?.entry ?? null,
    sizes: createSizes((name) => find(name)?.files ?? null),
    isBare({ clientId, siteId }) {
      const root = layout.publicOf(clientId, siteId)
      return !exists(root) || readdirSync(root).length === 0
    },
    besides,
    openDump: async (name) => openDump(find(name)?.files ?? ''),

    list() {
      return homesOf(layout)
        .flatMap((home) => readdirSync(home))
        .map((name) => find(name)?.entry ?? null)
        .filter((one): one is BinEntry => one !== null)
        .sort((a, b) => a.deletedAt.getTime() - b.deletedAt.getTime())
    },

    async restore(name, to) {
      const found = find(name)
      if (found === null) return null
      const { entry, home, files } = found
      // They may still be working on these files. Nobody works on a dump.
      if (entry.kind !== 'database') await options.endProcesses(entry.clientId)
      if (to === undefined || entry.kind !== 'site') {
        const target = besides(entry)
        await moveAnywhere(files, target, { root: identity.root, give: () => undefined })
        forget(home, name)
        return target
      }
      const target = layout.publicOf(to.clientId, to.siteId)
      // A restore that was killed goes on with what is left.
      const left = directoriesIn(files).filter((one) => one === 'public' || isDocumentRoot(one))
      if (left.includes('public') && readdirSync(target).length > 0) throw new AppError('sitio_no_vacio')
      const [before, after] = [identity.customer(entry.clientId), identity.customer(to.clientId)]
      const give = (top: string) => {
        if (before !== null && after !== null && before.uid !== after.uid) giveTree(top, before, after)
      }
      // Document roots beside it, which a site may have too; itself last.
      for (const one of left.sort((a, b) => Number(a === 'public') - Number(b === 'public'))) {
        const there = one === 'public' ? target : layout.documents(to.clientId, to.siteId, one)
        if (one !== 'public' && !removeIfEmpty(there)) throw new AppError('sitio_no_vacio')
        await moveAnywhere(join(files, one), there, { root: identity.root, give })
      }
      if (await removeTree(files, identity.root)) forget(home, name)
      return target
    },

    async purge(which) {
      const removed: string[] = []
      for (const one of this.list()) {
        if ('id' in which ? one.id !== which.id : one.deletedAt >= which.before) continue
        const found = find(one.id)
        if (found === null || !(await removeTree(found.files, identity.root))) continue
        forget(found.home, one.id)
        removed.push(one.id)
      }
      for (const home of homesOf(layout)) {
        for (const name of readdirSync(home)) {
          // Left by a purge or a deletion that was killed.
          if (ENTRY.test(name) && !existsSync(join(home, name, 'files'))) forget(home, name)
        }
      }
      return removed
    },
  }
}

/**
 * The bin for deleted files. A site in a subvolume with a quota of its own cannot be renamed out of it, so its bin is
 * inside the subvolume and closed just as well.
 */
function homeFor(layout: Layout, what: Deleted, path: string): string {
  const apart = what.kind === 'site' && lstatSync(path).dev !== lstatSync(layout.bin).dev
  return apart ? join(layout.client(what.clientId), OWN_BIN) : layout.bin
}

/** None on a panel that has never served. */
function homesOf(layout: Layout): string[] {
  const clients = existsSync(layout.clients) ? readdirSync(layout.clients) : []
  const own = clients.map((name) => join(layout.clients, name, OWN_BIN))
  return [layout.bin, ...own].filter((home) => existsSync(home))
}

function freeName(layout: Layout, what: Deleted): string {
  const name = nameOf(what)
  const homes = homesOf(layout)
  for (let copy = 0; ; copy++) {
    const candidate = copy === 0 ? name : `${name}-${copy}`
    if (!homes.some((home) => exists(join(home, candidate, 'files')))) return candidate
  }
}

function nameOf(what: Deleted): string {
  if (what.kind === 'client') return `cliente-${id(what.clientId)}`
  if (what.kind === 'site') return `sitio-${id(what.siteId)}`
  return `base-${what.databaseId === NOBODY ? NOBODY : id(what.databaseId)}`
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

function forget(home: string, name: string): void {
  removeFile(join(home, name, 'entry.json'))
  rmSync(join(home, name), { recursive: true, force: true })
}

/**
 * Moves by a rename, which replaces nothing but an empty directory; to another file system or subvolume by a copy,
 * which changes owner once it is complete. If copying fails, the original stays as it was.
 */
async function moveAnywhere(from: string, to: string, how: Moving): Promise<void> {
  if (lstatSync(from).dev === lstatSync(dirname(to)).dev) {
    how.give(from)
    move(from, to)
    return
  }
  const copy = `${to}.${randomBytes(9).toString('hex')}`
  try {
    await copyTree(from, copy, how.root)
    how.give(copy)
    move(copy, to)
  } catch (failure) {
    await removeTree(copy, how.root)
    throw failure
  }
  await removeTree(from, how.root)
}
