import type { CronHandler } from '../../lib/work/cron.ts'
import backups from '../backups/cron.ts'
import nodeCopy from '../backups/node-cron.ts'
import grownDatabases from '../databases/grown-cron.ts'
import changedFiles from '../files/changed-cron.ts'
import files from '../files/sweep.ts'
import addresses from '../logs/shorten-cron.ts'
import moves from '../moves/cron.ts'
import reality from '../nodes/compare.ts'
import schedules from '../schedules/cron.ts'
import updates from '../summary/updates-cron.ts'
import webhooks from '../webhooks/cron.ts'
import certificates from './certificates.ts'
import databases from './databases.ts'
import expiry from './expiry.ts'
import jobs from './jobs.ts'
import logs from './logs.ts'
import mail from './mail.ts'
import mirror from './mirror.ts'
import names from './names.ts'
import recheck from './recheck.ts'
import relay from './relay.ts'
import sftp from './sftp.ts'
import trash from './trash.ts'
import usage from './usage.ts'
import zones from './zones.ts'

/** Every scheduled handler. */
export const cronHandlers: CronHandler[] = [
  jobs,
  mail,
  relay,
  webhooks,
  expiry,
  schedules,
  sftp,
  trash,
  files,
  changedFiles,
  logs,
  addresses,
  usage,
  databases,
  grownDatabases,
  backups,
  nodeCopy,
  moves,
  zones,
  reality,
  certificates,
  mirror,
  recheck,
  names,
  updates,
]
