import { eq, inArray, sql } from 'drizzle-orm'
import { clients, jobs, lostNodes, mails, type NodeService, nodes } from '../../schema/tables.ts'
import { wireTime } from '../endpoint/page.ts'
import type { Db } from '../store/database.ts'
import { wordsIn } from '../text/words.ts'
import { isAbsent } from './decide.ts'
import { heaviestView } from './heavy-view.ts'
import { phpView } from './php-view.ts'
import type { NodeView } from './shapes.ts'

/** Settings that are listed among a node's services; leaving them unset is no failure. */
export const NODE_SETTINGS = ['correo', 'direcciones', 'servidores_dns']

/** When a node was given up; null if it was not. A given-up node serves and changes nothing. */
export async function givenUpAt(db: Db, node: string): Promise<Date | null> {
  const row = await db.select().from(lostNodes).where(eq(lostNodes.name, node)).get()
  return row?.givenUpAt ?? null
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

/** Whether a service needs nobody. */
export const isWell = ({ name, running }: NodeService) => running || NODE_SETTINGS.includes(name)

type Row = Awaited<ReturnType<ReturnType<typeof selectNodes>['all']>>[number]

/** The node as it is returned: services' state, addresses, capacity. */
export function nodeView({ node, clients, jobs, mails }: Row, now: Date, language: 'es' | 'en'): NodeView {
  const absent = isAbsent(node.seenAt, now)
  const { capacity } = node
  return {
    nodo: node.name,
    version: node.version,
    estado: absent ? 'ausente' : node.services.every(isWell) ? 'bien' : 'con_fallos',
    direcciones: node.addresses,
    servidores_dns: node.nameServers,
    servicios: node.services.map(({ name, running, version, advice }) => ({
      servicio: name,
      estado: running ? ('activo' as const) : ('parado' as const),
      version,
      consejo: advice && wordsIn(advice, language),
    })),
    php: phpView(capacity),
    capacidad: capacity && {
      disco_bytes: capacity.diskBytes,
      disco_libre_bytes: capacity.diskFreeBytes,
      inodos: capacity.inodes,
      inodos_libres: capacity.inodesFree,
      memoria_bytes: capacity.memoryBytes,
      carga: capacity.load,
    },
    ...heaviestView(absent ? null : (capacity?.heavy ?? null), language),
    clientes: clients,
    pendientes: { tareas: jobs, correos: mails },
    arrancado: wireTime(node.startedAt),
    visto: wireTime(node.seenAt),
  }
}
