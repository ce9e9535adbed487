import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { clients, jobs, scheduleRuns, schedules, sites } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import type { RunCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { pageOf, wireTime } from '../endpoint/page.ts'
import type { Db } from '../store/database.ts'
import { both, mapped, type Reading, reading } from '../store/reading.ts'
import type { Run, Schedule } from './decide.ts'
import type { RunView, ScheduleView } from './shapes.ts'

/** Whether a schedule runs or is about to, in SQL. */
export const isRunning = sql<number>`exists (select 1 from ${jobs}
  where ${jobs.subject} = 'programada:' || ${schedules.id} and ${jobs.state} in ('pendiente', 'en_curso'))`

/** All that a view of schedules is selected from. */
function selectSchedules(db: Db) {
  return db
    .select({ schedule: schedules, domain: sites.domain, running: isRunning, run: scheduleRuns })
    .from(schedules)
    .innerJoin(sites, eq(sites.id, schedules.siteId))
    .innerJoin(clients, eq(clients.id, schedules.clientId))
    .leftJoin(
      scheduleRuns,
      sql`${scheduleRuns.job} = (select max(r.job) from schedule_runs r where r.schedule_id = ${schedules.id})`,
    )
}

type Row = { schedule: Schedule; domain: string; running: number; run: Run | null }

const scheduleView = ({ schedule, domain, running, run }: Row): ScheduleView => ({
  id: schedule.id,
  sitio: domain,
  cuando: schedule.pattern,
  orden: schedule.argv,
  activa: schedule.active,
  proxima: schedule.active ? wireTime(schedule.nextAt) : null,
  en_curso: running === 1,
  ultima: run && { cuando: wireTime(run.startedAt), codigo: run.code, ms: run.ms, motivo: run.reason },
  creada: wireTime(schedule.createdAt),
})

const runView = (run: Run): RunView => ({
  id: run.job,
  cuando: wireTime(run.startedAt),
  ms: run.ms,
  codigo: run.code,
  salida: run.output,
  motivo: run.reason,
})

/** What the mail about a failed run tells. */
export function failurePayload({ argv }: Schedule, domain: string, run: Pick<Run, 'code' | 'output'>) {
  const said = run.output.split('\n').filter((line) => line.trim() !== '')
  const [linea1 = '', linea2 = '', linea3 = ''] = said.map((line) => line.slice(0, 200))
  return {
    sitio: domain,
    orden: argv.join(' ').slice(0, 200),
    codigo: String(run.code ?? '-'),
    ...{ linea1, linea2, linea3 },
  }
}

type Reader = Pick<RunCtx, 'tx' | 'actor'>
type Place = { desde?: string | undefined; limite: number }
export type Named = { domain: string; id: string }

/** One schedule of a site; 404 `programada_no_existe`. */
export function scheduleReading({ tx, actor }: Reader, { domain, id }: Named): Reading<ScheduleView> {
  const own = and(eq(sites.domain, domain), eq(schedules.id, id), visibleTo(actor))
  return reading(selectSchedules(tx).where(own), ([row]) => {
    if (!row) throw new AppError('programada_no_existe')
    return scheduleView(row)
  })
}

/** A page of a site's schedules; 404 `sitio_no_existe`. */
export function schedulesReading({ tx, actor }: Reader, domain: string, { desde, limite }: Place) {
  const own = and(eq(sites.domain, domain), visibleTo(actor))
  const site = tx
    .select({ id: sites.id })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .where(own)
  const rows = selectSchedules(tx)
    .where(and(own, desde === undefined ? undefined : gt(schedules.id, desde)))
    .orderBy(asc(schedules.id))
    .limit(limite + 1)
  return mapped(
    both(
      reading(site, (found) => found),
      reading(rows, (found) => found),
    ),
    ([known, found]) => {
      if (known.length === 0) throw new AppError('sitio_no_existe')
      return pageOf(found, limite, ({ schedule }) => schedule.id, scheduleView)
    },
  )
}

/** A page of the runs of one, newest first; 404 `programada_no_existe`. */
export function runsReading(ctx: Reader, named: Named, { desde, limite }: Place) {
  const rows = ctx.tx
    .select()
    .from(scheduleRuns)
    .where(
      and(
        eq(scheduleRuns.scheduleId, named.id),
        desde === undefined ? undefined : lt(scheduleRuns.job, desde),
      ),
    )
    .orderBy(desc(scheduleRuns.job))
    .limit(limite + 1)
  // The schedule is looked for as the actor may see it: else there is nothing.
  return mapped(
    both(
      scheduleReading(ctx, named),
      reading(rows, (found) => found),
    ),
    ([, found]) => pageOf(found, limite, ({ job }) => job, runView),
  )
}
