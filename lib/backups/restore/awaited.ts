import { and, eq } from 'drizzle-orm'
import { jobs } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import { isUnrestored, siteOfRestore } from '../../nodes/unrestored.ts'
import { siteJob } from '../../sites/commands.ts'
import type { Tx } from '../../store/database.ts'
import { enqueue, type Job } from '../../work/jobs.ts'

/** Has a site of a lost node served as is right now that its restore has ended, however that was. */
export const serveAwaited = (
  tx: Tx,
  clock: Pick<Services, 'now' | 'random'>,
  { client, domain }: { client: Client; domain: string },
): void => enqueue(tx, clock, siteJob(client, { kind: 'sitio.aplicar', domain }))

/** Gives up what could not be brought back of a site whose files have come from another copy. */
export async function giveUpAwaited(
  tx: Tx,
  services: Services,
  { client, domain, subject }: Pick<Job, 'subject'> & { client: Client; domain: string },
): Promise<void> {
  const lost = and(
    ...[eq(jobs.subject, subject), eq(jobs.state, 'fallida')],
    ...[isUnrestored, eq(siteOfRestore, domain)],
  )
  const given = await tx.update(jobs).set({ state: 'cancelada' }).where(lost).returning({ id: jobs.id })
  if (given.length > 0) serveAwaited(tx, services, { client, domain })
}
