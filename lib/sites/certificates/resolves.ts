import type { Services } from '../../endpoint/context.ts'

const TIMEOUT_MS = 3_000

/**
 * Whether an authority would reach this server under a name: some resolver returns one of the panel's own addresses.
 * Without configured resolvers or addresses nobody can tell, and the authority decides.
 */
export async function resolvesHere(
  services: Pick<Services, 'resolvers'> & { config: Pick<Services['config'], 'addresses'> },
  name: string,
): Promise<boolean> {
  const own = new Set(services.config.addresses.map(canonical))
  if (services.resolvers.length === 0 || own.size === 0) return true
  const questions = services.resolvers.flatMap((resolver) =>
    (['A', 'AAAA'] as const).map(async (type) => {
      const answer = await resolver.query(name, type, TIMEOUT_MS)
      const here = answer.kind === 'answer' && answer.values.some((one) => own.has(canonical(one)))
      if (!here) throw new Error('not here')
    }),
  )
  // The first resolver that returns one of our addresses decides; slow ones are not waited for.
  return Promise.any(questions).then(
    () => true,
    () => false,
  )
}

/** One spelling for each address: the URL parser's (WHATWG), which shortens IPv6 as RFC 5952 does. */
function canonical(address: string): string {
  if (!address.includes(':')) return address
  try {
    return new URL(`http://[${address}]/`).hostname
  } catch {
    return address
  }
}
