import * as v from 'valibot'
import type { Services } from '../endpoint/context.ts'
import { named, told } from '../endpoint/fields.ts'
import { cron, type Handler, handler, ok } from '../endpoint/handler.ts'
import { underLease } from './leases.ts'

export type CronJob = {
  /** The name of `POST /cron/<name>` and `panel cron NAME`. */
  name: string
  summary: string
  /** When it runs on a node: a cron pattern with seconds. */
  pattern: string
  /** After this a crashed holder's lease is free again; a running one renews it. */
  ttlSeconds: number
  /** True where each node must run its own. */
  everyNode?: boolean
  /** True where each node does its part beside the others, and hosts that are no nodes do theirs. */
  leaseByNode?: boolean
  /** A cheap look at whether there is anything to do, before the lease is taken. */
  due?(services: Services): Promise<boolean>
  /** Does the work, to its end; the answer is shown to whoever ran it by hand. */
  run(services: Services): Promise<Record<string, number>>
}

/** A scheduled handler, with the job it came from for the scheduler. */
export type CronHandler = Handler & { job: CronJob }

const ranShape = named(
  'Ejecucion',
  'A run of scheduled work.',
  v.strictObject({
    tarea: told(v.string(), 'Its name.', 'tareas'),
    ejecutada: told(v.boolean(), 'False where another process was at it, or it is for nodes alone.', true),
    resultado: told(v.record(v.string(), v.number()), 'How much of what it did.', { hechas: 2 }),
  }),
)

/**
 * A handler like any other, run by the scheduler of a node, by `panel cron` or by a request with the
 * cron secret, and by one process at a time: a lease in the database stands before it.
 */
export function cronHandler(job: CronJob): CronHandler {
  const definition = handler({
    method: 'POST',
    path: `/${job.name}`,
    access: cron(),
    summary: job.summary,
    output: ranShape,
    prepare: (services) => runCron(services, job),
    run: async (_ctx, _input, result) =>
      ok({ tarea: job.name, ejecutada: result !== null, resultado: result ?? {} }),
  })
  return Object.assign(definition, { job })
}

/** The name of the lease under which a job runs on a node; the lease also tells when it last ran. */
export const cronLease = (job: Pick<CronJob, 'name' | 'everyNode' | 'leaseByNode'>, node: string | null) =>
  (job.everyNode || job.leaseByNode) && node ? `cron:${job.name}:${node}` : `cron:${job.name}`

/**
 * Runs a scheduled job now, unless another process is at it, or it is for nodes and this host is none:
 * then null.
 */
export async function runCron(services: Services, job: CronJob): Promise<Record<string, number> | null> {
  if (job.everyNode && services.config.node === null) return null
  if (job.due && !(await job.due(services))) return {}
  let result: Record<string, number> = {}
  const ran = await underLease(
    services,
    cronLease(job, services.config.node),
    job.ttlSeconds * 1000,
    async () => {
      result = await job.run(services)
    },
  )
  return ran ? result : null
}
