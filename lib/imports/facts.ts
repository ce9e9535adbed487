import { and, between, eq, inArray, isNotNull, type SQLWrapper, sql } from 'drizzle-orm'
import { databases, jobs, schedules, sites, zones } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { NewZoneFacts } from '../dns/decide-zone.ts'
import { newZoneFacts } from '../dns/new-zone.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import type { ImportOrigin } from '../endpoint/ports/imports.ts'
import { nodeOf } from '../nodes/decide.ts'
import { nodeFacts } from '../nodes/facts.ts'
import { type Room, roomFacts } from '../plans/room.ts'
import type { NewSiteFacts } from '../sites/decide.ts'
import { newSiteFacts } from '../sites/facts.ts'
import type { Db } from '../store/database.ts'
import { hostName } from '../text/host-names.ts'
import type { ReadContents } from './archives/contents.ts'
import { newNames } from './archives/database-names.ts'
import { IMPORT_KIND, importSubject } from './kind.ts'

/** What an import stands on: what the client has, and for each name in the archive what stands against it. */
export type ImportFacts = {
  client: Client
  room: Room
  sites: Map<string, NewSiteFacts>
  zones: Map<string, NewZoneFacts>
  /** Zones that an earlier run of the same import left as they came with its sites: their records are still to come. */
  unfilled: Set<string>
  /** Databases of these names, whoever they belong to. */
  databases: { name: string; clientId: number }[]
  tasks: { domain: string; pattern: string; argv: string[] }[]
  /** PHP versions of the node, the oldest first. */
  php: string[]
  addresses: string[]
  hasDatabases: boolean
}

type Asked = { client: Client; origin: ImportOrigin; file: string }

/** All that decides on an archive for a client, in one round trip. */
export async function importFacts(ctx: WriteCtx, asked: Asked, found: ReadContents): Promise<ImportFacts> {
  const { client } = asked
  const [room, nodes, held, tasks, siteFacts, zoneFacts, unfilled] = await Promise.all([
    roomFacts(ctx, client.id),
    nodeFacts(ctx),
    databasesNamed(ctx.tx, newNames(client.name, found.databases)),
    tasksOf(ctx.tx, client),
    siteFactsOf(ctx, client, found),
    zoneFactsOf(ctx, client, found),
    unfilledZones(ctx.tx, asked, zoneNames(found)),
  ])
  const { offers, addresses } = nodeOf(nodes, client.node)
  return {
    ...{ client, room, tasks, addresses },
    sites: new Map(siteFacts),
    zones: new Map(zoneFacts),
    unfilled: new Set(unfilled.map(({ name }) => name)),
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

const zoneNames = ({ zones }: ReadContents) => hosts(zones.map(({ name }) => name))

/** Those zones of a client that are as they came with a site which another run of this import made. */
const unfilledZones = (db: Db, { client, origin, file }: Asked, names: string[]) =>
  db
    .selectDistinct({ name: zones.name })
    .from(zones)
    .innerJoin(sites, eq(sites.id, zones.siteId))
    .innerJoin(jobs, between(sites.createdAt, jobs.createdAt, jobs.finishedAt))
    .where(
      and(
        ...[inArray(zones.name, names), eq(zones.clientId, client.id)],
        ...[eq(zones.state, 'activa'), eq(zones.customised, false)],
        ...[eq(jobs.kind, IMPORT_KIND), eq(jobs.subject, importSubject(client)), isNotNull(jobs.finishedAt)],
        ...[eq(jobs.target, file), eq(sql`json_extract(${jobs.payload}, '$.origin')`, origin)],
      ),
    )

/** Whether anything of these names that a client had is still being removed, as after an import that failed. */
export async function isBeingRemoved(db: Db, { id, name }: Client, found: ReadContents): Promise<boolean> {
  const domains = hosts(found.sites.map(({ domain }) => domain))
  const held = (named: SQLWrapper, names: string[], of: { clientId: SQLWrapper; state: SQLWrapper }) =>
    sql`${named} in (select value from json_each(${JSON.stringify(names)})) and ${of.clientId} = ${id} and ${of.state} = 'eliminando'`
  const [site, base] = await Promise.all([
    db
      .select({ id: sites.id })
      .from(sites)
      .where(held(sites.domain, domains, sites))
      .get(),
    db
      .select({ id: databases.id })
      .from(databases)
      .where(held(databases.name, newNames(name, found.databases), databases))
      .get(),
  ])
  return site !== undefined || base !== undefined
}

function zoneFactsOf(ctx: WriteCtx, client: Client, found: ReadContents) {
  return Promise.all(
    zoneNames(found).map(async (name): Promise<[string, NewZoneFacts]> => {
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
