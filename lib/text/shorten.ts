/**
 * An address without what tells one household from another: IPv4 to its /24, IPv6 to its /48, as an address that is no
 * longer than it was. What is no address stays as it is; what is shortened already, too.
 */
export function shortenAddress(address: string): string {
  const [, head = '', v4] = /^((?:::ffff:)?)((?:\d{1,3}\.){3})\d{1,3}$/i.exec(address) ?? []
  if (v4 !== undefined) return `${head}${v4}0`
  if (!/^[0-9a-f:]*:[0-9a-f:.]*(?:%.*)?$/i.test(address)) return address
  const [left = ''] = address.split('::')
  const given = left === '' ? [] : left.split(':')
  const kept = Array.from({ length: 3 }, (_, at) => given[at] ?? '0')
  while (kept.at(-1) === '0') kept.pop()
  return `${kept.join(':')}::`
}
