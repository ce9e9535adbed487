import { and, eq, ne } from 'drizzle-orm'
import { copies } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import { BackupFault, type Backups, type Repository } from '../../endpoint/ports/backups.ts'
import { noteThere } from '../damage/note.ts'
import { isMissing } from '../errors.ts'
import { addressOf, destinationOf, nodeRepository } from './destination.ts'
import { tellOnce } from './tell.ts'

type Opened = { backups: Backups; repository: Repository; client: Client; signal: AbortSignal }

/**
 * Opens a client's repository, and makes it where it is not there. A destination without the node's own copies is
 * another disk, or none that is mounted; what one that has them lacks of a client is lost, and its copies with it.
 */
export async function openRepository(services: Services, opened: Opened): Promise<void> {
  try {
    await requireRepository(services, opened)
  } catch (error) {
    if (!(error instanceof BackupFault && error.kind === 'lost')) throw error
    const { backups, repository, client, signal } = opened
    await forgetLost(services, client, addressOf(await destinationOf(services, client.node)))
    await backups.make(repository, { random: true, signal })
    await noteThere(services, client)
  }
}

/** The same of one that is there: what is read from it, or needs what it has, must not begin it anew. */
export async function requireRepository(services: Services, opened: Opened): Promise<void> {
  const { backups, repository, client, signal } = opened
  try {
    await backups.open(repository, signal)
  } catch (error) {
    throw await lostOr(services, opened, error)
  }
  await noteThere(services, client)
}

/** What something thrown tells: that all of a destination is away, or one client's repository there is lost. */
export async function lostOr(
  services: Services,
  { backups, client, signal }: Omit<Opened, 'repository'>,
  error: unknown,
): Promise<unknown> {
  if (!isMissing(error)) return error
  await backups.open(await nodeRepository(services, await destinationOf(services, client.node)), signal)
  return new BackupFault('lost', `nothing of ${client.name} is kept there`)
}

async function forgetLost(services: Services, client: Client, destination: string): Promise<void> {
  const there = and(eq(copies.clientId, client.id), eq(copies.destination, destination))
  await services.db.write(async (tx) => {
    const lost = and(there, ne(copies.state, 'en_curso'))
    const gone = await tx.delete(copies).where(lost).returning({ id: copies.id })
    if (gone.length === 0) return
    services.log('warn', 'the destination has lost all copies of a client', { client: client.name })
    await tellOnce(tx, services, { client })
  })
}
