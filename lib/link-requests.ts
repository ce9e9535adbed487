import { and, eq, gt, lte, ne, sql } from 'drizzle-orm'
import { links } from '../schema/tables.ts'
import type { Db } from './database.ts'

const PER_HOUR = 5
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * Seconds to wait before an account may get another link: one a minute and five an hour, of which the
 * first activation mail does not count (contract section 4.1). Zero when it may. Links that confirm an address are
 * counted apart: they take a password, and those that anybody may ask for must not stand in their way.
 */
export async function linkWaitSeconds(
  db: Db,
  personId: string,
  now: Date,
  what: 'access' | 'address' = 'access',
): Promise<number> {
  const first = db
    .select({ at: sql<number>`min(${links.createdAt})` })
    .from(links)
    .where(eq(links.personId, personId))
  const recent = await db
    .select({ at: links.createdAt })
    .from(links)
    .where(
      and(
        eq(links.personId, personId),
        what === 'address' ? eq(links.purpose, 'correo') : ne(links.purpose, 'correo'),
        gt(links.createdAt, new Date(now.getTime() - HOUR_MS)),
        // What was made under a clock that has since been set back must not hold up anyone for that long.
        lte(links.createdAt, new Date(now.getTime() + MINUTE_MS)),
        sql`(${links.createdAt} > (${first}) or ${links.purpose} <> 'activar')`,
      ),
    )
    .orderBy(links.createdAt)
  const last = recent.at(-1)
  const oldest = recent.length >= PER_HOUR ? recent[recent.length - PER_HOUR] : undefined
  const free = Math.max(last ? last.at.getTime() + MINUTE_MS : 0, oldest ? oldest.at.getTime() + HOUR_MS : 0)
  return Math.max(0, Math.ceil((free - now.getTime()) / 1000))
}
