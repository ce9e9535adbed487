/** The longest time for an answer if the database is a server, whatever that server does. */
export const ANSWER_MS = 9000

/** The database was too slow for an answer in time: 503 `no_disponible`. */
export class DatabaseLate extends Error {
  constructor() {
    super('database unavailable: no answer in time')
    this.name = 'DatabaseLate'
  }
}
