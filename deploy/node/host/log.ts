import type { Log } from '../../../lib/endpoint/context.ts'

/** One line of JSON an event on standard error; secrets print as `[secret]`. deploy/monitoring/fail2ban matches some. */
export const log: Log = (...told) => {
  process.stderr.write(logLine(...told))
}

export const logLine: (...told: Parameters<Log>) => string = (level, event, fields = {}) =>
  `${JSON.stringify({ t: new Date().toISOString(), level, event, ...fields })}\n`
