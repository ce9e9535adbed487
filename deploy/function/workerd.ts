import { cronHandlers } from '../../handlers/cron/index.ts'
import { handlers } from '../../handlers/index.ts'
import type { Environment } from '../config.ts'
import type { Files } from './files.ts'
import { createHost, type Host } from './host.ts'

/** Text bindings are the configuration; `ASSETS` is the service with the interface's files. */
type Bindings = { ASSETS?: Files } & Record<string, unknown>
type ScheduledEvent = { scheduledTime: number }
type Context = { waitUntil(work: Promise<unknown>): void }

/** One panel a set of bindings: building it for every request would cost more than most of them. */
const hosts = new WeakMap<object, Host>()

function hostOf(bindings: Bindings): Host {
  const known = hosts.get(bindings)
  if (known) return known
  const crons = cronHandlers.map(({ job }) => job)
  const host = createHost({ env: textsOf(bindings), handlers, crons, files: bindings.ASSETS })
  hosts.set(bindings, host)
  return host
}

/** A binding to a variable that is not set is null. */
function textsOf(bindings: Bindings): Environment {
  const texts: Environment = {}
  for (const [name, value] of Object.entries(bindings)) if (typeof value === 'string') texts[name] = value
  return texts
}

/** The module of a workerd-type host: the whole app by `fetch`, the scheduled handlers by `scheduled`. */
export default {
  fetch: (request: Request, bindings: Bindings, context: Context): Promise<Response> =>
    hostOf(bindings).fetch(request, { waitUntil: (work) => context.waitUntil(work) }),
  scheduled: (event: ScheduledEvent, bindings: Bindings): Promise<void> =>
    hostOf(bindings).scheduled(new Date(event.scheduledTime)),
}
