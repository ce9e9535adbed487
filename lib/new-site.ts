import { eq } from 'drizzle-orm'
import { sites } from '../schema/tables.ts'
import type { Client, Owner } from './clients.ts'
import type { WriteCtx } from './context.ts'
import { addSiteZone, askForSiteZone } from './dns/new-zone.ts'
import { askForWww, followWww, wwwOf } from './dns/www.ts'
import { AppError } from './errors.ts'
import { requirePresent } from './nodes.ts'
import { offersOf } from './offers.ts'
import { consumptionOf, hasRoom, planOf, requireRoom, requireSpace } from './plans.ts'
import { nextId } from './row-id.ts'
import {
  addSite,
  heldOf,
  namesOf,
  requireDistinct,
  requireNamesFree,
  type Site,
  setAliases,
} from './sites.ts'

/** `aliases` left out: `www` of the domain, where it is free and the plan has room (contract section 3). */
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
  await requirePresent(ctx, client.node)
  requireDistinct(ctx, wanted.domain, wanted.aliases ?? [])
  await requireNamesFree(ctx, namesIn(wanted), client, wanted.force, askedNames(wanted))
  const { plan, consumed } = await stateOf(ctx, client)
  requireRoom(plan, consumed, 'sitios', 1)
  requireRoom(plan, consumed, 'aliases', wanted.aliases?.length ?? 0)
  requireSpace(plan, consumed)
  // Known before anything is changed; where the rest runs out meanwhile, the node's work undoes the site.
  const recurso = ctx.driver?.exhausted() ?? null
  if (recurso !== null) throw new AppError('sin_espacio', { recurso, usado: null, limite: null })
  const held = await heldOf(ctx.tx, askedNames(wanted))
  const aliases =
    wanted.aliases ?? (hasRoom(plan, consumed, 'aliases') ? await defaultAliases(ctx, client, wanted) : [])
  const names = [wanted.domain, ...aliases]
  if (held.some(({ name }) => names.includes(name))) throw new AppError('dominio_ocupado')
  await followWww(ctx, client, { ...askedFor(wanted), added: names, removed: [] })
  const php = await defaultPhp(ctx, client, plan)
  const site = await addSite(ctx, client, { domain: wanted.domain, aliases, php })
  const served = [...names, ...held.flatMap(({ name, clientId }) => (clientId === client.id ? [name] : []))]
  const withWww = served.includes(`www.${wanted.domain}`)
  if (hasRoom(plan, consumed, 'zonas')) await addSiteZone(ctx, client, site, withWww)
  return { site, isNew: true }
}

/** The `www` of a domain where nothing stands against it: it is a gift, so no reason for a refusal. */
async function defaultAliases(ctx: WriteCtx, client: Client, wanted: WantedSite): Promise<string[]> {
  const www = wwwOf(wanted.domain)
  if (www === null) return []
  const held = await heldOf(ctx.tx, askedNames(wanted))
  if (held.some(({ name }) => name === www)) return []
  const asked = [{ field: 'aliases.0', name: www }]
  try {
    await requireNamesFree(ctx, asked, client, wanted.force, askedNames(wanted))
    return [www]
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

/** Asks at once for all that creating a site looks at; the client may be foreseen. */
export function askForSite(ctx: WriteCtx, client: Owner, wanted: WantedSite): Promise<void> {
  const { tx } = ctx
  return tx.ahead(
    () => siteWith(ctx, wanted.domain),
    () => requirePresent(ctx, client.node),
    () => requireNamesFree(ctx, namesIn(wanted), client, wanted.force, askedNames(wanted)),
    () => heldOf(tx, askedNames(wanted)),
    () => stateOf(ctx, client),
    () => offersOf(ctx, client),
    () => nextId(tx, 'sites'),
    () => askForSiteZone(ctx, client, wanted.domain),
    () => askForWww(ctx, askedFor(wanted)),
  )
}

/** The names that a site is asked for with, and its `www`, which it may get or another of the client's may have. */
export function askedNames({ domain, aliases = [] }: Pick<WantedSite, 'domain' | 'aliases'>): string[] {
  const www = wwwOf(domain)
  return [...new Set([domain, ...aliases, ...(www === null ? [] : [www])])]
}

const askedFor = (wanted: WantedSite) => ({ domain: wanted.domain, names: askedNames(wanted) })

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
 * Gives a site these aliases in place of its own, under the same rules; the zone's `www` follows. What is
 * refused is named by its place in `aliases`. `order` is the one to keep them in; `asked` are the names that
 * were asked for, by `askForAliases` or `askForSite`, the new ones among them.
 */
export async function replaceAliases(
  ctx: WriteCtx,
  { site, client }: { site: Site; client: Client },
  aliases: string[],
  { order = aliases, asked = aliases }: { order?: string[]; asked?: string[] } = {},
): Promise<void> {
  requireDistinct(ctx, site.domain, aliases)
  const known = new Set(await namesOf(ctx.tx, site.domain))
  const added = aliases.flatMap((name, i) => (known.has(name) ? [] : [{ field: `aliases.${i}`, name }]))
  await requireNamesFree(ctx, added, client, false, asked)
  const { plan, consumed } = await stateOf(ctx, client)
  requireRoom(plan, consumed, 'aliases', aliases.length - (known.size - 1))
  const held = await heldOf(ctx.tx, asked)
  if (added.some(({ name }) => held.some((one) => one.name === name))) throw new AppError('dominio_ocupado')
  await followWww(ctx, client, {
    domain: site.domain,
    names: asked,
    added: added.map(({ name }) => name),
    removed: [...known].filter((name) => name !== site.domain && !aliases.includes(name)),
  })
  await setAliases(ctx, site, order)
}

/** Asks at once for all that checking new aliases looks at; the client may be foreseen. */
export function askForAliases(ctx: WriteCtx, client: Owner, domain: string, asked: string[]): Promise<void> {
  return ctx.tx.ahead(
    () => namesOf(ctx.tx, domain),
    () => requireNamesFree(ctx, [], client, false, asked),
    () => stateOf(ctx, client),
    () => heldOf(ctx.tx, asked),
    () => askForWww(ctx, { domain, names: asked }),
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
