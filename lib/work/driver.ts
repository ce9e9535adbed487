import type { Services } from '../endpoint/context.ts'
import type { NodeDriver } from '../endpoint/node-port.ts'

/** The node's driver. A job that needs one is claimed only by a process that has one. */
export function requireDriver(services: Services): NodeDriver {
  if (!services.driver) throw new Error('this host has no node')
  return services.driver
}
