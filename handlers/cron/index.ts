import type { CronHandler } from '../../lib/cron.ts'
import certificates from './certificates.ts'
import expiry from './expiry.ts'
import jobs from './jobs.ts'
import logs from './logs.ts'
import mail from './mail.ts'
import mirror from './mirror.ts'
import recheck from './recheck.ts'
import trash from './trash.ts'
import usage from './usage.ts'
import zones from './zones.ts'

/** Every scheduled handler. */
export const cronHandlers: CronHandler[] = [
  jobs,
  mail,
  expiry,
  trash,
  logs,
  usage,
  zones,
  certificates,
  mirror,
  recheck,
]
