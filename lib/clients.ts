import { and, eq, type SQL, sql } from 'drizzle-orm'
import { clients, persons, plans, sites } from '../schema/tables.ts'
import type { Actor, Ctx, WriteCtx } from './context.ts'
import type { Db } from './database.ts'
import { AppError } from './errors.ts'
import { enqueueAndWait } from './jobs.ts'
import { wireTime } from './page.ts'
import { type Reading, reading } from './reading.ts'
import type { ClientView } from './shapes.ts'

export type Client = typeof clients.$inferSelect

/** The clients an actor may see: all for an operator, its own for a customer. Stands in every WHERE. */
export function visibleTo(actor: Actor) {
  if (actor.kind === 'session' && actor.role === 'client') return eq(clients.id, actor.client?.id ?? -1)
  return sql`1`
}

/** A client by name, as far as the actor may know of it; else 404 `cliente_no_existe`, the same for both. */
export async function findClient(db: Db, actor: Actor, name: string): Promise<Client> {
  const row = await db
    .select()
    .from(clients)
    .where(and(eq(clients.name, name), visibleTo(actor)))
    .get()
  if (!row) throw new AppError('cliente_no_existe')
  return row
}

/**
 * A client that the path names, to be changed here: not on another node (409 `cliente_en_otro_nodo`),
 * not on its way out.
 */
export async function clientToChange(ctx: WriteCtx, name: string): Promise<Client> {
  const client = await findClient(ctx.tx, ctx.actor, name)
  requireHere(ctx, client)
  return client
}

/** The same for a client that the body names: its absence is a missing prerequisite, 409. */
export async function clientNamedInBody(ctx: WriteCtx, name: string): Promise<Client> {
  try {
    return await clientToChange(ctx, name)
  } catch (error) {
    if (!(error instanceof AppError) || error.codigo !== 'cliente_no_existe') throw error
    throw new AppError('cliente_no_existe', {}, { status: 409 })
  }
}

/** What of a client the checks of a change stand on. */
export type Owner = Pick<Client, 'id' | 'planId' | 'node'>

/** The client that fits, for reads made ahead of finding it. */
export function foreseenOwner({ tx, config }: WriteCtx, which: SQL): Owner {
  const id = tx.select({ id: clients.id }).from(clients).where(which)
  const planId = tx.select({ planId: clients.planId }).from(clients).where(which)
  const node = tx.select({ node: clients.node }).from(clients).where(which)
  return {
    id: tx.foresee(id),
    planId: tx.foresee(planId),
    // On a node a client of another one is refused.
    node: config.node ?? tx.foresee(node),
  }
}

/** Refuses work on a client of another node, or on one that is being deleted. */
export function requireHere(ctx: Pick<Ctx, 'config'>, client: Client): void {
  if (ctx.config.node !== null && client.node !== ctx.config.node) {
    throw new AppError('cliente_en_otro_nodo', { nodo: client.node })
  }
  if (client.state === 'eliminando') throw new AppError('cliente_eliminandose')
}

/** The jobs of one client run in order: they share its user, pools and directories. */
export const clientSubject = (client: { id: number }) => `cliente:${client.id}`

/** Queues the work that makes the node hold a client as the database describes it. */
export function applyClient(ctx: WriteCtx, client: Client): void {
  enqueueAndWait(ctx, {
    kind: 'cliente.aplicar',
    node: client.node,
    subject: clientSubject(client),
    client: client.name,
  })
}

/** What a client's row and its surroundings need for its view; used by listings and single reads alike. */
export const clientColumns = {
  name: clients.name,
  reference: clients.reference,
  displayName: clients.displayName,
  email: clients.email,
  state: clients.state,
  reason: clients.reason,
  suspendedAt: clients.suspendedAt,
  plan: plans.name,
  node: clients.node,
  createdBy: clients.createdBy,
  createdAt: clients.createdAt,
  updatedAt: clients.updatedAt,
  personId: persons.id,
  passwordHash: sql<number>`${persons.passwordHash} is not null`,
  totp: sql<number>`${persons.totpSecret} is not null`,
  sites: sql<number>`(select count(*) from ${sites} where ${sites.clientId} = ${clients.id} and ${sites.state} <> 'eliminando')`,
}

/** All that a view of clients is selected from. */
export function selectClients(db: Db) {
  return db
    .select(clientColumns)
    .from(clients)
    .leftJoin(plans, eq(plans.id, clients.planId))
    .leftJoin(persons, eq(persons.clientId, clients.id))
}

type ClientRow = Awaited<ReturnType<ReturnType<typeof selectClients>['all']>>[number]

/** The client as it is returned (contract section 2). */
export function clientView(row: ClientRow): ClientView {
  return {
    cliente: row.name,
    referencia: row.reference,
    nombre: row.displayName,
    correo: row.email,
    estado: row.state,
    motivo: row.reason,
    suspendido_desde: wireTime(row.suspendedAt),
    plan: row.plan,
    nodo: row.node,
    creado_por: row.createdBy,
    acceso: row.personId === null ? 'sin_acceso' : row.passwordHash && row.totp ? 'activo' : 'pendiente',
    sitios: row.sites,
    creado: wireTime(row.createdAt),
    actualizado: wireTime(row.updatedAt),
  }
}

/** The view of one client by name, as far as the actor may know of it; else 404 `cliente_no_existe`. */
export function clientReading({ tx, actor }: Pick<Ctx, 'tx' | 'actor'>, name: string): Reading<ClientView> {
  return reading(selectClients(tx).where(and(eq(clients.name, name), visibleTo(actor))), ([row]) => {
    if (!row) throw new AppError('cliente_no_existe')
    return clientView(row)
  })
}
