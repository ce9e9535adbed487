import type { Services } from '../endpoint/context.ts'
import { encodeBase62 } from './base62.ts'
import { Secret } from './secret.ts'

/** A link works for one hour from the first hand-over of its mail (specification 5.3). */
export const LINK_MS = 3_600_000

/** The address that spends a link; its secret is in the fragment, which reaches no server and no log. */
export function linkUrl(
  services: Pick<Services, 'keys' | 'config'>,
  link: { id: string; keyId: string },
): Secret {
  return new Secret(`${services.config.origin}/enlace#${encodeBase62(linkBytes(services, link), 43)}`)
}

/** The address of a link that was made in this very transaction. */
export function newLinkUrl(services: Pick<Services, 'keys' | 'config'>, id: string): Secret {
  return linkUrl(services, { id, keyId: services.keys.currentId })
}

/** The secret is an HMAC of the row's id under the key ring, so that no queued mail holds one. */
export function linkBytes(services: Pick<Services, 'keys'>, link: { id: string; keyId: string }): Uint8Array {
  return services.keys.mac(link.keyId, 'link', link.id)
}
