import { and, eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import { clients, databases, jobs, sites } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import { isCustomer } from '../endpoint/access.ts'
import type { Actor, Ctx, PanelConfig } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { type BinEntry, type BinPort, NOBODY } from '../endpoint/ports/bin.ts'
import { selectFiles } from '../files/facts.ts'
import { selectLoad } from '../loads/facts.ts'
import type { Db } from '../store/database.ts'
import { isKept, isOf, isVisible, nameOf, ownerName, type RestoreFacts } from './decide.ts'

export const RESTORE_KIND = 'papelera.restaurar'
export const PURGE_KIND = 'papelera.purgar'

/** The bin of this node; 503 on a host that has none. */
export function requireBin(bin: BinPort | null): BinPort {
  if (!bin) throw new AppError('no_disponible')
  return bin
}

/** The entry of this id, unless its time is over; a customer's is looked for where it can lie. */
export function keptEntry(bin: BinPort, id: string, { actor, config, now }: Looking): BinEntry | null {
  const entry = bin.find(id, ownNumber(actor))
  return entry !== null && isKept(entry, { now: now(), days: config.trashDays }) ? entry : null
}

/** Those whose time is not over, for a customer where its own can lie. */
export const keptEntries = (bin: BinPort, { actor, config, now }: Looking): BinEntry[] =>
  bin.list(ownNumber(actor)).filter((entry) => isKept(entry, { now: now(), days: config.trashDays }))

type Looking = { actor: Actor; config: Pick<PanelConfig, 'trashDays'>; now: () => Date }

const ownNumber = (actor: Actor): number | undefined =>
  isCustomer(actor) ? (actor.client?.id ?? NOBODY) : undefined

/** Whether the client that has the entry's number is the one whose it was. */
export async function isStillOwned(db: Db, entry: BinEntry): Promise<boolean> {
  return isOf(entry, (await ownersOf(db, [entry])).get(entry.clientId))
}

/** Those of the entries that the actor may see and asks for. */
export async function shownEntries(
  { tx, actor }: Pick<Ctx, 'tx' | 'actor'>,
  entries: BinEntry[],
  { client, sought }: { client: string | undefined; sought: string | undefined },
): Promise<BinEntry[]> {
  const owners = await ownersOf(tx, entries)
  const text = sought?.toLowerCase() ?? ''
  return entries.filter((entry) => {
    const owner = owners.get(entry.clientId)
    if (!isVisible(actor, entry, owner)) return false
    if (client !== undefined && ownerName(entry, owner) !== client) return false
    return nameOf(entry).toLowerCase().includes(text)
  })
}

/** The clients that have the numbers of these entries now, by number. */
export async function ownersOf(db: Db, entries: readonly BinEntry[]) {
  const ids = [...new Set(entries.map(({ clientId }) => clientId))]
  const rows = await db
    .select({ id: clients.id, name: clients.name, createdAt: clients.createdAt })
    .from(clients)
    .where(inArray(clients.id, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

export type Wanted = {
  site: string | undefined
  database: string | undefined
  /** The number of the site of a whole client's that is named. */
  former?: number | undefined
}

/** Everything that decides on restoring an entry: into what is named, or what has the entry's own name. */
export async function restoreFacts(
  { tx, actor }: { tx: Db; actor: Actor },
  entry: BinEntry | null,
  wanted: Wanted,
): Promise<RestoreFacts> {
  const name = entry === null ? '' : nameOf(entry)
  // Without a name given, only the former owner's: another client may have the name by now.
  const own = (given: string | undefined): SQL | undefined =>
    given === undefined ? eq(clients.id, entry?.clientId ?? -1) : undefined
  const site = and(eq(sites.domain, wanted.site ?? name), own(wanted.site), visibleTo(actor))
  const base = and(eq(databases.name, wanted.database ?? name), own(wanted.database), visibleTo(actor))
  const [owner, [found], load, busy] = await Promise.all([
    tx
      .select()
      .from(clients)
      .where(eq(clients.id, entry?.clientId ?? -1))
      .get(),
    selectFiles(tx, site),
    selectLoad(tx, { base, site: sql`0` }),
    openWork(tx, entry),
  ])
  const isNamed = (entry?.kind === 'database' ? wanted.database : wanted.site) !== undefined
  return { former: wanted.former, owner, site: found, load, isNamed, isBusy: busy !== undefined }
}

/** The owner of an entry by its number, and whether something is being done with it. */
export async function purgeFacts({ tx }: Pick<Ctx, 'tx'>, entry: BinEntry | null) {
  const [owners, busy] = await Promise.all([ownersOf(tx, entry === null ? [] : [entry]), openWork(tx, entry)])
  return { owner: owners.get(entry?.clientId ?? -1), isBusy: busy !== undefined }
}

const openWork = (tx: Db, entry: BinEntry | null) =>
  tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        inArray(jobs.kind, [RESTORE_KIND, PURGE_KIND]),
        eq(jobs.target, entry?.id ?? ''),
        notInArray(jobs.state, ['hecha', 'fallida', 'cancelada']),
      ),
    )
    .get()
