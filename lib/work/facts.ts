import { and, eq, gte, sql } from 'drizzle-orm'
import { clients, jobs } from '../../schema/tables.ts'
import type { Actor } from '../endpoint/context.ts'
import type { Db } from '../store/database.ts'

/**
 * The jobs that an actor may see: all for an operator; for a customer its own, without those of a former client of
 * its name.
 */
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
