import type { Services } from '../endpoint/context.ts'
import { encodeBase62 } from './base62.ts'
import { Secret } from './secret.ts'

/** A link works for one hour from the first time that its mail was handed over (specification 5.3). */
export const LINK_MS = 3_600_000

/** The address of a link; its secret is in the fragment, which is sent to no server and written to no log. */
export function linkUrl(
  services: Pick<Services, 'keys' | 'config'>,
  link: { id: string; keyId: string },
): Secret {
  return new Secret(`${services.config.origin}/enlace#${encodeBase62(linkBytes(services, link), 43)}`)
}

/** The address of a link that is being created in this transaction. */
export function newLinkUrl(services: Pick<Services, 'keys' | 'config'>, id: string): Secret {
  return linkUrl(services, { id, keyId: services.keys.currentId })
}

/** The secret of a link is an HMAC of its row's id under the key ring, so that queued mails contain no secret. */
export function linkBytes(services: Pick<Services, 'keys'>, link: { id: string; keyId: string }): Uint8Array {
  return services.keys.mac(link.keyId, 'link', link.id)
}
