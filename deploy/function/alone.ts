import type { Handler } from '../../lib/endpoint/handler.ts'
import type { Environment } from '../config.ts'
import { createHost, type Host } from './host.ts'

type Context = { waitUntil(work: Promise<unknown>): void }

/**
 * A module of a workerd-type host that serves one handler alone, at its own path and behind the same
 * gate; its bundle holds nothing of the others. `usage-alone.ts` in this folder is an example.
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
