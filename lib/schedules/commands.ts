import { and, eq, inArray } from 'drizzle-orm'
import { jobs, schedules } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import type { Query } from '../store/reading.ts'
import type { NewJob } from '../work/jobs.ts'
import type { Schedule } from './decide.ts'

export const RUN_KIND = 'programada.ejecutar'

/** The work that runs one; its runs come one after another. */
export const runJob = (client: Pick<Client, 'node' | 'name'>, id: string): NewJob => ({
  kind: RUN_KIND,
  node: client.node,
  subject: `programada:${id}`,
  target: id,
  client: client.name,
  cancellable: true,
})

/** Deletes one, and ends its run. */
export const queueRemoval = ({ tx, now }: WriteCtx, { id }: Schedule): Query[] => [
  tx
    .update(jobs)
    .set({ cancelledAt: now() })
    .where(and(eq(jobs.subject, `programada:${id}`), inArray(jobs.state, ['pendiente', 'en_curso']))),
  tx.delete(schedules).where(eq(schedules.id, id)),
]
