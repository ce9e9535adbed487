import { and, eq, gt, inArray, lte, ne, type SQLWrapper, sql } from 'drizzle-orm'
import { links } from '../../schema/tables.ts'
import type { Db } from '../store/database.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

const KINDS = {
  anyone: and(ne(links.purpose, 'correo'), eq(links.anyone, true)),
  operator: and(ne(links.purpose, 'correo'), eq(links.anyone, false)),
  address: eq(links.purpose, 'correo'),
}

/**
 * The links of the last hour that count against a new one: not the first activation mail (docs/api.md, "Signing in").
 * Links that anybody may ask for, an operator's, and those that confirm an address are counted apart: a stranger who
 * asks for links must not hold up a person who is signed in.
 */
export function recentLinks(
  db: Db,
  people: SQLWrapper | string[],
  { what, now }: { what: keyof typeof KINDS; now: Date },
) {
  const first = sql`(select min(earlier.created_at) from ${links} earlier where earlier.person_id = ${links.personId})`
  return db
    .select({ personId: links.personId, at: links.createdAt })
    .from(links)
    .where(
      and(
        inArray(links.personId, people),
        KINDS[what],
        gt(links.createdAt, new Date(now.getTime() - HOUR_MS)),
        // A link dated in the future was made before the clock was set back, and must not hold up anybody for that
        // long.
        lte(links.createdAt, new Date(now.getTime() + MINUTE_MS)),
        sql`(${links.createdAt} > ${first} or ${links.purpose} <> 'activar')`,
      ),
    )
}

/** When these links were made. */
export const timesOf = (recent: { at: Date }[]): Date[] => recent.map(({ at }) => at)
