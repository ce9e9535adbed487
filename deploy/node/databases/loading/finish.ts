import { AppError } from '../../../../lib/endpoint/errors.ts'
import type { Step } from '../../../../lib/endpoint/node-port.ts'
import type { DatabaseLoad } from '../../../../lib/endpoint/ports/loads.ts'
import type { LoadingNames } from '../rights.ts'
import { clear, close, drop, makeMissing } from './bases.ts'
import { define } from './define.ts'
import { dropPrograms } from './definitions.ts'
import { exchange, Held, isExchanged } from './exchange.ts'
import type { Means } from './means.ts'
import { type Plan, removeLoadDirectory, writePlan } from './plan.ts'

type Loaded = { load: Pick<DatabaseLoad, 'base'>; names: LoadingNames; plan: Plan }

/** Puts what was loaded as a whole in its place; each step may be done again. The base's rights are set afterwards. */
export async function finish(means: Means, loaded: Loaded, step: Step): Promise<void> {
  const { administration, directory } = means
  const { load, names, plan } = loaded
  await step('database.exchange', async () => {
    if (await isExchanged(administration, names)) return
    // Not before there is something to put into it: an empty one would hide that it was lost.
    await makeMissing(administration, load.base.name)
    await exchange(administration, load.base.name, names).catch((error) => giveBack(means, loaded, error))
  })
  await step('database.define', async () => {
    await dropPrograms(administration, load.base.name)
    await define(means, load.base.clientId, { base: load.base.name, sql: plan.definitions })
  })
  await step('database.clear', async () => {
    for (const base of [names.base, names.old]) {
      await close(administration, base)
      await drop(administration, base)
    }
    // What was loaded is not loaded again, were this cut short before its job is known to be done.
    writePlan(directory, load.base.databaseId, { ...plan, isDone: true, triggers: '', definitions: '' })
    await clear(administration, names)
  })
}

/** Leaves the base as it was. */
async function giveBack(means: Means, { load, names, plan }: Loaded, error: unknown): Promise<never> {
  if (!(error instanceof Held)) throw error
  await define(means, load.base.clientId, { base: load.base.name, sql: plan.triggers })
  removeLoadDirectory(means.directory, load.base.databaseId)
  await clear(means.administration, names)
  throw new AppError('base_en_uso', {}, { cause: error })
}
