import { type Client, requireChangeable } from '../clients/decide.ts'
import { isCustomer } from '../endpoint/access.ts'
import type { Actor } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { type BinEntry, type BinPort, NOBODY, UNKNOWN } from '../endpoint/ports/bin.ts'
import { invalidField } from '../endpoint/validate.ts'
import { type FilesFacts, requireGrowth } from '../files/decide.ts'
import { decideLoad, type LoadFacts } from '../loads/decide.ts'

const DAY_MS = 86_400_000

type Owner = Pick<Client, 'id' | 'createdAt'>
export type NamedOwner = Owner & Pick<Client, 'name'>

export const nameOf = (entry: BinEntry): string => (entry.kind === 'site' ? entry.domain : entry.name)

/**
 * Whether an entry was this client's. A database that was put back to an earlier day may give a number again: what was
 * deleted before the client was made, and what lay there under its number without a name, was somebody else's.
 */
export const isOf = (entry: BinEntry, client: Owner | undefined): boolean =>
  client !== undefined &&
  entry.clientId === client.id &&
  entry.deletedAt >= client.createdAt &&
  nameOf(entry) !== UNKNOWN

/** The name of the client whose an entry was; null where that is not known any more. */
export function ownerName(entry: BinEntry, owner: NamedOwner | undefined): string | null {
  const noted = entry.kind === 'client' ? entry.name : entry.kind === 'database' ? entry.client : ''
  if (noted !== '') return noted
  return owner !== undefined && isOf(entry, owner) ? owner.name : null
}

/** Whether the actor may know of an entry; of a whole client only operators do. */
export const isVisible = (actor: Actor, entry: BinEntry, owner: Owner | undefined): boolean =>
  !isCustomer(actor) || (owner?.id === actor.client?.id && entry.kind !== 'client' && isOf(entry, owner))

/** Until when an entry is kept. What is over is about to be removed, so nobody is shown or given it any more. */
export const keptUntil = ({ deletedAt }: BinEntry, days: number): Date =>
  new Date(deletedAt.getTime() + days * DAY_MS)

export const isKept = (entry: BinEntry, { now, days }: { now: Date; days: number }): boolean =>
  keptUntil(entry, days) > now

/** Whether it was nobody's that the database knows when it was put aside. */
const wasNobodys = (entry: BinEntry): boolean => entry.clientId === NOBODY || nameOf(entry) === UNKNOWN

/** The page of entries after a cursor, the newest first; one more than `limit` if there are more. */
export function decidePage(
  entries: BinEntry[],
  { after, limit }: { after: string | undefined; limit: number },
): BinEntry[] {
  const newest = entries.toSorted((a, b) => compare(placeOf(b), placeOf(a)))
  if (after !== undefined && !CURSOR.test(after)) throw new AppError('cursor_invalido')
  const rest = after === undefined ? newest : newest.filter((entry) => compare(placeOf(entry), after) < 0)
  return rest.slice(0, limit + 1)
}

const CURSOR = /^\d{15} [a-z]+-\d+(-\d+)?$/
/** The cursor behind an entry, by which the list is ordered. */
export const placeOf = ({ id, deletedAt }: BinEntry): string =>
  `${String(deletedAt.getTime()).padStart(15, '0')} ${id}`
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export type RestoreFacts = {
  /** The client that has the entry's number now. */
  owner: Client | undefined
  /** The site that is to get the files, and the base that is to get the dump; as far as the actor may know of them. */
  site: FilesFacts | undefined
  load: LoadFacts | undefined
  /** The number of the site of a whole client's that had the name that the request tells. */
  former?: number | undefined
  /** Whether the request names the site or the base. */
  isNamed: boolean
  /** Restoring or purging of this entry that has not ended. */
  isBusy: boolean
}

type Asked = {
  actor: Actor
  here: string | null
  /** Whether it is to go to a folder of the operator's although something could take it. */
  apart: boolean
  exhausted: 'disco' | 'inodos' | null
}

export type Restore =
  | { kind: 'apart' }
  | { kind: 'site'; client: Client; site: FilesFacts['site']; from?: number | undefined }
  | { kind: 'database'; client: Client; database: LoadFacts['database'] }

/** The entry, or 404 `entrada_no_existe`, which is the same for one that the actor may not see. */
export function requireEntry(entry: BinEntry | null, actor: Actor, owner: Owner | undefined): BinEntry {
  if (!entry || !isVisible(actor, entry, owner)) throw new AppError('entrada_no_existe')
  return entry
}

/**
 * What becomes of an entry that is restored. What was a whole client's, or nobody's, is put apart for operators,
 * unless they name a site that the client had, or the base for a dump; so is what was a client's that is gone, unless
 * they name who gets it.
 */
export function decideRestore(found: BinEntry | null, facts: RestoreFacts, asked: Asked): Restore {
  const { actor, apart } = asked
  const entry = requireEntry(found, actor, facts.owner)
  if (apart && isCustomer(actor)) throw new AppError('prohibido')
  if (facts.isBusy) throw new AppError('ya_en_curso')
  if (apart || isApart(entry, facts)) return { kind: 'apart' }
  if (entry.kind === 'client') {
    if (facts.former === undefined) throw missing('sitio_no_existe')
    return { ...decideSite(facts.site, asked), from: facts.former }
  }
  if (!facts.isNamed && !isOf(entry, facts.owner)) return { kind: 'apart' }
  return entry.kind === 'site' ? decideSite(facts.site, asked) : decideDatabase(facts.load, asked)
}

/** A dump that was nobody's goes to the database that an operator names; files that were go nowhere else. */
const isApart = (entry: BinEntry, { isNamed }: RestoreFacts): boolean =>
  (wasNobodys(entry) && !(entry.kind === 'database' && isNamed)) || (entry.kind === 'client' && !isNamed)

type Target = { site?: string | undefined; base?: string | undefined; apart?: boolean | undefined }

/** 422 for a target that this entry cannot go to: it would be put elsewhere without a word. */
export function requireTarget(entry: BinEntry, { site, base, apart }: Target, language: 'es' | 'en'): void {
  const refuse = (field: string) => invalidField(field, 'valor_no_admitido', language)
  const isBase = entry.kind === 'database'
  if (base !== undefined && (apart || !isBase)) throw refuse('base')
  if (site !== undefined && (apart || isBase || wasNobodys(entry))) throw refuse('sitio')
}

function decideSite(facts: FilesFacts | undefined, { here, exhausted }: Asked) {
  if (!facts || facts.site.state === 'eliminando') throw missing('sitio_no_existe')
  const client = requireChangeable(facts.client, here)
  requireGrowth(facts, exhausted)
  return { kind: 'site' as const, client, site: facts.site }
}

function decideDatabase(facts: LoadFacts | undefined, { here }: Asked): Restore {
  if (!facts || facts.database.state === 'eliminando') throw missing('base_no_existe')
  const { database, client } = decideLoad(facts, here)
  if (database.loading) throw new AppError('ya_en_curso')
  return { kind: 'database', client, database }
}

/** 409 `sitio_no_vacio` for a site that has files already: nothing of them is replaced. */
export function requireBare(to: Restore, id: string, bin: Pick<BinPort, 'isBare'>): void {
  if (to.kind !== 'site') return
  if (!bin.isBare({ clientId: to.client.id, siteId: to.site.id }, id, to.from))
    throw new AppError('sitio_no_vacio')
}

/** What the body names or leaves to be found: its absence is a missing prerequisite. */
const missing = (code: 'sitio_no_existe' | 'base_no_existe') => new AppError(code, {}, { status: 409 })
