import type { Services } from '../../lib/endpoint/context.ts'
import { sameHash } from '../../lib/identity/bearer.ts'
import { EXPOSITION_TYPE, exposition } from '../../lib/metrics/exposition.ts'
import { metricFacts } from '../../lib/metrics/facts.ts'
import { type Machine, machineMetrics } from '../../lib/metrics/machine.ts'
import { createTally, type Tally } from '../../lib/metrics/tally.ts'
import { databaseMetrics } from '../../lib/metrics/view.ts'
import { sha256 } from '../../lib/secrets/hash.ts'
import { refuseBearer } from '../../lib/sign-in/authenticate.ts'
import { SECURITY_HEADERS } from './bodies.ts'

/** For so long the answer of the database is told again, however many ask. */
const KEPT_MS = 5_000

/** The other end of a connection; the port is null where the host does not tell it. */
export type Peer = { address: string; port: number | null }

/** What a node adds to what the database knows. */
export type Watching = {
  /** Whether the other end is a program of this machine that the panel's operator runs. */
  isOperator(peer: Peer): Promise<boolean>
  machine(): Promise<Machine>
}

type Caller = { request: Request; bearer: string | null; peer: Peer; address: string }

export type Metrics = {
  tally: Tally
  /** The metrics; null for those who may not read them, to whom the path does not exist. */
  answer(caller: Caller): Promise<Response | null>
}

/** `/metrics`, in Prometheus' text format, for the bearer of `PANEL_METRICS_TOKEN` and for the node's operator. */
export function createMetrics(services: Services, watching: Watching | undefined): Metrics {
  const tally = createTally()
  const known = keptFor(KEPT_MS, async () => {
    const now = services.now()
    return databaseMetrics(await metricFacts(services.db.read, services.config.node, now), now)
  })
  return {
    tally,
    async answer(caller) {
      if (!(await mayRead(services, watching, caller))) return null
      const [database, machine] = await Promise.all([known(), watching?.machine()])
      const body = exposition([...tally.metrics(), ...database, ...(machine ? machineMetrics(machine) : [])])
      const headers = { ...SECURITY_HEADERS, 'content-type': EXPOSITION_TYPE }
      return new Response(caller.request.method === 'HEAD' ? null : body, { headers })
    },
  }
}

/** A wrong bearer counts like any other wrong one, but is answered like an unknown path. */
async function mayRead(
  services: Services,
  watching: Watching | undefined,
  { request, bearer, peer, address }: Caller,
): Promise<boolean> {
  const { metricsToken } = services.config
  if (bearer === null) {
    // A proxy on this machine passes on what others asked.
    if (request.headers.has('x-forwarded-for') || request.headers.has('forwarded')) return false
    return watching?.isOperator(peer) ?? false
  }
  if (metricsToken === null) return false
  if (sameHash(sha256(bearer), sha256(metricsToken.reveal()))) return true
  await refuseBearer(services, services.limits.local, address).catch(() => {})
  return false
}

/** The result of `run`, made anew at most once in so long; a failure is not kept. */
function keptFor<T>(ms: number, run: () => Promise<T>): () => Promise<T> {
  let made: { at: number; result: Promise<T> } | null = null
  return () => {
    if (made !== null && performance.now() - made.at < ms) return made.result
    const next = { at: performance.now(), result: run() }
    made = next
    next.result.catch(() => {
      if (made === next) made = null
    })
    return next.result
  }
}
