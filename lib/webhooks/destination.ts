import type { PanelConfig, Services } from '../endpoint/context.ts'
import { isPublicAddress, isPublicHost } from '../providers/address.ts'
import { addressesOf } from '../resolver/addresses.ts'
import type { Outcome } from './decide.ts'

type Allowed = Pick<PanelConfig, 'webhookAddresses'>

/**
 * The address of a webhook as it is stored, or null. Only https, without credentials, and not to an address that is
 * none of the public Internet, unless the operator allows it. A name passes: it is judged by its addresses each time.
 */
export function webhookUrl(text: string, config: Allowed): string | null {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || url.hash !== '') return null
  const address = literalOf(url)
  if (url.protocol !== 'https:') return null
  return address !== null && !isAllowed(address, config) ? null : url.href
}

/** Where a delivery goes: addresses to connect to; null where the host cannot look any up. */
export type Destination = { addresses: string[] | null }

/** Looks the webhook's name up, and refuses it if any of its addresses is not allowed: it may change at any time. */
export async function destinationOf(
  { config, resolvers }: Pick<Services, 'config' | 'resolvers'>,
  url: URL,
): Promise<Destination | NonNullable<Outcome['fault']>> {
  const literal = literalOf(url)
  if (literal !== null) return isAllowed(literal, config) ? { addresses: [literal] } : 'direccion_no_admitida'
  // Such a host's own network keeps it from its neighbours; the name is all that is known here.
  if (resolvers.length === 0)
    return isPublicHost(url.hostname) ? { addresses: null } : 'direccion_no_admitida'
  const addresses = await addressesOf(resolvers, url.hostname)
  if (addresses.length === 0) return 'sin_direccion'
  return addresses.every((address) => isAllowed(address, config)) ? { addresses } : 'direccion_no_admitida'
}

const isAllowed = (address: string, { webhookAddresses }: Allowed) =>
  webhookAddresses.includes(address) || isPublicAddress(address)

/** The address that stands in a URL instead of a name; its parser has brought all spellings into one. */
function literalOf({ hostname }: URL): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : null
}
