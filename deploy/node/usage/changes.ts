/** Between two measurements of a client, each of which may read all its folders. */
const PAUSE_MS = 10_000

/** Whose files were changed since they were measured last. */
export class Changes {
  readonly #changed = new Set<number>()
  readonly #since = new Map<number, number>()

  note(clientId: number): void {
    this.#changed.add(clientId)
  }

  get any(): boolean {
    return this.#due().length > 0
  }

  take(): number[] {
    const due = this.#due()
    const now = performance.now()
    for (const [clientId, at] of this.#since) if (now - at > PAUSE_MS) this.#since.delete(clientId)
    for (const clientId of due) {
      this.#changed.delete(clientId)
      this.#since.set(clientId, now)
    }
    return due
  }

  #due(): number[] {
    const now = performance.now()
    const rests = (clientId: number) =>
      now - (this.#since.get(clientId) ?? Number.NEGATIVE_INFINITY) <= PAUSE_MS
    return [...this.#changed].filter((clientId) => !rests(clientId))
  }
}
