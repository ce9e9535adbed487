/** Longer headers are read up to here: nobody prefers that much. */
const READ_CHARACTERS = 500

/** The values of a header in lower case with their weights (RFC 9110 section 12.4.2), as they come. */
function weighted(header: string): { value: string; weight: number }[] {
  return header
    .slice(0, READ_CHARACTERS)
    .split(',')
    .map((part) => {
      const [value = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { value, weight: weight ? Number(weight.slice(2)) : 1 }
    })
}

/** Spanish where `Accept-Language` prefers it to English (RFC 9110 section 12.5.4), else English. */
export function preferredLanguage(header: string | null): 'es' | 'en' {
  let best: { language: 'es' | 'en'; weight: number } = { language: 'en', weight: 0 }
  for (const { value, weight } of weighted(header ?? '')) {
    const language = value.split('-')[0]
    if (language !== 'es' && language !== 'en') continue
    if (weight > best.weight) best = { language, weight }
  }
  return best.language
}

/**
 * The coding that `Accept-Encoding` prefers of those that there are (RFC 9110 section 12.5.3), the earlier one of two
 * that it likes as well; null where it wants none of them.
 */
export function acceptedCoding<C extends string>(header: string | null, offered: readonly C[]): C | null {
  const told = new Map(weighted(header ?? '').map(({ value, weight }) => [value, weight]))
  let best: { coding: C | null; weight: number } = { coding: null, weight: told.get('identity') ?? 0 }
  for (const coding of offered) {
    const weight = told.get(coding) ?? told.get('*') ?? 0
    if (weight > best.weight || (weight > 0 && weight === best.weight && best.coding === null))
      best = { coding, weight }
  }
  return best.coding
}
