import { isRefusal, overLimit, tellsLimit } from '../endpoint/errors.ts'
import type { NodeDriver } from '../endpoint/node-port.ts'
import type { FilesFacts } from './decide.ts'

type Node = Pick<NodeDriver, 'exhausted' | 'hasQuota' | 'measure'>
type Owner = Pick<FilesFacts, 'plan' | 'used'> & { client: { id: number } }

/**
 * Work that makes files, with the numbers of the plan in its 507: the file system says of a quota only that it is
 * reached. Where the node itself is full, the numbers of a client have nothing to do with it.
 */
export async function withNumbers<T>(driver: Node, owner: Owner, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isRefusal(error, 'sin_espacio') || tellsLimit(error)) throw error
    throw (driver.exhausted() === null ? await ofPlan(driver, owner) : null) ?? error
  }
}

/** Null where the plan has no limit that the work could have met. */
async function ofPlan(driver: Node, { client, plan, used }: Owner) {
  const [now] = (await driver.hasQuota()) ? await driver.measure([client.id]) : []
  const { diskBytes = 0, inodes = 0 } = now ?? used ?? {}
  if (plan?.inodes != null && inodes >= plan.inodes) return overLimit('inodos', inodes, plan.inodes)
  return plan?.diskBytes == null ? null : overLimit('disco', diskBytes, plan.diskBytes)
}
