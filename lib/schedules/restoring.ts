import { sql } from 'drizzle-orm'
import { jobs, schedules, sites } from '../../schema/tables.ts'
import { COPIES_SUBJECT, RESTORE_KIND } from '../nodes/unrestored.ts'

const wanted = (name: 'site' | 'mode') => sql`json_extract(${jobs.payload}, ${`$.wanted.${name}`})`

/**
 * Whether a schedule's site, or a database of its client, is being restored in place or waits for that, in SQL. A task
 * would meet a part of its files, or a database that is still empty. Of a database no site is named.
 */
export const isRestoring = sql<number>`exists (select 1 from ${jobs}
  where ${jobs.subject} = ${COPIES_SUBJECT} || ${schedules.clientId} and ${jobs.state} in ('pendiente', 'en_curso')
  and ${jobs.kind} = ${RESTORE_KIND} and ${wanted('mode')} = 'sustituir'
  and coalesce(${wanted('site')} = (select ${sites.domain} from ${sites} where ${sites.id} = ${schedules.siteId}), 1))`
