/**
 * The caller's address for limits and audit rows: the peer's, unless the peer is a trusted proxy; then the last
 * address in `X-Forwarded-For` that is not a trusted proxy itself. Read from the right, since the client may have
 * written anything at the left end.
 */
export function clientAddress(peer: string, forwarded: string | null, trustedProxies: string[]): string {
  let address = plain(peer)
  if (trustedProxies.length === 0) return address
  const hops = (forwarded ?? '').split(',').map((hop) => hop.trim())
  while (trustedProxies.includes(address)) {
    const hop = hops.pop()
    if (!hop || !isAddress(hop)) break
    address = plain(hop)
  }
  return address
}

/** Whether a header's value can be an address: one, and nothing else. */
export const isAddress = (value: string) => /^[0-9a-fA-F.:]{2,45}$/.test(value)

/** An IPv4 client of a dual-stack listener is shown as `::ffff:192.0.2.1` (RFC 4291 section 2.5.5.2). */
const plain = (address: string) => address.replace(/^::ffff:(?=[0-9.]+$)/i, '')
