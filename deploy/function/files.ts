import { isImmutable, isPage, PAGE_HEADERS, typeOfFile } from '../http/assets.ts'

/** A service of the host that answers requests for files, such as the `ASSETS` binding of Workers. */
export type Files = { fetch(request: Request): Promise<Response> }

/**
 * Serves the interface's files from the host's file service with the panel's headers, and the interface's one page
 * for every address that it routes itself; null if there is no such file.
 */
export function filesOf(files: Files): (pathname: string, request: Request) => Promise<Response | null> {
  return async (pathname, request) => {
    const path = isPage(pathname) ? '/index.html' : pathname
    // Nothing else lies beside these files; a path that climbs is refused all the same.
    if (!/^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(path)) return null
    const found = await files.fetch(new Request(`https://files.invalid${path}`))
    if (!found.ok) {
      await found.body?.cancel()
      return null
    }
    const headers = {
      ...PAGE_HEADERS,
      'content-type': typeOfFile(path),
      'cache-control': isImmutable(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    }
    return new Response(request.method === 'HEAD' ? null : found.body, { headers })
  }
}
