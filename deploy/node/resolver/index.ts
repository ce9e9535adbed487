import type { Resolver } from '../../../lib/endpoint/context.ts'
import { dohResolver } from '../../../lib/resolver/doh.ts'
import { udpResolver } from './udp.ts'

/**
 * The resolvers of `PANEL_RESOLVER`, already split at its commas: `udp://address:port` or `https://…`.
 * Throws with one line for an operator when an entry is neither.
 */
export function resolversFrom(entries: string[]): Resolver[] {
  return entries.map((entry) => {
    if (/^https:\/\/[^/\s]+\/\S*$/.test(entry)) return dohResolver(entry, (url, init) => fetch(url, init))
    const match = /^udp:\/\/(?:\[([0-9a-fA-F:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(entry)
    const address = match?.[1] ?? match?.[2]
    const port = Number(match?.[3] ?? 53)
    if (address === undefined || port < 1 || port > 65_535) {
      throw new Error(`PANEL_RESOLVER: ${entry} is neither udp://address:port nor https://…`)
    }
    return udpResolver(address, port)
  })
}

/** The system's resolvers (`/etc/resolv.conf`), without the addresses on which the panel itself answers. */
export function systemResolvers(resolvConf: string, ownAddresses: string[]): string[] {
  return resolvConf
    .split('\n')
    .flatMap((line) => /^\s*nameserver\s+([0-9a-fA-F:.]+)\s*$/.exec(line)?.[1] ?? [])
    .filter((address) => !ownAddresses.includes(address))
    .map((address) => (address.includes(':') ? `udp://[${address}]:53` : `udp://${address}:53`))
}
