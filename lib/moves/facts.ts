import { and, count, desc, eq, inArray, ne, type SQL } from 'drizzle-orm'
import {
  backupDestinations,
  clients,
  copies,
  databases,
  dnsAccounts,
  mirrors,
  moves,
  nodes,
  schedules,
  sftpAccounts,
  sites,
  usage,
  zones,
} from '../../schema/tables.ts'
import { idOfClient, visibleTo } from '../clients/clients.ts'
import type { Actor, Ctx } from '../endpoint/context.ts'
import type { Db } from '../store/database.ts'
import { belongingsOf } from './belongings.ts'
import type { Move, MoveFacts, MoveNode } from './decide.ts'

/** All that the move of a client depends on, in one round trip; `which` is the client as far as it may be seen. */
export async function moveFacts(
  tx: Db,
  which: SQL | undefined,
  name: string,
): Promise<MoveFacts | undefined> {
  const own = idOfClient(tx, name)
  const [found, known, destinations, providers, theirs] = await Promise.all([
    tx
      .select({ client: clients, move: moves, used: usage })
      .from(clients)
      .leftJoin(moves, eq(moves.clientId, clients.id))
      .leftJoin(usage, eq(usage.clientId, clients.id))
      .where(which)
      .get(),
    selectNodes(tx),
    tx.select(DESTINATION).from(backupDestinations),
    tx
      .select({ node: dnsAccounts.node, kind: dnsAccounts.kind, account: dnsAccounts.account })
      .from(dnsAccounts)
      .where(eq(dnsAccounts.removing, false)),
    heldBy(tx, own),
  ])
  if (!found) return undefined
  const [ownSites, held, ownZones, [logins], [tasks], copy] = theirs
  const facts = { nodes: known, destinations, providers, sites: ownSites, databases: held, zones: ownZones }
  const counts = { sftpAccounts: logins?.all ?? 0, schedules: tasks?.all ?? 0 }
  return { ...found, ...facts, ...counts, copied: copy?.parts ?? [] }
}

const heldBy = (tx: Db, own: ReturnType<typeof idOfClient>) =>
  Promise.all([
    tx
      .select({ domain: sites.domain, php: sites.php })
      .from(sites)
      .where(and(inArray(sites.clientId, own), ne(sites.state, 'eliminando'))),
    tx
      .select({ name: databases.name, bytes: databases.bytes })
      .from(databases)
      .where(and(inArray(databases.clientId, own), ne(databases.state, 'eliminando'))),
    tx
      .select({ name: zones.name, mirrored: mirrors.state })
      .from(zones)
      .leftJoin(mirrors, eq(mirrors.zone, zones.name))
      .where(inArray(zones.clientId, own)),
    tx.select({ all: count() }).from(sftpAccounts).where(inArray(sftpAccounts.clientId, own)),
    tx.select({ all: count() }).from(schedules).where(inArray(schedules.clientId, own)),
    tx
      .select({ parts: copies.parts })
      .from(copies)
      .where(and(inArray(copies.clientId, own), eq(copies.whole, true), ne(copies.state, 'en_curso')))
      .orderBy(desc(copies.id))
      .limit(1)
      .get(),
  ])

const DESTINATION = {
  node: backupDestinations.node,
  kind: backupDestinations.kind,
  url: backupDestinations.url,
}

export const selectNodes = (db: Db): Promise<MoveNode[]> =>
  db
    .select({
      name: nodes.name,
      addresses: nodes.addresses,
      nameServers: nodes.nameServers,
      seenAt: nodes.seenAt,
      capacity: nodes.capacity,
    })
    .from(nodes)

/** A client that the actor may see, with its move. */
export const selectMoved = (db: Db, actor: Actor, name: string) =>
  db
    .select({ client: clients, move: moves })
    .from(clients)
    .leftJoin(moves, eq(moves.clientId, clients.id))
    .where(and(eq(clients.name, name), visibleTo(actor)))

/** What confirming a move or taking it back depends on. */
export async function undoFacts({ tx, actor, audit }: Pick<Ctx, 'tx' | 'actor' | 'audit'>, name: string) {
  const found = selectMoved(tx, actor, name).get()
  const [row, belongings] = await Promise.all([found, belongingsOf(tx, idOfClient(tx, name))])
  if (row) audit.client = row.client.name
  return { found: row, belongings }
}

/** The move of a client, and the client with it. */
export const selectMove = (db: Db, clientId: number) =>
  db
    .select({ client: clients, move: moves })
    .from(moves)
    .innerJoin(clients, eq(clients.id, moves.clientId))
    .where(eq(moves.clientId, clientId))
    .get()

export const moveOf = async (db: Db, clientId: number): Promise<Move | undefined> =>
  db.select().from(moves).where(eq(moves.clientId, clientId)).get()
