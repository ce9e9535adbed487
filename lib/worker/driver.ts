import type { Services } from '../context.ts'
import type { NodeDriver } from '../node.ts'

/** The node's driver; work that needs one is only ever claimed by a process that has one. */
export function requireDriver(services: Services): NodeDriver {
  if (!services.driver) throw new Error('this host has no node')
  return services.driver
}
