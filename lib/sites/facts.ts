import { and, eq } from 'drizzle-orm'
import { clients, sites } from '../../schema/tables.ts'
import { type ClientId, visibleTo } from '../clients/clients.ts'
import { type Client, requireChangeable } from '../clients/decide.ts'
import { servedBelow, zonePlace } from '../dns/new-zone.ts'
import type { Actor, WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { roomFacts } from '../plans/room.ts'
import type { Db } from '../store/database.ts'
import { nextId } from '../store/row-id.ts'
import type { NamesFacts, NewSiteFacts, Site } from './decide.ts'
import { askedNames } from './decide-names.ts'
import { aroundFacts } from './name-records.ts'
import { heldOf, nameFacts, namesOf } from './names.ts'

/** A site by domain with its client, if there is one that the actor may see. */
export const visibleSite = (db: Db, actor: Actor, domain: string) =>
  db
    .select({ site: sites, client: clients })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .where(and(eq(sites.domain, domain), visibleTo(actor)))
    .get()

/** The same; 404 `sitio_no_existe` if there is none. */
export async function findSite(
  db: Db,
  actor: Actor,
  domain: string,
): Promise<{ site: Site; client: Client }> {
  const row = await visibleSite(db, actor, domain)
  if (!row) throw new AppError('sitio_no_existe')
  return row
}

/** A site that may be changed here: its client is on this node, and it is not being deleted. */
export async function siteToChange(ctx: WriteCtx, domain: string): Promise<{ site: Site; client: Client }> {
  const { site, client } = await findSite(ctx.tx, ctx.actor, domain)
  Object.assign(ctx.audit, { client: client.name, target: site.domain })
  requireChangeable(client, ctx.config.node)
  if (site.state === 'eliminando') throw new AppError('sitio_no_existe')
  return { site, client }
}

/** A subquery for the client whose site this is. */
export const ownerOf = (db: Db, domain: string): ClientId =>
  db.select({ id: sites.clientId }).from(sites).where(eq(sites.domain, domain))

type Asked = { domain: string; names: readonly string[]; force: boolean }

export async function namesFacts(ctx: WriteCtx, client: ClientId, asked: Asked): Promise<NamesFacts> {
  const { domain, names: wanted } = asked
  const [names, held, present, room, around] = await Promise.all([
    nameFacts(ctx, client, asked),
    heldOf(ctx.tx, wanted),
    namesOf(ctx.tx, domain),
    roomFacts(ctx, client),
    aroundFacts(ctx.tx, domain, wanted),
  ])
  return { names, held, present, room, around }
}

export async function newSiteFacts(
  ctx: WriteCtx,
  client: ClientId,
  wanted: { domain: string; aliases: string[] | undefined; force: boolean },
): Promise<NewSiteFacts> {
  const { tx } = ctx
  const [facts, existing, place, served, id] = await Promise.all([
    namesFacts(ctx, client, { ...wanted, names: askedNames(wanted) }),
    tx.select().from(sites).where(eq(sites.domain, wanted.domain)).get(),
    zonePlace(tx, wanted.domain),
    servedBelow(tx, client, wanted.domain),
    nextId(tx, 'sites'),
  ])
  // Read before anything is changed. If the node runs out of space later, the job removes the site again.
  return { ...facts, existing, exhausted: ctx.driver?.exhausted() ?? null, place, served, nextId: id }
}
