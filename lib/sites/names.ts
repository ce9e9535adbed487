import { asc, eq, inArray, sql } from 'drizzle-orm'
import { siteNames, sites, zones } from '../../schema/tables.ts'
import type { ClientId } from '../clients/clients.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { nodeFacts } from '../nodes/facts.ts'
import { heldAbove } from '../proof/held.ts'
import type { Db } from '../store/database.ts'
import { readNow } from '../store/reading.ts'
import { childRange, parentNames } from '../text/host-names.ts'
import type { NameFacts } from './decide-names.ts'

/** Names that a client wants. `force` lifts the two rules that an admin may (docs/api.md, "Names"). */
export type AskedNames = { names: readonly string[]; force: boolean }

export async function nameFacts(
  ctx: WriteCtx,
  client: ClientId,
  { names, force }: AskedNames,
): Promise<NameFacts> {
  const [nodes, foreign, above] = await Promise.all([
    nodeFacts(ctx),
    force ? [] : foreignNames(ctx.tx, client, names),
    readNow(ctx.tx, heldAbove(ctx.tx, client, names)),
  ])
  return { ...nodes, foreign: new Set(foreign), above }
}

/** The names are one parameter, since a site may have a thousand. */
async function foreignNames(db: Db, client: ClientId, names: readonly string[]): Promise<string[]> {
  const list = names.map((name) => ({ name, related: [name, ...parentNames(name)], ...childRange(name) }))
  const asked = sql`json_each(${JSON.stringify(list)}) as asked`
  const holds = (table: typeof siteNames | typeof zones) => sql`exists (
    select 1 from ${table} where ${table.clientId} is not ${client} and (
      ${table.name} in (select value from json_each(asked.value, '$.related')) or
      (${table.reversed} >= asked.value ->> 'from' and ${table.reversed} < asked.value ->> 'to')))`
  const rows = await db
    .select({ name: sql<string>`asked.value ->> 'name'` })
    .from(asked)
    .where(sql`${holds(siteNames)} or ${holds(zones)}`)
  return rows.map(({ name }) => name)
}

/**
 * Those of these names that sites have, and the client of each. In a write transaction nobody can take another one
 * meanwhile.
 */
export function heldOf(db: Db, names: readonly string[]): Promise<{ name: string; clientId: number }[]> {
  return db
    .select({ name: siteNames.name, clientId: siteNames.clientId })
    .from(siteNames)
    .where(inArray(siteNames.name, [...names]))
}

/** The names of the site with this domain, the domain first. */
export async function namesOf(db: Db, domain: string): Promise<string[]> {
  const id = db.select({ id: sites.id }).from(sites).where(eq(sites.domain, domain))
  const rows = await db
    .select({ name: siteNames.name })
    .from(siteNames)
    .where(inArray(siteNames.siteId, id))
    .orderBy(asc(siteNames.position))
  return rows.map(({ name }) => name)
}
