/** No answer takes longer where the database is a server's, whatever that does. */
export const ANSWER_MS = 9000

/** The answer did not come in time, which is the database's doing: told as 503 `no_disponible`. */
export class DatabaseLate extends Error {
  constructor() {
    super('database unavailable: no answer in time')
    this.name = 'DatabaseLate'
  }
}
