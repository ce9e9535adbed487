import { and, eq, inArray, ne } from 'drizzle-orm'
import { type FollowedDefaults, nodes, rrsets, siteNames, sites, zones } from '../../schema/tables.ts'
import type { Client, Owner } from '../clients.ts'
import type { WriteCtx } from '../context.ts'
import { AppError } from '../errors.ts'
import { parentNames, reversedName } from '../names.ts'
import { consumptionOf, planOf, requireRoom } from '../plans.ts'
import { nextId } from '../row-id.ts'
import { requireNamesFree, type Site } from '../sites.ts'
import { hiddenBy, storeRrsets, zonesBelow } from './records.ts'
import { nextSerial } from './serial.ts'
import { bareZone, siteZone, type ZoneDefaults } from './template.ts'
import { publishZone, retireZone } from './zones.ts'

export type WantedZone = { name: string; template: 'sitio' | 'vacia'; force: boolean }

/**
 * Adds a zone to a client after checking its name and the plan, and queues its publication. 409
 * `ya_existe` for a zone that the client has, `dominio_ocupado` for one whose names are another's or are
 * records of the client's own zone above. Asked for by `askForNewZone`.
 */
export async function createZone(ctx: WriteCtx, client: Client, wanted: WantedZone): Promise<void> {
  await requireNamesFree(ctx, namesIn(wanted), client, wanted.force)
  requireRoom(await planOf(ctx.tx, client), await consumed(ctx, client), 'zonas', 1)
  const withWww = await servesWww(ctx, client, wanted.name)
  await insertZone(ctx, client, { name: wanted.name, template: wanted.template, siteId: null, withWww })
}

/** Asks at once for all that `createZone` looks at; the client may be foreseen. */
export function askForNewZone(ctx: WriteCtx, client: Owner, wanted: WantedZone): Promise<void> {
  return ctx.tx.ahead(
    () => requireNamesFree(ctx, namesIn(wanted), client, wanted.force),
    () => planOf(ctx.tx, client),
    () => consumed(ctx, client),
    () => servesWww(ctx, client, wanted.name),
    () => askForZone(ctx, client, wanted.name),
  )
}

/** Whether a site of the client is served under the `www` of a zone. */
async function servesWww({ tx }: WriteCtx, client: Pick<Owner, 'id'>, zone: string): Promise<boolean> {
  const row = await tx
    .select({ name: siteNames.name })
    .from(siteNames)
    .where(and(eq(siteNames.name, `www.${zone}`), eq(siteNames.clientId, client.id)))
    .get()
  return row !== undefined
}

const namesIn = ({ name }: WantedZone) => [{ field: 'zona', name }]

const consumed = (ctx: WriteCtx, client: Pick<Owner, 'id'>) =>
  consumptionOf(ctx.tx, client.id, ctx.now().toISOString().slice(0, 10))

/**
 * The zone that a new site brings along, from the template (contract section 5), unless its name lies in
 * a zone of the client. Not to be called where the plan has no room for another zone: the site does
 * without then, its name may well be served elsewhere. `withWww` where the client is served under that too.
 */
export async function addSiteZone(
  ctx: WriteCtx,
  client: Client,
  site: Site,
  withWww: boolean,
): Promise<void> {
  if (await coveringZone(ctx, site.domain)) return
  await insertZone(ctx, client, { name: site.domain, template: 'sitio', siteId: site.id, withWww })
}

/** Asks at once for all that `addSiteZone` looks at. */
export function askForSiteZone(ctx: WriteCtx, client: Pick<Owner, 'node'>, domain: string): Promise<void> {
  return ctx.tx.ahead(
    () => coveringZone(ctx, domain),
    () => askForZone(ctx, client, domain),
  )
}

const coveringZone = ({ tx }: WriteCtx, domain: string) =>
  tx
    .select({ id: zones.id })
    .from(zones)
    .where(and(inArray(zones.name, [domain, ...parentNames(domain)]), eq(zones.state, 'activa')))
    .get()

/**
 * Takes the zone that came with a site out with it, unless the customer changed it or another of the
 * client's sites has its name there.
 */
