import type { Readable } from 'node:stream'
import { Miniflare } from 'miniflare'
import type { Entry } from '../../deploy/function/build.ts'
import { bundled } from './bundles.ts'
import { loopbackCertificate } from './certificate.ts'
import type { LibsqlServer } from './libsql-server.ts'

export type FunctionHostOptions = {
  database: Pick<LibsqlServer, 'url' | 'token'>
  keys: string
  /** Files of the interface, served by the host. */
  assets?: string
  entry?: Entry
  env?: Record<string, string>
}

/** What every function host of the tests is told, and what its test adds. */
export function bindingsOf({ database, keys, env }: FunctionHostOptions): Record<string, string> {
  return {
    PANEL_HOST: 'localhost',
    PANEL_TEST: '1',
    PANEL_DB_URL: database.url,
    PANEL_DB_TOKEN: database.token,
    PANEL_KEYS: keys,
    PANEL_CRON_SECRET: 'el-secreto-del-reloj',
    ...env,
  }
}

/** A panel in workerd, the runtime of Workers, over TLS; the bundle is the one that operators deploy. */
export class FunctionHost {
  readonly origin: string
  readonly ca: string
  readonly #miniflare: Miniflare
  readonly #output: string[]

  private constructor(miniflare: Miniflare, origin: string, ca: string, output: string[]) {
    this.#miniflare = miniflare
    this.origin = origin
    this.ca = ca
    this.#output = output
  }

  static async start(options: FunctionHostOptions) {
    const { entry = 'worker.js', assets } = options
    const { ca, cert, key } = await loopbackCertificate()
    const output: string[] = []
    const miniflare = new Miniflare({
      modules: [{ type: 'ESModule', path: 'worker.js', contents: await bundled(entry) }],
      compatibilityDate: '2026-07-01',
      host: '127.0.0.1',
      port: 0,
      https: true,
      httpsCert: cert,
      httpsKey: key,
      cf: false,
      unsafeTriggerHandlers: true,
      bindings: { PANEL_PEER_HEADER: 'cf-connecting-ip', ...bindingsOf(options) },
      ...(assets === undefined ? {} : { serviceBindings: { ASSETS: { disk: { path: assets } } } }),
      outboundService: {
        network: {
          allow: ['public', 'private'],
          tlsOptions: { trustBrowserCas: true, trustedCertificates: [ca] },
        },
      },
      handleRuntimeStdio(stdout: Readable, stderr: Readable) {
        for (const stream of [stdout, stderr])
          stream.on('data', (chunk: Buffer) => output.push(String(chunk)))
      },
    })
    const url = await miniflare.ready
    return new FunctionHost(miniflare, url.origin, ca, output)
  }

  /** What the host has written to its console. */
  get log(): string {
    return this.#output.join('')
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.origin + path, { redirect: 'manual', ...init, tls: { ca: this.ca } })
  }

  /** What the platform's timer does each minute. */
  async scheduled(at: Date): Promise<void> {
    const response = await this.fetch(`/cdn-cgi/mf/scheduled?cron=*+*+*+*+*&time=${at.getTime()}`)
    if (!response.ok) throw new Error(`scheduled answered ${response.status}: ${await response.text()}`)
  }

  stop(): Promise<void> {
    return this.#miniflare.dispose()
  }
}
