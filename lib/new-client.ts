import { eq, or } from 'drizzle-orm'
import { clients, nodes } from '../schema/tables.ts'
import type { Client } from './clients.ts'
import type { WriteCtx } from './context.ts'
import { AppError } from './errors.ts'
import { isAbsent, requirePresent } from './nodes.ts'
import { findPlan } from './plans.ts'
import { nextId } from './row-id.ts'

export type NewClient = {
  cliente: string
  referencia?: string | null | undefined
  nombre?: string | null | undefined
  correo?: string | null | undefined
  plan?: string | null | undefined
  idioma?: 'es' | 'en' | undefined
  nodo?: string | undefined
}

/**
 * Creates a client, or finds the one that the same reference and name already made. A name that is
 * taken is 409 `ya_existe`, a reference of another client 409 `referencia_en_conflicto`. Asked for by
 * `askForClient`.
 */
export async function createClient(
  ctx: WriteCtx,
  wanted: NewClient,
): Promise<{ client: Client; isNew: boolean }> {
  const reference = wanted.referencia ?? null
  const clashes = await clashesOf(ctx, wanted)
  const existing = clashes.find(
    (row) => reference !== null && row.reference === reference && row.name === wanted.cliente,
  )
  if (existing) {
    if (existing.state === 'eliminando') throw new AppError('cliente_eliminandose')
    return { client: existing, isNew: false }
  }
  if (clashes.some((row) => reference !== null && row.reference === reference)) {
    throw new AppError('referencia_en_conflicto')
  }
  if (clashes.length > 0) throw new AppError('ya_existe')
  return { client: await insertClient(ctx, wanted), isNew: true }
}

/** Asks at once for all that creating a client looks at. */
export function askForClient(ctx: WriteCtx, wanted: NewClient): Promise<void> {
  return ctx.tx.ahead(
    () => clashesOf(ctx, wanted),
    async () => wanted.plan && findPlan(ctx.tx, wanted.plan, 409),
    () => nodeFor(ctx, wanted.nodo),
    () => nextId(ctx.tx, 'clients'),
  )
}

function clashesOf({ tx }: WriteCtx, { cliente, referencia = null }: NewClient) {
  const same = referencia === null ? undefined : eq(clients.reference, referencia)
  return tx
    .select()
    .from(clients)
    .where(or(eq(clients.name, cliente), same))
}

/** The row of a client whose name and reference are known to be free. */
export async function insertClient(ctx: WriteCtx, wanted: NewClient): Promise<Client> {
  const plan = wanted.plan ? await findPlan(ctx.tx, wanted.plan, 409) : null
  const now = ctx.now()
  const client: Client = {
    id: await nextId(ctx.tx, 'clients'),
    name: wanted.cliente,
    reference: wanted.referencia ?? null,
    displayName: wanted.nombre ?? null,
    email: wanted.correo ?? null,
    language: wanted.idioma ?? 'es',
    state: 'activo',
    reason: null,
    suspendedAt: null,
    planId: plan?.id ?? null,
    node: await nodeFor(ctx, wanted.nodo),
    createdBy: ctx.actor.kind === 'token' ? 'token' : 'persona',
    createdAt: now,
    updatedAt: now,
  }
  ctx.tx.later(ctx.tx.insert(clients).values(client))
  // Nothing of it is on the node yet: its first site brings user, pool and directories.
  return client
}

/** A node creates for itself; a function host for the node named, or for the only one there is. */
async function nodeFor(ctx: WriteCtx, named: string | undefined): Promise<string> {
  const here = ctx.config.node
  if (here !== null) {
    if (named !== undefined && named !== here) throw new AppError('cliente_en_otro_nodo', { nodo: named })
    await requirePresent(ctx, here)
    return here
  }
  const known = await ctx.tx.select({ name: nodes.name, seenAt: nodes.seenAt }).from(nodes)
  const chosen = named ?? (known.length === 1 ? known[0]?.name : undefined)
  const row = known.find(({ name }) => name === chosen)
  if (!row) throw new AppError('nodo_no_existe', {}, { status: 409 })
  if (isAbsent(row.seenAt, ctx.now())) throw new AppError('nodo_ausente', { nodo: row.name })
  return row.name
}
