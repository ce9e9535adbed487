import { AppError } from '../endpoint/errors.ts'

/**
 * Does what keeps the panel busy for one of each at a time: further work waits for its turn, and 503 where too much of
 * the same one's waits already.
 */
export function oneOfEach<Key>(mostWaiting: number) {
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
