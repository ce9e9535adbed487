import { eq, inArray, sql } from 'drizzle-orm'
import { clients, jobs, lostNodes, mails, nodes } from '../schema/tables.ts'
import type { WriteCtx } from './context.ts'
import type { Db } from './database.ts'
import { AppError } from './errors.ts'
import { wireTime } from './page.ts'
import type { NodeView } from './shapes.ts'
import { wordsIn } from './words.ts'

/** How often a node tells that it is there. */
export const BEAT_MS = 30_000
/** Three beats that did not come, and time for a late one. */
const ABSENT_MS = 3.5 * BEAT_MS

/** Whether a node is taken for gone. */
export const isAbsent = (seenAt: Date, now: Date): boolean => now.getTime() - seenAt.getTime() > ABSENT_MS

/** When a node was given up; null for all others. Such a one serves nothing and changes nothing. */
export async function givenUpAt(db: Db, node: string): Promise<Date | null> {
  const row = await db.select().from(lostNodes).where(eq(lostNodes.name, node)).get()
  return row?.givenUpAt ?? null
}

/**
 * Refuses new things for a node that would not do them: 409 `nodo_ausente`. One's own node is there, unless
 * it was given up and has not learnt it yet.
 */
export async function requirePresent(ctx: Pick<WriteCtx, 'tx' | 'config' | 'now'>, node: string) {
  if (node === ctx.config.node) {
    if (await givenUpAt(ctx.tx, node)) throw new AppError('nodo_ausente', { nodo: node })
    return
  }
  const row = await ctx.tx.select({ seenAt: nodes.seenAt }).from(nodes).where(eq(nodes.name, node)).get()
  if (!row || isAbsent(row.seenAt, ctx.now())) throw new AppError('nodo_ausente', { nodo: node })
}

/** All that a view of nodes is selected from. */
export function selectNodes(db: Db) {
  return db
    .select({
      node: nodes,
      clients: sql<number>`(select count(*) from ${clients} where ${eq(clients.node, nodes.name)})`,
      jobs: sql<number>`(select count(*) from ${jobs} where ${eq(jobs.node, nodes.name)} and ${inArray(jobs.state, ['pendiente', 'en_curso'])})`,
      mails: sql<number>`(select count(*) from ${mails} where ${eq(mails.node, nodes.name)} and ${inArray(mails.state, ['en_cola', 'enviando'])})`,
    })
    .from(nodes)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectNodes>['all']>>[number]

/** The node as it is returned: services' state, addresses, capacity. */
export function nodeView({ node, clients, jobs, mails }: Row, now: Date, language: 'es' | 'en'): NodeView {
  const absent = isAbsent(node.seenAt, now)
  const { capacity } = node
  return {
    nodo: node.name,
    version: node.version,
    estado: absent ? 'ausente' : node.services.every(({ running }) => running) ? 'bien' : 'con_fallos',
    direcciones: node.addresses,
    servidores_dns: node.nameServers,
    servicios: node.services.map(({ name, running, version, advice }) => ({
      servicio: name,
      estado: running ? ('activo' as const) : ('parado' as const),
      version,
      consejo: advice && wordsIn(advice, language),
    })),
    capacidad: capacity && {
      disco_bytes: capacity.diskBytes,
      disco_libre_bytes: capacity.diskFreeBytes,
      inodos: capacity.inodes,
      inodos_libres: capacity.inodesFree,
      memoria_bytes: capacity.memoryBytes,
      carga: capacity.load,
    },
    clientes: clients,
    pendientes: { tareas: jobs, correos: mails },
    arrancado: wireTime(node.startedAt),
    visto: wireTime(node.seenAt),
  }
}
