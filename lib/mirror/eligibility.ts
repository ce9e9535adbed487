import type { Verdict } from '../../schema/states.ts'
import { formatIpv6, parseIpv6 } from '../dns/rdata/address.ts'
import type { Resolver, ResolverAnswer } from '../endpoint/context.ts'

/** What one resolver says about where a zone leads, as kept and shown. */
export type Observation = {
  resolver: string
  resultado: Verdict
  visto: string[]
  /** How long this answer may stay in caches; null if it said nothing. */
  ttlSeconds: number | null
  /** The resolver did not answer in time. */
  late: boolean
}

/** Below the five seconds that a request may wait (docs/api.md, "Work on the node"). */
const QUERY_TIMEOUT_MS = 4_000
const MAX_SHOWN = 16

/**
 * Asks every resolver for the apex addresses of `zone`, at once. Never throws: a resolver that fails is
 * an observation without a conclusion.
 */
export async function observe(
  resolvers: readonly Resolver[],
  zone: string,
  ours: readonly string[],
): Promise<Observation[]> {
  const expected = ours.map(plainAddress)
  return Promise.all(
    resolvers.map(async (resolver) => {
      const [a, aaaa] = await Promise.all([ask(resolver, zone, 'A'), ask(resolver, zone, 'AAAA')])
      return judge(resolver.label, [a, aaaa], expected)
    }),
  )
}

/** One spelling of an address: configured addresses may be spelt differently from those that resolvers return. */
function plainAddress(address: string): string {
  const octets = parseIpv6(address)
  return octets === null ? address : formatIpv6(octets)
}

function ask(resolver: Resolver, zone: string, type: 'A' | 'AAAA'): Promise<ResolverAnswer> {
  return resolver
    .query(zone, type, QUERY_TIMEOUT_MS)
    .catch((): ResolverAnswer => ({ kind: 'failure', reason: 'unreachable' }))
}

/** What one resolver's answers about A and AAAA mean. */
export function judge(
  resolver: string,
  answers: readonly ResolverAnswer[],
  ours: readonly string[],
): Observation {
  const visto = answers.flatMap((answer) => (answer.kind === 'answer' ? answer.values : []))
  const ttls = answers.flatMap((answer) => (answer.kind === 'failure' ? [] : answer.ttlSeconds))
  const about = {
    resolver,
    visto: visto.slice(0, MAX_SHOWN),
    ttlSeconds: ttls.length === 0 ? null : Math.max(...ttls),
    late: answers.some((answer) => answer.kind === 'failure' && answer.reason === 'timeout'),
  }
  if (visto.some((address) => ours.includes(address))) return { ...about, resultado: 'aqui' }
  return { ...about, resultado: answers.every(isConclusive) ? 'fuera' : 'no_concluyente' }
}

/** False for a failed look-up, and for `0.0.0.0` and `::`, which a filtering resolver answers instead of the zone. */
function isConclusive(answer: ResolverAnswer): boolean {
  if (answer.kind === 'answer') {
    return !answer.values.some((address) => address === '0.0.0.0' || address === '::')
  }
  return answer.kind !== 'failure'
}

/**
 * Two resolvers that agree decide, or the only one configured. One positive answer among foreign ones decides
 * nothing: it may be a split view, or a change still on its way.
 */
export function decide(observations: readonly Observation[]): Verdict {
  const needed = observations.length === 1 ? 1 : 2
  const count = (wanted: Verdict) => observations.filter(({ resultado }) => resultado === wanted).length
  if (count('aqui') >= needed) return 'aqui'
  return count('aqui') === 0 && count('fuera') >= needed ? 'fuera' : 'no_concluyente'
}

/** When a negative verdict may be confirmed: once the answers have left the caches, but within an hour. */
export function confirmAfterSeconds(observations: readonly Observation[]): number {
  const ttls = observations.flatMap(({ resultado, ttlSeconds }) =>
    resultado === 'fuera' ? (ttlSeconds ?? []) : [],
  )
  return Math.min(3_600, Math.max(60, ...ttls))
}
