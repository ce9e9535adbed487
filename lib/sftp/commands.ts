import { eq } from 'drizzle-orm'
import { sftpAccounts } from '../../schema/tables.ts'
import { clientSync } from '../clients/clients.ts'
import type { Client } from '../clients/decide.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import type { Query } from '../store/reading.ts'
import { queueJob } from '../work/jobs.ts'
import type { Account } from './decide.ts'

/** Writes an account without any credential: nobody can sign in with it yet. */
export const queueNewAccount = (
  ctx: WriteCtx,
  client: Client,
  account: { name: string; clientId: number; siteId: number | null },
): Query[] => [
  ctx.tx.insert(sftpAccounts).values({ ...account, keys: [], createdAt: ctx.now() }),
  queueSync(ctx, client),
]

type Credentials = Partial<Pick<Account, 'keys' | 'passwordHash' | 'passwordCreatedAt' | 'passwordUsedAt'>>

/** Sets how an account signs in; the node ends the sessions of whatever was taken away. */
export const queueCredentials = (
  ctx: WriteCtx,
  { client, account }: { client: Client; account: Account },
  set: Credentials,
): Query[] => [
  ctx.tx.update(sftpAccounts).set(set).where(eq(sftpAccounts.id, account.id)),
  queueSync(ctx, client),
]

export const queueRemoval = (
  ctx: WriteCtx,
  { client, account }: { client: Client; account: Account },
): Query[] => [ctx.tx.delete(sftpAccounts).where(eq(sftpAccounts.id, account.id)), queueSync(ctx, client)]

/** Accounts are part of what a node holds of a client. */
const queueSync = (ctx: WriteCtx, client: Client): Query => queueJob(ctx, clientSync(client))
