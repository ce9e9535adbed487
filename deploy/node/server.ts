import type { App } from '../router.ts'
import type { PanelCertificate } from './certificate.ts'

const IDLE_SECONDS = 30
/** Above the handlers' own limit, so that theirs is the answer that a caller sees. */
const MAX_REQUEST_BYTES = 1024 * 1024

export type Listening = {
  stop(): Promise<void>
  /** Serves another certificate from now on. Reloading would keep the old one: the listeners are made anew. */
  replace(certificate: Pair): Promise<void>
}
type Pair = Pick<PanelCertificate, 'certPem' | 'keyPem'>

/** Serves the app over TLS on the port, on every given address (all where there is none). Never plain HTTP. */
export function serve(app: App, certificate: Pair, port: number, bind: string[]): Listening {
  const hosts = bind.length > 0 ? bind : ['::']
  let servers = hosts.map((hostname) => listen(app, certificate, port, hostname))
  return {
    async stop() {
      await Promise.all(servers.map((server) => server.stop(true)))
    },
    async replace(next) {
      await Promise.all(servers.map((server) => server.stop(false)))
      servers = hosts.map((hostname) => listen(app, next, port, hostname))
    },
  }
}

function listen(app: App, certificate: Pair, port: number, hostname: string) {
  return Bun.serve({
    port,
    hostname,
    // Two panels must never share the port in silence.
    reusePort: false,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: MAX_REQUEST_BYTES,
    tls: { cert: certificate.certPem, key: certificate.keyPem },
    fetch: (request, server) => app.fetch(request, server.requestIP(request)?.address ?? ''),
    error: () => new Response(null, { status: 500 }),
  })
}
