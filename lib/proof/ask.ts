import type { QueryType, Resolver, ResolverAnswer } from '../endpoint/context.ts'
import { placesOf } from './challenge.ts'
import type { Told } from './judge.ts'

/** Below the five seconds that a request may wait (docs/api.md, "Work on the node"). */
const QUERY_TIMEOUT_MS = 4_000

/** What each resolver tells of a name. */
export type Answers = ReadonlyMap<string, readonly Told[]>

/** Asks every resolver for all the names at once, each question once. Never throws. */
export async function askResolvers(
  resolvers: readonly Resolver[],
  names: readonly string[],
): Promise<Answers> {
  const askers = resolvers.map((resolver) => askerOf(resolver))
  const told = names.map(async (name) => {
    const all = await Promise.all(askers.map((ask) => tell(ask, name)))
    return [name, all] as const
  })
  return new Map(await Promise.all(told))
}

type Ask = (name: string, type: QueryType) => Promise<ResolverAnswer>

async function tell(ask: Ask, name: string): Promise<Told> {
  const { at, shared } = placesOf(name)
  const [texts, addresses] = await Promise.all([
    Promise.all([...new Set([at, shared])].map((place) => ask(place, 'TXT'))),
    Promise.all([ask(name, 'A'), ask(name, 'AAAA')]),
  ])
  return { texts, addresses }
}

/** Asks one resolver, but each question only once, since many names share the record of their registered domain. */
export function askerOf(resolver: Resolver, timeoutMs = QUERY_TIMEOUT_MS): Ask {
  const asked = new Map<string, Promise<ResolverAnswer>>()
  return (name, type) => {
    const key = `${type} ${name}`
    const known = asked.get(key)
    if (known) return known
    const answer = resolver
      .query(name, type, timeoutMs)
      .catch((): ResolverAnswer => ({ kind: 'failure', reason: 'unreachable' }))
    asked.set(key, answer)
    return answer
  }
}
