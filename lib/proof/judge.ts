import { formatIpv6, parseIpv6 } from '../dns/rdata/address.ts'
import type { ResolverAnswer } from '../endpoint/context.ts'

/** `sin_respuesta`: a resolver that might have known did not answer, so the verdict is open. */
export type Verdict = 'probado' | 'sin_probar' | 'sin_respuesta'

/** What one resolver told of a name: texts where the record may stand, and the name's addresses. */
export type Told = { texts: ResolverAnswer[]; addresses: ResolverAnswer[] }

export type Wanted = {
  /** Texts that prove it, each as a whole. */
  values: readonly string[]
  /** The node's addresses; null where leading here proves nothing. */
  ours: readonly string[] | null
}

/** What each resolver's answers prove. */
export const verdictsOf = (told: readonly Told[], wanted: Wanted): Verdict[] =>
  told.map((one) => judge(one, wanted))

/** What one resolver's answers prove. */
export function judge({ texts, addresses }: Told, { values, ours }: Wanted): Verdict {
  const said = texts.flatMap((answer) => (answer.kind === 'answer' ? answer.values : []))
  if (said.some((text) => values.includes(text))) return 'probado'
  if (ours !== null && leadsHere(addresses, ours)) return 'probado'
  return [...texts, ...addresses].some(isSilence) ? 'sin_respuesta' : 'sin_probar'
}

/**
 * Every address, over IPv4 and IPv6, must be the node's: a single one among others may be a mistake, or differ from
 * visitor to visitor.
 */
export function leadsHere(answers: readonly ResolverAnswer[], ours: readonly string[]): boolean {
  const expected = ours.map(plainAddress)
  const seen = answers.flatMap((answer) => (answer.kind === 'answer' ? answer.values : []))
  const whole = answers.every((answer) => answer.kind !== 'failure')
  return whole && seen.length > 0 && seen.every((address) => expected.includes(plainAddress(address)))
}

const MOST_SHOWN = 16

/** The addresses that the resolvers told. */
export function seenIn(told: readonly Told[]): string[] {
  const answers = told.flatMap(({ addresses }) => addresses)
  const seen = answers.flatMap((answer) => (answer.kind === 'answer' ? answer.values : []))
  return [...new Set(seen)].slice(0, MOST_SHOWN)
}

/** Two resolvers that agree prove it, or the only one configured; without a resolver nothing can be proven. */
export function decide(verdicts: readonly Verdict[]): Verdict {
  const needed = verdicts.length === 1 ? 1 : 2
  const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length
  if (count('probado') >= needed) return 'probado'
  const possible = count('probado') + count('sin_respuesta') >= needed
  return possible || verdicts.length === 0 ? 'sin_respuesta' : 'sin_probar'
}

/** No answer in time, or an unusable one. A server failure is an answer: the name's servers do not serve it. */
function isSilence(answer: ResolverAnswer): boolean {
  return answer.kind === 'failure' && ['timeout', 'unreachable', 'malformed'].includes(answer.reason)
}

/** One spelling for one address. */
export function plainAddress(address: string): string {
  const octets = parseIpv6(address)
  return octets === null ? address : formatIpv6(octets)
}
