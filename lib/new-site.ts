import { eq } from 'drizzle-orm'
import { sites } from '../schema/tables.ts'
import type { Client, Owner } from './clients.ts'
import type { WriteCtx } from './context.ts'
import { addSiteZone, askForSiteZone } from './dns/new-zone.ts'
import { AppError } from './errors.ts'
import { offersOf } from './offers.ts'
import { consumptionOf, limitsOf, planOf, requireRoom, requireSpace } from './plans.ts'
import { nextId } from './row-id.ts'
import { addSite, heldOf, namesOf, requireDistinct, requireNamesFree, type Site } from './sites.ts'

export type WantedSite = { domain: string; aliases: string[] | undefined; force: boolean }

/**
 * Creates a client's site after checking its names, the plan's limits and the space left; or finds the
 * one that the same client already has for the domain. Its aliases stay as they are then. Asked for by
 * `askForSite`.
 */
export async function createSite(
  ctx: WriteCtx,
  client: Client,
  wanted: WantedSite,
): Promise<{ site: Site; isNew: boolean }> {
  const existing = await siteWith(ctx, wanted.domain)
  if (existing) {
    if (existing.clientId !== client.id || existing.state === 'eliminando')
      throw new AppError('dominio_ocupado')
    return { site: existing, isNew: false }
  }
  const aliases = wanted.aliases ?? []
  requireDistinct(ctx, wanted.domain, aliases)
  await requireNamesFree(ctx, namesIn(wanted), client, wanted.force)
  const { plan, consumed } = await stateOf(ctx, client)
  requireRoom(plan, consumed, 'sitios', 1)
  requireRoom(plan, consumed, 'aliases', aliases.length)
  requireSpace(plan, consumed)
  // Known before anything is changed; where the rest runs out meanwhile, the node's work undoes the site.
  const recurso = ctx.driver?.exhausted() ?? null
  if (recurso !== null) throw new AppError('sin_espacio', { recurso, usado: null, limite: null })
  const site = await addSite(ctx, client, {
    domain: wanted.domain,
    aliases,
    php: await defaultPhp(ctx, client, plan),
  })
  const zonesLeft = limitsOf(plan).zonas === null || consumed.zonas < (limitsOf(plan).zonas ?? 0)
  if (zonesLeft) await addSiteZone(ctx, client, site)
  return { site, isNew: true }
}

/** Asks at once for all that creating a site looks at; the client may be foreseen. */
export function askForSite(ctx: WriteCtx, client: Owner, wanted: WantedSite): Promise<void> {
  const { tx } = ctx
  return tx.ahead(
    () => siteWith(ctx, wanted.domain),
    () => requireNamesFree(ctx, namesIn(wanted), client, wanted.force),
    () => heldOf(tx, [wanted.domain, ...(wanted.aliases ?? [])]),
    () => stateOf(ctx, client),
    () => offersOf(ctx, client),
    () => nextId(tx, 'sites'),
    () => askForSiteZone(ctx, client, wanted.domain),
  )
}

const siteWith = ({ tx }: WriteCtx, domain: string) =>
  tx.select().from(sites).where(eq(sites.domain, domain)).get()

const namesIn = ({ domain, aliases = [] }: WantedSite) => [
  { field: 'domain', name: domain },
  ...aliases.map((name, i) => ({ field: `aliases.${i}`, name })),
]

/** What a client may have and what it has. */
async function stateOf(ctx: WriteCtx, client: Owner) {
  const [plan, consumed] = await Promise.all([
    planOf(ctx.tx, client),
    consumptionOf(ctx.tx, client.id, ctx.now().toISOString().slice(0, 10)),
  ])
  return { plan, consumed }
}

/**
 * Checks a site's new aliases under the same rules. `asked` are the names that were asked for, by
 * `askForAliases` or `askForSite`, the new ones among them.
 */
export async function checkNewAliases(
  ctx: WriteCtx,
  client: Client,
  site: Site,
  aliases: string[],
  asked = aliases,
): Promise<void> {
  requireDistinct(ctx, site.domain, aliases)
  const known = new Set(await namesOf(ctx.tx, site.domain))
  const added = aliases.flatMap((name, i) => (known.has(name) ? [] : [{ field: `aliases.${i}`, name }]))
  await requireNamesFree(ctx, added, client, false, asked)
  const { plan, consumed } = await stateOf(ctx, client)
  requireRoom(plan, consumed, 'aliases', aliases.length - (known.size - 1))
  const held = await heldOf(ctx.tx, asked)
  if (added.some(({ name }) => held.includes(name))) throw new AppError('dominio_ocupado')
}

/** Asks at once for all that checking new aliases looks at; the client may be foreseen. */
export function askForAliases(ctx: WriteCtx, client: Owner, domain: string, asked: string[]): Promise<void> {
  return ctx.tx.ahead(
    () => namesOf(ctx.tx, domain),
    () => requireNamesFree(ctx, [], client, false, asked),
    () => stateOf(ctx, client),
    () => heldOf(ctx.tx, asked),
  )
}

/** The newest PHP of the node, where it has one and the plan includes it. */
async function defaultPhp(
  ctx: WriteCtx,
  client: Client,
  plan: { functions: string[] } | null,
): Promise<string | null> {
  if (plan && !plan.functions.includes('php')) return null
  return (await offersOf(ctx, client))?.php.at(-1) ?? null
}
