import { statSync } from 'node:fs'
import type { Session, Transaction } from './sessions.ts'

/** What each session has made the file grow by, and what it has grown by before anybody was seen to write. */
export type Claims = { held: ReadonlyMap<number, number>; unclaimed: number }

export const NO_CLAIMS: Claims = { held: new Map(), unclaimed: 0 }

/**
 * Finds whose temporary tables fill the file that all sessions have them in. The server ends itself when that cannot
 * grow, and gives none of it back to the disk while it runs: room in it is used again.
 */
export function temporaryTables(file: string, mostBytes: number) {
  let bytes = sizeOf(file)
  let claims = NO_CLAIMS
  return {
    hasChanged: (): boolean => sizeOf(file) !== bytes,

    /** The client that holds most, where the file has grown and is larger than it may be; otherwise null. */
    filler(sessions: readonly Session[], transactions: readonly Transaction[]): string | null {
      const grown = sizeOf(file) - bytes
      bytes += grown
      // A server that was started anew begins with a small one.
      claims = grown < 0 ? NO_CLAIMS : claimed(claims, grown, { sessions, transactions })
      return grown > 0 && bytes > mostBytes ? holderOf(claims, sessions) : null
    },
  }
}

type Seen = { sessions: readonly Session[]; transactions: readonly Transaction[] }

/**
 * Whose the growth is: of those who are changing rows, and of these rather of those who hold no table meanwhile, since
 * nothing but temporary tables is written without that. Those whose session has ended hold nothing.
 */
export function claimed(before: Claims, grown: number, { sessions, transactions }: Seen): Claims {
  const open = new Set(sessions.map(({ id }) => id))
  const held = new Map([...before.held].filter(([id]) => open.has(id)))
  const writers = transactions.filter(({ session, changed }) => changed > 0 && open.has(session))
  const sure = writers.filter(({ locked }) => locked === 0)
  const found = sure.length > 0 ? sure : writers
  const all = before.unclaimed + grown
  for (const { session } of found) held.set(session, (held.get(session) ?? 0) + all / found.length)
  return { held, unclaimed: found.length > 0 ? 0 : all }
}

/** The client whose sessions hold most together; null if none holds anything. */
export function holderOf({ held }: Claims, sessions: readonly Session[]): string | null {
  const sums = new Map<string, number>()
  for (const { id, owner } of sessions) sums.set(owner, (sums.get(owner) ?? 0) + (held.get(id) ?? 0))
  const [most] = [...sums].filter(([, bytes]) => bytes > 0).sort((a, b) => b[1] - a[1])
  return most?.[0] ?? null
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
