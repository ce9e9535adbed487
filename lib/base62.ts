const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const DIGITS = new Map([...ALPHABET].map((character, value) => [character, value]))
/** Digits that are added up as a plain number before they meet the big one: it is the costly part. */
const CHUNK = 8

/** Big-endian bytes, or a whole number, as base62 (`0-9A-Za-z`), left-padded with `0` to `length`. */
export function encodeBase62(value: Uint8Array | number, length: number): string {
  let text = ''
  if (typeof value === 'number') {
    for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text
  } else {
    for (let rest = bigOf(value); rest > 0n; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text
  }
  return text.padStart(length, '0')
}

function bigOf(bytes: Uint8Array): bigint {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  return value
}

/** The inverse, or null for a foreign character or a value that does not fit `byteLength`, a multiple of 4. */
export function decodeBase62(text: string, byteLength: number): Uint8Array | null {
  let value = 0n
  for (let at = 0; at < text.length; at += CHUNK) {
    const chunk = text.slice(at, at + CHUNK)
    let part = 0
    for (const character of chunk) {
      const digit = DIGITS.get(character)
      if (digit === undefined) return null
      part = part * 62 + digit
    }
    value = value * BigInt(62 ** chunk.length) + BigInt(part)
  }
  const bytes = new Uint8Array(byteLength)
  for (let i = byteLength - 4; i >= 0; i -= 4) {
    new DataView(bytes.buffer).setUint32(i, Number(value & 0xffffffffn))
    value >>= 32n
  }
  return value === 0n ? bytes : null
}
