import { and, asc, eq, gt } from 'drizzle-orm'
import { clients, nodes, plans, sftpAccounts, sites, usage } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import { requireClient } from '../clients/decide.ts'
import type { RunCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { pageOf, wireTime } from '../endpoint/page.ts'
import { isFull } from '../plans/full.ts'
import type { Db } from '../store/database.ts'
import { both, mapped, type Reading, reading } from '../store/reading.ts'
import { stateOf } from './decide.ts'
import type { AccountView } from './shapes.ts'

/** An account with what its state depends on. */
const columns = {
  account: sftpAccounts,
  site: sites.domain,
  client: { name: clients.name, state: clients.state },
  plan: plans,
  used: { diskBytes: usage.diskBytes, inodes: usage.inodes },
}

const selectAccounts = (db: Db) =>
  db
    .select(columns)
    .from(sftpAccounts)
    .innerJoin(clients, eq(clients.id, sftpAccounts.clientId))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .leftJoin(usage, eq(usage.clientId, clients.id))
    .leftJoin(sites, eq(sites.id, sftpAccounts.siteId))

type Row = Awaited<ReturnType<ReturnType<typeof selectAccounts>['all']>>[number]

function accountView({ account, site, client, plan, used }: Row): AccountView {
  const { passwordHash, passwordCreatedAt } = account
  return {
    cuenta: account.name,
    sitio: site,
    llaves: account.keys.map(({ fingerprint, type, comment }) => ({
      huella: fingerprint,
      tipo: type,
      comentario: comment,
    })),
    contrasena:
      passwordHash === null || passwordCreatedAt === null
        ? null
        : { creada: wireTime(passwordCreatedAt), ultimo_uso: wireTime(account.passwordUsedAt) },
    ultimo_acceso: wireTime(account.lastSessionAt),
    estado: stateOf(account, {
      suspended: client.state === 'suspendido',
      included: !plan || plan.functions.includes('sftp'),
      full: isFull(plan, used),
    }),
  }
}

/** The view of one account; else 404 `cuenta_no_existe`. */
export function accountReading(
  { tx, actor }: Pick<RunCtx, 'tx' | 'actor'>,
  name: string,
): Reading<AccountView> {
  return reading(selectAccounts(tx).where(and(eq(sftpAccounts.name, name), visibleTo(actor))), ([row]) => {
    if (!row) throw new AppError('cuenta_no_existe')
    return accountView(row)
  })
}

/** A page of a client's accounts, and where they sign in. */
export function accountsReading(
  { tx, actor, config }: Pick<RunCtx, 'tx' | 'actor' | 'config'>,
  client: string,
  { desde, limite }: { desde?: string | undefined; limite: number },
) {
  const server = reading(
    tx
      .select({ node: nodes })
      .from(clients)
      .leftJoin(nodes, eq(nodes.name, clients.node))
      .where(and(eq(clients.name, client), visibleTo(actor))),
    ([row]) => serverView(requireClient(row).node, config.host),
  )
  const rows = reading(
    selectAccounts(tx)
      .where(
        and(
          eq(clients.name, client),
          visibleTo(actor),
          desde === undefined ? undefined : gt(sftpAccounts.name, desde),
        ),
      )
      .orderBy(asc(sftpAccounts.name))
      .limit(limite + 1),
    (found) => pageOf(found, limite, ({ account }) => account.name, accountView),
  )
  return mapped(both(server, rows), ([servidor, listed]) => ({ ...listed, servidor }))
}

/** What the client's node last reported. */
function serverView(node: typeof nodes.$inferSelect | null, fallback: string) {
  const told = node?.capacity?.sftp
  if (!told) return null
  const host = node?.origin ? new URL(node.origin).hostname : fallback
  return { host, puerto: told.port, huellas: told.fingerprints }
}
