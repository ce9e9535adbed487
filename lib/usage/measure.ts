import { measureDatabases } from '../databases/measure.ts'
import type { Services } from '../endpoint/context.ts'
import { recordDisk } from './disk.ts'
import { recordLoad } from './node-hours.ts'
import { recordTraffic } from './traffic.ts'

/**
 * Measures what this node and its clients use, traffic first, and warns them. Returns how many were measured; none on a
 * host without a node. Two runs at once do the work twice and store the same result.
 */
export async function measureNode(services: Services): Promise<number> {
  const { driver, config } = services
  if (!driver || config.node === null) return 0
  await measureDatabases(services)
  await recordTraffic(services, driver, config.node)
  await recordLoad(services, driver, config.node)
  return recordDisk(services, driver, config.node)
}
