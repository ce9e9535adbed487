import { and, count, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { clients, mails, scheduleRuns, schedules, sites } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { Caged } from '../endpoint/node-port.ts'
import { enqueueMail } from '../mail/queue.ts'
import type { Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import { rootMessage } from '../text/root-message.ts'
import { later } from '../work/back-off.ts'
import { requireDriver } from '../work/driver.ts'
import { enqueue } from '../work/jobs.ts'
import { type JobKind, nothingMore } from '../work/kind.ts'
import type { RunningJob } from '../work/running.ts'
import { RUN_KIND, runJob } from './commands.ts'
import { KEPT_OUTPUT_BYTES, KEPT_RUNS, type Run, type Schedule } from './decide.ts'
import { lastText } from './output.ts'
import { isRestoring } from './restoring.ts'
import { failurePayload } from './view.ts'

const LONGEST_MS = 3_600_000
/** Of all tasks of an address together: some that fail each other time would mail without end. */
const MAILS_AN_HOUR = 5

/** How long a run is put off by while what it works on is being restored. */
const PUT_OFF_MS = 60_000

type Known = {
  schedule: Schedule
  domain: string
  client: typeof clients.$inferSelect
  restoring: number
}
type End = Pick<Run, 'code' | 'output' | 'reason' | 'ms'>

/**
 * Runs a schedule's program once. A run that was cut off with the panel is recorded as interrupted and not started
 * again.
 */
export const runScheduleJob: JobKind = {
  kind: RUN_KIND,
  caged: true,
  cancellable: true,
  tries: 1,
  async run(services, job, step) {
    const known = await knownOf(services, job.target)
    if (!known) return nothingMore
    if (known.restoring === 1) return async (tx) => putOff(tx, services, known)
    let isFirst = false
    await step('schedule.begin', async () => {
      isFirst = await begin(services, job)
    })
    if (!isFirst) {
      const end: End = { code: null, output: '', reason: 'interrumpida', ms: 0 }
      return async (tx) => record(tx, services, { known, job, end })
    }
    let end: End | null = null
    await step('schedule.run', async () => {
      end = await runOnce(services, job, known)
    })
    const ended: End = end ?? { code: null, output: '', reason: 'rechazada', ms: 0 }
    if (job.signal.aborted) {
      await services.db.write((tx) => record(tx, services, { known, job, end: ended }))
      job.signal.throwIfAborted()
    }
    return async (tx) => record(tx, services, { known, job, end: ended })
  },
}

async function knownOf({ db }: Services, id: string): Promise<Known | undefined> {
  return db.read
    .select({ schedule: schedules, domain: sites.domain, client: clients, restoring: isRestoring })
    .from(schedules)
    .innerJoin(sites, eq(sites.id, schedules.siteId))
    .innerJoin(clients, eq(clients.id, schedules.clientId))
    .where(
      and(
        eq(schedules.id, id),
        eq(clients.state, 'activo'),
        eq(clients.moving, false),
        ne(sites.state, 'eliminando'),
      ),
    )
    .get()
}

function putOff(tx: Tx, services: Services, { client, schedule }: Known): void {
  const notBefore = later(services.now(), PUT_OFF_MS)
  enqueue(tx, services, { ...runJob(client, schedule.id), notBefore })
}

/** Whether this is the first time that this run is begun. */
async function begin({ db, now }: Services, job: RunningJob): Promise<boolean> {
  const rows = await db.write((tx) =>
    tx
      .insert(scheduleRuns)
      .values({ job: job.id, scheduleId: job.target, startedAt: now() })
      .onConflictDoNothing()
      .returning({ job: scheduleRuns.job }),
  )
  return rows.length > 0
}

async function runOnce(services: Services, job: RunningJob, known: Known): Promise<End> {
  const began = performance.now()
  const lasted = () => Math.round(performance.now() - began)
  try {
    const caged = await startOf(services, known)
    const stop = () => caged.stop()
    job.signal.addEventListener('abort', stop)
    if (job.signal.aborted) stop()
    const output = await lastText(caged.stdout)
    const { code, signal, reason, stderr } = await caged.ended
    if (reason === 'refused') return { code: null, output: stderr, reason: 'rechazada', ms: lasted() }
    const words = { exit: 'terminada', deadline: 'plazo', stopped: 'detenida' } as const
    // 128 and the signal's number, as shells report it.
    const told = reason === 'exit' && signal !== null ? 128 + signal : code
    return { code: told, output, reason: words[reason], ms: lasted() }
  } catch (error) {
    services.log('warn', 'task not begun', { job: job.id, reason: rootMessage(error) })
    return { code: null, output: '', reason: 'rechazada', ms: lasted() }
  }
}

const startOf = (services: Services, { schedule, domain }: Known): Promise<Caged> => {
  const [program = '', ...words] = schedule.argv
  return requireDriver(services).runCaged({
    client: { clientId: schedule.clientId, sites: [{ siteId: schedule.siteId, domain }] },
    sees: { site: domain },
    argv: [program, ...words],
    directory: `/sitios/${domain}`,
    network: true,
    joined: true,
    deadlineMs: LONGEST_MS,
  })
}

/** Records how the run went, mails the first of consecutive failures, and forgets what is beyond what is kept. */
async function record(
  tx: Tx,
  services: Services,
  { known, job, end }: { known: Known; job: RunningJob; end: End },
): Promise<void> {
  const { schedule, client, domain } = known
  const oldest = sql`select job from schedule_runs where schedule_id = ${schedule.id} order by job desc limit ${KEPT_RUNS}`
  const failed = end.reason !== 'detenida' && (end.reason !== 'terminada' || end.code !== 0)
  tx.later(
    tx.update(scheduleRuns).set(end).where(eq(scheduleRuns.job, job.id)),
    tx
      .delete(scheduleRuns)
      .where(and(eq(scheduleRuns.scheduleId, schedule.id), sql`${scheduleRuns.job} not in (${oldest})`)),
    tx.update(schedules).set({ failing: failed }).where(eq(schedules.id, schedule.id)),
    tx
      .update(scheduleRuns)
      .set({ output: '' })
      .where(inArray(scheduleRuns.job, beyondKept(client.id))),
  )
  if (!failed || schedule.failing || client.email === null) return
  if ((await mailedLately(tx, services, client.email)) >= MAILS_AN_HOUR) return
  enqueueMail(tx, services, {
    kind: 'programada_fallida',
    to: client.email,
    language: client.language,
    client: client.name,
    payload: failurePayload(schedule, domain, end),
  })
}

/** The runs of a client whose output is older than the newest that are kept, in SQL. */
const beyondKept = (clientId: number) => sql`(select job from (
  select r.job, sum(octet_length(r.output)) over (order by r.job desc) as said
  from schedule_runs r join schedules s on s.id = r.schedule_id
  where s.client_id = ${clientId} and r.output <> ''
) where said > ${KEPT_OUTPUT_BYTES})`

/** Mails of failed tasks to an address in the last hour; ids begin with the time that they were made. */
async function mailedLately(tx: Tx, { now, random }: Services, recipient: string): Promise<number> {
  const since = `cor_${ulid(later(now(), -3_600_000), random)}`
  const [row] = await tx
    .select({ many: count() })
    .from(mails)
    .where(and(gt(mails.id, since), eq(mails.kind, 'programada_fallida'), eq(mails.recipient, recipient)))
  return row?.many ?? 0
}
