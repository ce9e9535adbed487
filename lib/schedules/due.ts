import { and, eq, lt, not, sql } from 'drizzle-orm'
import { clients, jobs, plans, schedules } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { Tx } from '../store/database.ts'
import { later } from '../work/back-off.ts'
import { isDue } from '../work/clock.ts'
import { enqueue } from '../work/jobs.ts'
import { RUN_KIND, runJob } from './commands.ts'
import { isBegun } from './decide.ts'
import { nextOf } from './pattern.ts'
import { isRestoring } from './restoring.ts'
import { isRunning } from './view.ts'

/** What is due is written in parts of this many. */
const AT_ONCE = 500
/** Stands for a pattern that an older version accepted and that never matches. */
const NEVER_MS = 365 * 86_400_000
/** Jobs of runs are deleted early, since the outcome is stored with the schedule. */
const KEEP_JOBS_MS = 3_600_000

/** What has to wait for a restore stays due, and has its turn after it. */
const due = (now: Date) =>
  and(eq(schedules.active, true), isDue(schedules.nextAt, now, sql`${schedules.waitMs}`), not(isRestoring))

export async function areSchedulesDue({ db, now }: Services): Promise<boolean> {
  return (await db.read.select({ id: schedules.id }).from(schedules).where(due(now())).limit(1).get()) != null
}

/**
 * Queues the runs that are due; returns how many. Times that passed while nothing looked are made up for by one run.
 */
export async function enqueueDueSchedules(services: Services): Promise<number> {
  let begun = 0
  for (;;) {
    const { seen, queued } = await services.db.write((tx) => enqueuePart(tx, services))
    begun += queued
    if (seen < AT_ONCE) break
  }
  if (begun > 0) services.work.wake()
  return begun
}

async function enqueuePart(tx: Tx, services: Services): Promise<{ seen: number; queued: number }> {
  const now = services.now()
  const rows = await tx
    .select({ schedule: schedules, client: clients, functions: plans.functions, running: isRunning })
    .from(schedules)
    .innerJoin(clients, eq(clients.id, schedules.clientId))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .where(due(now))
    .limit(AT_ONCE)
  let queued = 0
  for (const { schedule, client, functions, running } of rows) {
    const nextAt = nextOf(schedule.pattern, now) ?? later(now, NEVER_MS)
    const waitMs = nextAt.getTime() - now.getTime()
    tx.later(tx.update(schedules).set({ nextAt, waitMs }).where(eq(schedules.id, schedule.id)))
    if (!isBegun({ client, functions, running: running === 1 })) continue
    enqueue(tx, services, runJob(client, schedule.id))
    queued += 1
  }
  const old = lt(jobs.finishedAt, later(now, -KEEP_JOBS_MS))
  tx.later(tx.delete(jobs).where(and(eq(jobs.kind, RUN_KIND), eq(jobs.state, 'hecha'), old)))
  return { seen: rows.length, queued }
}
