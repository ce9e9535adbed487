import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { clients } from '../../schema/tables.ts'
import { isCustomer } from '../endpoint/access.ts'
import type { Actor, Ctx, WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Db } from '../store/database.ts'
import { enqueueAndWait, type NewJob } from '../work/jobs.ts'
import { type Client, requireChangeable, requireClient } from './decide.ts'

/** The clients that an actor may see: all for an operator, only its own for a customer. Part of every WHERE. */
export const visibleTo = (actor: Actor) =>
  isCustomer(actor) ? eq(clients.id, actor.client?.id ?? -1) : sql`1`

/** A client by name, as far as the actor may know of it. */
export const clientNamed = (
  { tx, actor }: Pick<Ctx, 'tx' | 'actor'>,
  name: string,
): Promise<Client | undefined> =>
  tx
    .select()
    .from(clients)
    .where(and(eq(clients.name, name), visibleTo(actor)))
    .get()

/** The client that has this reference. */
export const clientWithReference = (db: Db, reference: string): Promise<Client | undefined> =>
  db.select().from(clients).where(eq(clients.reference, reference)).get()

/** The id of a client by name, for queries that run in the same round trip as the one for the client. */
export const idOfClient = (db: Db, name: string) =>
  db.select({ id: clients.id }).from(clients).where(eq(clients.name, name))

/** A client by name for a read; else 404 `cliente_no_existe`. */
export const findClient = async (ctx: Pick<Ctx, 'tx' | 'actor'>, name: string): Promise<Client> =>
  requireClient(await clientNamed(ctx, name))

/** A client that the path names, to be changed here: 404 or 409 where it may not be. */
export const clientToChange = async (ctx: WriteCtx, name: string): Promise<Client> =>
  requireChangeable(await clientNamed(ctx, name), ctx.config.node)

/** A client that the body names, to be changed here: its absence is a missing prerequisite, 409. */
export async function clientNamedInBody(ctx: WriteCtx, name: string): Promise<Client> {
  const client = await clientNamed(ctx, name)
  if (!client) throw new AppError('cliente_no_existe', {}, { status: 409 })
  return requireChangeable(client, ctx.config.node)
}

/** A client's id, or a subquery that yields it; if it yields no row, the outer query finds nothing. */
export type ClientId = number | SQLWrapper

/** A subquery for a client's id, for queries that run in the same round trip as the one for the client. */
export const clientWhere = (db: Db, which: SQL): ClientId =>
  db.select({ id: clients.id }).from(clients).where(which)

/** The jobs of one client run one at a time: they share its user, pools and directories. */
export const clientSubject = (client: { id: number }) => `cliente:${client.id}`

/** The id of the client whom a job under its subject is for. */
export const clientIdOf = (job: { subject: string }) => Number(job.subject.split(':')[1])

/** The job that makes the node's users, pools and sites of a client match the database. */
export const clientSync = ({ id, name, node }: Pick<Client, 'id' | 'name' | 'node'>): NewJob => ({
  kind: 'cliente.aplicar',
  node,
  subject: clientSubject({ id }),
  client: name,
})

/** The same for what a node holds otherwise: a site whose files are lost is left as it is, not served empty. */
export const clientRepair = (client: Pick<Client, 'id' | 'name' | 'node'>): NewJob => ({
  ...clientSync(client),
  payload: { leavesLost: true },
})

/** The job that makes all databases and accounts of a client match the panel's database. */
export const databasesSync = (client: Pick<Client, 'id' | 'name' | 'node'>): NewJob => ({
  ...clientSync(client),
  kind: 'bases.aplicar',
})

/** Queues a client's `cliente.aplicar`; the request's answer waits for it. */
export function enqueueClientSync(ctx: WriteCtx, client: Client): void {
  enqueueAndWait(ctx, clientSync(client))
}
