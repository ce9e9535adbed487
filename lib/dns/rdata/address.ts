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
  if (text.length > 15) return null
  const parts = text.split('.')
  if (parts.length !== 4) return null
  const octets = new Uint8Array(4)
  for (let at = 0; at < 4; at++) {
    const part = parts[at] ?? ''
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null
    octets[at] = Number(part)
  }
  return octets
}

export function formatIpv4(octets: Uint8Array): string {
  return `${octets[0]}.${octets[1]}.${octets[2]}.${octets[3]}`
}

/** The sixteen octets of an address in any form of RFC 4291 section 2.2, or null; no scope, no prefix. */
export function parseIpv6(text: string): Uint8Array | null {
  if (text.length > 45 || !/^[0-9a-fA-F:.]+$/.test(text)) return null
  const halves = text.split('::')
  if (halves.length > 2) return null
  const last = halves.length - 1
  const head = groups(halves[0] ?? '', last === 0)
  const tail = last === 1 ? groups(halves[1] ?? '', true) : []
  if (!head || !tail) return null
  const missing = 8 - head.length - tail.length
  if (last === 0 ? missing !== 0 : missing < 1) return null
  const octets = new Uint8Array(16)
  const all = [...head, ...new Array<number>(missing).fill(0), ...tail]
  for (let at = 0; at < 8; at++) {
    octets[at * 2] = (all[at] ?? 0) >> 8
    octets[at * 2 + 1] = (all[at] ?? 0) & 255
  }
  return octets
}

/** RFC 5952: lower-case, no leading zeros, the longest run of two or more zero groups as `::`. */
export function formatIpv6(octets: Uint8Array): string {
  const words: number[] = []
  for (let at = 0; at < 16; at += 2) words.push(((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0))
  const run = longestZeros(words)
  const hex = words.map((word) => word.toString(16))
  if (run.length < 2) return hex.join(':')
  return `${hex.slice(0, run.start).join(':')}::${hex.slice(run.start + run.length).join(':')}`
}

function groups(text: string, mayEndDotted: boolean): number[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const words: number[] = []
  for (const [at, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      words.push(Number.parseInt(part, 16))
      continue
    }
    const dotted = mayEndDotted && at === parts.length - 1 ? parseIpv4(part) : null
    if (!dotted) return null
    words.push(((dotted[0] ?? 0) << 8) | (dotted[1] ?? 0), ((dotted[2] ?? 0) << 8) | (dotted[3] ?? 0))
  }
  return words
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