export async function removeSiteZone(ctx: WriteCtx, client: Client, site: Site): Promise<void> {
  const [zone, others] = await Promise.all([
    ctx.tx
      .select()
      .from(zones)
      .where(and(eq(zones.siteId, site.id), eq(zones.customised, false), eq(zones.state, 'activa')))
      .get(),
    ctx.tx
      .select({ name: siteNames.name })
      .from(siteNames)
      .innerJoin(sites, eq(sites.id, siteNames.siteId))
      .where(
        and(eq(siteNames.clientId, client.id), ne(siteNames.siteId, site.id), ne(sites.state, 'eliminando')),
      ),
  ])
  if (!zone) return
  if (others.some(({ name }) => name === zone.name || name.endsWith(`.${zone.name}`))) return
  retireZone(ctx, client, zone)
}

type Insert = { name: string; template: WantedZone['template']; siteId: number | null; withWww: boolean }

async function insertZone(ctx: WriteCtx, client: Client, wanted: Insert): Promise<void> {
  const { name } = wanted
  await requireOwnNamesFree(ctx, name)
  const defaults = await defaultsOf(ctx, client)
  const records =
    wanted.template === 'sitio' ? siteZone(name, defaults, wanted.withWww) : bareZone(name, defaults)
  const hidden = hiddenBy(await zonesBelow(ctx, { name }), name)
  const visible = records.filter((rrset) => !hidden(rrset))
  const { addresses, nameServers } = defaults
  const followed = { addresses, nameServers, apex: wanted.template === 'sitio' }
  const id = await rowFor(ctx, client, { ...wanted, followed })
  storeRrsets(
    ctx,
    id,
    visible.map((rrset) => ({ ...rrset, origin: 'sistema' as const })),
  )
  publishZone(ctx, client, name)
}

/**
 * A new row, or the client's own that was on its way out: its removal, when it runs, finds that it is
 * wanted again. Names of other clients were refused before; the database's key has the last word.
 */
async function rowFor(
  ctx: WriteCtx,
  client: Client,
  { name, siteId, followed }: Insert & { followed: FollowedDefaults },
): Promise<number> {
  const now = ctx.now()
  const old = await rowOf(ctx, name)
  if (old && (old.state === 'activa' || old.clientId !== client.id)) throw new AppError('ya_existe')
  if (old) {
    await ctx.tx.delete(rrsets).where(eq(rrsets.zoneId, old.id))
    const again = { state: 'activa' as const, siteId, followed, customised: false, dnssec: false, ds: [] }
    const serial = nextSerial(old.serial, now)
    await ctx.tx
      .update(zones)
      .set({ ...again, serial, error: null, updatedAt: now })
      .where(eq(zones.id, old.id))
    return old.id
  }
  const id = await nextId(ctx.tx, 'zones')
  ctx.tx.later(
    ctx.tx.insert(zones).values({
      id,
      clientId: client.id,
      name,
      reversed: reversedName(name),
      node: client.node,
      serial: nextSerial(null, now),
      siteId,
      followed,
      createdAt: now,
      updatedAt: now,
    }),
  )
  return id
}

const rowOf = ({ tx }: WriteCtx, name: string) => tx.select().from(zones).where(eq(zones.name, name)).get()

/** Asks at once for all that inserting a zone looks at. */
function askForZone(ctx: WriteCtx, client: Pick<Owner, 'node'>, name: string): Promise<void> {
  return ctx.tx.ahead(
    () => requireOwnNamesFree(ctx, name),
    () => defaultsOf(ctx, client),
    () => zonesBelow(ctx, { name }),
    () => rowOf(ctx, name),
    () => nextId(ctx.tx, 'zones'),
  )
}

/** A zone must not silence records of the client's own zone above, which it would answer in place of. */
async function requireOwnNamesFree(ctx: WriteCtx, name: string): Promise<void> {
  const above = await ctx.tx
    .select({ zone: zones.name, rrset: rrsets })
    .from(zones)
    .innerJoin(rrsets, eq(rrsets.zoneId, zones.id))
    .where(inArray(zones.name, parentNames(name)))
  if (above.some(({ zone, rrset }) => hiddenBy([name], zone)(rrset))) throw new AppError('dominio_ocupado')
}

/** Addresses and name servers of the client's node. */
async function defaultsOf(ctx: WriteCtx, client: Pick<Owner, 'node'>): Promise<ZoneDefaults> {
  if (ctx.config.node === client.node) return ctx.config
  const row = await ctx.tx.select().from(nodes).where(eq(nodes.name, client.node)).get()
  return row ?? ctx.config
}
