import { and, eq, inArray, sql } from 'drizzle-orm'
import { applications, clients, databases, jobs, sites } from '../../schema/tables.ts'
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

/** The database that a restore brings back. */
export const databaseOfRestore = sql<string | null>`json_extract(${jobs.payload}, '$.wanted.base')`

/** The database's own client; null for one that was deleted since. */
const clientOfBase = sql<number | null>`(select ${databases.clientId} from ${databases}
  where ${databases.name} = ${databaseOfRestore} and ${databases.state} <> 'eliminando')`

/** The site whose application a database belongs to; null where it is not known which sites use it. */
const siteOfBase = sql<string | null>`(select ${sites.domain} from ${applications}
  join ${sites} on ${sites.id} = ${applications.siteId}
  where ${applications.database} = ${databaseOfRestore} and ${applications.clientId} = ${clientOfBase})`

/** What a lost node held of some clients and is not back yet. */
export type Unrestored = {
  /** Sites whose files are awaited, by their domains. */
  files: Map<string, Awaited>
  /** What a site's programs await of its client's databases; null where all are there. */
  databasesOf(site: { clientId: number; domain: string }): Awaited | null
}

export async function unrestoredOf(db: Db, clientIds: number[]): Promise<Unrestored> {
  const subjects = [...new Set(clientIds)].map((id) => `${COPIES_SUBJECT}${id}`)
  const found = await db
    .select({ domain: siteOfRestore, clientId: clientOfBase, user: siteOfBase, state: jobs.state })
    .from(jobs)
    // With a second table, the columns of those within keep their tables' names.
    .innerJoin(clients, eq(clients.name, jobs.clientName))
    .where(and(inArray(jobs.subject, subjects), isUnrestored))
  const rows = found.map((row) => ({ ...row, awaited: awaitedIn(row) }))
  return {
    files: new Map(rows.flatMap(({ domain, awaited }) => (domain === null ? [] : [[domain, awaited]]))),
    databasesOf({ clientId, domain }) {
      const own = rows.filter((row) => row.clientId === clientId && (row.user ?? domain) === domain)
      if (own.length === 0) return null
      return own.some(({ awaited }) => awaited === 'coming') ? 'coming' : 'failed'
    },
  }
}

const awaitedIn = ({ state }: { state: string }): Awaited => (state === 'fallida' ? 'failed' : 'coming')
