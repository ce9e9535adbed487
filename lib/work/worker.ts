import { and, eq, inArray, or } from 'drizzle-orm'
import { jobs } from '../../schema/tables.ts'
import type { Seen, Services } from '../endpoint/context.ts'
import { withinDeadline } from '../endpoint/deadline.ts'
import type { Step } from '../endpoint/node-port.ts'
import type { Db, Tx } from '../store/database.ts'
import { reading } from '../store/reading.ts'
import { rootMessage } from '../text/root-message.ts'
import { deadlyFault, faultOf, storedFault } from '../text/stored-faults.ts'
import {
  claim,
  fail,
  finish,
  forget,
  giveUp,
  holds,
  isReady,
  isSpent,
  type Job,
  LEASE_MS,
  passOn,
  renew,
} from './jobs.ts'
import type { JobKind } from './kind.ts'
import { whileRenewing } from './leases.ts'
import { watchJob } from './running.ts'
import { keptRefusal } from './view.ts'
import { Waiters } from './waiters.ts'

const CONCURRENT_JOBS = 4
/** How often to ask the database about awaited jobs that this process does not run itself. */
const ASK_MS = 500
/** How often to look for more while jobs run. */
const LOOK_MS = 1_000
/** How many slow jobs run at once; the other slots stay free for jobs that a person waits for. */
const CONCURRENT_SLOW_JOBS = 2
/** How many programs of clients run at once; their control groups limit them. */
const CONCURRENT_CAGED_JOBS = 32
const CAGED_OF_A_CLIENT = 2
/** How long a process that ends waits for jobs that may last: whoever ends it kills it after half a minute. */
const LAST_MS = 10_000

export type WorkerOptions = {
  kinds: JobKind[]
  /** Called before and after every step of every job; tests end the process here. */
  onStep?: (job: Pick<Job, 'kind' | 'clientName'>, step: string, phase: 'before' | 'after') => Promise<void>
  /** For how long a claim outlives this process, in milliseconds. */
  leaseMs?: number
}

class DiedAtIt extends Error {
  override readonly message = 'the worker of each attempt ended'
}

