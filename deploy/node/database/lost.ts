import { eq, inArray } from 'drizzle-orm'
import { raiseIds } from '../../../lib/store/row-id.ts'
import { clients } from '../../../schema/tables.ts'
import type { Runtime } from '../runtime.ts'

const BATCH = 500

/** Gives no new client or site a number that something on this machine still has from before a restore. */
export async function keepNumbersFresh({ services, hands }: Runtime): Promise<void> {
  const above = hands?.disk?.highestNumbers()
  if (above) await raiseIds(services.db, above)
}

/** Stops serving clients that the database does not know any more, and serves those again that it knows again. */
export async function dropLostClients({ services, hands }: Runtime): Promise<void> {
  const { node } = services.config
  const leftovers = hands?.disk?.leftovers
  // Reads the disk before the database: a client's row exists before anything on the disk.
  const onDisk = leftovers?.clients() ?? []
  if (!leftovers || node === null || onDisk.length === 0) return
  const columns = { id: clients.id, state: clients.state }
  const here = await services.db.read.select(columns).from(clients).where(eq(clients.node, node))
  const known = new Map(here.map(({ id, state }) => [id, state]))
  const rest = onDisk.filter((id) => !known.has(id))
  for (let at = 0; at < rest.length; at += BATCH) {
    const some = inArray(clients.id, rest.slice(at, at + BATCH))
    const elsewhere = await services.db.read.select(columns).from(clients).where(some)
    // Files here of a client that lives on another node are left as they are.
    for (const { id } of elsewhere) known.set(id, 'eliminando')
  }
  const lost = await leftovers.keepOnly(known)
  if (lost.length > 0)
    services.log('warn', 'clients that the database does not know', { clients: lost.join(' ') })
}
