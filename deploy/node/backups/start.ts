import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError } from '../../../lib/endpoint/errors.ts'
import type {
  Backups,
  Destination,
  DestinationProblem,
  Repository,
} from '../../../lib/endpoint/ports/backups.ts'
import type { NodeConfig } from '../../config.ts'
import { type Behind, behindSites } from '../confinement/behind.ts'
import { createArchives } from './archive.ts'
import { examine, findLost, mendIndex } from './examine.ts'
import { folderProblem } from './fit-folder.ts'
import { hostKeysOf } from './host-keys.ts'
import { keepNode, type NodeParts, ownersIn } from './node-copy.ts'
import { removeRepository } from './remove-repository.ts'
import {
  identityOf,
  KEPT_NAME,
  keepStream,
  makeRepository,
  RESTIC,
  readSnapshot,
  readsBack,
  runRestic,
  type Snapshot,
  snapshotsIn,
  unavailable,
} from './restic.ts'
import { holdsNothing, restoreSite } from './restore.ts'
import { folderOf, keepSite, type Node } from './site-files.ts'
import { destinationProblem, type Places, preparePlaces } from './target.ts'

/** How many repositories are worked on at once; each takes some 100 MB and a processor. */
const MOST = 2

/** Copies of a node that has sites and clients of its own; null without restic. */
export function backupsOf(parts: NodeParts, node: Node, test: boolean): Backups | null {
  if (process.getuid?.() !== 0 || !existsSync(RESTIC)) return null
  const behind = behindSites(node.layout)
  const places: Places = { directory: copiesIn(parts.config), test, behind: behind.words }
  const means = { ...node, places }
  const prepared = preparing(places, behind)
  const [turn, looking] = [turns(MOST), inLine(MOST)]
  const archive = createArchives(means)
  const ready = <T>(work: () => Promise<T>) => turn(() => prepared(work))
  // Somebody may wait for these; they take a second of a processor, which may be long for what stays behind all others.
  const short: Places = { directory: places.directory, test }
  const run = async (repository: Repository, argv: string[], signal: AbortSignal) =>
    void (await runRestic(short, repository, { argv, signal }))
  return {
    problem: (destination) => destinationProblem(places, destination) ?? folderOfItsOwn(destination),
    ...{ hostKeys: hostKeysOf, remove: removeRepository },
    open: (repository, signal) => ready(() => run(repository, ['unlock'], signal)),
    make: (repository, how) => ready(() => makeRepository(short, repository, how)),
    keep: (repository, content) =>
      ready(() => keepStream(places, repository, { ...content, name: KEPT_NAME })),
    keepSite: (repository, site, options) => ready(() => keepSite(means, repository, { site, ...options })),
    identity: (repository, signal) => ready(() => identityOf(short, repository, signal)),
    owners: (repository, signal) => ready(() => ownersIn(short, repository, signal)),
    keepNode: (repository, owner, signal) =>
      ready(async () => void (await keepNode(places, { repository, owner, parts }, signal))),
    examine: (repository, how) => ready(() => examine(places, repository, how)),
    readsBack: (repository, kept, signal) => ready(() => readsBack(places, repository, { ...kept, signal })),
    findLost: (repository, signal) => ready(() => findLost(short, repository, signal)),
    mend: (repository, signal) => ready(() => mendIndex(places, repository, signal)),
    read: async (repository, snapshot) => readSnapshot(places, repository, snapshot),
    archive: (repository, wanted) => prepared(() => archive(repository, wanted)),
    folder: (repository, index, path) =>
      looking(repository.name, () => prepared(() => folderOf(places, repository, { index, path }))),
    snapshots: (repository, signal) =>
      ready(async () => (await snapshotsIn(short, repository, signal)).map(keptSnapshot)),
    forget: (repository, snapshots, how) => ready(() => forget(places, repository, { snapshots, ...how })),
    holdsNothing: (site, signal) => holdsNothing(node, site, signal),
    restoreSite: (restore) => ready(() => restoreSite(means, restore)),
  }
}

function folderOfItsOwn({ kind, url }: Pick<Destination, 'kind' | 'url'>): DestinationProblem | null {
  const code = kind === 'carpeta' ? folderProblem(url) : null
  return code && { field: 'url', code }
}

const preparing =
  (places: Places, behind: Behind) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    preparePlaces(places)
    await behind.prepare()
    try {
      return await work()
    } catch (error) {
      throw unavailable(error)
    }
  }

/** What the copies of a node need beside their destination. */
export const copiesIn = ({ dataDir }: Pick<NodeConfig, 'dataDir'>) => join(resolve(dataDir), 'copias')

const keptSnapshot = ({ id, time, tags }: Snapshot) => ({ id, copy: tags?.[0] ?? null, at: new Date(time) })

async function forget(
  places: Places,
  repository: Repository,
  { snapshots, prune, signal }: { snapshots: string[]; prune: boolean; signal: AbortSignal },
): Promise<void> {
  // It takes the lock.
  if (snapshots.length === 0) return
  const argv = ['forget', ...(prune ? ['--prune', '--max-unused', '10%'] : []), ...snapshots]
  await runRestic(places, repository, { argv, signal })
}

/** How many requests wait to look into one repository: more of one client would keep all others waiting. */
const MOST_WAITING = 4

/** The same for what requests wait for; 503 where too many of one repository wait already. */
function inLine(most: number) {
  const turn = turns(most)
  const waiting = new Map<string, number>()
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const before = waiting.get(name) ?? 0
    if (before >= MOST_WAITING) throw new AppError('no_disponible', { retryAfterSeconds: 2 })
    waiting.set(name, before + 1)
    try {
      return await turn(work)
    } finally {
      const left = (waiting.get(name) ?? 1) - 1
      if (left > 0) waiting.set(name, left)
      else waiting.delete(name)
    }
  }
}

/** Has at most so many of something go on at once; the others wait for their turn. */
function turns(most: number) {
  let busy = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= most) await new Promise<void>((go) => waiting.push(go))
    else busy++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy--
    }
  }
}
