import type { Seen } from '../endpoint/context.ts'
import type { Tx } from '../store/database.ts'

/** One request that waits for the work of its subjects. */
class Waiter {
  /** Those whose work is still to end. */
  readonly open: Set<string>
  readonly #look: (tx: Tx) => Promise<unknown>
  readonly ended = Promise.withResolvers<Seen<unknown> | null>()

  constructor(subjects: string[], look: (tx: Tx) => Promise<unknown>) {
    this.open = new Set(subjects)
    this.#look = look
  }

  /** The result of this request's look, where this transaction ends the last of its work; null where it does not. */
  async see(tx: Tx): Promise<Seen<unknown> | null> {
    return this.open.size === 1 ? { found: await this.#look(tx) } : null
  }
}

/** To be called once a job's last transaction has committed, with whether its subject has more to do. */
export type Ended = (more: boolean) => void

/** The requests that wait for work of this process; the worker tells them when it ends. */
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
   * Called in the last transaction of a job of this subject, for the requests of which it ends the last work. Null
   * where nobody waits.
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
