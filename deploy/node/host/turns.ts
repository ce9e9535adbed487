/**
 * Runs what has the same key one after another, in the order in which it was asked for; what has another key does not
 * wait. What fails holds up nothing that follows.
 */
export function createTurns(): <T>(key: string, run: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (key, run) => {
    const own = (last.get(key) ?? Promise.resolve()).then(run)
    const over = own
      .catch(() => {})
      .then(() => {
        if (last.get(key) === over) last.delete(key)
      })
    last.set(key, over)
    return own
  }
}
