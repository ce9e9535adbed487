import { AppError } from '../endpoint/errors.ts'

/**
 * Does the work for each key one after another, in the order in which it was asked for; that for other keys does not
 * wait, and what fails holds up nothing that follows. 503 where as much of the same key's waits already as may.
 */
export function oneOfEach<Key>(mostWaiting = Number.POSITIVE_INFINITY) {
  const lines = new Map<Key, { last: Promise<unknown>; many: number }>()
  return async <T>(key: Key, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { last: Promise.resolve(), many: 0 }
    if (line.many > mostWaiting) throw new AppError('no_disponible', { retryAfterSeconds: 2 })
    lines.set(key, line)
    line.many += 1
    const turn = line.last.then(work)
    line.last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      line.many -= 1
      if (line.many === 0) lines.delete(key)
    }
  }
}
