import { clientMemoryBytes, type DatabaseLimits } from '../config.ts'
import { LOADING_ACCOUNT } from '../rights.ts'
import type { Session } from './sessions.ts'

/** An index of a large table is made by one statement, of a dump that nobody can write otherwise. */
const TIMES_FOR_LOADING = 10

/** Sessions whose statement takes too long. */
export const lateOf = (sessions: Session[], { statementSeconds }: DatabaseLimits): number[] =>
  sessions.flatMap(({ id, owner, isBusy, ms }) => {
    const most = statementSeconds * 1000 * (LOADING_ACCOUNT.test(owner) ? TIMES_FOR_LOADING : 1)
    return isBusy && ms >= most ? [id] : []
  })

/**
 * What a session keeps in variables of its own goes beyond the server's limit, which stops statements alone. Where all
 * sessions of a client hold too much together, its largest end until the others do not. `planned` is what a client's plan
 * lets its programs have: less than one session may have is never asked.
 */
export function tooLarge(
  sessions: Session[],
  limits: DatabaseLimits,
  planned: (owner: string) => number | null,
): number[] {
  const { sessionMemoryBytes } = limits
  return ofEachClient(sessions).flatMap((held) => {
    let sum = held.reduce((all, { bytes }) => all + bytes, 0)
    // Few clients hold so much that their plan is worth a look.
    const plan = sum > sessionMemoryBytes ? planned(held[0]?.owner ?? '') : null
    const most = Math.max(sessionMemoryBytes, Math.min(clientMemoryBytes(limits), plan ?? Infinity))
    return held
      .toSorted((a, b) => b.bytes - a.bytes)
      .flatMap(({ id, bytes }) => {
        const ends = bytes > sessionMemoryBytes || sum > most
        if (ends) sum -= bytes
        return ends ? [id] : []
      })
  })
}

/** The latest of each client's, which come last. */
export const tooMany = (sessions: Session[], { connections }: DatabaseLimits): number[] =>
  ofEachClient(sessions).flatMap((held) => held.slice(connections).map(({ id }) => id))

const ofEachClient = (sessions: Session[]): Session[][] =>
  Object.values(Object.groupBy(sessions, ({ owner }) => owner)).map((held) => held ?? [])
