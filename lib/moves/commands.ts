import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { type Belongings, clients, jobs, mirrors, moves, zones } from '../../schema/tables.ts'
import { clientSync } from '../clients/clients.ts'
import type { Client } from '../clients/decide.ts'
import type { Services, WriteCtx } from '../endpoint/context.ts'
import type { Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import type { Query } from '../store/reading.ts'
import { enqueue, isClaimable, type NewJob, queueJob } from '../work/jobs.ts'
import { belongingsOf, joined } from './belongings.ts'
import { MOVE_KIND, type Move } from './decide.ts'

export const LEAVE_KIND = 'mudanza.quitar'
export const FOLLOW_KIND = 'mudanza.seguir'

type MoveJob = NewJob & { id: string }
type Clock = Pick<Services, 'now' | 'random'>
export type Moving = { client: Client; move: Move }

/** The statements that begin a move, and its job. */
export function queueStart(ctx: WriteCtx, client: Client, target: string) {
  const { row, job } = startOf(ctx, client, target)
  return { queries: [ctx.tx.insert(moves).values(row), queueJob(ctx, job)], job }
}

/** Its long parts run beside the client's other work. */
export const moveSubject = ({ id }: { id: number }) => `mudanza:${id}`

/** The row and the job of a move; both carry the key of the job. */
export function startOf(clock: Clock, client: Client, target: string): { row: Move; job: MoveJob } {
  const id = `job_${ulid(clock.now(), clock.random)}`
  const [firstCopy, lastCopy] = [0, 1].map(() => `cop_${ulid(clock.now(), clock.random)}`)
  const row: Move = {
    ...{ clientId: client.id, source: client.node, target, job: id },
    phase: 'copiando',
    ...{ firstCopy: firstCopy ?? '', lastCopy: lastCopy ?? '' },
    ...{ carried: null, kept: null },
    startedAt: clock.now(),
    ...{ closedAt: null, switchedAt: null, waits: null },
  }
  return { row, job: moveJob(client, { id, node: client.node }) }
}

export const moveJob = (
  client: Pick<Client, 'id' | 'name'>,
  { id, node, subject = moveSubject(client) }: { id: string; node: string; subject?: string },
): MoveJob => ({
  ...{ id, kind: MOVE_KIND, node, subject },
  target: client.name,
  client: client.name,
  payload: { client: client.id },
})

/** Work that waits for the client is kept from its old node while it changes to the new one. */
const parkedAt = (clientId: number) => `mudanza:${clientId}`

const theirWaiting = (client: Pick<Client, 'name'>, move: Move) =>
  and(eq(jobs.clientName, client.name), eq(jobs.state, 'pendiente'), ne(jobs.id, move.job))

/** Closes the client to everybody but its move. */
export function closing({
  tx,
  client,
  move,
  now,
}: {
  tx: Tx
  client: Client
  move: Move
  now: Date
}): Query[] {
  return [
    tx.update(clients).set({ moving: true }).where(eq(clients.id, client.id)),
    tx.update(moves).set({ closedAt: now }).where(eq(moves.clientId, client.id)),
    tx
      .update(jobs)
      .set({ node: parkedAt(client.id) })
      .where(and(theirWaiting(client, move), eq(jobs.node, client.node), ne(jobs.kind, LEAVE_KIND))),
  ]
}

/** Has everything of a client belong to another node; it is still closed. */
export function belongingTo(
  tx: Tx,
  { client, move, node }: { client: Client; move: Move; node: string },
): Query[] {
  const theirs = tx.select({ name: zones.name }).from(zones).where(eq(zones.clientId, client.id))
  const waiting = or(
    eq(jobs.node, parkedAt(client.id)),
    and(
      theirWaiting(client, move),
      inArray(jobs.node, [move.source, move.target]),
      ne(jobs.kind, LEAVE_KIND),
    ),
  )
  return [
    tx.update(clients).set({ node }).where(eq(clients.id, client.id)),
    // Asked about again as soon as possible: the answer depends on the node.
    tx.update(zones).set({ node, nextLookAt: null }).where(eq(zones.clientId, client.id)),
    tx.update(mirrors).set({ node }).where(inArray(mirrors.zone, theirs)),
    tx
      .update(jobs)
      .set({ node })
      .where(and(eq(jobs.state, 'pendiente'), waiting)),
  ]
}

/** The switch: from its commit on the client lives on the target. Answers false where the move was given up before. */
export async function switchOver(tx: Tx, { client, move }: Moving, now: Date): Promise<boolean> {
  const held = and(eq(moves.clientId, client.id), eq(moves.job, move.job), eq(moves.phase, 'cerrada'))
  const [row] = await tx
    .update(moves)
    .set({ phase: 'abriendo', switchedAt: now, carried: null, kept: await belongingsOf(tx, client.id) })
    .where(held)
    .returning({ id: moves.clientId })
  if (!row) return false
  tx.later(...belongingTo(tx, { client, move, node: move.target }), opened(tx, client))
  return true
}

export const opened = (tx: Tx, { id }: Pick<Client, 'id'>) =>
  tx.update(clients).set({ moving: sql`0` }).where(eq(clients.id, id))

type Known = Pick<Client, 'id' | 'name'>

/** What is left of a client on a node where it does not live is removed there. */
export const leaveJob = (client: Known, node: string, belongings: Belongings): NewJob => ({
  ...followJob(client, node),
  kind: LEAVE_KIND,
  payload: { client: client.id, belongings },
})

/** Its old node answers for the client's zones, too, until the move is confirmed. */
export const followJob = (client: Known, node: string): NewJob => ({
  kind: FOLLOW_KIND,
  node,
  subject: moveSubject(client),
  target: node,
  client: client.name,
  payload: { client: client.id },
})

/** Ends a move before its switch: the client is served where it was, and what the target has of it is removed. */
export async function giveUpMove(tx: Tx, clock: Clock, { client, move }: Moving): Promise<void> {
  const belongings = await belongingsOf(tx, client.id)
  tx.later(
    tx.delete(moves).where(eq(moves.clientId, client.id)),
    opened(tx, client),
    unparked(tx, client, move.source),
  )
  enqueue(tx, clock, clientSync({ ...client, node: move.source }))
  if (move.phase !== 'copiando')
    enqueue(tx, clock, leaveJob(client, move.target, joined(belongings, move.kept)))
}

/** Work that was kept from its node waits for it again. */
export const unparked = (tx: Tx, { id }: Pick<Client, 'id'>, node: string): Query =>
  tx
    .update(jobs)
    .set({ node })
    .where(and(eq(jobs.node, parkedAt(id)), eq(jobs.state, 'pendiente')))

/** Ends the job of a move unless somebody is at it; answers whether that was so. */
export async function endIdleJob(
  tx: Tx,
  { job }: Move,
  { now, set }: { now: Date; set: { state: 'cancelada' | 'fallida'; error: string | null } },
): Promise<boolean> {
  const ended = await tx
    .update(jobs)
    .set({ ...set, finishedAt: now, leaseUntil: null, fence: sql`fence + 1` })
    .where(and(eq(jobs.id, job), isClaimable(now)))
    .returning({ id: jobs.id })
  return ended.length > 0
}

/** Gives a move up: at once where nobody is at it, else as soon as whoever is at it has seen it. */
export async function queueGivingUp(ctx: WriteCtx, { client, move }: Moving): Promise<void> {
  const { tx } = ctx
  const now = ctx.now()
  if (await endIdleJob(tx, move, { now, set: { state: 'cancelada', error: null } })) {
    return giveUpMove(tx, ctx, { client, move })
  }
  tx.later(tx.update(jobs).set({ cancelledAt: now }).where(eq(jobs.id, move.job)))
}

/** Has the other node of a client that is deleted keep nothing of it. */
export function queueForgetting(ctx: WriteCtx, { client, move }: Moving, belongings: Belongings): Query[] {
  const other = client.node === move.source ? move.target : move.source
  enqueue(ctx.tx, ctx, leaveJob(client, other, joined(belongings, move.kept)))
  return [
    ctx.tx.delete(moves).where(eq(moves.clientId, client.id)),
    ctx.tx.update(jobs).set({ cancelledAt: ctx.now() }).where(eq(jobs.id, move.job)),
  ]
}

/** Goes on with the opening of a client that has switched, whatever became of the job that did it. */
export function openAgain(tx: Tx, clock: Clock, { client, move }: Moving): void {
  const id = `job_${ulid(clock.now(), clock.random)}`
  tx.later(tx.update(moves).set({ job: id }).where(eq(moves.clientId, client.id)))
  enqueue(tx, clock, moveJob(client, { id, node: move.target }))
}

/** The move is over for good: what its old node kept goes to the bin there. */
export function confirmMove(
  tx: Tx,
  clock: Clock,
  { client, move, belongings }: { client: Known; move: Move; belongings: Belongings },
): void {
  tx.later(tx.delete(moves).where(eq(moves.clientId, client.id)))
  enqueue(tx, clock, leaveJob(client, move.source, joined(belongings, move.kept)))
}
