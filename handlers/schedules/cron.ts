import { areSchedulesDue, enqueueDueSchedules } from '../../lib/schedules/due.ts'
import { cronHandler } from '../../lib/work/cron.ts'

/** Starts the sites' scheduled tasks that are due, each minute. */
export default cronHandler({
  name: 'programadas',
  summary: "Begin the sites' scheduled tasks that are due",
  pattern: '0 * * * * *',
  ttlSeconds: 60,
  due: areSchedulesDue,
  run: async (services) => ({ empezadas: await enqueueDueSchedules(services) }),
})
