/** Spanish where `Accept-Language` prefers it to English (RFC 9110 section 12.5.4), else English. */
export function preferredLanguage(header: string | null): 'es' | 'en' {
  if (header === null) return 'en'
  let best: { language: 'es' | 'en'; quality: number } = { language: 'en', quality: 0 }
  for (const part of header.slice(0, 500).split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const primary = range.split('-')[0]
    if (primary !== 'es' && primary !== 'en') continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = weight ? Number(weight.slice(2)) : 1
    if (quality > best.quality) best = { language: primary, quality }
  }
  return best.language
}
