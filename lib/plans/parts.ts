import { inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { clients, databases, schedules, sftpAccounts, sites, zones } from '../../schema/tables.ts'
import { mailedLately } from '../mail/allowance.ts'
import type { Db } from '../store/database.ts'

/** Counts what clients have of the things that a plan limits by number, and their mail of the last 24 hours. */
export function selectParts(db: Db, ids: number[] | SQLWrapper, now: Date) {
  return db
    .select({
      id: clients.id,
      sites: number(sql`select count(*) from ${sites} where ${sites.clientId} = ${clients.id}
        and ${sites.state} <> 'eliminando'`),
      zones: number(sql`select count(*) from ${zones} where ${zones.clientId} = ${clients.id}`),
      sftpAccounts: number(
        sql`select count(*) from ${sftpAccounts} where ${sftpAccounts.clientId} = ${clients.id}`,
      ),
      databases: number(sql`select count(*) from ${databases} where ${databases.clientId} = ${clients.id}
        and ${databases.state} <> 'eliminando'`),
      databaseBytes: number(sql`select coalesce(sum(${databases.bytes}), 0) from ${databases}
        where ${databases.clientId} = ${clients.id}`),
      schedules: number(sql`select count(*) from ${schedules} where ${schedules.clientId} = ${clients.id}`),
      dailyMails: number(mailedLately(clients.id, now)),
    })
    .from(clients)
    .where(inArray(clients.id, ids))
}

export type Parts = Awaited<ReturnType<typeof selectParts>>[number]

const number = (query: SQL) => sql<number>`(${query})`
