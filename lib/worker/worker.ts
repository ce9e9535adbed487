import { and, eq, inArray, lte, or } from 'drizzle-orm'
import { jobs } from '../../schema/tables.ts'
import type { Seen, Services } from '../context.ts'
import type { Db, Tx } from '../database.ts'
import { withinDeadline } from '../deadline.ts'
import { faultOf, storedFault } from '../faults.ts'
import { claim, fail, finish, holds, type Job, LEASE_MS, renew } from '../jobs.ts'
import { whileRenewing } from '../leases.ts'
import type { Step } from '../node.ts'
import { reading } from '../reading.ts'
import { rootMessage } from '../root-message.ts'
import type { JobKind } from './kind.ts'
import { Waiters } from './waiters.ts'

const CONCURRENT_JOBS = 4
/** How long work that this process is not at is waited for before it is asked for. */
const ASK_MS = 500
/** Less than all of them: the rest stays free for what a person waits for. */
const CONCURRENT_SLOW_JOBS = 2

export type WorkerOptions = {
  kinds: JobKind[]
  /** Called before and after every step of every job; tests end the process here. */
  onStep?: (job: Pick<Job, 'kind' | 'clientName'>, step: string, phase: 'before' | 'after') => Promise<void>
  /** How long a claim outlives this process, milliseconds. */
  leaseMs?: number
}

/** Does the jobs of this node, and those that any worker may do, until none is due. */
export class Worker {
  readonly #services: Services
  readonly #options: WorkerOptions
  readonly #leaseMs: number
  readonly #running = new Set<Promise<void>>()
  readonly #subjects = new Set<string>()
  readonly #waiters = new Waiters()
  #draining: Promise<void> | null = null
  #again = false
  #stopped = false
  #abandoning = false
  #finished = 0
  /** Those of `#running` that wait for others. */
  readonly #slow = new Set<Promise<void>>()

  constructor(services: Services, options: WorkerOptions) {
    this.#services = services
    this.#options = options
    this.#leaseMs = options.leaseMs ?? LEASE_MS
  }

  /** Starts the due jobs soon; safe to call at any time and as often as one likes. */
  wake(): void {
    if (this.#stopped) return
    this.#again = true
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = null
      if (this.#again) this.wake()
    })
  }

