import type { Actor, Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { ServerEvent } from '../endpoint/stream/events.ts'
import type { JobView } from './shapes.ts'
import { isOver } from './view.ts'

const LOOK_MS = 1_000
/** Whoever follows comes again after that: with the budget, so few streams of one caller are open at a time. */
const LONGEST_MS = 60_000
const FOLLOWED_PER_MINUTE = 30

/** Refuses a caller that follows too many jobs: 429. */
export function chargeFollow({ limits, now }: Pick<Services, 'limits' | 'now'>, actor: Actor): void {
  const who = actor.kind === 'session' ? actor.personId : actor.kind === 'token' ? actor.id : actor.kind
  const follows = { name: `seguir-tarea:${who}`, limit: FOLLOWED_PER_MINUTE, windowSeconds: 60 }
  const { allowed, resetSeconds } = limits.charge(follows, now())
  if (!allowed) throw new AppError('espera', { retryAfterSeconds: resetSeconds })
}

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
