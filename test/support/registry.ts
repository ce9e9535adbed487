import { createHash } from 'node:crypto'

/** One version of a package, as a registry holds it. */
export type Published = { name: string; version: string; tarball: Uint8Array }

/**
 * A package registry of the tests' own, as package clients ask one: for a package's versions, then for a file. The
 * hashes that it tells are those of what it serves, so a client finds a changed file by its own lock file alone.
 */
export function serveRegistry(
  packages: Published[],
  hostname = '127.0.0.1',
): { url: string; asked: string[]; stop(): Promise<void> } {
  const asked: string[] = []
  const server = Bun.serve({
    hostname,
    port: 0,
    fetch(request) {
      const path = decodeURIComponent(new URL(request.url).pathname)
      asked.push(path)
      for (const { name, version, tarball } of packages) {
        const file = `/${name}/-/${version}.tgz`
        if (path === file) return new Response(tarball as Uint8Array<ArrayBuffer>)
        if (path !== `/${name}`) continue
        const dist = { tarball: new URL(file, request.url).href, integrity: integrityOf(tarball) }
        return Response.json({
          name,
          'dist-tags': { latest: version },
          versions: { [version]: { name, version, dist } },
        })
      }
      return Response.json({ error: 'not_found' }, { status: 404 })
    },
  })
  return { url: `${server.url}`, asked, stop: () => server.stop(true) }
}

/** The hash of a package's file as lock files have it (Subresource Integrity). */
export const integrityOf = (tarball: Uint8Array) =>
  `sha512-${createHash('sha512').update(tarball).digest('base64')}`
