/** From so long on a task is felt, and counts beyond it (web.dev, "Total Blocking Time"). */
const FELT_MS = 50

type Event = { name: string; ph: string; pid: number; tid: number; dur?: number; tdur?: number }

/**
 * How long a page could not answer, by the clock of its own thread, slowed down as a phone's: what else runs on the
 * machine makes its tasks last longer, and this no greater. From the first byte on, so Lighthouse's is at most this.
 */
export function blockedMs(events: readonly Event[], slowdown: number): number {
  const page = threadOf(events)
  return events
    .filter((event) => event.ph === 'X' && event.name === 'RunTask' && idOf(event) === page)
    .reduce((sum, { tdur = 0 }) => sum + Math.max(0, (tdur / 1000) * slowdown - FELT_MS), 0)
}

/** The thread that runs the page's scripts. */
function threadOf(events: readonly Event[]): string {
  const counts = new Map<string, number>()
  for (const event of events)
    if (event.name === 'FunctionCall') counts.set(idOf(event), (counts.get(idOf(event)) ?? 0) + 1)
  const [page] = [...counts].sort(([, one], [, other]) => other - one)
  if (!page) throw new Error('the trace has no page')
  return page[0]
}

const idOf = ({ pid, tid }: Event) => `${pid}:${tid}`
