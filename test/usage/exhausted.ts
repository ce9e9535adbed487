import { eq } from 'drizzle-orm'
import type { Services } from '../../lib/endpoint/context.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { requireSpace } from '../../lib/plans/decide.ts'
import { consumptionOf } from '../../lib/plans/plans.ts'
import { clientsPlan } from '../../lib/plans/room.ts'
import { clients } from '../../schema/tables.ts'

/** The members of the 507 that a write of this client is refused with, or null. */
export async function exhausted(services: Services, id: number): Promise<Record<string, unknown> | null> {
  const client = await services.db.read.select().from(clients).where(eq(clients.id, id)).get()
  if (!client) throw new Error('no such client')
  try {
    requireSpace(
      await clientsPlan(services.db.read, id),
      await consumptionOf(services.db.read, id, services.now()),
    )
    return null
  } catch (error) {
    if (error instanceof AppError && error.status === 507) return error.extra
    throw error
  }
}
