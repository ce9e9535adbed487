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
