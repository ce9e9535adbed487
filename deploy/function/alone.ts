import type { Handler } from '../../lib/endpoint/handler.ts'
import type { Environment } from '../config.ts'
import { createHost, type Host } from './host.ts'

type Context = { waitUntil(work: Promise<unknown>): void }

/**
 * A module for a workerd-type host that serves a single handler at its own path, behind the same bearer check; its
 * bundle contains none of the others. `usage-alone.ts` in this folder is an example.
 */
export function alone(handler: Handler) {
  const hosts = new WeakMap<object, Host>()
  return {
    fetch(request: Request, env: Environment, context: Context): Promise<Response> {
      const host = hosts.get(env) ?? createHost({ env, handlers: [handler], crons: [] })
      hosts.set(env, host)
      return host.fetch(request, { waitUntil: (work) => context.waitUntil(work) })
    },
  }
}
