import { RdataError } from './error.ts'
import type { Rdata } from './fields.ts'

/** A (RFC 1035 section 3.4.1): four decimal octets, without leading zeros. */
export function a(text: string): Rdata {
  const wire = parseIpv4(text)
  if (!wire) throw new RdataError('direccion_invalida', 'Not an IPv4 address.', 'No es una dirección IPv4.')
  return { presentation: formatIpv4(wire), wire }
}

/** AAAA (RFC 3596), written as RFC 5952 wants it, and never with a dotted part. */
export function aaaa(text: string): Rdata {
  const wire = parseIpv6(text)
  if (!wire) throw new RdataError('direccion_invalida', 'Not an IPv6 address.', 'No es una dirección IPv6.')
  return { presentation: formatIpv6(wire), wire }
}

/** The four octets of a dotted address, or null. */
export function parseIpv4(text: string): Uint8Array | null {
  const octets = new Uint8Array(4)
  let [part, digits, value] = [0, 0, 0]
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : DOT
    if (code === DOT) {
      if (digits === 0 || part === 4) return null
      octets[part++] = value
      digits = 0
      value = 0
    } else {
      // A leading zero is octal to some readers (RFC 6943 section 3.1.1), so it is refused.
      if (code < ZERO || code > NINE || (digits > 0 && value === 0)) return null
      value = value * 10 + code - ZERO
      digits++
      if (value > 255) return null
    }
  }
  return part === 4 ? octets : null
}

export function formatIpv4(octets: Uint8Array): string {
  return `${octets[0]}.${octets[1]}.${octets[2]}.${octets[3]}`
}

/** The sixteen octets of an address in any form of RFC 4291 section 2.2, or null; no scope, no prefix. */
export function parseIpv6(text: string): Uint8Array | null {
  if (text.length < 2 || text.length > 45) return null
  const octets = new Uint8Array(16)
  let [filled, gap, at] = [0, -1, 0]
  if (text.startsWith('::')) {
    gap = 0
    at = 2
  }
  while (at < text.length) {
    const group = hexGroup(text, at)
    const next = text.charCodeAt(group.end)
    if (next === DOT) {
      const dotted = filled <= 12 ? parseIpv4(text.slice(at)) : null
      if (!dotted) return null
      octets.set(dotted, filled)
      return expand(octets, filled + 4, gap)
    }
    if (group.end === at || filled > 14) return null
    octets[filled++] = group.value >> 8
    octets[filled++] = group.value & 255
    if (group.end === text.length) break
    if (next !== COLON) return null
    at = group.end + 1
    if (text.charCodeAt(at) === COLON) {
      if (gap >= 0) return null
      gap = filled
      at++
    } else if (at === text.length) return null
  }
  return expand(octets, filled, gap)
}

/** RFC 5952: lower-case, no leading zeros, the longest run of two or more zero groups as `::`. */
export function formatIpv6(octets: Uint8Array): string {
  const words: number[] = []
  for (let at = 0; at < 16; at += 2) words.push(((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0))
  const run = longestZeros(words)
  if (run.length < 2) return hexWords(words, 0, 8)
  return `${hexWords(words, 0, run.start)}::${hexWords(words, run.start + run.length, 8)}`
}

function hexWords(words: number[], from: number, to: number): string {
  let text = ''
  for (let at = from; at < to; at++) text += (at > from ? ':' : '') + (words[at] ?? 0).toString(16)
  return text
}

const [DOT, ZERO, NINE, COLON] = [46, 48, 57, 58]

/** Up to four hexadecimal digits from `at`; a fifth ends the group where no separator is. */
function hexGroup(text: string, at: number): { value: number; end: number } {
  let value = 0
  let end = at
  for (; end < text.length && end < at + 4; end++) {
    const code = text.charCodeAt(end)
    const lower = code | 32
    if (code >= ZERO && code <= NINE) value = value * 16 + code - ZERO
    else if (lower >= 97 && lower <= 102) value = value * 16 + lower - 87
    else break
  }
  return { value, end }
}

/** Moves what follows `::` to the end; without `::` all sixteen octets must be there. */
function expand(octets: Uint8Array, filled: number, gap: number): Uint8Array | null {
  if (gap < 0) return filled === 16 ? octets : null
  if (filled > 14) return null
  octets.copyWithin(16 - (filled - gap), gap, filled)
  octets.fill(0, gap, 16 - (filled - gap))
  return octets
}

function longestZeros(words: number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  let start = 0
  for (let at = 0; at <= words.length; at++) {
    if (at < words.length && words[at] === 0) continue
    if (at - start > best.length) best = { start, length: at - start }
    start = at + 1
  }
  return best
}
