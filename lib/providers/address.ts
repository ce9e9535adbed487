import { ProviderFault } from './types.ts'

/**
 * The origin of a provider's API, or a fault of kind `address`. Only HTTPS to a public host passes: TLS with
 * a verified name is also what makes a rebound host name useless. `allowPrivate` is the test setting.
 */
export function providerOrigin(url: string, allowPrivate: boolean): string {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    throw new ProviderFault('address', 'url')
  }
  const bare = parsed.pathname === '/' && parsed.search === '' && parsed.hash === ''
  const plain = parsed.protocol === 'http:' && allowPrivate
  if ((parsed.protocol !== 'https:' && !plain) || !bare || parsed.username !== '' || parsed.password !== '') {
    throw new ProviderFault('address', 'url')
  }
  if (!allowPrivate && !isPublicHost(parsed.hostname)) throw new ProviderFault('address', 'url')
  return parsed.origin
}

/**
 * Whether a host as `URL` spells it may be asked: the parser has already turned decimal, octal, hexadecimal
 * and short forms into dotted quads. A name passes here and is judged again by its addresses.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '').toLowerCase()
  if (host.startsWith('[')) return isPublicAddress(host.slice(1, -1))
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return isPublicAddress(host)
  if (!host.includes('.')) return false
  return !/(?:^|\.)(?:localhost|local|internal|lan|home\.arpa|arpa)$/.test(host)
}

/** Whether an IPv4 or IPv6 address is one of the public Internet (IANA special-purpose registries). */
export function isPublicAddress(address: string): boolean {
  if (address.includes(':')) {
    const words = ipv6Words(address)
    return words !== null && isPublicV6(words)
  }
  const bytes = address.split('.').map(Number)
  if (bytes.length !== 4 || bytes.some((byte) => !Number.isInteger(byte) || byte < 0 || byte > 255))
    return false
  return isPublicV4(bytes)
}

function isPublicV4(bytes: number[]): boolean {
  const [a = 0, b = 0, c = 0] = bytes
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false
  if (a === 100 && b >= 64 && b < 128) return false
  if (a === 169 && b === 254) return false
  if (a === 172 && b >= 16 && b < 32) return false
  if (a === 192 && ((b === 0 && (c === 0 || c === 2)) || b === 168 || (b === 88 && c === 99))) return false
  if (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) return false
  return !(a === 203 && b === 0 && c === 113)
}

function isPublicV6(words: number[]): boolean {
  const [first = 0, second = 0] = words
  const v4 = [6, 7].flatMap((at) => [(words[at] ?? 0) >> 8, (words[at] ?? 0) & 0xff])
  const zeros = words.slice(0, 5).every((word) => word === 0)
  // Mapped and compatible forms, NAT64, 6to4 and Teredo reach an IPv4 address behind the IPv6 spelling.
  if (zeros && (words[5] === 0xffff || words[5] === 0)) return words[5] === 0xffff && isPublicV4(v4)
  if (first === 0x64 && second === 0xff9b) return false
  if (first === 0x2002) return false
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false
  return first >= 0x2000 && first < 0x4000
}

function ipv6Words(address: string): number[] | null {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const text = dotted
    ? `${dotted[1]}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}`
    : (address.split('%')[0] ?? '')
  const halves = text.split('::')
  if (halves.length > 2) return null
  const parse = (part: string | undefined) => (part ? part.split(':') : [])
  const head = parse(halves[0])
  const tail = parse(halves[1])
  const gap = 8 - head.length - tail.length
  if (halves.length === 2 ? gap < 1 : gap !== 0) return null
  const all = [...head, ...Array<string>(halves.length === 2 ? gap : 0).fill('0'), ...tail]
  if (!all.every((word) => /^[0-9a-f]{1,4}$/i.test(word))) return null
  return all.map((word) => Number.parseInt(word, 16))
}

function hex(high: string | undefined, low: string | undefined): string {
  return ((Number(high) << 8) | Number(low)).toString(16)
}
