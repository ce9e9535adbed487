import { setDefaultTimeout } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FunctionHost, FunctionHostOptions } from './function-host.ts'

/**
 * What a panel of the tests runs on, by `PANEL_UNDER`: `file` (the default), Bun on an embedded database;
 * `remote`, Bun on a libSQL server over TLS; `function`, requests answered in workerd on that server, with
 * a node beside it that does the work and mails; `deno`, the same with Deno.
 */
export type Way = (typeof WAYS)[number]

const WAYS = ['file', 'remote', 'function', 'deno'] as const

export function wayOfTests(): Way {
  const asked = process.env.PANEL_UNDER ?? 'file'
  const way = WAYS.find((one) => one === asked)
  if (!way) throw new Error(`PANEL_UNDER=${asked}?`)
  return way
}

// Starting workerd takes a while on a busy machine, and a password there costs ten times what it does natively.
if (['function', 'deno'].includes(wayOfTests())) setDefaultTimeout(60_000)

/** A function host that answers in a node's place. */
export type Front = Pick<FunctionHost, 'log' | 'fetch'> & { stop(): Promise<unknown> }

/** The parts beside the panel's process that a way of running needs. */
export type Underlay = {
  /** Added to the node's environment. */
  env: Record<string, string>
  /** The function host that answers in the node's place, once the node is up. */
  front(env: Record<string, string>): Promise<Front | null>
  stop(): Promise<void>
}

/** Starts what must be there before the node; the database's file is where the embedded one would be. */
export async function underlay(way: Way, dataDir: string): Promise<Underlay> {
  if (way === 'file') return { env: {}, front: async () => null, stop: async () => {} }
  // Read where they are needed: a quarter of a second of the processor for each folder's tests.
  const { loopbackCertificate } = await import('./certificate.ts')
  const { startLibsqlProcess } = await import('./libsql-process.ts')
  const { caPath, cert, key } = await loopbackCertificate()
  // These tests also read and write the database's file beside the server, which nobody does to a real one; and some
  // begin forty writes at once, of which sqld 0.24.32 now and then leaves one asleep (deploy/database/remote/README.md).
  const engine = process.env.PANEL_SQLD ? 'sqld' : 'embedded'
  const database = await startLibsqlProcess({
    path: join(dataDir, 'panel.db'),
    tls: { cert, key },
    engine,
  })
  let host: Front | null = null
  let clock: { url: string; stop(): void } | null = null
  const cron: Record<string, string> = way !== 'remote' ? { PANEL_CRON_SECRET: NODE_CRON_SECRET } : {}
  return {
    env: { PANEL_DB_URL: database.url, PANEL_DB_TOKEN: database.token, NODE_EXTRA_CA_CERTS: caPath, ...cron },
    async front(env) {
      if (way === 'remote') return null
      clock ??= serveClock(dataDir)
      host ??= await frontOf(way, database, dataDir, { ...env, PANEL_TEST_CLOCK: clock.url })
      return host
    },
    async stop() {
      await host?.stop()
      clock?.stop()
      await database.stop()
    },
  }
}

/** The node's alone: a function host of the tests has the secret that its test sets, or none. */
const NODE_CRON_SECRET = 'solo-para-el-nodo-de-las-pruebas'

/** What the node was told of limits, mail and the like goes for the function host too. */
const SHARED = /^PANEL_(LIMITE_|TRUSTED_PROXIES$|MAIL_FROM$|TEST_CLOCK$|CRON_SECRET$|HOST$|PORT$)/

async function frontOf(
  way: 'function' | 'deno',
  database: FunctionHostOptions['database'],
  dataDir: string,
  env: Record<string, string>,
): Promise<Front> {
  const keys = await readFile(join(dataDir, 'keys'), 'utf8')
  const shared = Object.entries(env).filter(
    ([name, value]) => SHARED.test(name) && value !== NODE_CRON_SECRET,
  )
  const bindings = { PANEL_CRON_SECRET: '', ...Object.fromEntries(shared) }
  const kind =
    way === 'function'
      ? (await import('./function-host.ts')).FunctionHost
      : (await import('./deno-host.ts')).DenoHost
  return kind.start({ database, keys, env: bindings })
}

/** The test clock's offset over HTTP: workerd has no files. */
function serveClock(dataDir: string): { url: string; stop(): void } {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async () => new Response(await readFile(join(dataDir, 'clock'), 'utf8').catch(() => '0')),
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => void server.stop(true) }
}
