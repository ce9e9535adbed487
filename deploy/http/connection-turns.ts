/** Requests of one connection before it is closed: without a bearer, and with one. */
const MOST = { open: 30, bearer: 1_000 }
/** Connections that are remembered; who has more than that open has the oldest forgotten. */
const REMEMBERED = 50_000

/**
 * Bun takes up a request while an answer before it on the same connection still waits to be read, and never frees what
 * it then holds once the connection is closed: one that sends a thousand requests at once and reads nothing costs the
 * memory of all their answers for good, and keeps the server from ending. So each connection has one request at a time,
 * which all programs do that do not pipeline (RFC 9112, 9.3.2): after the answer to one that others were sent along
 * with, it ends; and it ends after a number of them.
 */
export function connectionTurns() {
  const open = new Map<string, { over: Promise<void>; end: () => void; isCrowded: boolean }>()
  const counts = new Map<string, number>()
  return {
    /** Notes a request; for one that came while another is being answered, resolves when that one has been. */
    begin(connection: string): Promise<void> | null {
      const first = open.get(connection)
      if (first) {
        first.isCrowded = true
        return first.over
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      open.set(connection, { over: promise, end: resolve, isCrowded: false })
      return null
    },

    /** Its answer is about to be sent; answers whether the connection is to end with it. */
    end(connection: string, hasBearer: boolean): boolean {
      const { end, isCrowded } = open.get(connection) ?? { end: () => {}, isCrowded: false }
      open.delete(connection)
      end()
      const count = (counts.get(connection) ?? 0) + 1
      counts.delete(connection)
      if (isCrowded || count >= (hasBearer ? MOST.bearer : MOST.open)) return true
      counts.set(connection, count)
      if (counts.size > REMEMBERED) counts.delete(counts.keys().next().value ?? '')
      return false
    },
  }
}
