import type { Actor, Services } from '../endpoint/context.ts'
import type { ServerEvent } from '../endpoint/stream/events.ts'
import { chargeCaller } from '../store/charge.ts'
import type { JobView } from './shapes.ts'
import { isOver } from './view.ts'

const LOOK_MS = 1_000
/** Whoever follows comes again after that: with the budget, so few streams of one caller are open at a time. */
const LONGEST_MS = 60_000
const FOLLOWED_PER_MINUTE = 30

/** Refuses a caller that follows too many jobs: 429. */
export const chargeFollow = (services: Pick<Services, 'limits' | 'now'>, actor: Actor): void =>
  chargeCaller(services, actor, { name: 'seguir-tarea', limit: FOLLOWED_PER_MINUTE })

export const jobEvent = (job: JobView): ServerEvent => ({ event: 'tarea', data: job })

/** The job each time that it has changed, until it is over or a minute has passed. */
export async function* jobChanges(
  first: JobView,
  read: () => Promise<JobView>,
): AsyncGenerator<ServerEvent[]> {
  const until = performance.now() + LONGEST_MS
  let told = first
  while (!isOver(told) && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    const job = await read()
    yield JSON.stringify(job) === JSON.stringify(told) ? [] : [jobEvent(job)]
    told = job
  }
}
