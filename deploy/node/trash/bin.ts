import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../../lib/endpoint/errors.ts'
import {
  type BinEntry,
  type BinPort,
  type Deleted,
  NOBODY,
  type SitePlace,
} from '../../../lib/endpoint/ports/bin.ts'
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
import {
  beginLeaving,
  entriesIn,
  entryIn,
  type Found,
  forget,
  forgetEmpty,
  homesFor,
  homesOf,
  ownBin,
  removeLeaving,
} from './entries.ts'
import { removeTree } from './remove.ts'
import { createSizes } from './sizes.ts'

export type Bin = ReturnType<typeof createBin>

/** `give` changes the owner of a tree. */
type Moving = { root: Owner | null; give: (top: string) => void }

export type BinOptions = {
  layout: Layout
  identity: Identity
  now: () => Date
  /** Ends whatever runs as the client's user. */
  endProcesses(clientId: number): Promise<void>
}

const PUBLIC = 'public'

/**
 * Deleted files: moved by one rename into a directory that only root can enter, kept for as long as the operator
 * says, and then removed at low priority.
 */
export function createBin(options: BinOptions): BinPort & {
  put(what: Deleted, path: string, settings?: string): void
} {
  const { layout, identity } = options

  /** Ids that are being restored, and directories that are being removed: neither is begun twice at a time. */
  const [restoring, removing] = [new Set<string>(), new Set<string>()]

  const find = (name: string, clientId?: number): Found | null => {
    // Most are there, and a look into every client's directory takes a while.
    const usual = existsSync(layout.bin) ? entryIn(layout.bin, name) : null
    if (usual !== null) return usual
    const homes = clientId === undefined ? homesOf(layout) : homesFor(layout, clientId)
    return homes.map((home) => entryIn(home, name)).find((found) => found !== null) ?? null
  }

  const besides = ({ id, deletedAt }: Pick<BinEntry, 'id' | 'deletedAt'>) =>
    join(layout.restored, `${id}-${deletedAt.getTime()}`)

  return {
    /** Moves a directory into the bin. If it is missing, a killed deletion may have moved it already. */
    put(what: Deleted, path: string, settings?: string): void {
      if (!exists(path)) return
      const home = homeFor(layout, what, path)
      ensureDirectory(home, { mode: 0o700, owner: identity.root })
      const directory = join(home, freeName(layout, what))
      ensureDirectory(directory, { mode: 0o700, owner: identity.root })
      const content = JSON.stringify({ ...what, deletedAt: options.now().toISOString() })
      // The note is written first: files without one could not be purged by age.
      const note = { path: join(directory, 'entry.json'), content, mode: 0o600 }
      writeWhole(note)
      if (settings !== undefined) writeWhole({ path: settingsIn(directory), content: settings, mode: 0o600 })
      else removeFile(settingsIn(directory))
      move(path, join(directory, 'files'))
      syncDirectory(directory)
    },

    find: (name, clientId) => find(name, clientId)?.entry ?? null,
    sizes: createSizes((entry) => find(entry.id, entry.clientId)?.files ?? null),
    isBare: (site, name, from) =>
      isFree(layout.publicOf(site.clientId, site.siteId)) &&
      placesOf(layout, siteIn(find(name)?.files ?? '', from), site).every(({ there }) => isFree(there)),
    holdsSite: (name, siteId) => {
      const found = find(name)
      return found?.entry.kind === 'client' && exists(siteIn(found.files, siteId))
    },
    keptSettings: (name) => {
      const found = find(name)
      return found === null ? null : readSettings(found)
    },
    besides,
    openDump: async (name) => openDump(find(name)?.files ?? ''),

    list: (clientId) =>
      entriesIn(clientId === undefined ? homesOf(layout) : homesFor(layout, clientId)).map(
        ({ entry }) => entry,
      ),

    async restore(name, to, { endsProcesses, from } = { endsProcesses: true }) {
      const found = find(name)
      if (found === null) return null
      const { entry, home, files } = found
      restoring.add(name)
      try {
        // They may still be working on these files. Nobody works on a dump.
        if (endsProcesses && entry.kind !== 'database') await options.endProcesses(entry.clientId)
        if (to !== undefined && from !== undefined) return await oneInto(options, { found, from }, to)
        if (to !== undefined && entry.kind === 'site') return await intoSite(options, found, to)
        const target = besides(entry)
        const settings = readSettings(found)
        if (settings !== null) writeWhole({ path: `${target}.json`, content: settings, mode: 0o600 })
        await moveAnywhere(files, target, { root: identity.root, give: () => undefined })
        forget(home, name)
        return target
      } finally {
        restoring.delete(name)
      }
    },

    async purge(which) {
      const homes = homesOf(layout)
      for (const found of entriesIn(homes)) {
        const { id, deletedAt } = found.entry
        const isMeant = 'id' in which ? id === which.id : deletedAt < which.before
        if (isMeant && !restoring.has(id)) beginLeaving(found)
      }
      forgetEmpty(homes)
      const id = 'id' in which ? which.id : null
      return removeLeaving(homes, { id, root: identity.root, busy: removing })
    },
  }
}

