import { and, eq, sql } from 'drizzle-orm'
import { clients, databaseAccounts, databases, plans } from '../../schema/tables.ts'
import { type ClientId, visibleTo } from '../clients/clients.ts'
import { type Client, elsewhere } from '../clients/decide.ts'
import type { Actor, ReadCtx, WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { DatabaseServer } from '../endpoint/ports/databases.ts'
import { nodeFacts } from '../nodes/facts.ts'
import type { Plan } from '../plans/decide.ts'
import { roomFacts } from '../plans/room.ts'
import type { Db, Tx } from '../store/database.ts'
import { type Database, decideDump, type NewDatabaseFacts } from './decide.ts'
import { accountName } from './names.ts'

export async function newDatabaseFacts(
  ctx: WriteCtx,
  client: ClientId,
  name: string,
): Promise<NewDatabaseFacts> {
  const [existing, room, nodes] = await Promise.all([
    ctx.tx.select().from(databases).where(eq(databases.name, name)).get(),
    roomFacts(ctx, client),
    nodeFacts(ctx),
  ])
  return { existing, room, nodes, exhausted: ctx.driver?.exhausted() ?? null }
}

/** A base by name with its client, as far as the actor may know of it. */
export const databaseNamed = (
  db: Db,
  actor: Actor,
  name: string,
): Promise<{ database: Database; client: Client } | undefined> =>
  db
    .select({ database: databases, client: clients })
    .from(databases)
    .innerJoin(clients, eq(clients.id, databases.clientId))
    .where(and(eq(databases.name, name), visibleTo(actor)))
    .get()

/** A base with its client and its plan, to be looked into. */
export async function databaseToView(
  { tx, actor, audit }: Pick<ReadCtx, 'tx' | 'actor' | 'audit'>,
  name: string,
): Promise<{ database: Database; client: Client; plan: Plan | null } | undefined> {
  const found = await tx
    .select({ database: databases, client: clients, plan: plans })
    .from(databases)
    .innerJoin(clients, eq(clients.id, databases.clientId))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .where(and(eq(databases.name, name), visibleTo(actor)))
    .get()
  if (found) Object.assign(audit, { client: found.client.name, target: found.database.name })
  return found
}

/** A base of this node to be read as a whole, and the server that has it. */
export async function databaseToDump(
  ctx: Pick<ReadCtx, 'tx' | 'actor' | 'audit' | 'driver' | 'config'>,
  name: string,
): Promise<{ database: Database; server: DatabaseServer }> {
  const found = await databaseNamed(ctx.tx, ctx.actor, name)
  if (found) Object.assign(ctx.audit, { client: found.client.name, target: found.database.name })
  const { database, client } = decideDump(found, ctx.config.node)
  if (!ctx.driver) throw elsewhere(client)
  if (!ctx.driver.databases) throw new AppError('bases_no_disponible')
  return { database, server: ctx.driver.databases }
}

/** Whether a base of this name has room for an account, and what that is called in whole. */
export async function accountFacts(
  tx: Tx,
  base: string,
  suffix: string,
): Promise<{ name: string; taken: boolean; count: number }> {
  const held = tx
    .select({ id: databases.id, client: clients.name })
    .from(databases)
    .innerJoin(clients, eq(clients.id, databases.clientId))
    .where(eq(databases.name, base))
    .get()
  const [owner, count, like] = await Promise.all([
    held,
    tx
      .select({ count: sql<number>`count(*)` })
      .from(databaseAccounts)
      .innerJoin(databases, eq(databases.id, databaseAccounts.databaseId))
      .where(eq(databases.name, base))
      .get(),
    // Few end so, whoever they belong to: the whole name stands on the client's.
    tx
      .select({ name: databaseAccounts.name })
      .from(databaseAccounts)
      .where(sql`${databaseAccounts.name} like ${`%\\_${suffix}`} escape '\\'`),
  ])
  const name = accountName(owner?.client ?? '', suffix)
  return { name, taken: like.some((one) => one.name === name), count: count?.count ?? 0 }
}

/** An account with a password of a base, by its whole name. */
export const accountOf = (db: Db, base: string, name: string) =>
  db
    .select({ id: databaseAccounts.id, name: databaseAccounts.name })
    .from(databaseAccounts)
    .innerJoin(databases, eq(databases.id, databaseAccounts.databaseId))
    .where(and(eq(databases.name, base), eq(databaseAccounts.name, name)))
    .get()
