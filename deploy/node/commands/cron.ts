import { eq } from 'drizzle-orm'
import type { Services } from '../../../lib/endpoint/context.ts'
import { wireTime } from '../../../lib/endpoint/page.ts'
import { storedFaultText } from '../../../lib/text/stored-faults.ts'
import { cronLease, runCron } from '../../../lib/work/cron.ts'
import { leases } from '../../../schema/tables.ts'
import { createRuntime, cronJobs } from '../runtime.ts'
import { announce, servingFrom } from '../services/presence.ts'
import { type Output, UsageError } from './output.ts'
import type { Given } from './words.ts'

/** `panel cron NAME` runs one scheduled handler now, to its end; without a name it lists them. */
export async function cron(given: Given, output: Output): Promise<void> {
  const name = given.get('NAME')
  const job = cronJobs.find((candidate) => candidate.name === name)
  if (name !== undefined && !job) throw new UsageError(`no scheduled handler is called ${name}`)
  const runtime = await createRuntime(process.env, { hands: job !== undefined })
  // Nginx and the others belong to a panel that runs beside, also where this command's settings differ from its.
  const alone = job !== undefined && servingFrom(runtime.config.dataDir).length === 0
  // This process is noted like a panel's: it holds leases that must not be taken for those of a dead process.
  const leave = await runtime.hands?.space.lend(async () => announce(runtime.config.dataDir))
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
  leave?.()
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
