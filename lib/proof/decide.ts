import { parentNames, speaksFor } from '../text/host-names.ts'

/** A name that the client has; a granted one is not proven. */
export type Held = { name: string; proven: boolean }

export type Claim = {
  names: readonly string[]
  held: readonly Held[]
  /** Those of the names that the resolvers prove. */
  shown: readonly string[]
}

/** What becomes of names that are to be added. */
export type Decision = {
  /** Proven by themselves, or by lying below a proven name. */
  proven: ReadonlySet<string>
  /** Names without any proof: a customer may not add them. */
  open: string[]
}

/** Which names are proven, and which are not even granted, given what the client has and what the resolvers showed. */
export function decideClaim({ names, held, shown }: Claim): Decision {
  const proven = new Set([...shown, ...held.filter((one) => one.proven).map(({ name }) => name)])
  const speaking = new Set([...shown, ...held.map(({ name }) => name)])
  return {
    proven: new Set(names.filter((name) => isSpokenFor(name, proven))),
    open: names.filter((name) => !isSpokenFor(name, speaking)),
  }
}

/** The topmost of the names that must be proven; they cover the names below. */
export function topmost(names: readonly string[]): string[] {
  const all = new Set(names)
  return names.filter((name) => !parentNames(name).some((above) => all.has(above) && speaksFor(above, name)))
}

const isSpokenFor = (name: string, by: ReadonlySet<string>) =>
  [name, ...parentNames(name)].some((one) => by.has(one) && speaksFor(one, name))
