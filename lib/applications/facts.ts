import { and, eq, inArray, isNotNull, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { applications, clients, databases, persons, sites } from '../../schema/tables.ts'
import { type ClientId, visibleTo } from '../clients/clients.ts'
import type { Ctx, WriteCtx } from '../endpoint/context.ts'
import { nodeFacts } from '../nodes/facts.ts'
import { clientsPlan, roomFacts } from '../plans/room.ts'
import { newSiteFacts, ownerOf } from '../sites/facts.ts'
import type { Db } from '../store/database.ts'
import type { ApplicationFacts, InstallationFacts } from './decide.ts'
import type { CloneFacts } from './decide-copies.ts'

/** What clones were copied from. */
const originals = alias(sites, 'originals')

/** Sites with their clients and applications. */
export const selectApplications = (db: Db, which: SQL | undefined) =>
  db
    .select({ site: sites, client: clients, application: applications, original: originals.domain })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .leftJoin(applications, eq(applications.siteId, sites.id))
    .leftJoin(originals, eq(originals.id, applications.cloneOf))
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
    datadatabasesOf(ctx.tx, owner),
  ])
  return { found, room, nodes, held, exhausted: ctx.driver?.exhausted() ?? null }
}

/** The address of a site's customer who has signed in, which a link that was sent there has proven. */
export const confirmedLogins = ({ tx }: WriteCtx, domain: string) =>
  tx
    .select({ email: persons.email })
    .from(persons)
    .where(and(eq(persons.clientId, ownerOf(tx, domain)), isNotNull(persons.passwordHash)))

/** An application with the plan of its client. */
export async function updateFacts(ctx: WriteCtx, domain: string) {
  const [found, plan] = await Promise.all([
    applicationFacts(ctx, domain),
    clientsPlan(ctx.tx, ownerOf(ctx.tx, domain)),
  ])
  return { found, plan }
}

/** What a copy of an application into another site stands on. */
export async function cloneFacts(
  ctx: WriteCtx,
  domain: string,
  wanted: { domain: string },
): Promise<CloneFacts> {
  const owner = ownerOf(ctx.tx, domain)
  const asked = { domain: wanted.domain, aliases: [], force: false }
  const [installation, names, target] = await Promise.all([
    installationFacts(ctx, domain),
    newSiteFacts(ctx, owner, asked),
    selectApplications(ctx.tx, eq(sites.domain, wanted.domain)).get(),
  ])
  return { ...installation, names, target }
}

/** A clone and the application that it was copied from, with the plan of their client. */
export async function publicationFacts(ctx: WriteCtx, domain: string) {
  const original = ctx.tx
    .select({ id: applications.cloneOf })
    .from(applications)
    .innerJoin(sites, eq(sites.id, applications.siteId))
    .where(eq(sites.domain, domain))
  const [{ found, plan }, target] = await Promise.all([
    updateFacts(ctx, domain),
    selectApplications(ctx.tx, inArray(sites.id, original)).get(),
  ])
  return { found, plan, target }
}

const datadatabasesOf = (db: Db, client: ClientId) =>
  db.select({ name: databases.name }).from(databases).where(eq(databases.clientId, client))
