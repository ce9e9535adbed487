import type { App } from '../router.ts'
import type { PanelCertificate } from './certificate.ts'

const IDLE_SECONDS = 30

export type Listening = { stop(): Promise<void> }

/** Serves the app over TLS on the port, on every given address (all where there is none). Never plain HTTP. */
export function serve(app: App, certificate: PanelCertificate, port: number, bind: string[]): Listening {
  const servers = (bind.length > 0 ? bind : ['::']).map((hostname) =>
    Bun.serve({
      port,
      hostname,
      // Two panels must never share the port in silence.
      reusePort: false,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: 1024 * 1024,
      tls: { cert: certificate.certPem, key: certificate.keyPem },
      fetch: (request, server) => app.fetch(request, server.requestIP(request)?.address ?? ''),
      error: () => new Response(null, { status: 500 }),
    }),
  )
  return {
    async stop() {
      await Promise.all(servers.map((server) => server.stop(true)))
    },
  }
}
