import type { Log } from '../../../lib/endpoint/context.ts'

/** One line of JSON an event on standard error; secrets print as `[secret]`. deploy/monitoring/fail2ban matches some. */
export const log: Log = (level, event, fields = {}) => {
  process.stderr.write(`${JSON.stringify({ t: new Date().toISOString(), level, event, ...fields })}\n`)
}
