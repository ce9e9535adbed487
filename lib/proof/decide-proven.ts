import type { Client } from '../clients/decide.ts'
import type { KeyRing } from '../secrets/keys.ts'
import { areKin, registrableName } from '../text/host-names.ts'
import type { Answers } from './ask.ts'
import { proofValues } from './challenge.ts'
import { decideClaim, type Held, topmost } from './decide.ts'
import { unprovenError } from './errors.ts'
import { decide, type Verdict, verdictsOf } from './judge.ts'

/** The evidence for the names that a request adds. */
export type Proof = {
  /** What the resolvers told of them. */
  told: Answers
  /** Whether the names must be proven: a customer adds them. */
  required: boolean
  keys: KeyRing
}

/** The evidence of a request for which no resolver was asked. */
export const unasked = (keys: KeyRing, required: boolean): Proof => ({ told: new Map(), required, keys })

/** Names that are to be added to a client, with the facts to judge them by. */
export type Claim = {
  client: Client
  names: readonly string[]
  /** What the client has of these names and of those above them. */
  above: readonly Held[]
  /** The addresses of the client's node. */
  addresses: string[]
  /** Names of the panel and its nodes. */
  own: readonly string[]
}

/**
 * The names to be added that are proven. Refuses an unproven name of a customer: 409 `dominio_sin_probar` with the
 * record to set, or 503 if the resolvers did not answer.
 */
export function decideProven(proof: Proof, claim: Claim): ReadonlySet<string> {
  const { client, names, above, addresses } = claim
  const shown = names.filter((name) => verdictOn(proof, claim, name) === 'probado')
  const { proven, open } = decideClaim({ names, held: above, shown })
  const [first] = topmost(open)
  if (first === undefined || !proof.required) return proven
  throw unprovenError({
    name: first,
    value: proofValues(proof.keys, client, first)[0],
    verdict: verdictOn(proof, claim, first),
    told: proof.told.get(first) ?? [],
    addresses,
  })
}

/** A name that was not asked about gets no verdict. */
function verdictOn({ told, keys }: Proof, { client, addresses, own }: Claim, name: string): Verdict {
  const answers = told.get(name)
  if (!answers) return 'sin_probar'
  const values = proofValues(keys, client, name)
  // Below the operator's own domains an address proves nothing: wildcards there lead any name here.
  const ours = own.some((mine) => areKin(registrableName(mine), name)) ? null : addresses
  return decide(verdictsOf(answers, { values, ours }))
}
