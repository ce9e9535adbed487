import { and, eq, type SQL, sql } from 'drizzle-orm'
import { clients, databases, plans, sites } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import type { Ctx } from '../endpoint/context.ts'
import type { Db } from '../store/database.ts'
import type { LoadFacts } from './decide.ts'

const OTHERS = sql<number>`(select coalesce(sum(other.bytes), 0) from databases other where other.client_id = ${databases.clientId} and other.id <> ${databases.id})`

/** A base, and one of its client's sites. */
export const selectLoad = (
  db: Db,
  { base, site }: { base: SQL | undefined; site: SQL },
): Promise<LoadFacts | undefined> =>
  db
    .select({ database: databases, client: clients, plan: plans, site: sites, others: OTHERS })
    .from(databases)
    .innerJoin(clients, eq(clients.id, databases.clientId))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .leftJoin(sites, and(eq(sites.clientId, clients.id), site))
    .where(base)
    .get()

/** A base that a dump in a site is to be loaded into; undefined where the actor may not know of it. */
export async function loadFacts(
  { tx, actor, audit }: Pick<Ctx, 'tx' | 'actor' | 'audit'>,
  wanted: { base: string; domain: string },
): Promise<LoadFacts | undefined> {
  const base = and(eq(databases.name, wanted.base), visibleTo(actor))
  const facts = await selectLoad(tx, { base, site: eq(sites.domain, wanted.domain) })
  if (facts) Object.assign(audit, { client: facts.client.name, target: facts.database.name })
  return facts
}
