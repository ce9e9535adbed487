import type { Seen } from '../endpoint/context.ts'
import type { Tx } from '../store/database.ts'

/** A request that waits for the jobs of some subjects. */
class Waiter {
  /** The subjects whose jobs have not ended yet. */
  readonly open: Set<string>
  readonly #look: (tx: Tx) => Promise<unknown>
  readonly ended = Promise.withResolvers<Seen<unknown> | null>()

  constructor(subjects: string[], look: (tx: Tx) => Promise<unknown>) {
    this.open = new Set(subjects)
    this.#look = look
  }

  /** What this request's `look` returned, if this transaction ends the last of its jobs; null otherwise. */
  async see(tx: Tx): Promise<Seen<unknown> | null> {
    return this.open.size === 1 ? { found: await this.#look(tx) } : null
  }
}

/** To be called once the last transaction of a job has committed; `more` is whether its subject has further jobs. */
export type Ended = (more: boolean) => void

/** The requests that wait for jobs of this process; the worker tells them when a job ends. */
export class Waiters {
  readonly #waiting = new Set<Waiter>()

  add<T>(
    subjects: string[],
    look: (tx: Tx) => Promise<T>,
  ): { open: ReadonlySet<string>; ended: Promise<Seen<T> | null>; leave(): void } {
    const waiter = new Waiter(subjects, look)
    this.#waiting.add(waiter)
    // The waiter's result has the type of its own `look`.
    const ended = waiter.ended.promise as Promise<Seen<T> | null>
    return { open: waiter.open, ended, leave: () => void this.#waiting.delete(waiter) }
  }

  /**
   * Called in the last transaction of a job of this subject; runs `look` for the requests that were waiting only for
   * this job. Null if nobody waits.
   */
  async see(subject: string, tx: Tx): Promise<Ended | null> {
    const concerned = [...this.#waiting].filter(({ open }) => open.has(subject))
    if (concerned.length === 0) return null
    const seen = await Promise.all(concerned.map((waiter) => waiter.see(tx)))
    return (more) => {
      if (more) return
      for (const [i, waiter] of concerned.entries()) {
        waiter.open.delete(subject)
        if (waiter.open.size > 0) continue
        this.#waiting.delete(waiter)
        waiter.ended.resolve(seen[i] ?? null)
      }
    }
  }
}
