import type { Examined, Repository } from '../../../lib/endpoint/ports/backups.ts'
import { runRestic, saidByRestic, snapshotsIn } from './restic.ts'
import type { Places } from './target.ts'

/** What restic 0.14 says of packs that are gone, cut short or changed, and of trees whose content it does not find. */
const PACK =
  /(?:^pack (?:ID )?([0-9a-f]{64})\S* (?:does not exist|unexpected|failed)|Pack ID does not match, want ([0-9a-f]{64})|^pack ([0-9a-f]{64}) (?:contains|failed))/gm
const TREE = /^error for tree ([0-9a-f]{8,64}):/gm
const FOUND = /in snapshot ([0-9a-f]{8,64})/g
const UNNAMED = /returned error, retrying|load <snapshot/

/**
 * Checks the structure of a repository and its content, a part of it or all: what is missing by its structure is not
 * read, since restic would ask for it again and again.
 */
export async function examine(
  places: Places,
  repository: Repository,
  { all, signal }: { all: boolean; signal: AbortSignal },
): Promise<Examined> {
  const structure = await saidByRestic(places, repository, { argv: ['check'], signal })
  const lost = packsIn(structure.said)
  const reads = all ? ['--read-data'] : ['--read-data-subset', '5%']
  const isReadable = lost.length === 0 && (structure.isWell || all)
  const content = isReadable
    ? await saidByRestic(places, repository, { argv: ['check', ...reads], signal })
    : structure
  if (structure.isWell && content.isWell) return { broken: [], packs: [] }
  const said = `${structure.said}\n${content.said}`
  const packs = packsIn(said)
  const broken = new Set(await snapshotsWith(places, repository, { packs, signal }))
  const trees = matches(said, TREE)
  if (trees.length > 0) {
    const all = await snapshotsIn(places, repository, signal)
    for (const { id, tree } of all) if (trees.some((one) => tree.startsWith(one))) broken.add(id)
  }
  const isNamed = broken.size > 0 && !UNNAMED.test(said)
  return { broken: isNamed ? [...broken] : null, packs }
}

/** What `check` begins with after the files of a repository: trees take as long as there are copies. */
const AFTER_FILES = /^check snapshots/m

/**
 * Compares the files that a repository's lists name with those that are there: a new copy would count on what is gone.
 * Nothing is read, and no lock is left.
 */
export async function findLost(
  places: Places,
  repository: Repository,
  signal: AbortSignal,
): Promise<Examined> {
  const asked = { argv: ['check', '--no-lock'], signal, until: AFTER_FILES }
  const { said, isWell } = await saidByRestic(places, repository, asked)
  const packs = packsIn(said)
  if (isWell && packs.length === 0) return { broken: [], packs }
  const broken = await snapshotsWith(places, repository, { packs, signal })
  return { broken: broken.length > 0 ? broken : null, packs }
}

const matches = (said: string, pattern: RegExp): string[] => [
  ...new Set(
    [...said.matchAll(pattern)].map((found) => found.slice(1).find((one) => one !== undefined) ?? ''),
  ),
]

export const packsIn = (said: string): string[] => matches(said, PACK)

/** What is kept in these packs, also where they are gone. */
async function snapshotsWith(
  places: Places,
  repository: Repository,
  { packs, signal }: { packs: string[]; signal: AbortSignal },
): Promise<string[]> {
  if (packs.length === 0) return []
  const { said } = await saidByRestic(places, repository, { argv: ['find', '--pack', ...packs], signal })
  return matches(said, FOUND)
}

/**
 * Has a repository know what it really holds: content that it has lost is kept anew by the next copy that has it.
 * Nothing is removed but lists.
 */
export const mendIndex = async (places: Places, repository: Repository, signal: AbortSignal): Promise<void> =>
  void (await runRestic(places, repository, { argv: ['rebuild-index', '--read-all-packs'], signal }))
