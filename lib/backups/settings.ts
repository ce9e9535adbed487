import { getTableColumns as columnsOf, eq, inArray } from 'drizzle-orm'
import {
  applications,
  clients,
  databaseAccounts,
  databases,
  rrsets,
  schedules,
  sftpAccounts,
  siteGuards,
  siteNames,
  sites,
  zones,
} from '../../schema/tables.ts'
import type { Db } from '../store/database.ts'

/**
 * What a client has besides files and rows, as JSON: its sites, tasks, accounts and zones. Its one secret is the hash of the
 * passwords of protected paths, with which these come back.
 */
export async function settingsOf(db: Db, clientId: number): Promise<string> {
  const theirDatabases = db
    .select({ id: databases.id })
    .from(databases)
    .where(eq(databases.clientId, clientId))
  const theirZones = db.select({ id: zones.id }).from(zones).where(eq(zones.clientId, clientId))
  const { hash: _hash, ...account } = columnsOf(databaseAccounts)
  const { passwordHash: _password, ...sftp } = columnsOf(sftpAccounts)
  const theirSites = db.select({ id: sites.id }).from(sites).where(eq(sites.clientId, clientId))
  const [client, ownSites, names, tasks, guards, installed, ...rest] = await Promise.all([
    db.select().from(clients).where(eq(clients.id, clientId)),
    db.select().from(sites).where(eq(sites.clientId, clientId)),
    db.select().from(siteNames).where(eq(siteNames.clientId, clientId)).orderBy(siteNames.position),
    db.select().from(schedules).where(eq(schedules.clientId, clientId)),
    db.select().from(siteGuards).where(inArray(siteGuards.siteId, theirSites)),
    db.select().from(applications).where(eq(applications.clientId, clientId)),
    db.select().from(databases).where(eq(databases.clientId, clientId)),
    db.select(account).from(databaseAccounts).where(inArray(databaseAccounts.databaseId, theirDatabases)),
    db.select(sftp).from(sftpAccounts).where(eq(sftpAccounts.clientId, clientId)),
    db.select().from(zones).where(eq(zones.clientId, clientId)),
    db.select().from(rrsets).where(inArray(rrsets.zoneId, theirZones)),
  ])
  const [held, accounts, logins, ownZones, records] = rest
  const all = {
    client,
    sites: ownSites,
    names,
    tasks,
    guards,
    applications: installed,
    databases: held,
    accounts,
    logins,
    zones: ownZones,
    records,
  }
  return `${JSON.stringify(all, null, 1)}\n`
}
