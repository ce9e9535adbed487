import { syncPagesJob } from '../../lib/appearance/pages.ts'
import { cloneApplicationJob } from '../../lib/applications/clone.ts'
import { installApplicationJob } from '../../lib/applications/job.ts'
import { publishApplicationJob, takeBackJob } from '../../lib/applications/publish.ts'
import { updateApplicationJob } from '../../lib/applications/update.ts'
import { copyBeforeJob } from '../../lib/backups/before/job.ts'
import { copyClientJob } from '../../lib/backups/job.ts'
import { restoreJob } from '../../lib/backups/restore-job.ts'
import { removeClientJob, syncClientJob, syncPlanJob } from '../../lib/clients/job.ts'
import { removeDatabaseJob, syncDatabasesJob } from '../../lib/databases/job.ts'
import { ZONE_JOB_KINDS } from '../../lib/dns/job.ts'
import { operateFilesJob } from '../../lib/files/job.ts'
import { importJob } from '../../lib/imports/job.ts'
import { loadDatabaseJob } from '../../lib/loads/job.ts'
import { emptyNodeJob } from '../../lib/moves/empty.ts'
import { moveClientJob } from '../../lib/moves/job.ts'
import { followMoveJob, leaveNodeJob } from '../../lib/moves/leave.ts'
import { runScheduleJob } from '../../lib/schedules/job.ts'
import { issueCertificate } from '../../lib/sites/certificates/job.ts'
import { emptySiteJob, removeSiteJob, syncSiteJob } from '../../lib/sites/job.ts'
import { purgeDeletedJob, restoreDeletedJob } from '../../lib/trash/job.ts'
import type { JobKind } from '../../lib/work/kind.ts'

/** Every job kind; a worker claims only the kinds that its process can run. */
export const JOB_KINDS: JobKind[] = [
  syncPagesJob,
  syncClientJob,
  syncPlanJob,
  syncSiteJob,
  emptySiteJob,
  removeSiteJob,
  removeClientJob,
  syncDatabasesJob,
  removeDatabaseJob,
  issueCertificate,
  operateFilesJob,
  loadDatabaseJob,
  runScheduleJob,
  installApplicationJob,
  updateApplicationJob,
  copyClientJob,
  copyBeforeJob,
  restoreJob,
  cloneApplicationJob,
  publishApplicationJob,
  takeBackJob,
  moveClientJob,
  emptyNodeJob,
  followMoveJob,
  leaveNodeJob,
  importJob,
  restoreDeletedJob,
  purgeDeletedJob,
  ...ZONE_JOB_KINDS,
]
