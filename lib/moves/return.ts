import { and, eq } from 'drizzle-orm'
import { databases, moves } from '../../schema/tables.ts'
import { clientSubject, clientSync } from '../clients/clients.ts'
import type { Services, WriteCtx } from '../endpoint/context.ts'
import type { Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import type { Query } from '../store/reading.ts'
import { enqueue, queueJob } from '../work/jobs.ts'
import { belongingsOf } from './belongings.ts'
import {
  belongingTo,
  closing,
  followJob,
  leaveJob,
  type Moving,
  moveJob,
  opened,
  unparked,
} from './commands.ts'
import type { Leg } from './leg.ts'
import { hold, requireQuiet } from './place.ts'
import { movedView } from './view.ts'

type Clock = Pick<Services, 'now' | 'random'>

/** Closes the client, and has the node that serves it take it back to its old one. */
export function queueReturn(ctx: WriteCtx, { client, move }: Moving): Query[] {
  const { tx } = ctx
  const now = ctx.now()
  const id = `job_${ulid(now, ctx.random)}`
  const job = moveJob(client, { id, node: move.target, subject: clientSubject(client) })
  return [
    tx.update(moves).set({ phase: 'volviendo', job: id }).where(eq(moves.clientId, client.id)),
    ...closing({ tx, client, move, now }),
    queueJob(ctx, job),
  ]
}

/** On the node that served it: nothing of the client is served there before its old node serves it again. */
export async function goBack(leg: Leg): Promise<(tx: Tx) => Promise<void>> {
  const { services, job, move } = leg
  await requireQuiet(leg)
  await hold(leg)
  job.answers(movedView({ target: move.source, source: move.target }))
  return (tx) => returnOver(tx, services, leg)
}

/** Has the client live on its old node again, with what that kept. */
export async function returnOver(tx: Tx, clock: Clock, { client, move }: Moving): Promise<void> {
  const belongings = await belongingsOf(tx, client.id)
  const { source, target, kept } = move
  tx.later(
    ...belongingTo(tx, { client, move, node: source }),
    // Those made since are not there yet: only what is new is made.
    tx
      .update(databases)
      .set({ state: 'preparando' })
      .where(and(eq(databases.clientId, client.id), eq(databases.state, 'activa'))),
    opened(tx, client),
    tx.delete(moves).where(eq(moves.clientId, client.id)),
  )
  enqueue(tx, clock, clientSync({ ...client, node: source }))
  enqueue(tx, clock, followJob(client, source))
  enqueue(tx, clock, leaveJob(client, target, belongings))
  // What was deleted since the switch is still there; with the client's other work there, so that nothing new is taken.
  if (kept) enqueue(tx, clock, { ...leaveJob(client, source, kept), subject: clientSubject(client) })
}

/** The client could not be taken back: it is served where it is. */
export function stay(tx: Tx, clock: Clock, { client, move }: Moving): void {
  tx.later(
    tx.update(moves).set({ phase: 'mudada', closedAt: null }).where(eq(moves.clientId, client.id)),
    opened(tx, client),
    unparked(tx, client, move.target),
  )
  enqueue(tx, clock, clientSync({ ...client, node: move.target }))
}
