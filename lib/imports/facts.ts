import { and, eq, inArray } from 'drizzle-orm'
import { databases, jobs, schedules, sites } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { NewZoneFacts } from '../dns/decide-zone.ts'
import { newZoneFacts } from '../dns/new-zone.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { nodeOf } from '../nodes/decide.ts'
import { nodeFacts } from '../nodes/facts.ts'
import { type Room, roomFacts } from '../plans/room.ts'
import type { NewSiteFacts } from '../sites/decide.ts'
import { newSiteFacts } from '../sites/facts.ts'
import type { Db } from '../store/database.ts'
import { hostName } from '../text/host-names.ts'
import type { ReadContents } from './archives/contents.ts'
import { newNames } from './archives/database-names.ts'
import { IMPORT_KIND } from './kind.ts'

/** What an import stands on: what the client has, and for each name in the archive what stands against it. */
export type ImportFacts = {
  client: Client
  room: Room
  sites: Map<string, NewSiteFacts>
  zones: Map<string, NewZoneFacts>
  /** Databases of these names, whoever they belong to. */
  databases: { name: string; clientId: number }[]
  tasks: { domain: string; pattern: string; argv: string[] }[]
  /** PHP versions of the node, the oldest first. */
  php: string[]
  addresses: string[]
  hasDatabases: boolean
}

/** All that decides on an archive for a client, in one round trip. */
export async function importFacts(ctx: WriteCtx, client: Client, found: ReadContents): Promise<ImportFacts> {
  const [room, nodes, held, tasks, siteFacts, zoneFacts] = await Promise.all([
    roomFacts(ctx, client.id),
    nodeFacts(ctx),
    databasesNamed(ctx.tx, newNames(client.name, found.databases)),
    tasksOf(ctx.tx, client),
    siteFactsOf(ctx, client, found),
    zoneFactsOf(ctx, client, found),
  ])
  const { offers, addresses } = nodeOf(nodes, client.node)
  return {
    ...{ client, room, tasks, addresses },
    sites: new Map(siteFacts),
    zones: new Map(zoneFacts),
    databases: held,
    php: offers?.php ?? [],
    hasDatabases: Boolean(offers?.databases),
  }
}

const databasesNamed = (db: Db, names: string[]) =>
  db
    .select({ name: databases.name, clientId: databases.clientId })
    .from(databases)
    .where(inArray(databases.name, names))

const tasksOf = (db: Db, { id }: Client) =>
  db
    .select({ domain: sites.domain, pattern: schedules.pattern, argv: schedules.argv })
    .from(schedules)
    .innerJoin(sites, eq(sites.id, schedules.siteId))
    .where(eq(schedules.clientId, id))

const hosts = (names: string[]) => [...new Set(names.flatMap((one) => hostName(one) ?? []))]

/** For each domain the names of all sites that say they have it. */
function siteFactsOf(ctx: WriteCtx, client: Client, { sites: found }: ReadContents) {
  const domains = hosts(found.map(({ domain }) => domain))
  return Promise.all(
    domains.map(async (domain): Promise<[string, NewSiteFacts]> => {
      const own = found.filter((one) => hostName(one.domain) === domain)
      const aliases = hosts(own.flatMap((one) => one.aliases))
      return [domain, await newSiteFacts(ctx, client.id, { domain, aliases, force: false })]
    }),
  )
}

function zoneFactsOf(ctx: WriteCtx, client: Client, { zones }: ReadContents) {
  return Promise.all(
    hosts(zones.map(({ name }) => name)).map(async (name): Promise<[string, NewZoneFacts]> => {
      return [name, await newZoneFacts(ctx, client.id, { name, force: false })]
    }),
  )
}

/** A client's import that waits or runs. */
export const openImport = (db: Db, client: string) =>
  db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.kind, IMPORT_KIND),
        eq(jobs.clientName, client),
        inArray(jobs.state, ['pendiente', 'en_curso']),
      ),
    )
    .get()
