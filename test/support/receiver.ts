import { loopbackCertificate } from './certificate.ts'

/** One request as a receiver of webhooks got it. */
export type Received = { path: string; headers: Record<string, string>; body: string }

/** A program of the operator's that takes webhooks over TLS, on loopback; it answers as its `reply` says. */
export class Receiver {
  readonly #server: Bun.Server<undefined>
  readonly received: Received[] = []
  reply: (request: Received) => Response | Promise<Response> = () => new Response('ok')

  private constructor(tls: { cert: string; key: string }) {
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls,
      idleTimeout: 0,
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url)
        const headers = Object.fromEntries(request.headers.entries())
        const received = { path: pathname + search, headers, body: await request.text() }
        this.received.push(received)
        return this.reply(received)
      },
    })
  }

  static async start(): Promise<Receiver> {
    const { cert, key } = await loopbackCertificate()
    return new Receiver({ cert, key })
  }

  /** Its address; `127.0.0.1` is in its certificate as well. */
  url(path: string, host = '127.0.0.1'): string {
    return `https://${host}:${this.#server.port}${path}`
  }

  /** What came to one path. */
  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path)
  }

  async stop(): Promise<void> {
    await this.#server.stop(true)
  }
}
