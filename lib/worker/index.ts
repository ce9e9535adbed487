import { issueCertificate } from '../certificates/job.ts'
import { ZONE_JOB_KINDS } from '../dns/work.ts'
import { applyClient, applyPlan, applySite, removeClient, removeSite } from './clients.ts'
import type { JobKind } from './kind.ts'

/** Every kind of work there is; a worker claims only the kinds that its process can do. */
export const JOB_KINDS: JobKind[] = [
  applyClient,
  applyPlan,
  applySite,
  removeSite,
  removeClient,
  issueCertificate,
  ...ZONE_JOB_KINDS,
]
