import { existsSync } from 'node:fs'
import type { Step } from '../../../../lib/endpoint/node-port.ts'
import type { DatabaseLoad } from '../../../../lib/endpoint/ports/loads.ts'
import { loadingNames } from '../rights.ts'
import { clear } from './bases.ts'
import { clearsFailed, type Running } from './clear-failed.ts'
import { finish } from './finish.ts'
import { loadDatabase } from './load.ts'
import type { Means } from './means.ts'
import { loadDirectory, readPlan, removeLoadDirectory } from './plan.ts'

export type Loads = ReturnType<typeof createLoads>

/** The loads that run now, by their base: one that is to be removed ends its own first. */
export function createLoads(means: Means) {
  const running: Running = new Map()
  const clearFailed = clearsFailed(means, running)
  return {
    async load(load: DatabaseLoad, step: Step): Promise<void> {
      const { databaseId } = load.base
      await running.get(databaseId)?.over
      const end = new AbortController()
      const signal = AbortSignal.any([load.signal, end.signal])
      const work = loadDatabase(means, { ...load, signal }, step).catch(async (error) => {
        await clearFailed(databaseId)
        throw error
      })
      running.set(databaseId, { end, over: work.catch(() => undefined) })
      await work.finally(() => running.delete(databaseId))
    },

    /** Ends a load that was cut short after its dump was whole, as by a suspension; clears what came to nothing. */
    async resume(base: DatabaseLoad['base'], step: Step): Promise<void> {
      const { databaseId } = base
      if (running.has(databaseId)) return
      const plan = readPlan(means.directory, databaseId)
      if (plan === null) return clearLeft(means, databaseId)
      if (plan.isDone) return
      const work = finish(means, { load: { base }, names: loadingNames(databaseId), plan }, step)
      running.set(databaseId, { end: new AbortController(), over: work.catch(() => undefined) })
      await work.finally(() => running.delete(databaseId))
    },

    /** Ends the load of a base, and leaves nothing of any. */
    async forget(databaseId: number): Promise<void> {
      const one = running.get(databaseId)
      one?.end.abort(new Error('the database is being deleted'))
      await one?.over
      removeLoadDirectory(means.directory, databaseId)
      await clear(means.administration, loadingNames(databaseId))
    },
  }
}

async function clearLeft({ directory, administration }: Means, databaseId: number): Promise<void> {
  if (!existsSync(loadDirectory(directory, databaseId))) return
  await clear(administration, loadingNames(databaseId))
  removeLoadDirectory(directory, databaseId)
}
