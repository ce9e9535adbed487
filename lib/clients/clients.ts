import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { clients } from '../../schema/tables.ts'
import { isCustomer } from '../endpoint/access.ts'
import type { Actor, Ctx, WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Db } from '../store/database.ts'
import { enqueueAndWait, type NewJob } from '../work/jobs.ts'
import { type Client, requireChangeable, requireClient } from './decide.ts'

/** The clients that an actor may see: all for an operator, its own for a customer. Part of every WHERE. */
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

/** The id of a client by name, for questions that are asked beside the one for the client. */
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

/** A client by id, or by a query for its id that runs within another query; no such client has nothing. */
export type ClientId = number | SQLWrapper

/** A client as a query for its id, for questions asked beside the one for the client. */
export const clientWhere = (db: Db, which: SQL): ClientId =>
  db.select({ id: clients.id }).from(clients).where(which)

/** The jobs of one client run one at a time: they share its user, pools and directories. */
export const clientSubject = (client: { id: number }) => `cliente:${client.id}`

/** The id of the client whom a job under its subject is for. */
export const clientIdOf = (job: { subject: string }) => Number(job.subject.split(':')[1])

/** The work that makes the node hold a client as the database describes it. */
export const clientSync = ({ id, name, node }: Pick<Client, 'id' | 'name' | 'node'>): NewJob => ({
  kind: 'cliente.aplicar',
  node,
  subject: clientSubject({ id }),
  client: name,
})

/** The work that brings all bases and accounts of a client to what the database describes. */
export const databasesSync = (client: Pick<Client, 'id' | 'name' | 'node'>): NewJob => ({
  ...clientSync(client),
  kind: 'bases.aplicar',
})

/** Queues a client's own work, to be waited for. */
export function enqueueClientSync(ctx: WriteCtx, client: Client): void {
  enqueueAndWait(ctx, clientSync(client))
}
