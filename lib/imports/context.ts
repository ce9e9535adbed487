import type { Services, WriteCtx } from '../endpoint/context.ts'
import type { Tx } from '../store/database.ts'

/** What the commands of other rooms write with, for work that an operator has asked for. */
export function workContext(services: Services, tx: Tx): WriteCtx {
  return {
    ...services,
    tx,
    actor: { kind: 'cron' },
    request: { id: 'importacion', address: '', agent: '', language: 'es', headers: new Headers() },
    queued: new Set(),
    wakeAfter: false,
    audit: {},
  }
}
