import { and, eq } from 'drizzle-orm'
import { clients, schedules, sites } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import { type Client, requireChangeable } from '../clients/decide.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Schedule } from './decide.ts'
import { isRunning, type Named } from './view.ts'

/** A schedule that the path names, to be changed here: 404 for the site, then for the schedule. */
export async function scheduleToChange(
  ctx: WriteCtx,
  { domain, id }: Named,
): Promise<{ schedule: Schedule; client: Client; running: boolean }> {
  const row = await ctx.tx
    .select({ client: clients, schedule: schedules, running: isRunning })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .leftJoin(schedules, and(eq(schedules.siteId, sites.id), eq(schedules.id, id)))
    .where(and(eq(sites.domain, domain), visibleTo(ctx.actor)))
    .get()
  if (!row) throw new AppError('sitio_no_existe')
  Object.assign(ctx.audit, { client: row.client.name, target: domain })
  const client = requireChangeable(row.client, ctx.config.node)
  if (!row.schedule) throw new AppError('programada_no_existe')
  return { schedule: row.schedule, client, running: row.running === 1 }
}
