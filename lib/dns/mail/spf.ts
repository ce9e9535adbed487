import type { ResolverAnswer } from '../../endpoint/context.ts'

/** Look-ups that an SPF record may cause in all (RFC 7208 section 4.6.4): beyond that, receivers refuse it whole. */
export const MOST_LOOKUPS = 10
/** Where counting ends: no receiver would go on. */
const ENOUGH = 30

export type Term = { text: string; kind: string; target: string | null; lookups: number; answered: boolean }
export type SpfCount = { terms: Term[]; lookups: number; complete: boolean }
type AskTexts = (name: string) => Promise<ResolverAnswer>

const TERM = /^([+\-~?]?)(all|include|a|mx|ptr|ip4|ip6|exists|redirect|exp)(?:[:=/](.+))?$/i
const COSTLY = ['include', 'a', 'mx', 'ptr', 'exists', 'redirect']

/** Whether a TXT string is an SPF record (RFC 7208 section 4.5). */
export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text)

/** The terms of an SPF record; those that it cannot have are of kind `?`. */
export function spfTerms(text: string): Omit<Term, 'lookups' | 'answered'>[] {
  return text
    .split(/\s+/)
    .slice(1)
    .filter(Boolean)
    .map((term) => {
      const [, , kind = '?', target = null] = TERM.exec(term) ?? []
      return { text: term, kind: kind.toLowerCase(), target }
    })
}

/** Counts the look-ups of a record, those of what it includes as well. Never throws where `ask` does not. */
export async function countLookups(text: string, ask: AskTexts): Promise<SpfCount> {
  const budget = { left: ENOUGH }
  const terms: Term[] = []
  for (const term of spfTerms(text)) terms.push({ ...term, ...(await costOf(term, ask, budget)) })
  return {
    terms,
    lookups: terms.reduce((sum, { lookups }) => sum + lookups, 0),
    complete: terms.every(({ answered }) => answered),
  }
}

type Cost = Pick<Term, 'lookups' | 'answered'>

async function costOf(
  { kind, target }: Pick<Term, 'kind' | 'target'>,
  ask: AskTexts,
  budget: { left: number },
): Promise<Cost> {
  if (!COSTLY.includes(kind)) return { lookups: 0, answered: true }
  budget.left--
  if ((kind !== 'include' && kind !== 'redirect') || target === null) return { lookups: 1, answered: true }
  // A macro depends on the mail, and a loop ends with the budget.
  if (target.includes('%') || budget.left <= 0) return { lookups: 1, answered: false }
  const answer = await ask(target)
  const found = answer.kind === 'answer' ? answer.values.find(isSpf) : undefined
  if (found === undefined) return { lookups: 1, answered: false }
  let [lookups, answered] = [1, true]
  for (const term of spfTerms(found)) {
    const cost = await costOf(term, ask, budget)
    lookups += cost.lookups
    answered &&= cost.answered
  }
  return { lookups, answered }
}