  /**
   * Waits until nothing is queued or running for these subjects, at most `timeoutMs`, and runs `look` in the
   * transaction that ends the last of it; null where that was not seen here.
   */
  async settle<T>(
    subjects: string[],
    timeoutMs: number,
    look: (tx: Tx) => Promise<T>,
  ): Promise<Seen<T> | null> {
    const deadline = performance.now() + timeoutMs
    const waiter = this.#waiters.add(subjects, look)
    try {
      for (;;) {
        const leftMs = deadline - performance.now()
        if (leftMs <= 0) return null
        const told = await withinDeadline(
          waiter.ended.then((seen) => ({ seen })),
          Math.min(ASK_MS, leftMs),
          () => null,
        )
        if (told) return told.seen
        // It may be done elsewhere, or was done before it was waited for.
        const open = [...waiter.open]
        if (!open.some((subject) => this.#subjects.has(subject)) && !(await this.#busy(open))) return null
      }
    } finally {
      waiter.leave()
    }
  }

  /** Runs everything that is due to its end; answers how many jobs ended meanwhile. */
  async runDue(): Promise<number> {
    const before = this.#finished
    this.wake()
    await this.#idle()
    return this.#finished - before
  }

  /**
   * Takes no new job and waits for the running ones; `abandon` leaves those that wait for others to the next
   * start, since this process ends now.
   */
  async stop(abandon = false): Promise<void> {
    this.#stopped = true
    this.#again = false
    this.#abandoning = abandon
    await this.#idle((run) => !abandon || !this.#slow.has(run))
  }

  /** A job may be claimed while others are waited for, so not once but until there is none. */
  async #idle(concerns: (run: Promise<void>) => boolean = () => true): Promise<void> {
    for (;;) {
      const waited = [...this.#running].filter(concerns)
      if (!this.#draining && waited.length === 0) return
      await Promise.allSettled([this.#draining, ...waited])
    }
  }

  async #drain(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false
      await this.#startDue().catch((error) => this.#report(error))
    }
  }

  async #startDue(): Promise<void> {
    while (this.#running.size < CONCURRENT_JOBS && !this.#stopped) {
      const { db, config, now } = this.#services
      const busy = [...this.#subjects]
      const job = await claim(db, config.node, this.#claimable(), now(), busy, this.#leaseMs)
      if (!job) return
      const slow = this.#slowKinds().includes(job.kind)
      this.#subjects.add(job.subject)
      const run = this.#run(job)
        .catch((error) => this.#report(error))
        .finally(() => {
          this.#running.delete(run)
          this.#subjects.delete(job.subject)
          this.#slow.delete(run)
          this.#finished++
          this.wake()
        })
      this.#running.add(run)
      if (slow) this.#slow.add(run)
    }
  }

  /** The kinds that there is room for. */
  #claimable(): string[] {
    const full = this.#slow.size >= CONCURRENT_SLOW_JOBS ? this.#slowKinds() : []
    return this.#options.kinds.map(({ kind }) => kind).filter((kind) => !full.includes(kind))
  }

  #slowKinds(): string[] {
    return this.#options.kinds.filter(({ slow }) => slow).map(({ kind }) => kind)
  }

  async #run(job: Job): Promise<void> {
    const kind = this.#options.kinds.find((candidate) => candidate.kind === job.kind)
    if (!kind) throw new Error(`no worker for ${job.kind}`)
    const { db } = this.#services
    let at = 'start'
    const step: Step = async (name, run) => {
      at = name
      await this.#options.onStep?.(job, name, 'before')
      await run()
      await this.#options.onStep?.(job, name, 'after')
    }
    try {
      const prolong = () => renew(db, job, this.#services.now(), this.#leaseMs)
      const change = await whileRenewing(this.#leaseMs, prolong, () => kind.run(this.#services, job, step))
      await step('commit', () =>
        this.#end(job, async (tx) => {
          await change(tx)
          finish(tx, job, this.#services.now())
        }),
      )
    } catch (error) {
      // Nobody waits for it, and the database may be closed.
      if (this.#abandoning && kind.slow) return
      const reason = storedFault(faultOf(error, job.id))
      this.#services.log('warn', 'job failed', {
        tarea: job.id,
        tipo: job.kind,
        intento: job.attempts,
        motivo: `${at}: ${rootMessage(error)}`,
      })
      await this.#end(job, async (tx) => {
        await kind.failed?.(tx, this.#services, job, reason)
        await fail(tx, job, reason, this.#services.now())
      })
    }
  }

  /** The last transaction of a job that is still this worker's, which those who wait for it are told of. */
  async #end(job: Job, change: (tx: Tx) => Promise<void>): Promise<void> {
    const tell = await this.#services.db.write(async (tx) => {
      if (!(await holds(tx, job))) return
      await change(tx)
      const ended = await this.#waiters.see(job.subject, tx)
      if (!ended) return
      const more = tx.last(reading(this.#work(tx, [job.subject]), (rows) => rows.length > 0))
      return () => ended(more.take())
    })
    tell?.()
  }

  async #busy(subjects: string[]): Promise<boolean> {
    return (await this.#work(this.#services.db.read, subjects)).length > 0
  }

  /** Whether anything is due or running for these subjects: one row or none. */
  #work(db: Db, subjects: string[]) {
    const isDueNow = and(eq(jobs.state, 'pendiente'), lte(jobs.nextAt, this.#services.now()))
    return db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(inArray(jobs.subject, subjects), or(isDueNow, eq(jobs.state, 'en_curso'))))
      .limit(1)
  }

  #report(error: unknown): void {
    this.#services.log('error', 'worker fault', {
      motivo: rootMessage(error),
    })
  }
}
