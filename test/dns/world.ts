import { type Called, type CallOptions, startPanel, type TestPanel } from './panel.ts'
import { dig, type RunningPdns, startPdns } from './pdns.ts'

/** A panel with its DNS server and the clients `acme` and `beta`. */
export type World = {
  server: RunningPdns
  panel: TestPanel
  /** A call that must succeed. */
  done(operation: string, options?: CallOptions): Promise<Called>
  newZone(zona: string, cliente?: string): Promise<Called>
  /** Sets an RRset, `at` being its name and type. */
  put(zona: string, at: string, ...valores: string[]): Promise<Called>
  /** What the server answers for a name and type. */
  short(name: string, type: string): Promise<string[]>
  stop(): Promise<void>
}

export async function startWorld(): Promise<World> {
  const server = await startPdns()
  const panel = await startPanel(server)
  const done = async (operation: string, options?: CallOptions) => {
    const answer = await panel.call(operation, options)
    if (answer.status >= 300) throw new Error(`${operation}: ${JSON.stringify(answer.body)}`)
    return answer
  }
  for (const cliente of ['acme', 'beta']) await done('POST /clientes', { body: { cliente } })
  return {
    server,
    panel,
    done,
    newZone: (zona, cliente = 'acme') => done('POST /zonas', { body: { cliente, zona } }),
    put: (zona, at, ...valores) =>
      panel.call(`PUT /zonas/${zona}/registros/${at}`, { body: { ttl: 300, valores } }),
    short: (name, type) => dig(server, '+short', '-q', name, '-t', type),
    async stop() {
      await panel.stop()
      await server.stop()
    },
  }
}

/** The refused field and its code. */
export function field({ body }: Called): string | undefined {
  return body.campos?.map(({ campo, codigo }) => `${campo} ${codigo}`).join()
}
