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
  /** After this long the lease of a crashed holder is free again; a running holder renews it. */
  ttlSeconds: number
  /** True if each node must run its own. */
  everyNode?: boolean
  /** True if each node has a part of the work, and hosts that are no nodes have another. */
  leaseByNode?: boolean
  /** A cheap check whether there is anything to do, made before the lease is taken. */
  due?(services: Services): Promise<boolean>
  /** Does the work to its end; the result is shown to whoever ran it by hand. */
  run(services: Services): Promise<Record<string, number>>
}

/** A periodic handler, with the job that it was made from for the scheduler. */
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
 * A handler like any other. It is run by the scheduler of a node, by `panel cron` or by a request with the cron
 * secret, and a lease in the database lets only one process run it at a time.
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

/** The name of the lease under which a job runs on a node; the lease also records when the job last ran. */
export const cronLease = (job: Pick<CronJob, 'name' | 'everyNode' | 'leaseByNode'>, node: string | null) =>
  (job.everyNode || job.leaseByNode) && node ? `cron:${job.name}:${node}` : `cron:${job.name}`

/** Runs a periodic job now. Null if another process is running it, or if it is for nodes and this host is none. */
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
