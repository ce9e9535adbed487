import type { Metric, Sample } from './exposition.ts'

/** Upper bounds of the histogram's buckets, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What latencies are told apart by; sign-ins are slow on purpose, and scheduled work has no limit. */
export type RequestKind = 'read' | 'write' | 'stream' | 'sign-in' | 'scheduled' | 'web'

/** A request that was answered. The operation is a path's pattern, never a path with values. */
export type Answered = { operation: string; kind: RequestKind; status: number; seconds: number }

type Latencies = { buckets: number[]; sum: number; count: number }

export type Tally = ReturnType<typeof createTally>

/** Counts what this process answered since its start. */
export function createTally() {
  const requests = new Map<string, { operation: string; outcome: string; count: number }>()
  const latencies = new Map<RequestKind, Latencies>()
  const refusals = new Map<string, number>()
  return {
    answered({ operation, kind, status, seconds }: Answered): void {
      const outcome = `${Math.floor(status / 100)}xx`
      const key = `${outcome} ${operation}`
      const known = requests.get(key)
      if (known) known.count++
      else requests.set(key, { operation, outcome, count: 1 })
      note(latencies, kind, seconds)
    },

    /** A bearer was refused, with this error code. */
    refused(reason: string): void {
      refusals.set(reason, (refusals.get(reason) ?? 0) + 1)
    },

    metrics: (): Metric[] => metricsOf([...requests.values()], latencies, refusals),
  }
}

type Requests = { operation: string; outcome: string; count: number }[]

function metricsOf(
  requests: Requests,
  latencies: Map<RequestKind, Latencies>,
  refusals: Map<string, number>,
): Metric[] {
  return [
    {
      name: 'controlpanel_requests_total',
      help: 'Requests answered, by operation and class of status.',
      type: 'counter',
      samples: requests.map(({ operation, outcome, count }) => ({
        labels: { operation, class: outcome },
        value: count,
      })),
    },
    {
      name: 'controlpanel_request_seconds',
      help: 'Time until the head of an answer, by kind of request.',
      type: 'histogram',
      samples: [...latencies].flatMap(([kind, found]) => histogram(kind, found)),
    },
    {
      name: 'controlpanel_bearers_refused_total',
      help: 'Bearers refused, by error code; credencial_invalida and espera are counted as attacks.',
      type: 'counter',
      samples: [...refusals].map(([reason, value]) => ({ labels: { reason }, value })),
    },
  ]
}

function note(latencies: Map<RequestKind, Latencies>, kind: RequestKind, seconds: number): void {
  const found = latencies.get(kind) ?? { buckets: BOUNDS.map(() => 0), sum: 0, count: 0 }
  latencies.set(kind, found)
  const bucket = BOUNDS.findIndex((bound) => seconds <= bound)
  if (bucket >= 0) found.buckets[bucket] = (found.buckets[bucket] ?? 0) + 1
  found.sum += seconds
  found.count++
}

/** Buckets are cumulative; the last one holds everything. */
function histogram(kind: RequestKind, { buckets, sum, count }: Latencies): Sample[] {
  let below = 0
  const cumulative = BOUNDS.map((bound, i) => {
    below += buckets[i] ?? 0
    return { suffix: '_bucket', labels: { kind, le: String(bound) }, value: below }
  })
  return [
    ...cumulative,
    { suffix: '_bucket', labels: { kind, le: '+Inf' }, value: count },
    { suffix: '_sum', labels: { kind }, value: sum },
    { suffix: '_count', labels: { kind }, value: count },
  ]
}