/** The files of one site of a whole client's; of a site's, all. */
const siteIn = (files: string, from: number | undefined) =>
  from === undefined ? files : join(files, id(from))

/** Gives an existing site those of one site of a whole client's entry; null if they are not in the bin any more. */
async function oneInto(
  options: BinOptions,
  { found, from }: { found: Found; from: number },
  to: SitePlace,
): Promise<string | null> {
  const files = siteIn(found.files, from)
  if (!exists(files)) return null
  await moveInto(options, { ...found, files }, to)
  await removeTree(files, options.identity.root)
  return options.layout.publicOf(to.clientId, to.siteId)
}

async function intoSite(options: BinOptions, found: Found, to: SitePlace): Promise<string> {
  const { entry, home, files } = found
  if (!exists(files)) throw gone()
  await moveInto(options, found, to)
  if (await removeTree(files, options.identity.root)) forget(home, entry.id)
  return options.layout.publicOf(to.clientId, to.siteId)
}

/** Gives an existing site these files, or nothing of them. One that was killed goes on with what is left. */
async function moveInto({ layout, identity }: BinOptions, found: Found, to: SitePlace): Promise<void> {
  const { entry, files } = found
  const [before, after] = [identity.customer(entry.clientId), identity.customer(to.clientId)]
  const give = (top: string) => {
    if (before !== null && after !== null && before.uid !== after.uid) giveTree(top, before, after)
  }
  const places = placesOf(layout, files, to)
  // All of them before the first move, so that no half of a site is given.
  if (!places.every(({ there }) => isFree(there))) throw new AppError('sitio_no_vacio')
  for (const { name, there } of places) {
    if (name !== PUBLIC && !removeIfEmpty(there)) throw new AppError('sitio_no_vacio')
    await moveAnywhere(join(files, name), there, { root: identity.root, give })
  }
}

const settingsIn = (directory: string) => join(directory, 'settings.json')

const readSettings = ({ home, entry }: Found): string | null => {
  const path = settingsIn(join(home, entry.id))
  return exists(path) ? readFileSync(path, 'utf8') : null
}

/** Where a site gets what: document roots beside `public`, which a site may have too, and that one last. */
function placesOf(layout: Layout, files: string, { clientId, siteId }: SitePlace) {
  return directoriesIn(files)
    .filter((name) => name === PUBLIC || isDocumentRoot(name))
    .sort((a, b) => Number(a === PUBLIC) - Number(b === PUBLIC))
    .map((name) => ({
      name,
      there: name === PUBLIC ? layout.publicOf(clientId, siteId) : layout.documents(clientId, siteId, name),
    }))
}

/** Whether nothing is there, or an empty directory, which a rename replaces. */
const isFree = (path: string): boolean =>
  !exists(path) || (lstatSync(path).isDirectory() && readdirSync(path).length === 0)

/** It was purged meanwhile. */
const gone = () => new AppError('entrada_no_existe', {}, { status: 409 })

/**
 * The bin for deleted files. A site in a subvolume with a quota of its own cannot be renamed out of it, so its bin is
 * inside the subvolume and closed just as well.
 */
function homeFor(layout: Layout, what: Deleted, path: string): string {
  const apart = what.kind === 'site' && lstatSync(path).dev !== lstatSync(layout.bin).dev
  return apart ? ownBin(layout, what.clientId) : layout.bin
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

/**
 * Moves by a rename, which replaces nothing but an empty directory; to another file system or subvolume by a copy,
 * which changes owner once it is complete. If copying fails, the original stays as it was.
 */
async function moveAnywhere(from: string, to: string, how: Moving): Promise<void> {
  if (!exists(from)) throw gone()
  if (lstatSync(from).dev === lstatSync(dirname(to)).dev) {
    how.give(from)
    if (!move(from, to)) throw gone()
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