/** Runs the jobs of this node, and those that any worker may run, until none is due. */
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
  /** The slow jobs among `#running`. */
  readonly #slow = new Set<Promise<void>>()
  /** Those of `#running` that may last as long as their content, and may be cancelled at any moment. */
  readonly #lasting = new Set<Promise<void>>()
  /** Those of `#running` that run programs, with the client of each. */
  readonly #caged = new Map<Promise<void>, string>()

  constructor(services: Services, options: WorkerOptions) {
    this.#services = services
    this.#options = options
    this.#leaseMs = options.leaseMs ?? LEASE_MS
  }

  /** Starts the due jobs soon; safe to call at any time, as often as one likes. */
  wake(): void {
    if (this.#stopped) return
    this.#again = true
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = null
      if (this.#again) this.wake()
    })
  }

  /**
   * Waits until these subjects have no unfinished job, at most `timeoutMs`, and runs `look` in the transaction that
   * ends the last one; null if that did not happen here.
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
        // Another process may run the job, or it ended before the wait began.
        const open = [...waiter.open]
        if (!open.some((subject) => this.#subjects.has(subject)) && !(await this.#busy(open))) return null
      }
    } finally {
      waiter.leave()
    }
  }

  /**
   * Runs everything that is due to its end, and what becomes due or is queued by another process meanwhile: nothing
   * waits until a long job has ended. Returns how many jobs ended.
   */
  async runDue(): Promise<number> {
    const before = this.#finished
    this.wake()
    const looking = setInterval(() => this.wake(), LOOK_MS)
    try {
      await this.#idle()
    } finally {
      clearInterval(looking)
    }
    return this.#finished - before
  }

  /**
   * Takes no new job and waits for the running ones; with `abandon`, slow jobs are left to the next start, since this
   * process ends now, and those that may last are waited for ten seconds: the next start does them again, as after a
   * crash.
   */
  async stop(abandon = false): Promise<void> {
    this.#stopped = true
    this.#again = false
    this.#abandoning = abandon
    const quick = (run: Promise<void>) => !abandon || !(this.#slow.has(run) || this.#lasting.has(run))
    if (abandon)
      await withinDeadline(
        this.#idle((run) => !this.#slow.has(run)),
        LAST_MS,
        () => undefined,
      )
    await this.#idle(quick)
  }

  /** Waits for running jobs. Repeats until there are none, since others may be claimed meanwhile. */
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
    while (!this.#stopped) {
      const kinds = this.#claimable()
      if (kinds.length === 0) return
      const { db, config, now } = this.#services
      const full = { kinds: this.#kindsThat('caged'), clients: this.#full() }
      const room = { node: config.node, kinds, busy: [...this.#subjects], full, leaseMs: this.#leaseMs }
      const job = await claim(db, room, now())
      if (!job) return
      const slow = this.#kindsThat('slow').includes(job.kind)
      const caged = this.#kindsThat('caged').includes(job.kind)
      const lasting = this.#kindsThat('cancellable').includes(job.kind)
      this.#subjects.add(job.subject)
      const run = this.#run(job)
        .catch((error) => this.#report(error))
        .finally(() => {
          this.#running.delete(run)
          this.#subjects.delete(job.subject)
          this.#slow.delete(run)
          this.#caged.delete(run)
          this.#lasting.delete(run)
          this.#finished++
          this.wake()
        })
      this.#running.add(run)
      if (slow) this.#slow.add(run)
      if (lasting) this.#lasting.add(run)
      if (caged) this.#caged.set(run, job.clientName ?? '')
    }
  }

  /** The kinds for which there is a free slot. */
  #claimable(): string[] {
    const full = [
      ...(this.#running.size - this.#caged.size >= CONCURRENT_JOBS ? this.#kindsThat('quick') : []),
      ...(this.#slow.size >= CONCURRENT_SLOW_JOBS ? this.#kindsThat('slow') : []),
      ...(this.#caged.size >= CONCURRENT_CAGED_JOBS ? this.#kindsThat('caged') : []),
    ]
    return this.#options.kinds.map(({ kind }) => kind).filter((kind) => !full.includes(kind))
  }

  /** `quick`: all kinds that do not run programs of clients; these share one number of slots. */
  #kindsThat(are: 'slow' | 'caged' | 'cancellable' | 'quick'): string[] {
    const of = this.#options.kinds.filter((one) => (are === 'quick' ? !one.caged : one[are]))
    return of.map(({ kind }) => kind)
  }

  /** Clients that already have as many programs running as one may. */
  #full(): string[] {
    const counts = Map.groupBy(this.#caged.values(), (client) => client)
    return [...counts].flatMap(([client, all]) => (all.length >= CAGED_OF_A_CLIENT ? [client] : []))
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
    const watch = watchJob(db, job)
    try {
      if (isSpent(job)) throw new DiedAtIt()
      const prolong = () => renew(db, job, { step: at, now: this.#services.now(), leaseMs: this.#leaseMs })
      const run = () => kind.run(this.#services, watch.running, step)
      const change = await whileRenewing(this.#leaseMs, prolong, () =>
        kind.cancellable ? watch.during(run) : run(),
      )
      await step('commit', () =>
        this.#end(kind, job, async (tx) => {
          await change(tx)
          const next = watch.next()
          if (next) passOn(tx, job, { ...next, nextAt: this.#services.now() })
          else finish(tx, job, this.#services.now(), watch.result())
        }),
      )
    } catch (error) {
      // Nobody waits for an abandoned job, and the database may be closed.
      if (this.#abandoning && (kind.slow || kind.cancellable)) return
      if (watch.isCancelled()) {
        return this.#end(kind, job, async (tx) => {
          await kind.cancelled?.(tx, this.#services, job)
          await kind.ended?.(tx, job, this.#services)
          giveUp(tx, job, this.#services.now())
        })
      }
      await this.#fail(kind, job, { at, error })
    }
  }

  async #fail(kind: JobKind, job: Job, { at, error }: { at: string; error: unknown }): Promise<void> {
    const died = error instanceof DiedAtIt
    const reason = died ? deadlyFault(job.id) : storedFault(faultOf(error, job.id))
    const refusal = kind.refuses ? keptRefusal(error) : null
    const about = { job: job.id, kind: job.kind, attempt: job.attempts }
    if (refusal) this.#services.log('info', 'job refused', { ...about, code: rootMessage(error) })
    else this.#services.log('warn', 'job failed', { ...about, reason: `${at}: ${rootMessage(error)}` })
    await this.#end(kind, job, async (tx) => {
      await kind.failed?.(tx, this.#services, { ...job, reason })
      const step = died ? (job.step ?? at) : at
      const now = this.#services.now()
      const tries = typeof kind.tries === 'function' ? kind.tries(job) : kind.tries
      const isOver = await fail(tx, job, { error: reason, step, now, tries, refusal })
      if (isOver) await kind.ended?.(tx, job, this.#services)
    })
  }

  /** Runs the last transaction of a job that this worker still holds, and tells those who wait for it. */
  async #end(kind: JobKind, job: Job, change: (tx: Tx) => Promise<void>): Promise<void> {
    const tell = await this.#services.db.write(async (tx) => {
      if (!(await holds(tx, job))) return
      await change(tx)
      if (kind.forgets) forget(tx, job)
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
    return db
      .select({ id: jobs.id })
      .from(jobs)
      .where(
        and(inArray(jobs.subject, subjects), or(isReady(this.#services.now()), eq(jobs.state, 'en_curso'))),
      )
      .limit(1)
  }

  #report(error: unknown): void {
    this.#services.log('error', 'worker fault', {
      reason: rootMessage(error),
    })
  }
}
