import { loadingNames } from '../rights.ts'
import { clear } from './bases.ts'
import type { Means } from './means.ts'
import { readPlan } from './plan.ts'

const AGAIN_MS = 10_000

/** Work on bases: one at a time for each. */
export type Running = Map<number, { end: AbortController; over: Promise<unknown> }>

/**
 * Clears what a failed load of a base left, now and every ten seconds until it is done: on a full disk the server
 * refuses even that. No load of the base begins meanwhile; one that runs clears what is there itself.
 */
export function clearsFailed(means: Means, running: Running): (databaseId: number) => Promise<void> {
  async function now(databaseId: number): Promise<void> {
    if (readPlan(means.directory, databaseId)?.isDone === false) return
    await clear(means.administration, loadingNames(databaseId)).catch(() => {
      setTimeout(() => void again(databaseId), AGAIN_MS).unref()
    })
  }
  async function again(databaseId: number): Promise<void> {
    if (running.has(databaseId)) return
    const over = now(databaseId)
    running.set(databaseId, { end: new AbortController(), over })
    await over.finally(() => running.delete(databaseId))
  }
  return now
}
