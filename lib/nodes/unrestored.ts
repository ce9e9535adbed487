import { and, inArray, sql } from 'drizzle-orm'
import { jobs } from '../../schema/tables.ts'
import type { Awaited } from '../endpoint/node-port.ts'
import type { Db } from '../store/database.ts'

export const RESTORE_KIND = 'copia.restaurar'
/** What the subjects of copies and restores begin with; the client's number follows. */
export const COPIES_SUBJECT = 'copias:'

/** A restore of what a lost node held, of which nothing is there. */
export const isBare = sql`coalesce(json_extract(${jobs.payload}, '$.bare'), 0)`

/** How such a restore ends where somebody has put something there meanwhile: what is there is the client's by now. */
const TAKEN = ['sitio_no_vacio', 'base_no_vacia']
const isTaken = sql`coalesce(json_extract(${jobs.result}, '$.codigo'), '') in ${TAKEN}`

/** A restore of what a lost node held that waits, runs or could not be done. */
export const isUnrestored = sql`(${jobs.kind} = ${RESTORE_KIND}
  and ${jobs.state} in ('pendiente', 'en_curso', 'fallida') and ${isBare} and not ${isTaken})`

/** The site whose files a restore brings back. */
export const siteOfRestore = sql<string | null>`json_extract(${jobs.payload}, '$.wanted.site')`

/** These clients' sites whose files a lost node held and which are not back yet, by their domains. */
export async function unrestoredSites(db: Db, clientIds: number[]): Promise<Map<string, Awaited>> {
  const subjects = [...new Set(clientIds)].map((id) => `${COPIES_SUBJECT}${id}`)
  const rows = await db
    .select({ domain: siteOfRestore, state: jobs.state })
    .from(jobs)
    .where(and(inArray(jobs.subject, subjects), isUnrestored))
  return new Map(
    rows.map(({ domain, state }) => [domain ?? '', state === 'fallida' ? 'failed' : 'coming'] as const),
  )
}
