import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { backupDestinations, clients, copies, databases, jobs, plans, sites } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import { isCustomer } from '../endpoint/access.ts'
import type { Ctx, WriteCtx } from '../endpoint/context.ts'
import { RESTORE_KIND } from '../nodes/unrestored.ts'
import { type Budget, chargeOne, usedOf, waitFor } from '../store/counters.ts'
import type { Db } from '../store/database.ts'
import { ASKED_A_DAY, COPY_KIND, type CopyFacts, type RemovalFacts } from './decide.ts'
import { isThere } from './destination/destination.ts'

const underWay = (kind: string) => sql<number>`(select count(*) from ${jobs} where ${jobs.kind} = ${kind}
  and ${jobs.subject} = 'copias:' || ${clients.id} and ${jobs.state} in ('pendiente', 'en_curso'))`

/** A client, where its copies go, and one of them. */
export const selectCopyFacts = (
  db: Db,
  { client, copy }: { client: SQL | undefined; copy?: string | undefined },
): Promise<CopyFacts | undefined> =>
  db
    .select({
      client: clients,
      plan: plans,
      destination: backupDestinations.node,
      copy: copies,
      waiting: underWay(COPY_KIND),
      restoring: underWay(RESTORE_KIND),
    })
    .from(clients)
    .leftJoin(plans, eq(plans.id, clients.planId))
    .leftJoin(backupDestinations, eq(backupDestinations.node, clients.node))
    .leftJoin(
      copies,
      copy === undefined ? sql`0` : and(eq(copies.clientId, clients.id), eq(copies.id, copy), isThere),
    )
    .where(client)
    .get()

/** Whose a site or a database is, for these facts. */
export const ownerOfSite = (db: Db, domain: string): SQL =>
  inArray(clients.id, db.select({ id: sites.clientId }).from(sites).where(eq(sites.domain, domain)))
export const ownerOfBase = (db: Db, name: string): SQL =>
  inArray(clients.id, db.select({ id: databases.clientId }).from(databases).where(eq(databases.name, name)))

/** What decides whether a removal of what this client owns is copied first. */
export async function removalFacts(
  { tx, now }: Pick<WriteCtx, 'tx' | 'now'>,
  owner: SQL,
): Promise<RemovalFacts | undefined> {
  const id = tx.select({ id: clients.id }).from(clients).where(owner)
  const [facts, { used }] = await Promise.all([
    selectCopyFacts(tx, { client: owner }),
    usedOf(tx, { name: sql`${REMOVED} || (${id})`, windowSeconds: DAY_SECONDS }, now()),
  ])
  return facts && { ...facts, removed: used }
}

const REMOVED = 'copias_antes:'

/** Counts a removal that is copied first for a customer. */
export const chargeRemoval = ({ tx, now }: Pick<WriteCtx, 'tx' | 'now'>, { id }: { id: number }) =>
  chargeOne(tx, { name: `${REMOVED}${id}` }, now())

/** The same of what a request names. */
export async function copyFacts(
  { tx, actor, audit }: Pick<Ctx, 'tx' | 'actor' | 'audit'>,
  named: { client: string; copy?: string },
): Promise<CopyFacts | undefined> {
  const which = and(eq(clients.name, named.client), visibleTo(actor))
  const facts = await selectCopyFacts(tx, { client: which, copy: named.copy })
  if (facts)
    Object.assign(audit, { client: facts.client.name, ...(named.copy ? { target: named.copy } : {}) })
  return facts
}

const DAY_SECONDS = 86_400

const asked = (client: string): Budget => ({
  ...{ name: `copias:${client}`, limit: ASKED_A_DAY },
  windowSeconds: DAY_SECONDS,
})

/** How many seconds a client waits before more copies and restores of it may be asked for. */
export async function waitToAsk({ tx, now }: Pick<WriteCtx, 'tx' | 'now'>, client: string): Promise<number> {
  const moment = now()
  return waitFor(asked(client), await usedOf(tx, asked(client), moment), moment)
}

/** Counts what a customer asked for. */
export function countAsked({ tx, now, actor }: Pick<WriteCtx, 'tx' | 'now' | 'actor'>, client: string): void {
  if (isCustomer(actor)) tx.later(chargeOne(tx, asked(client), now()))
}

/** A base that is to be replaced; whose it is, is decided with the copy. */
export const restoredBase = async ({ tx }: Pick<Ctx, 'tx'>, name: string | undefined) =>
  name === undefined
    ? undefined
    : tx
        .select({ id: databases.id, clientId: databases.clientId, loading: databases.loading })
        .from(databases)
        .where(eq(databases.name, name))
        .get()

/** Of each node the client whose last good copy is the oldest. */
export function oldestCopies(db: Db) {
  const copied = lastCopies(db, null)
  // SQLite takes the other columns from the row that has the minimum.
  return db
    .select({ node: copied.node, client: copied.name, since: sql<number>`min(${copied.since})` })
    .from(copied)
    .groupBy(copied.node)
}

/**
 * The active clients that are copied, each with the moment of its last good copy where copies go now; before the first
 * one, with the moment since which it could have had one. A subquery; clients of all nodes if none is named.
 */
export function lastCopies(db: Db, node: string | null) {
  // Stands as in the condition of its index.
  const good = sql`(select max(${copies.startedAt}) from ${copies}
    where ${copies.clientId} = ${clients.id} and ${copies.state} = 'completa' and ${copies.whole} = 1 and ${isThere})`
  const begun = sql`max(${clients.createdAt}, ${backupDestinations.checkedAt})`
  const included = sql`exists (select 1 from json_each(${plans.functions}) where value = 'copias')`
  return db
    .select({
      name: clients.name,
      node: clients.node,
      since: sql<number>`coalesce(${good}, ${begun})`.as('since'),
      good: sql<number | null>`${good}`.as('good'),
    })
    .from(clients)
    .innerJoin(backupDestinations, eq(backupDestinations.node, clients.node))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .where(
      and(
        eq(clients.state, 'activo'),
        or(isNull(plans.functions), included),
        node === null ? undefined : eq(clients.node, node),
      ),
    )
    .as('last_copies')
}
