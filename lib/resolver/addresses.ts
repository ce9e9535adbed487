import type { Resolver } from '../endpoint/context.ts'

/** The addresses of a host name, of the first resolver that knows any. */
export async function addressesOf(resolvers: readonly Resolver[], host: string): Promise<string[]> {
  for (const resolver of resolvers) {
    const answers = await Promise.all([resolver.query(host, 'A', 2_000), resolver.query(host, 'AAAA', 2_000)])
    const addresses = answers.flatMap((answer) => (answer.kind === 'answer' ? answer.values : []))
    if (addresses.length > 0) return addresses
  }
  return []
}

/** Looks names up by these; null where there are none, as on a host that has a network of its own. */
export const lookUpBy = (resolvers: readonly Resolver[]): ((host: string) => Promise<string[]>) | null =>
  resolvers.length === 0 ? null : (host) => addressesOf(resolvers, host)
