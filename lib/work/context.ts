import type { Services, WriteCtx } from '../endpoint/context.ts'
import type { Tx } from '../store/database.ts'

/** What the commands of other rooms write with, for work that an operator has asked for; `id` names the work. */
export function workContext(services: Services, tx: Tx, id = 'importacion'): WriteCtx {
  return {
    ...services,
    tx,
    actor: { kind: 'cron' },
    request: { id, address: '', agent: '', language: 'es', headers: new Headers() },
    queued: new Set(),
    wakeAfter: false,
    audit: {},
  }
}
