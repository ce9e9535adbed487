import { and, eq, ne } from 'drizzle-orm'
import { clients, sftpAccounts, sites } from '../../schema/tables.ts'
import { clientNamed, idOfClient, visibleTo } from '../clients/clients.ts'
import { type Client, requireChangeable } from '../clients/decide.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { roomFacts } from '../plans/room.ts'
import type { Account, NewAccount, NewAccountFacts } from './decide.ts'

/** All that `decideAccount` stands on, and the client. */
export async function newAccountFacts(
  ctx: WriteCtx,
  client: string,
  wanted: NewAccount,
): Promise<{ client: Client; facts: NewAccountFacts }> {
  const { tx } = ctx
  const id = idOfClient(tx, client)
  const [found, room, namesake, site] = await Promise.all([
    clientNamed(ctx, client),
    roomFacts(ctx, id),
    tx
      .select({ id: sftpAccounts.id })
      .from(sftpAccounts)
      .where(eq(sftpAccounts.name, wanted.name ?? client))
      .get(),
    wanted.site === undefined ? undefined : ownSite(tx, id, wanted.site),
  ])
  ctx.audit.client = client
  return { client: requireChangeable(found, ctx.config.node), facts: { room, namesake, site } }
}

const ownSite = (tx: WriteCtx['tx'], client: ReturnType<typeof idOfClient>, domain: string) =>
  tx
    .select({ id: sites.id })
    .from(sites)
    .where(and(eq(sites.domain, domain), eq(sites.clientId, client), ne(sites.state, 'eliminando')))
    .get()

/** An account that the path names, to be changed here; 404 for the client, then for the account. */
export async function accountToChange(
  ctx: WriteCtx,
  named: { client: string; account: string },
): Promise<{ client: Client; account: Account }> {
  const row = await ctx.tx
    .select({ client: clients, account: sftpAccounts })
    .from(clients)
    .leftJoin(sftpAccounts, and(eq(sftpAccounts.clientId, clients.id), eq(sftpAccounts.name, named.account)))
    .where(and(eq(clients.name, named.client), visibleTo(ctx.actor)))
    .get()
  const client = requireChangeable(row?.client, ctx.config.node)
  Object.assign(ctx.audit, { client: client.name, target: named.account })
  if (!row?.account) throw new AppError('cuenta_no_existe')
  return { client, account: row.account }
}
