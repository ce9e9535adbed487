import { and, asc, count, eq, gt, gte, inArray, ne, notExists, sql } from 'drizzle-orm'
import { clients, jobs, moves } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { Services } from '../endpoint/context.ts'
import type { Db } from '../store/database.ts'
import { enqueue, type Job, type NewJob } from '../work/jobs.ts'
import { type JobKind, nothingMore } from '../work/kind.ts'
import { startOf } from './commands.ts'
import { decideMove, isLeaving, MOVE_KIND, type MoveFacts, requireClear } from './decide.ts'
import { failureOf, reasonOf } from './errors.ts'
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

const livesOn = (node: string) => and(eq(clients.node, node), ne(clients.state, 'eliminando'))

/** The clients that live on a node, by their names. */
const clientsOn = (db: Db, node: string): Promise<Client[]> =>
  db.select().from(clients).where(livesOn(node)).orderBy(asc(clients.name))

/** Some of their names, and how many there are. */
export async function namesOn(
  db: Db,
  { node, after, limit }: { node: string; after: string | undefined; limit: number },
): Promise<{ rows: { name: string }[]; total: number }> {
  const behind = after === undefined ? undefined : gt(clients.name, after)
  const [rows, [sum]] = await Promise.all([
    db
      .select({ name: clients.name })
      .from(clients)
      .where(and(livesOn(node), behind))
      .orderBy(asc(clients.name))
      .limit(limit),
    db.select({ all: count() }).from(clients).where(livesOn(node)),
  ])
  return { rows, total: sum?.all ?? 0 }
}

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
    for (;;) {
      job.signal.throwIfAborted()
      const left = await clientsOn(services.db.read, job.target)
      const failed = await failedSince(services, job, left)
      const moved = await movedSince(services, job)
      job.reached({ done: moved, total: moved + left.length, unit: 'pasos' })
      const next = left.find(({ name }) => !refused.has(name) && !failed.has(name))
      if (!next) {
        for (const [name, why] of failed) refused.set(name, why)
        job.answers(emptiedView(moved, refused))
        return nothingMore
      }
      await step('empty.client', async () => {
        const why = await begin(services, next.name, String(job.payload.to))
        if (why !== null) refused.set(next.name, why)
      })
      if (refused.has(next.name)) continue
      await whileMoving(services, job, next.id)
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

/** Waits until a client has changed its node, or does not any more. */
async function whileMoving({ db }: Services, job: { signal: AbortSignal }, clientId: number): Promise<void> {
  for (;;) {
    const going = and(eq(moves.clientId, clientId), ne(moves.phase, 'mudada'))
    if (!(await db.read.select({ id: moves.clientId }).from(moves).where(going).get())) return
    job.signal.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Those whose move was begun since, and failed; with the code of why. */
async function failedSince({ db }: Services, job: Job, left: Client[]): Promise<Map<string, string>> {
  const names = left.map(({ name }) => name)
  const rows = await db.read
    .select({ name: jobs.clientName, result: jobs.result })
    .from(jobs)
    .where(
      and(
        ...[eq(jobs.kind, MOVE_KIND), gte(jobs.createdAt, job.createdAt)],
        ...[inArray(jobs.state, ['fallida', 'cancelada']), inArray(jobs.clientName, names)],
        notExists(db.read.select({ id: moves.clientId }).from(moves).where(eq(moves.job, jobs.id))),
      ),
    )
  return new Map(rows.map(({ name, result }) => [name ?? '', failureOf(result)]))
}

/** How many have moved away since. */
async function movedSince({ db }: Services, job: Job): Promise<number> {
  const own = and(eq(jobs.kind, MOVE_KIND), eq(jobs.state, 'hecha'), gte(jobs.createdAt, job.createdAt))
  const fromHere = sql`json_extract(${jobs.result}, '$.desde') = ${job.target}`
  const [row] = await db.read.select({ all: count() }).from(jobs).where(and(own, fromHere))
  return row?.all ?? 0
}
