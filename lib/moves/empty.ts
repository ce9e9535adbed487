import { and, asc, eq, gte, inArray, ne, notExists } from 'drizzle-orm'
import { clients, jobs, moves } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { Services } from '../endpoint/context.ts'
import type { Db } from '../store/database.ts'
import { enqueue, type Job, type NewJob } from '../work/jobs.ts'
import { type JobKind, nothingMore } from '../work/kind.ts'
import { startOf } from './commands.ts'
import { decideMove, isLeaving, MOVE_KIND, type MoveFacts, requireClear } from './decide.ts'
import { reasonOf } from './errors.ts'
import { moveFacts } from './facts.ts'
import { emptiedView } from './view.ts'

const LOOK_MS = 500

export const emptyJob = (node: string, to: string): NewJob => ({
  kind: 'nodo.vaciar',
  node,
  subject: `vaciar:${node}`,
  target: node,
  payload: { to },
  cancellable: true,
})

/** The clients that live on a node, by their names. */
export const clientsOn = (db: Db, node: string): Promise<Client[]> =>
  db
    .select()
    .from(clients)
    .where(and(eq(clients.node, node), ne(clients.state, 'eliminando')))
    .orderBy(asc(clients.name))

/**
 * Moves all clients of a node to another one, one after another. Those that cannot be moved stay, and do not end the
 * rest. Run again it goes on with those that are left.
 */
export const emptyNodeJob: JobKind = {
  kind: 'nodo.vaciar',
  slow: true,
  cancellable: true,
  async run(services, job, step) {
    const refused = new Map<string, string>()
    let moved = 0
    for (;;) {
      job.signal.throwIfAborted()
      const left = await clientsOn(services.db.read, job.target)
      const failed = await failedSince(services, job, left)
      job.reached({ done: moved, total: moved + left.length, unit: 'pasos' })
      const next = left.find(({ name }) => !refused.has(name) && !failed.includes(name))
      if (!next) {
        for (const name of failed) refused.set(name, 'mudanza_fallida')
        job.answers(emptiedView(moved, refused))
        return nothingMore
      }
      await step('empty.client', async () => {
        const why = await begin(services, next.name, String(job.payload.to))
        if (why !== null) refused.set(next.name, why)
      })
      if (refused.has(next.name)) continue
      await whileMoving(services, job, next.id)
      moved += (await livesOn(services, next.id, job.target)) ? 0 : 1
    }
  },
}

/** Begins the move of a client; answers why it cannot be, or null. One that is under way goes on. */
async function begin(services: Services, name: string, target: string): Promise<string | null> {
  const { db, config, now } = services
  try {
    await db.write(async (tx) => {
      const facts = await moveFacts(tx, eq(clients.name, name), name)
      if (facts && isLeaving(facts)) return
      requireClear(decideMove(facts, { target, here: config.node }, now()))
      const { row, job } = startOf(services, (facts as MoveFacts).client, target) // It was decided about.
      tx.later(tx.insert(moves).values(row))
      enqueue(tx, services, job)
    })
  } catch (error) {
    return reasonOf(error)
  }
  services.work.wake()
  return null
}

/** Whether a client is still there: its move may have been given up. */
async function livesOn({ db }: Services, clientId: number, node: string): Promise<boolean> {
  const there = and(eq(clients.id, clientId), eq(clients.node, node))
  return (await db.read.select({ id: clients.id }).from(clients).where(there).get()) !== undefined
}

/** Waits until a client has changed its node, or does not any more. */
async function whileMoving({ db }: Services, job: { signal: AbortSignal }, clientId: number): Promise<void> {
  for (;;) {
    const going = and(eq(moves.clientId, clientId), ne(moves.phase, 'mudada'))
    if (!(await db.read.select({ id: moves.clientId }).from(moves).where(going).get())) return
    job.signal.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Those whose move was begun since, and failed. */
async function failedSince({ db }: Services, job: Job, left: Client[]): Promise<string[]> {
  const names = left.map(({ name }) => name)
  const rows = await db.read
    .select({ name: jobs.clientName })
    .from(jobs)
    .where(
      and(
        ...[eq(jobs.kind, MOVE_KIND), gte(jobs.createdAt, job.createdAt)],
        ...[inArray(jobs.state, ['fallida', 'cancelada']), inArray(jobs.clientName, names)],
        notExists(db.read.select({ id: moves.clientId }).from(moves).where(eq(moves.job, jobs.id))),
      ),
    )
  return rows.flatMap(({ name }) => name ?? [])
}
