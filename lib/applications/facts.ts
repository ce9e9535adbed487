import { and, eq, type SQL } from 'drizzle-orm'
import { applications, clients, databases, sites } from '../../schema/tables.ts'
import { type ClientId, visibleTo } from '../clients/clients.ts'
import type { Ctx, WriteCtx } from '../endpoint/context.ts'
import { nodeFacts } from '../nodes/facts.ts'
import { clientsPlan, roomFacts } from '../plans/room.ts'
import { ownerOf } from '../sites/facts.ts'
import type { Db } from '../store/database.ts'
import type { ApplicationFacts, InstallationFacts } from './decide.ts'

/** Sites with their clients and applications. */
export const selectApplications = (db: Db, which: SQL | undefined) =>
  db
    .select({ site: sites, client: clients, application: applications })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .leftJoin(applications, eq(applications.siteId, sites.id))
    .where(which)

/** A site whose application is asked for; undefined where the actor may not know of it. */
export async function applicationFacts(
  { tx, actor, audit }: Pick<Ctx, 'tx' | 'actor' | 'audit'>,
  domain: string,
): Promise<ApplicationFacts | undefined> {
  const found = await selectApplications(tx, and(eq(sites.domain, domain), visibleTo(actor))).get()
  if (found) Object.assign(audit, { client: found.client.name, target: found.site.domain })
  return found
}

export async function installationFacts(ctx: WriteCtx, domain: string): Promise<InstallationFacts> {
  const owner = ownerOf(ctx.tx, domain)
  const [found, room, nodes, held] = await Promise.all([
    applicationFacts(ctx, domain),
    roomFacts(ctx, owner),
    nodeFacts(ctx),
    databasesOf(ctx.tx, owner),
  ])
  return { found, room, nodes, held, exhausted: ctx.driver?.exhausted() ?? null }
}

/** An application with the plan of its client. */
export async function updateFacts(ctx: WriteCtx, domain: string) {
  const [found, plan] = await Promise.all([
    applicationFacts(ctx, domain),
    clientsPlan(ctx.tx, ownerOf(ctx.tx, domain)),
  ])
  return { found, plan }
}

const databasesOf = (db: Db, client: ClientId) =>
  db.select({ name: databases.name }).from(databases).where(eq(databases.clientId, client))
