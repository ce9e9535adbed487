/** The longest that an answer takes where the database is a server, whatever the server does. */
export const ANSWER_MS = 9000

/** The database took too long for an answer in time: 503 `no_disponible`. */
export class DatabaseLate extends Error {
  constructor() {
    super('database unavailable: no answer in time')
    this.name = 'DatabaseLate'
  }
}
