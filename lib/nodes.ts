import { eq, sql } from 'drizzle-orm'
import { clients, nodes } from '../schema/tables.ts'
import type { Db } from './database.ts'
import { wireTime } from './page.ts'
import type { NodeView } from './shapes.ts'
import { wordsIn } from './words.ts'

/** A node that has not been seen for this long is shown as absent. */
const ABSENT_MS = 120_000

/** All that a view of nodes is selected from. */
export function selectNodes(db: Db) {
  return db
    .select({
      node: nodes,
      clients: sql<number>`(select count(*) from ${clients} where ${eq(clients.node, nodes.name)})`,
    })
    .from(nodes)
}

type Row = Awaited<ReturnType<ReturnType<typeof selectNodes>['all']>>[number]

/** The node as it is returned: services' state, addresses, capacity. */
export function nodeView({ node, clients }: Row, now: Date, language: 'es' | 'en'): NodeView {
  const absent = now.getTime() - node.seenAt.getTime() > ABSENT_MS
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
    arrancado: wireTime(node.startedAt),
    visto: wireTime(node.seenAt),
  }
}
