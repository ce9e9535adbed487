import { and, eq, gte, sql } from 'drizzle-orm'
import { clients, jobs } from '../../schema/tables.ts'
import type { Actor } from '../endpoint/context.ts'
import type { Db } from '../store/database.ts'

/** The jobs an actor may see: all for an operator; a customer's its own, and not those of who had its name before. */
export function jobsVisibleTo(db: Db, actor: Actor) {
  if (actor.kind !== 'session' || actor.role !== 'client') return sql`1`
  const own = db
    .select({ one: sql`1` })
    .from(clients)
    .where(
      and(
        eq(clients.id, actor.client?.id ?? -1),
        eq(clients.name, jobs.clientName),
        gte(jobs.createdAt, clients.createdAt),
      ),
    )
  return sql`exists ${own}`
}
