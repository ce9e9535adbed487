import { and, eq, ne } from 'drizzle-orm'
import { clients, jobs } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import { enqueue } from '../work/jobs.ts'
import { clientSubject } from './clients.ts'

/**
 * Applies the database's state of all clients to the node and retries failed jobs at once, when a service that was
 * missing has come.
 */
export async function resumeClients(services: Services): Promise<void> {
  const { node } = services.config
  if (node === null) return
  const here = await services.db.read
    .select()
    .from(clients)
    .where(and(eq(clients.node, node), ne(clients.state, 'eliminando')))
  await services.db.write(async (tx) => {
    const waiting = and(eq(jobs.node, node), eq(jobs.state, 'pendiente'))
    tx.later(tx.update(jobs).set({ nextAt: services.now() }).where(waiting))
    for (const client of here)
      enqueue(tx, services, {
        kind: 'cliente.aplicar',
        node,
        subject: clientSubject(client),
        client: client.name,
      })
  })
  services.work.wake()
}
