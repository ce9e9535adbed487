import { and, eq, inArray, like, or, sql } from 'drizzle-orm'
import { rrsets, siteNames, sites, zones } from '../../schema/tables.ts'
import type { Client } from '../clients.ts'
import type { WriteCtx } from '../context.ts'
import { storeRrsets } from './records.ts'
import { nextSerial } from './serial.ts'
import { publishZone, type Zone } from './zones.ts'

const WWW = 'www.'
const ADDRESSES = ['A', 'AAAA']

/** The `www` of a name; null where it is one already, or would be too long for a name (RFC 1035 section 2.3.4). */
export const wwwOf = (name: string): string | null =>
  name.startsWith(WWW) || name.length + WWW.length > 253 ? null : `${WWW}${name}`

/** The site's domain and names that it may gain: what `followWww` asks for stands on these alone. */
export type AskedNames = { domain: string; names: string[] }
export type NamesChange = AskedNames & { added: string[]; removed: string[] }

/**
 * Adds and removes the panel's own `www` records with the names that a site gains and loses: a zone publishes
 * `www` only where it is served. It points where the panel's apex does; what the customer set stays. To be
 * called before the names are written.
 */
export async function followWww(ctx: WriteCtx, client: Client, change: NamesChange): Promise<void> {
  const { added, removed } = change
  if (![...added, ...removed].some((name) => name.startsWith(WWW))) return
  const found = await zonesAround(ctx, change)
  const own = found.filter(({ zone }) => zone.clientId === client.id)
  const cut = new Set(found.map(({ zone }) => zone.name))
  for (const zone of new Map(own.map(({ zone }) => [zone.name, zone])).values()) {
    const www = `${WWW}${zone.name}`
    const records = own.flatMap(({ zone: one, rrset }) => (one.id === zone.id && rrset ? [rrset] : []))
    const system = records.filter(({ type, origin }) => ADDRESSES.includes(type) && origin === 'sistema')
    const apex = system.filter(({ name }) => name === '@')
    const mine = system.filter(({ name }) => name === 'www')
    // A zone of that very name answers for it, not the one above.
    if (
      added.includes(www) &&
      apex.length > 0 &&
      !cut.has(www) &&
      records.every(({ name }) => name !== 'www')
    ) {
      storeRrsets(
        ctx,
        zone.id,
        apex.map((rrset) => ({ ...rrset, name: 'www' })),
      )
      publishAnew(ctx, client, zone)
    } else if (removed.includes(www) && mine.length > 0) {
      const which = and(eq(rrsets.name, 'www'), inArray(rrsets.type, ADDRESSES), eq(rrsets.origin, 'sistema'))
      ctx.tx.later(ctx.tx.delete(rrsets).where(and(eq(rrsets.zoneId, zone.id), which)))
      publishAnew(ctx, client, zone)
    }
  }
}

/** Asks at once for all that `followWww` looks at. */
export const askForWww = (ctx: WriteCtx, asked: AskedNames): Promise<unknown> => zonesAround(ctx, asked)

function publishAnew(ctx: WriteCtx, client: Client, zone: Zone): void {
  const change = { serial: nextSerial(zone.serial, ctx.now()), updatedAt: ctx.now() }
  ctx.tx.later(ctx.tx.update(zones).set(change).where(eq(zones.id, zone.id)))
  publishZone(ctx, client, zone.name)
}

/** Zones that hold one of the names as their `www`, or are called so, with what they hold at the apex and there. */
async function zonesAround({ tx }: Pick<WriteCtx, 'tx'>, { domain, names }: AskedNames) {
  const whole = [...new Set(names.filter((name) => name.startsWith(WWW)))]
  const site = tx.select({ id: sites.id }).from(sites).where(eq(sites.domain, domain))
  const present = and(inArray(siteNames.siteId, site), like(siteNames.name, `${WWW}%`))
  const below = tx.select({ name: siteNames.name }).from(siteNames).where(present)
  const above = tx
    .select({ name: sql`substr(${siteNames.name}, 5)` })
    .from(siteNames)
    .where(present)
  return tx
    .select({ zone: zones, rrset: rrsets })
    .from(zones)
    .leftJoin(rrsets, and(eq(rrsets.zoneId, zones.id), inArray(rrsets.name, ['@', 'www'])))
    .where(
      and(
        eq(zones.state, 'activa'),
        or(
          inArray(zones.name, [...whole, ...whole.map((name) => name.slice(WWW.length))]),
          inArray(zones.name, below),
          inArray(zones.name, above),
        ),
      ),
    )
}
