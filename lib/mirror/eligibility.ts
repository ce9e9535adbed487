import type { Answer, Resolver } from '../resolver/types.ts'

/** What one resolver says about where a zone leads, as kept and shown. */
export type Observation = {
  resolver: string
  resultado: 'aqui' | 'fuera' | 'no_concluyente'
  visto: string[]
  /** How long this answer may stay in caches; null when it said nothing. */
  ttlSeconds: number | null
}

export type Verdict = 'aqui' | 'fuera' | 'no_concluyente'

/** Answers to the apex A and AAAA questions; null where none came. */
export type ApexAnswers = { a: Answer | null; aaaa: Answer | null }

const QUERY_TIMEOUT_MS = 3_000
const MAX_SHOWN = 16
const NXDOMAIN = 3

/**
 * Asks every resolver for the apex addresses of `zone`, at once. Never throws: a resolver that fails is
 * an observation without a conclusion.
 */
export async function observe(
  resolvers: readonly Resolver[],
  zone: string,
  ours: readonly string[],
): Promise<Observation[]> {
  return Promise.all(
    resolvers.map(async (resolver) => {
      const ask = (type: 'A' | 'AAAA') => resolver.query(zone, type, QUERY_TIMEOUT_MS).catch(() => null)
      const [a, aaaa] = await Promise.all([ask('A'), ask('AAAA')])
      return judge(resolver.name, { a, aaaa }, ours)
    }),
  )
}

/** What the answers of one resolver mean. */
export function judge(resolver: string, { a, aaaa }: ApexAnswers, ours: readonly string[]): Observation {
  const visto = [...(a?.values ?? []), ...(aaaa?.values ?? [])]
  const known = [a, aaaa].filter((answer) => answer !== null)
  const ttls = known.flatMap((answer) => answer.ttlSeconds ?? [])
  const about = {
    resolver,
    visto: visto.slice(0, MAX_SHOWN),
    ttlSeconds: ttls.length === 0 ? null : Math.max(...ttls),
  }
  if (visto.some((address) => ours.includes(address))) return { ...about, resultado: 'aqui' }
  const whole = a !== null && aaaa !== null && isConclusive(a) && isConclusive(aaaa)
  return { ...about, resultado: whole ? 'fuera' : 'no_concluyente' }
}

/** An address of `0.0.0.0` or `::` is a filter speaking, not the zone. */
function isConclusive(answer: Answer): boolean {
  if (answer.referral) return false
  if (answer.rcode === NXDOMAIN) return true
  return answer.rcode === 0 && !answer.values.some((address) => address === '0.0.0.0' || address === '::')
}

/**
 * Two that agree decide, or the only one that is configured. One positive among foreign answers decides
 * nothing: a split view or a change that is still on its way.
 */
export function decide(observations: readonly Observation[]): Verdict {
  const needed = observations.length === 1 ? 1 : 2
  const count = (wanted: Verdict) => observations.filter(({ resultado }) => resultado === wanted).length
  if (count('aqui') >= needed) return 'aqui'
  return count('aqui') === 0 && count('fuera') >= needed ? 'fuera' : 'no_concluyente'
}

/** When a negative verdict may be confirmed: after the answers have left the caches, within an hour. */
export function confirmAfterSeconds(observations: readonly Observation[]): number {
  const ttls = observations.flatMap(({ resultado, ttlSeconds }) =>
    resultado === 'fuera' ? (ttlSeconds ?? []) : [],
  )
  return Math.min(3_600, Math.max(60, ...ttls))
}

/** Whether the zone is delegated to the given name servers, as far as any resolver knows. */
export async function isDelegatedTo(
  resolvers: readonly Resolver[],
  zone: string,
  servers: readonly string[],
): Promise<boolean> {
  if (servers.length === 0) return false
  const answers = await Promise.all(
    resolvers.map((resolver) => resolver.query(zone, 'NS', QUERY_TIMEOUT_MS).catch(() => null)),
  )
  return answers.some((answer) => answer?.values.some((server) => servers.includes(server)) ?? false)
}
