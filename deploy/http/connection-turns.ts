/** Requests of one connection before it is closed: without a bearer, and with one. */
const MOST = { open: 30, bearer: 1_000 }
/** Connections that are remembered; who has more than that open has the oldest forgotten. */
const REMEMBERED = 50_000

type Turn = 'first' | 'last' | 'early'

/**
 * Bun takes up a request while an answer before it on the same connection still waits to be read, and never frees what
 * it then holds once the connection is closed: one that sends a thousand requests at once and reads nothing costs the
 * memory of all their answers for good, and keeps the server from ending. So each connection has one request at a time,
 * which all programs do that do not pipeline (RFC 9112, 9.3.2), and ends after a number of them.
 */
export function connectionTurns() {
  const waiting = new Set<string>()
  const counts = new Map<string, number>()
  return {
    /** Notes a request: `early` where another one of its connection is not answered yet, `last` where it is to be closed. */
    begin(connection: string, hasBearer: boolean): Turn {
      if (waiting.has(connection)) return 'early'
      waiting.add(connection)
      const count = (counts.get(connection) ?? 0) + 1
      counts.delete(connection)
      if (count >= (hasBearer ? MOST.bearer : MOST.open)) return 'last'
      counts.set(connection, count)
      if (counts.size > REMEMBERED) counts.delete(counts.keys().next().value ?? '')
      return 'first'
    },
    /** Its answer is about to be sent. */
    end: (connection: string) => void waiting.delete(connection),
  }
}
