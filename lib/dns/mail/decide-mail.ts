import { MOST_LOOKUPS, type SpfCount, spfTerms } from './spf.ts'

type Records = { name: string; type: string; values: string[] }[]

/** The texts of a TXT record set, its strings joined (RFC 7208 section 3.3). */
export function textsAt(records: Records, name: string): string[] {
  const set = records.find((one) => one.name === name && one.type === 'TXT')
  return (set?.values ?? []).map((value) =>
    [...value.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)]
      .map(([, quoted, bare]) => (quoted ?? bare ?? '').replace(/\\(.)/g, '$1'))
      .join(''),
  )
}

/** What is wrong with the SPF records of a domain, as codes. */
export function spfProblems(texts: string[], count: SpfCount | null): string[] {
  if (texts.length === 0) return ['falta']
  if (texts.length > 1) return ['varios']
  const terms = spfTerms(texts[0] ?? '')
  const last = terms.findLast(({ kind }) => kind === 'all' || kind === 'redirect')
  return [
    ...(terms.some(({ kind }) => kind === '?') ? ['termino_desconocido'] : []),
    ...(last === undefined ? ['sin_final'] : /^\+?all$/i.test(last.text) ? ['permite_a_todos'] : []),
    ...(terms.some(({ kind }) => kind === 'ptr') ? ['usa_ptr'] : []),
    ...((count?.lookups ?? 0) > MOST_LOOKUPS ? ['demasiadas_consultas'] : []),
    ...(count && !count.complete ? ['sin_respuesta'] : []),
  ]
}

/** One SPF record in place of those there are; null where it is well as it is. */
export function spfProposal(texts: string[], receives: boolean): string | null {
  if (texts.length === 0) return receives ? 'v=spf1 mx ~all' : 'v=spf1 -all'
  const terms = texts.flatMap((text) => spfTerms(text)).filter(({ kind }) => kind !== '?')
  const kept = [
    ...new Set(terms.filter(({ kind }) => kind !== 'all' && kind !== 'ptr').map(({ text }) => text)),
  ]
  const end = terms.find(({ text }) => /^[-~]all$/i.test(text))?.text.toLowerCase() ?? '~all'
  const redirected = texts.length === 1 && kept.some((term) => /^redirect=/i.test(term))
  const proposal = ['v=spf1', ...kept, ...(redirected ? [] : [end])].join(' ')
  return texts.length === 1 && proposal.toLowerCase() === texts[0]?.toLowerCase() ? null : proposal
}

const POLICIES = ['none', 'quarantine', 'reject']

/** The policy of a DMARC record (RFC 7489 section 6.3); null where it has none. */
function dmarcPolicy(text: string): string | null {
  const policy = /(?:^|;)\s*p\s*=\s*(\w+)/i.exec(text)?.[1]?.toLowerCase()
  return policy && POLICIES.includes(policy) ? policy : null
}

export const isDmarc = (text: string): boolean => /^v=DMARC1\s*(?:;|$)/i.test(text)

/** What is wrong with the DMARC records of a domain, as codes. */
export function dmarcProblems(texts: string[]): string[] {
  if (texts.length === 0) return ['falta']
  if (texts.length > 1) return ['varios']
  const policy = dmarcPolicy(texts[0] ?? '')
  return policy === null ? ['sin_politica'] : policy === 'none' ? ['solo_observa'] : []
}

/** Whether there is a key that the domain's mail can be signed with (RFC 6376 section 3.6.1); an empty one is none. */
export const isSigned = (records: Records): boolean =>
  records.some(
    ({ name, type, values }) =>
      /\._domainkey$/.test(name) &&
      (type === 'CNAME' || (type === 'TXT' && !values.every((value) => /\bp=\s*"?$/.test(value)))),
  )

/**
 * The next step: a policy that only observes, then, once mail is signed, one that acts; null for one that does. Before
 * that, forwarded mail of the domain's own would be put aside with what is forged.
 */
export function dmarcProposal(texts: string[], signed: boolean): string | null {
  const [text = '', ...more] = texts
  if (texts.length === 0 || more.length > 0 || dmarcPolicy(text) === null) return 'v=DMARC1; p=none'
  return signed && dmarcPolicy(text) === 'none' ? text.replace(/(\bp\s*=\s*)none/i, '$1quarantine') : null
}
