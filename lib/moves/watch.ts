import { and, eq, inArray, isNotNull, notExists, or, type SQL, sql } from 'drizzle-orm'
import { clients, moves, nodes } from '../../schema/tables.ts'
import { recordAudit } from '../audit/audit.ts'
import { clientSync } from '../clients/clients.ts'
import { isAsWanted } from '../clients/compare.ts'
import type { Services } from '../endpoint/context.ts'
import { isAbsent } from '../nodes/decide.ts'
import { isWell } from '../nodes/nodes.ts'
import type { Tx } from '../store/database.ts'
import { isDue } from '../work/clock.ts'
import { enqueue } from '../work/jobs.ts'
import { belongingsOf } from './belongings.ts'
import { confirmMove, endIdleJob, giveUpMove, type Moving } from './commands.ts'
import { CONFIRMED_MS, decideConfirming, type Move, SILENT_MS } from './decide.ts'
import { alone } from './errors.ts'
import { returnOver } from './return.ts'

/** Moves from this node that have kept a client closed for long. */
const isSilent = (node: string, now: Date): SQL | undefined =>
  and(
    eq(moves.source, node),
    inArray(moves.phase, ['cerrando', 'cerrada', 'volviendo']),
    isNotNull(moves.closedAt),
    isDue(sql`(${moves.closedAt} + ${SILENT_MS})`, now, SILENT_MS),
  )

/** Moves to this node, or from it, that nobody has taken back. */
const isOver = (node: string, now: Date): SQL | undefined =>
  and(
    or(eq(moves.target, node), eq(moves.source, node)),
    eq(moves.phase, 'mudada'),
    isDue(sql`(${moves.switchedAt} + ${CONFIRMED_MS})`, now, CONFIRMED_MS),
  )

/** Clients that are closed without a move, as after the other node was given up. */
const isForgotten = ({ db }: Services, node: string): SQL | undefined =>
  and(
    eq(clients.node, node),
    eq(clients.moving, true),
    notExists(db.read.select({ one: sql`1` }).from(moves).where(eq(moves.clientId, clients.id))),
  )

const selectMoves = ({ db }: Services, which: SQL | undefined): Promise<Moving[]> =>
  db.read
    .select({ client: clients, move: moves })
    .from(moves)
    .innerJoin(clients, eq(clients.id, moves.clientId))
    .where(which)

export async function areMovesDue(services: Services): Promise<boolean> {
  const { config, db, now } = services
  const { node } = config
  if (node === null) return false
  const row = await db.read
    .select({ id: clients.id })
    .from(clients)
    .leftJoin(moves, eq(moves.clientId, clients.id))
    .where(or(isSilent(node, now()), isOver(node, now()), isForgotten(services, node)))
    .limit(1)
    .get()
  return row !== undefined
}

/**
 * Opens clients on this node again whose move has nobody at work while they are closed: the other node is gone. And
 * confirms moves that nobody has taken back for a week, once their new node serves the client.
 */
export async function watchMoves(services: Services): Promise<Record<'abiertos' | 'confirmadas', number>> {
  const { config, now } = services
  const node = config.node ?? ''
  const told = { abiertos: 0, confirmadas: 0 }
  for (const moving of await selectMoves(services, isSilent(node, now()))) {
    if (await takeBack(services, moving)) told.abiertos++
  }
  for (const moving of await selectMoves(services, isOver(node, now()))) {
    if (await confirmOrWait(services, moving)) told.confirmadas++
  }
  told.abiertos += await openForgotten(services, node)
  if (told.abiertos + told.confirmadas > 0) services.work.wake()
  return told
}

/** A node tells of itself how it serves; the one that a client left sees only that the other is away. */
async function confirmOrWait(services: Services, moving: Moving): Promise<boolean> {
  const { client, move } = moving
  const isHere = move.target === services.config.node
  const node = await services.db.read.select().from(nodes).where(eq(nodes.name, move.target)).get()
  const isPresent = node !== undefined && !isAbsent(node.seenAt, services.now())
  if (!isHere && isPresent) return false
  const asWanted = isHere ? await isAsWanted(services, client) : true
  if (asWanted === null) return false
  const isFine = node?.services.every(isWell) ?? false
  const waits = decideConfirming({ isPresent, isWell: isFine, isAsWanted: asWanted })
  return services.db.write((tx) => settle(services, tx, { ...moving, waits }))
}

async function settle(
  services: Services,
  tx: Tx,
  { client, move, waits }: Moving & Pick<Move, 'waits'>,
): Promise<boolean> {
  const still = and(eq(moves.clientId, client.id), eq(moves.job, move.job), eq(moves.phase, 'mudada'))
  const now = await tx.select({ waits: moves.waits }).from(moves).where(still).get()
  if (!now || (waits !== null && now.waits === waits)) return false
  if (waits !== null) {
    tx.later(tx.update(moves).set({ waits }).where(still))
    tell(services, tx, { client, move, operation: 'mudanza.espera' })
    return false
  }
  confirmMove(tx, services, { client, move, belongings: await belongingsOf(tx, client.id) })
  tell(services, tx, { client, move, operation: 'mudanza.confirmada' })
  return true
}

async function takeBack(services: Services, moving: Moving): Promise<boolean> {
  return services.db.write(async (tx) => {
    const error = alone()
    const set = { state: 'fallida' as const, error }
    if (!(await endIdleJob(tx, moving.move, { now: services.now(), set }))) return false
    if (moving.move.phase === 'volviendo') await returnOver(tx, services, moving)
    else await giveUpMove(tx, services, moving)
    tell(services, tx, { ...moving, operation: 'mudanza.deshecha' })
    return true
  })
}

async function openForgotten(services: Services, node: string): Promise<number> {
  const all = await services.db.read.select().from(clients).where(isForgotten(services, node))
  await services.db.write(async (tx) => {
    for (const client of all) {
      tx.later(tx.update(clients).set({ moving: sql`0` }).where(eq(clients.id, client.id)))
      enqueue(tx, services, clientSync(client))
    }
  })
  return all.length
}

type Told = Moving & { operation: string }

function tell(services: Services, tx: Tx, { client, move, operation }: Told) {
  recordAudit(tx, services, {
    actor: { kind: 'system' },
    ...{ operation, outcome: 'hecho', requestId: null },
    note: { client: client.name, target: move.target, detail: { de: move.source, a: move.target } },
  })
}
