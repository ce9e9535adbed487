import type { Delegation } from '../../schema/tables.ts'
import type { Resolver } from '../endpoint/context.ts'
import { askerOf } from './ask.ts'
import { leadsHere } from './judge.ts'

const MOST_SERVERS = 16

type About = {
  zone: string
  /** The name servers that are to be named. */
  expected: readonly string[]
  /** The node's addresses: a name server at one of them is ours too, whatever its name. */
  ours: readonly string[]
  /** For each of the two questions that follow one another: where the zone is delegated, and where that leads. */
  timeoutMs?: number
}

/**
 * Where a zone's parent delegates it, as the recursive resolvers see it; the panel's own server is not asked. Never
 * throws.
 */
export async function delegationOf(
  resolvers: readonly Resolver[],
  { zone, expected, ours, timeoutMs }: About,
): Promise<Omit<Delegation, 'at'>> {
  const askers = resolvers.map((resolver) => askerOf(resolver, timeoutMs))
  const answers = await Promise.all(askers.map((ask) => ask(zone, 'NS')))
  const heard = answers.filter((answer) => answer.kind !== 'failure')
  if (heard.length === 0) return { state: 'sin_respuesta', servers: [] }
  const named = heard.flatMap((answer) => (answer.kind === 'answer' ? answer.values : []))
  const servers = [...new Set(named)].sort().slice(0, MOST_SERVERS)
  const standsHere = async (server: string) => {
    const told = await Promise.all(askers.map((ask) => Promise.all([ask(server, 'A'), ask(server, 'AAAA')])))
    return told.some((addresses) => leadsHere(addresses, ours))
  }
  const own = await Promise.all(servers.map(async (one) => expected.includes(one) || standsHere(one)))
  return { state: stateOf(own), servers }
}

function stateOf(own: readonly boolean[]): Delegation['state'] {
  if (own.length === 0) return 'ninguna'
  if (own.every(Boolean)) return 'aqui'
  return own.some(Boolean) ? 'parcial' : 'fuera'
}
