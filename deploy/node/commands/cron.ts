import { eq } from 'drizzle-orm'
import type { Services } from '../../../lib/context.ts'
import { cronLease, runCron } from '../../../lib/cron.ts'
import { storedFaultText } from '../../../lib/faults.ts'
import { wireTime } from '../../../lib/page.ts'
import { leases } from '../../../schema/tables.ts'
import { announce, servingFrom } from '../presence.ts'
import { createRuntime, cronJobs } from '../runtime.ts'
import { type Output, UsageError } from './output.ts'
import type { Given } from './words.ts'

/** `panel cron NAME` runs one scheduled handler now, to its end; without a name it lists them. */
export async function cron(given: Given, output: Output): Promise<void> {
  const name = given.get('NAME')
  const job = cronJobs.find((candidate) => candidate.name === name)
  if (name !== undefined && !job) throw new UsageError(`no scheduled handler is called ${name}`)
  const runtime = await createRuntime(process.env, { hands: job !== undefined })
  // The services of a panel that runs beside are that panel's, also where this command's settings differ from its.
  const alone = job !== undefined && servingFrom(runtime.config.dataDir).length === 0
  // Noted like a panel: it holds leases that another one must not take for a dead process's.
  const leave = job === undefined ? () => undefined : announce(runtime.config.dataDir)
  if (job) {
    if (alone) await runtime.begin()
    const result = await runCron(runtime.services, job)
    const done = { tarea: job.name, ejecutada: result !== null, resultado: result ?? {} }
    output.line(done, [
      result === null ? `${job.name}: another process is at it` : `${job.name}: ${JSON.stringify(result)}`,
    ])
  } else {
    const rows = await Promise.all(cronJobs.map((each) => describe(runtime.services, each)))
    output.line(
      rows,
      rows.map((row) => `${row.nombre.padEnd(14)} ${row.cuando.padEnd(16)} ${row.resumen}`),
    )
  }
  runtime.hands?.release()
  await runtime.close()
  leave()
}

async function describe({ db, config }: Services, job: (typeof cronJobs)[number]) {
  const row = await db.read
    .select()
    .from(leases)
    .where(eq(leases.name, cronLease(job, config.node)))
    .get()
  return {
    nombre: job.name,
    cuando: job.pattern,
    resumen: job.summary,
    ultima: wireTime(row?.lastRunAt ?? null),
    error: storedFaultText(row?.lastError ?? null, 'en'),
  }
}
