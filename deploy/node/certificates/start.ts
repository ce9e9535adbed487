import { join, resolve } from 'node:path'
import type { PanelConfig, Resolver } from '../../../lib/endpoint/context.ts'
import { resolvesHere } from '../../../lib/sites/certificates/resolves.ts'
import type { NodeConfig } from '../../config.ts'
import { readAuthority } from '../settings/paths.ts'
import type { WebNode } from '../web/node.ts'
import { heldPath, putBack, siteKey } from './held.ts'
import type { certificateIssuer } from './issuer.ts'

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

type Options = { panel: PanelConfig; node: NodeConfig; resolvers: Resolver[]; now: () => Date }

export type Issuer = ReturnType<typeof certificateIssuer> & {
  /** Shows what is kept of a site's certificate under its names again; answers those that it does not cover. */
  putBack(siteId: number, names: string[]): Promise<string[]>
}

/**
 * The authority's certificates: without an address configured, the public authority's; in tests only those of one
 * that is named.
 */
export async function issuerFor(
  { panel, node, resolvers, now }: Options,
  web: WebNode,
): Promise<Issuer | null> {
  const directoryUrl = node.acmeUrl ?? (panel.test ? null : LETS_ENCRYPT)
  if (directoryUrl === null) return null
  const { acmeCa } = node
  const options = {
    directoryUrl,
    caPem: acmeCa === null ? null : readAuthority(acmeCa),
    contact: null,
    stateDirectory: join(resolve(node.dataDir), 'acme'),
    challengeDirectory: web.challengeDirectory,
    resolvesHere: (name: string) => resolvesHere({ resolvers, config: panel }, name),
    installCertificate: web.installCertificate,
    now,
  }
  // The ACME client is large and seldom needed: it is loaded by the first request to the authority.
  const load = async () => (await import('./issuer.ts')).certificateIssuer(options)
  let loaded: ReturnType<typeof load> | null = null
  const issuer = () => {
    loaded ??= load()
    return loaded
  }
  return {
    issue: async (request, step) => (await issuer()).issue(request, step),
    forget: async (siteId) => (await issuer()).forget(siteId),
    issueOwn: async (host, install, step) => (await issuer()).issueOwn(host, install, step),
    putBack: (siteId, names) =>
      putBack(heldPath(options.stateDirectory, siteKey(siteId)), {
        names,
        now: now(),
        install: web.installCertificate,
      }),
  }
}
