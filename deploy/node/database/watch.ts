import { sql } from 'drizzle-orm'
import type { Services } from '../../../lib/context.ts'
import { rootMessage } from '../../../lib/root-message.ts'

const EVERY_MS = 2_000
const FAILURES = 3

/**
 * Ends the process when its database file cannot even be read for a while: what it holds open may belong to a disk
 * that is gone, and would stay broken when that is back. A new start opens it anew, or says what is wrong; sites and
 * names are answered meanwhile. A database on a server is none of this: a connection is made anew at each request.
 */
export function watchDatabase(services: Services, lost: () => void): { stop(): void } {
  let failures = 0
  const look = async () => {
    try {
      await services.db.read.run(sql`select count(*) from migrations`)
      failures = 0
    } catch (error) {
      failures += 1
      if (failures < FAILURES) return
      services.log('error', 'database lost', { motivo: rootMessage(error) })
      lost()
    }
  }
  const timer = setInterval(look, EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
