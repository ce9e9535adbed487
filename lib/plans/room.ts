import { eq } from 'drizzle-orm'
import { clients, plans } from '../../schema/tables.ts'
import type { ClientId } from '../clients/clients.ts'
import type { Ctx } from '../endpoint/context.ts'
import type { Db } from '../store/database.ts'
import type { Consumption, Plan } from './decide.ts'
import { consumptionOf } from './plans.ts'

/** A client's plan (null for no limits), and what the client uses of it. */
export type Room = { plan: Plan | null; consumed: Consumption }

export async function roomFacts({ tx, now }: Pick<Ctx, 'tx' | 'now'>, client: ClientId): Promise<Room> {
  const [plan, consumed] = await Promise.all([clientsPlan(tx, client), consumptionOf(tx, client, now())])
  return { plan, consumed }
}

/** The plan of a client; null where it has none: no limits and all functions. */
export async function clientsPlan(db: Db, client: ClientId): Promise<Plan | null> {
  const row = await db
    .select({ plan: plans })
    .from(plans)
    .innerJoin(clients, eq(clients.planId, plans.id))
    .where(eq(clients.id, client))
    .get()
  return row?.plan ?? null
}
