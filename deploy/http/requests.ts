/**
 * Renames a query parameter that comes twice to `name[]`, which no schema has, so that the request is refused instead
 * of one value silently winning.
 */
export function queryOf(url: URL): Record<string, string> {
  const query: Record<string, string> = {}
  if (url.search === '') return query
  for (const [name, value] of url.searchParams) {
    query[name in query ? `${name}[]` : name] = value
  }
  return query
}

/**
 * The same request under an address that can be parsed. Bun puts the Host as it was sent into the URL, or leaves it out
 * where it holds what no host can; and Elysia takes the path from the URL's 11th character on.
 */
export function routable(request: Request): Request {
  const { url } = request
  const start = url.startsWith('/') ? 0 : url.indexOf('/', 8)
  if (start >= 11 && URL.canParse(url)) return request
  return new Request(`https://panel.invalid${start < 0 ? '/' : url.slice(start)}`, request)
}

/** Whether a path fits a handler's pattern. */
export function pathMatches(pattern: string, pathname: string): boolean {
  const expected = pattern.split('/')
  const given = pathname.split('/')
  return (
    expected.length === given.length &&
    expected.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  )
}
