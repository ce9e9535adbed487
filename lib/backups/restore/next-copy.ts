import { and, eq, sql } from 'drizzle-orm'
import { backupDestinations, copies, jobs } from '../../../schema/tables.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Job } from '../../work/jobs.ts'
import { latestParts } from '../decide.ts'
import { isThere } from '../destination/destination.ts'

type Lost = { job: Pick<Job, 'id'>; clientId: number; kind: 'sitio' | 'base'; name: string; copy: string }

/**
 * Has the restore of something that a node was lost with take the next copy at its next try, since this one does not read
 * back: the latest that is whole, then the latest that has any of it. False where there is no other.
 */
export async function takeNextCopy({ db }: Pick<Services, 'db'>, lost: Lost): Promise<boolean> {
  const rows = await db.read
    .select({ copy: copies })
    .from(copies)
    .innerJoin(backupDestinations, isThere)
    .where(eq(copies.clientId, lost.clientId))
  const next = latestParts(rows.map(({ copy }) => copy)).find(
    ({ part }) => part.kind === lost.kind && part.name === lost.name,
  )
  if (next === undefined || next.part.damaged === true || next.copy.id === lost.copy) return false
  await db.write(async (tx) => {
    tx.later(
      tx
        .update(jobs)
        .set({ payload: sql`json_set(${jobs.payload}, '$.copy', ${next.copy.id})` })
        .where(and(eq(jobs.id, lost.job.id), eq(jobs.state, 'en_curso'))),
    )
  })
  return true
}
