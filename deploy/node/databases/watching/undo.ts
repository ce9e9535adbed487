import { statSync } from 'node:fs'
import { type DatabaseLimits, UNDO_FILES } from '../config.ts'
import type { Transaction } from './sessions.ts'

/** A transaction keeps what all rows were before, of all clients, for as long as it lasts: so many statements' time. */
const STATEMENTS = 10
/** What the files grow by meanwhile is of statements that are ending. */
const STEP_BYTES = 4 * 1024 * 1024

type Limits = Pick<DatabaseLimits, 'statementSeconds' | 'temporaryBytes'>

/**
 * Finds the sessions whose transactions keep too much of what rows were before: those that began too long ago, and,
 * where all of it is more than it may be and grows, the one that changed most rows since the look before. The files are
 * made small again some time after a transaction ended, so that their size alone is nobody's fault.
 */
export function undoFillers({ statementSeconds, temporaryBytes }: Limits) {
  let before = 0
  let changed: ReadonlyMap<number, number> = new Map()
  return (transactions: readonly Transaction[], bytes: number): number[] => {
    const seconds = bytes > temporaryBytes ? statementSeconds : statementSeconds * STATEMENTS
    const old = transactions.filter((one) => one.seconds > seconds).map(({ session }) => session)
    const since = transactions.map(({ session, changed: now }) => {
      const then = changed.get(session) ?? 0
      // Fewer are of another transaction.
      return { session, rows: now < then ? now : now - then }
    })
    const grew = bytes > temporaryBytes && bytes > before + STEP_BYTES
    before = bytes
    changed = new Map(transactions.map((one) => [one.session, one.changed]))
    const [most] = grew ? since.filter(({ rows }) => rows > 0).toSorted((a, b) => b.rows - a.rows) : []
    return most === undefined ? old : [...new Set([...old, most.session])]
  }
}

/** Bytes of the files with what rows were before. Of a server whose data is older it is in ibdata1, which keeps its size. */
export function undoBytes(data: string): number {
  const paths = Array.from({ length: UNDO_FILES }, (_, at) => `${data}/undo00${at + 1}`)
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
}
