import { eq } from 'drizzle-orm'
import { databaseAccounts, databases } from '../../schema/tables.ts'
import { databasesSync } from '../clients/clients.ts'
import type { Client } from '../clients/decide.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import type { Query } from '../store/reading.ts'
import { type NewJob, queueJob } from '../work/jobs.ts'
import type { Database } from './decide.ts'

export const queueNewDatabase = (ctx: WriteCtx, client: Client, name: string): Query[] => [
  ctx.tx.insert(databases).values({ clientId: client.id, name, state: 'preparando', createdAt: ctx.now() }),
  queueDatabasesSync(ctx, client),
]

const queueDatabasesSync = (ctx: WriteCtx, client: Client): Query => queueJob(ctx, databasesSync(client))

/** Takes a base out of the panel; its row goes once its dump lies in the bin. */
export const queueDatabaseLeaving = (ctx: WriteCtx, database: Database): Query =>
  ctx.tx.update(databases).set({ state: 'eliminando' }).where(eq(databases.id, database.id))

/** The job that removes a database for good. */
export const databaseRemoval = (client: Client, { name }: Pick<Database, 'name'>): NewJob => ({
  ...databasesSync(client),
  kind: 'base.eliminar',
  target: name,
})

export type NewAccount = { name: string; hash: string; readOnly: boolean }

export const queueNewAccount = (
  ctx: WriteCtx,
  { client, database }: { client: Client; database: Database },
  account: NewAccount,
): Query[] => [
  ctx.tx.insert(databaseAccounts).values({ ...account, databaseId: database.id, createdAt: ctx.now() }),
  queueDatabasesSync(ctx, client),
]

export const queueAccountRemoval = (ctx: WriteCtx, client: Client, account: { id: number }): Query[] => [
  ctx.tx.delete(databaseAccounts).where(eq(databaseAccounts.id, account.id)),
  queueDatabasesSync(ctx, client),
]
