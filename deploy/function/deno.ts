import { cronHandlers } from '../../handlers/cron/index.ts'
import { handlers } from '../../handlers/index.ts'
import type { Environment } from '../config.ts'
import { createHost } from './host.ts'

/** The parts of Deno's own interface that are used here; its types are not among ours. */
type Deno = {
  env: { toObject(): Environment }
  cron?(name: string, schedule: string, run: () => Promise<void>): unknown
  readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>
}
declare const Deno: Deno

const host = createHost({
  env: Deno.env.toObject(),
  handlers,
  crons: cronHandlers.map(({ job }) => job),
  files: { fetch: async (request) => fileBeside(new URL(request.url).pathname) },
})

Deno.cron?.('panel', '* * * * *', () => host.scheduled(new Date()))

/** The interface's files lie in `assets/` beside the bundle. */
async function fileBeside(path: string): Promise<Response> {
  try {
    return new Response(await Deno.readFile(new URL(`./assets${path}`, import.meta.url)))
  } catch {
    return new Response(null, { status: 404 })
  }
}

/** The module that `deno serve` runs. */
export default {
  fetch(request: Request, info: { remoteAddr: { hostname?: string } }): Promise<Response> {
    return host.fetch(request, { peer: info.remoteAddr.hostname ?? '' })
  },
}
