import { getTableColumns as columnsOf, eq, inArray } from 'drizzle-orm'
import {
  clients,
  databaseAccounts,
  databases,
  rrsets,
  schedules,
  sftpAccounts,
  siteNames,
  sites,
  zones,
} from '../../schema/tables.ts'
import type { Db } from '../store/database.ts'

/** What a client has besides files and rows, as JSON: its sites, tasks, accounts and zones, without any secret. */
export async function settingsOf(db: Db, clientId: number): Promise<string> {
  const theirDatabases = db
    .select({ id: databases.id })
    .from(databases)
    .where(eq(databases.clientId, clientId))
  const theirZones = db.select({ id: zones.id }).from(zones).where(eq(zones.clientId, clientId))
  const { hash: _hash, ...account } = columnsOf(databaseAccounts)
  const { passwordHash: _password, ...sftp } = columnsOf(sftpAccounts)
  const [client, ownSites, names, tasks, held, accounts, logins, ownZones, records] = await Promise.all([
    db.select().from(clients).where(eq(clients.id, clientId)),
    db.select().from(sites).where(eq(sites.clientId, clientId)),
    db.select().from(siteNames).where(eq(siteNames.clientId, clientId)),
    db.select().from(schedules).where(eq(schedules.clientId, clientId)),
    db.select().from(databases).where(eq(databases.clientId, clientId)),
    db.select(account).from(databaseAccounts).where(inArray(databaseAccounts.databaseId, theirDatabases)),
    db.select(sftp).from(sftpAccounts).where(eq(sftpAccounts.clientId, clientId)),
    db.select().from(zones).where(eq(zones.clientId, clientId)),
    db.select().from(rrsets).where(inArray(rrsets.zoneId, theirZones)),
  ])
  const all = {
    client,
    sites: ownSites,
    names,
    tasks,
    databases: held,
    accounts,
    logins,
    zones: ownZones,
    records,
  }
  return `${JSON.stringify(all, null, 1)}\n`
}
