import { and, eq, ne } from 'drizzle-orm'
import { copies } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Backups, Repository } from '../../endpoint/ports/backups.ts'
import { isMissing } from '../errors.ts'
import { addressOf, destinationOf, nodeRepository } from './destination.ts'
import { tellOnce } from './tell.ts'

type Opened = { backups: Backups; repository: Repository; client: Client; signal: AbortSignal }

/**
 * Opens a client's repository, and makes it where it is not there. A destination without the node's own copies is
 * another disk, or none that is mounted; what one that has them lacks of a client is lost, and its copies with it.
 */
export async function openRepository(
  services: Services,
  { backups, repository, client, signal }: Opened,
): Promise<void> {
  try {
    await backups.open(repository, signal)
  } catch (error) {
    if (!isMissing(error)) throw error
    const destination = await destinationOf(services, client.node)
    await backups.open(await nodeRepository(services, destination), signal)
    await forgetLost(services, client, addressOf(destination))
    await backups.make(repository, { random: true, signal })
  }
}

async function forgetLost(services: Services, client: Client, destination: string): Promise<void> {
  const there = and(eq(copies.clientId, client.id), eq(copies.destination, destination))
  await services.db.write(async (tx) => {
    const lost = and(there, ne(copies.state, 'en_curso'))
    const gone = await tx.delete(copies).where(lost).returning({ id: copies.id })
    if (gone.length === 0) return
    services.log('warn', 'the destination has lost all copies of a client', { client: client.name })
    await tellOnce(tx, services, client)
  })
}
