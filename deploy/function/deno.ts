import { cronHandlers } from '../../handlers/cron/index.ts'
import { handlers } from '../../handlers/index.ts'
import { QUEUE_MS } from '../../lib/store/database.ts'
import type { Environment } from '../config.ts'
import { ANSWER_MS } from '../http/deadline.ts'
import { createHost } from './host.ts'

/** The parts of Deno's own interface that are used here; its types are not among ours. */
type Deno = {
  env: { toObject(): Environment }
  cron?(name: string, schedule: string, run: () => Promise<void>): unknown
  readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>
  addSignalListener?(signal: 'SIGINT' | 'SIGTERM', run: () => void): void
  exit(status: number): never
}
declare const Deno: Deno

const host = createHost({
  env: Deno.env.toObject(),
  handlers,
  crons: cronHandlers.map(({ job }) => job),
  // In Deno, unlike workerd, a request can wait for another, so writes queue here instead of at the server.
  queueMs: QUEUE_MS,
  files: { fetch: async (request) => fileBeside(new URL(request.url).pathname) },
})

/** Requests and runs that have not ended. */
const underWay = new Set<Promise<unknown>>()
/** A little more than any answer may take. */
const END_MS = ANSWER_MS + 1000
/** Time for the last answers to be sent. */
const SENDING_MS = 100

Deno.cron?.('panel', '* * * * *', () => seenToItsEnd(host.scheduled(new Date())))

// Without this Deno would wait for the next run of its schedule, up to a minute.
for (const signal of ['SIGINT', 'SIGTERM'] as const) Deno.addSignalListener?.(signal, end)

async function end(): Promise<void> {
  setTimeout(() => Deno.exit(1), END_MS)
  do {
    await Promise.allSettled(underWay)
    await new Promise((sent) => setTimeout(sent, SENDING_MS))
  } while (underWay.size > 0)
  Deno.exit(0)
}

async function seenToItsEnd(work: Promise<unknown>): Promise<void> {
  underWay.add(work)
  await work.finally(() => underWay.delete(work))
}

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
    return host.fetch(request, {
      peer: info.remoteAddr.hostname ?? '',
      waitUntil: (work) => void seenToItsEnd(work).catch(() => {}),
    })
  },
}
