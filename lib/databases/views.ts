import { and, eq, isNull, ne, or } from 'drizzle-orm'
import { clients, databases, persons, sessions } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'

/** Whether a person who is still signed in may still look into a base. */
export async function mayLookInto(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { session, databaseId }: { session: string; databaseId: number },
): Promise<boolean> {
  const row = await db.read
    .select({ expiresAt: sessions.expiresAt })
    .from(sessions)
    .innerJoin(persons, eq(persons.id, sessions.personId))
    .innerJoin(databases, eq(databases.id, databaseId))
    .innerJoin(clients, eq(clients.id, databases.clientId))
    .where(
      and(
        eq(sessions.id, session),
        isNull(sessions.endedAt),
        eq(persons.active, true),
        or(eq(persons.role, 'admin'), eq(persons.clientId, clients.id)),
        eq(clients.state, 'activo'),
        ne(databases.state, 'eliminando'),
      ),
    )
    .get()
  return row !== undefined && now() < row.expiresAt
}
