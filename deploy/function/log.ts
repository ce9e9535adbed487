import type { Log } from '../../lib/endpoint/context.ts'

/** One line of JSON an event, as on a node; the host collects what is written to the console. */
export const log: Log = (level, event, fields = {}) => {
  const line = JSON.stringify({ t: new Date().toISOString(), level, event, ...fields })
  if (level === 'error') console.error(line)
  else console.log(line)
}
