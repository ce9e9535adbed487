import type { QueryType, Resolver, ResolverAnswer } from '../endpoint/context.ts'

/** Below the five seconds that a request may wait (contract section 5). */
const QUERY_TIMEOUT_MS = 4_000

/** Asks one resolver one question, for no longer than a request may wait. Never throws. */
export function query(resolver: Resolver, name: string, type: QueryType): Promise<ResolverAnswer> {
  return resolver
    .query(name, type, QUERY_TIMEOUT_MS)
    .catch((): ResolverAnswer => ({ kind: 'failure', reason: 'unreachable' }))
}
