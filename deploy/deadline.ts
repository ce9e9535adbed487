/** No answer takes longer where the database is a server's, whatever that does. */
export const ANSWER_MS = 9500

/** The answer did not come in time, which is the database's doing: told as 503 `no_disponible`. */
export class DatabaseLate extends Error {
  constructor() {
    super('database unavailable: no answer in time')
    this.name = 'DatabaseLate'
  }
}

/**
 * The answer, or what `late` makes or throws when it has not come in `timeoutMs`: nobody hangs on a server that
 * went away half way. What was being done may still be done.
 */
export async function withinDeadline<T>(answer: Promise<T>, timeoutMs: number, late: () => T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  try {
    return await Promise.race([answer, over.then(late)])
  } finally {
    clearTimeout(timer)
  }
}
