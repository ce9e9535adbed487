import { and, eq } from 'drizzle-orm'
import { clients, databases, sites } from '../../../schema/tables.ts'
import type { Services } from '../../endpoint/context.ts'
import { AppError } from '../../endpoint/errors.ts'
import type { Db, Tx } from '../../store/database.ts'
import { enqueue, type Job } from '../../work/jobs.ts'
import type { JobKind } from '../../work/kind.ts'
import { isCopied } from '../decide.ts'
import { tellOnce } from '../destination/tell.ts'
import { selectCopyFacts } from '../facts.ts'
import { endCopy } from '../job.ts'
import { makeCopy } from '../make.ts'
import { BEFORE_KIND, BEFORE_MS, type Removal } from './queue.ts'

/** Copies what a removal is about to take, and then has it taken, copied or not: it goes to the bin in any case. */
export const copyBeforeJob: JobKind = {
  kind: BEFORE_KIND,
  caged: true,
  cancellable: true,
  tries: 1,
  async run(services, job, step) {
    const facts = await selectCopyFacts(services.db.read, { client: clientOf(job) })
    const { wanted } = removalOf(job)
    const there = await isThere(services.db.read, wanted.name)
    if (!facts || !there || !isCopied(facts, services.config.node))
      return async (tx) => proceed(tx, services, job)
    const signal = AbortSignal.any([job.signal, AbortSignal.timeout(leftMs(services, job))])
    const making = { services, job: { ...job, signal }, step, client: facts.client, id: job.target }
    // The bin keeps its settings, too, but on the disk that may be lost.
    const { state } = await makeCopy(making, [SETTINGS, wanted])
    return async (tx) => {
      proceed(tx, services, job)
      if (state !== 'completa') await tellOnce(tx, services, { client: facts.client })
    }
  },
  async failed(tx, services, job) {
    const client = await tx.select().from(clients).where(clientOf(job)).get()
    if (client) await tellOnce(tx, services, { client, reason: job.reason })
  },
  async ended(tx, job, services) {
    await endCopy(tx, job)
    proceed(tx, services, job)
  },
}

const SETTINGS = { kind: 'ajustes', name: 'ajustes' } as const

const clientOf = ({ payload }: Pick<Job, 'payload'>) => eq(clients.id, Number(payload.client))

/** Written by `queueRemovalCopied` alone. */
const removalOf = ({ payload }: Pick<Job, 'payload'>): Removal => ({
  wanted: payload.wanted as Removal['wanted'],
  job: payload.removal as Removal['job'],
})

/** Read at the last moment, a site would be made anew that has just gone. */
const SPARE_MS = 30_000

/** 503 where the removal is about to go on without it. */
function leftMs({ now }: Services, { payload }: Pick<Job, 'payload'>): number {
  const left = Number(payload.until) - now().getTime() - SPARE_MS
  if (left <= 0) throw new AppError('no_disponible')
  // The clock may have been set back.
  return Math.min(left, BEFORE_MS - SPARE_MS)
}

/** Whether it has not been taken meanwhile. */
async function isThere(db: Db, name: string): Promise<boolean> {
  const leaving = 'eliminando' as const
  const [site, base] = await Promise.all([
    db
      .select({ id: sites.id })
      .from(sites)
      .where(and(eq(sites.domain, name), eq(sites.state, leaving)))
      .get(),
    db
      .select({ id: databases.id })
      .from(databases)
      .where(and(eq(databases.name, name), eq(databases.state, leaving)))
      .get(),
  ])
  return site !== undefined || base !== undefined
}

/** Brings the removal forward that waits for its time. */
const proceed = (tx: Tx, services: Pick<Services, 'now' | 'random'>, job: Job): void =>
  enqueue(tx, services, removalOf(job).job)
