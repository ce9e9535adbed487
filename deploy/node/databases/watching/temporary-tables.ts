import { statSync } from 'node:fs'
import type { Session, Transaction } from './sessions.ts'

/** Bytes of the file: all that are put down to somebody, and those of them that nobody else can have written. */
type Claim = { bytes: number; sure: number }

/**
 * What each session has made the file grow by, what it has grown by before anybody was seen to write, and the rows that
 * each transaction had changed at the look before.
 */
export type Claims = {
  held: ReadonlyMap<number, Claim>
  unclaimed: number
  changed: ReadonlyMap<number, number>
}

export const NO_CLAIMS: Claims = { held: new Map(), unclaimed: 0, changed: new Map() }

/** Whose tables they are, and the session that ends; null for all of its client's. */
export type Filler = { owner: string; session: number | null }

/** A transaction that is not older has changed all of its rows since the look before. */
const NEW_SECONDS = 1

/**
 * Finds whose temporary tables fill the file that all sessions have them in. The server ends itself when that cannot
 * grow, and gives none of it back to the disk while it runs: room in it is used again.
 */
export function temporaryTables(file: string, mostBytes: number) {
  let bytes = sizeOf(file)
  let claims = NO_CLAIMS
  return {
    hasChanged: (): boolean => sizeOf(file) !== bytes,

    /** Rows that are changed while the file keeps its size are no part of what it grows by afterwards. */
    quiet(transactions: readonly Transaction[]): void {
      if (sizeOf(file) === bytes) claims = { ...claims, changed: changedIn(transactions) }
    },

    /** Who is to end, where the file has grown and is larger than it may be; otherwise null. */
    filler(sessions: readonly Session[], transactions: readonly Transaction[]): Filler | null {
      const grown = sizeOf(file) - bytes
      bytes += grown
      // A server that was started anew begins with a small one.
      claims = grown < 0 ? NO_CLAIMS : claimed(claims, grown, { sessions, transactions })
      return grown > 0 && bytes > mostBytes ? fillerOf(claims, sessions) : null
    },
  }
}

type Seen = { sessions: readonly Session[]; transactions: readonly Transaction[] }

/**
 * Whose the growth is: of those who have changed rows since the look before, by how many; of these rather of those who
 * hold no table meanwhile, since nothing but temporary tables is written without that. Those whose session has ended
 * hold nothing.
 */
export function claimed(before: Claims, grown: number, seen: Seen): Claims {
  const open = new Set(seen.sessions.map(({ id }) => id))
  const held = new Map([...before.held].filter(([id]) => open.has(id)))
  const { found, isSure } = writersOf(before, seen)
  const all = rowsOf(found)
  for (const { session, rows } of found) {
    const { bytes, sure } = held.get(session) ?? { bytes: 0, sure: 0 }
    const part = rows / all
    held.set(session, {
      bytes: bytes + (before.unclaimed + grown) * part,
      // What nobody was seen to write may be of somebody who has gone.
      sure: sure + (isSure ? grown * part : 0),
    })
  }
  return {
    held,
    unclaimed: found.length > 0 ? 0 : before.unclaimed + grown,
    changed: changedIn(seen.transactions),
  }
}

const changedIn = (transactions: readonly Transaction[]): Claims['changed'] =>
  new Map(transactions.map(({ session, changed }) => [session, changed]))

type Writer = Transaction & { rows: number }

const rowsOf = (writers: readonly Writer[]): number => writers.reduce((sum, { rows }) => sum + rows, 0)
const isSureOf = ({ locked }: Transaction): boolean => locked === 0

/** Who may have written, each with its weight, and whether nobody else can have. */
function writersOf(before: Claims, seen: Seen): { found: Writer[]; isSure: boolean } {
  const sessions = new Map(seen.sessions.map((session) => [session.id, session]))
  const open = seen.transactions.filter(({ session }) => sessions.has(session))
  const grew = open.map((one) => ({ ...one, rows: rowsSince(before, one) })).filter(({ rows }) => rows > 0)
  if (grew.length > 0) {
    const sure = grew.filter(isSureOf)
    // Whoever changes more rows of who knows what may fill the file beside them.
    return sure.length > 0
      ? { found: sure, isSure: 2 * rowsOf(sure) >= rowsOf(grew) }
      : { found: grew, isSure: false }
  }
  // One row may take longer than from look to look: of those that run a statement. Some change tables and count no row.
  const running = open.filter(({ session }) => sessions.get(session)?.isBusy)
  const writing = running
    .filter((one) => one.changed > 0 && wasSeen(before, one))
    .map((one) => ({ ...one, rows: 1 }))
  const sure = writing.filter(isSureOf)
  const clients = new Set(running.map(({ session }) => sessions.get(session)?.owner))
  return sure.length > 0 ? { found: sure, isSure: clients.size === 1 } : { found: writing, isSure: false }
}

/** Whether all of a transaction since the look before is known. */
const wasSeen = ({ changed }: Claims, { session, seconds }: Transaction): boolean =>
  changed.has(session) || seconds <= NEW_SECONDS

/** Rows that a transaction has changed since the look before; none of one that is older and was not seen then. */
function rowsSince(before: Claims, one: Transaction): number {
  if (!wasSeen(before, one)) return 0
  const known = before.changed.get(one.session) ?? 0
  // Fewer rows than before are another transaction's.
  return one.changed >= known ? one.changed - known : one.changed
}

/**
 * All sessions of the client that holds most, where most of that is surely its own. Otherwise the one session that holds
 * most: whoever has several open must not be named for what another client's one writes. Null if nobody holds anything.
 */
export function fillerOf({ held }: Claims, sessions: readonly Session[]): Filler | null {
  const sums = new Map<string, Claim>()
  const holders = sessions.map(({ id, owner }) => ({
    id,
    owner,
    claim: held.get(id) ?? { bytes: 0, sure: 0 },
  }))
  for (const { owner, claim } of holders) {
    const { bytes, sure } = sums.get(owner) ?? { bytes: 0, sure: 0 }
    sums.set(owner, { bytes: bytes + claim.bytes, sure: sure + claim.sure })
  }
  const [most] = [...sums].toSorted(([, a], [, b]) => b.bytes - a.bytes)
  if (!most || most[1].bytes === 0) return null
  if (2 * most[1].sure >= most[1].bytes) return { owner: most[0], session: null }
  const [heaviest] = holders.toSorted((a, b) => b.claim.bytes - a.claim.bytes)
  return heaviest ? { owner: heaviest.owner, session: heaviest.id } : null
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
