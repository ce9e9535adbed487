import type { clients } from '../../schema/tables.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Presence } from '../nodes/decide.ts'
import { type Plan, requirePlan } from '../plans/decide.ts'

export type Client = typeof clients.$inferSelect

/**
 * The client, or 404 `cliente_no_existe`, which is the same for a client that does not exist and one that the actor
 * may not see.
 */
export function requireClient<C>(found: C | undefined): C {
  if (!found) throw new AppError('cliente_no_existe')
  return found
}

/**
 * Throws 409 `cliente_en_otro_nodo` unless the client is on this node; `here` is null on a host that serves all
 * nodes.
 */
export function requireOwnNode(client: Pick<Client, 'node'>, here: string | null): void {
  if (here !== null && client.node !== here) throw elsewhere(client)
}

/** 409: the request needs the client's own node, and this host is not it. */
export const elsewhere = (client: Pick<Client, 'node'>) =>
  new AppError('cliente_en_otro_nodo', { nodo: client.node })

/** A client that may be changed here: it exists, lives on this node, and is not being deleted. */
export function requireChangeable<C extends Pick<Client, 'node' | 'state' | 'moving'>>(
  found: C | undefined,
  here: string | null,
): C {
  const client = requireClient(found)
  requireOwnNode(client, here)
  if (client.state === 'eliminando') throw new AppError('cliente_eliminandose')
  requireAtRest(client)
  return client
}

/** 409 `en_mudanza` in the seconds in which a client changes its node: what was written now would be lost. */
export function requireAtRest({ moving }: Pick<Client, 'moving'>): void {
  if (moving) throw new AppError('en_mudanza')
}

/** `requireChangeable` for a client that was read together with its login. */
export function changeableWithLogin<F extends { client: Client }>(
  found: F | undefined,
  here: string | null,
): F {
  const known = requireClient(found)
  requireChangeable(known.client, here)
  return known
}

/** 409 `referencia_en_conflicto` where another client has the reference. */
export function requireReferenceFree(
  holder: { id: number } | undefined,
  own: { id: number } | undefined,
): void {
  if (holder && holder.id !== own?.id) throw new AppError('referencia_en_conflicto')
}

export type NewClient = {
  cliente: string
  referencia?: string | null | undefined
  nombre?: string | null | undefined
  correo?: string | null | undefined
  plan?: string | null | undefined
  idioma?: 'es' | 'en' | undefined
  nodo?: string | undefined
}

/** Clients with the wanted name or reference, the plan, and the nodes. */
export type NewClientFacts = { clashes: Client[]; plan: Plan | undefined; nodes: Presence }

/** The row of a new client; the database assigns the id. */
export type NewClientRow = Omit<Client, 'id'>

/**
 * The row of a new client, or the existing client with the same reference and name. 409 `ya_existe` for a name that
 * is taken, 409 `referencia_en_conflicto` for a reference of another client.
 */
export function decideNewClient(
  { clashes, plan, nodes }: NewClientFacts,
  wanted: NewClient,
  by: { here: string | null; now: Date; createdBy: Client['createdBy'] },
): { existing: Client } | { row: NewClientRow } {
  const namesake = clashes.find(({ name }) => name === wanted.cliente)
  const holder = wanted.referencia
    ? clashes.find(({ reference }) => reference === wanted.referencia)
    : undefined
  if (holder && holder.id === namesake?.id) {
    if (holder.state === 'eliminando') throw new AppError('cliente_eliminandose')
    return { existing: holder }
  }
  requireReferenceFree(holder, undefined)
  if (namesake) throw new AppError('ya_existe')
  const row: NewClientRow = {
    name: wanted.cliente,
    reference: wanted.referencia ?? null,
    displayName: wanted.nombre ?? null,
    email: wanted.correo ?? null,
    language: wanted.idioma ?? 'es',
    state: 'activo',
    reason: null,
    suspendedAt: null,
    planId: wanted.plan ? requirePlan(plan, wanted.plan, 409).id : null,
    node: decideNode(nodes, wanted.nodo, by.here),
    createdBy: by.createdBy,
    moving: false,
    createdAt: by.now,
    updatedAt: by.now,
  }
  return { row }
}

/**
 * The node of a new client: a node creates clients on itself; a function host on the node named, or on the only one
 * there is.
 */
function decideNode(nodes: Presence, named: string | undefined, here: string | null): string {
  if (named !== undefined) requireOwnNode({ node: named }, here)
  const chosen = here ?? named ?? (nodes.size === 1 ? [...nodes.keys()][0] : undefined)
  const node = chosen === undefined ? undefined : nodes.get(chosen)
  if (chosen === undefined || !node) throw new AppError('nodo_no_existe', {}, { status: 409 })
  if (!node.present) throw new AppError('nodo_ausente', { nodo: chosen })
  return chosen
}
