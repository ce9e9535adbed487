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
 * The answer, or what `late` makes when it has not come in `timeoutMs`: nobody hangs on a database that
 * went away between two round trips. What was being done may still be done, as with any 503.
 */
export async function withinDeadline(
  answer: Promise<Response>,
  timeoutMs: number,
  late: () => Response,
): Promise<Response> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const refusal = new Promise<Response>((resolve) => {
    timer = setTimeout(() => resolve(late()), timeoutMs)
  })
  try {
    return await Promise.race([answer, refusal])
  } finally {
    clearTimeout(timer)
  }
}
