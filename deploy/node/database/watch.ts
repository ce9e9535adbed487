import { sql } from 'drizzle-orm'
import type { Services } from '../../../lib/endpoint/context.ts'
import { rootMessage } from '../../../lib/text/root-message.ts'

const EVERY_MS = 2_000
const FAILURES = 3

/**
 * Ends the process when its database file cannot be read for a while: its open files may belong to a disk that is
 * gone, and stay broken when the disk returns. A new start opens them anew or says what is wrong; sites and DNS are
 * served meanwhile. Does nothing if the database is on a server.
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
      services.log('error', 'database lost', { reason: rootMessage(error) })
      lost()
    }
  }
  const timer = setInterval(look, EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
