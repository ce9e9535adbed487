import { loadingNames } from '../rights.ts'
import { clear } from './bases.ts'
import type { Means } from './means.ts'
import { readPlan } from './plan.ts'

const AGAIN_MS = 10_000

/** Work on bases: one at a time for each. */
export type Running = Map<number, { end: AbortController; over: Promise<unknown> }>

/**
 * Clears what a failed load of a base left, some seconds later and until it is done: on a full disk the server refuses
 * even that. No load of the base begins meanwhile; one that runs clears what is there itself.
 */
export function clearsLater(means: Means, running: Running): (databaseId: number) => void {
  const later = (databaseId: number) => void setTimeout(() => void now(databaseId), AGAIN_MS).unref()
  async function now(databaseId: number): Promise<void> {
    const isUnfinished = readPlan(means.directory, databaseId)?.isDone === false
    if (running.has(databaseId) || isUnfinished) return
    const over = clear(means.administration, loadingNames(databaseId)).catch(() => later(databaseId))
    running.set(databaseId, { end: new AbortController(), over })
    await over.finally(() => running.delete(databaseId))
  }
  return later
}
