import type { CronHandler } from '../../lib/cron.ts'
import expiry from './expiry.ts'
import jobs from './jobs.ts'
import mail from './mail.ts'
import mirror from './mirror.ts'
import recheck from './recheck.ts'
import zones from './zones.ts'

/** Every scheduled handler. */
export const cronHandlers: CronHandler[] = [jobs, mail, expiry, zones, mirror, recheck]
