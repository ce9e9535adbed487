const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const DIGITS = new Map([...ALPHABET].map((character, value) => [character, BigInt(value)]))

/** Big-endian bytes as base62 (`0-9A-Za-z`), left-padded with `0` to `length` characters. */
export function encodeBase62(bytes: Uint8Array, length: number): string {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  let text = ''
  while (value > 0n) {
    text = ALPHABET[Number(value % 62n)] + text
    value /= 62n
  }
  return text.padStart(length, '0')
}

/** The inverse, or null for a foreign character or a value that does not fit `byteLength`. */
export function decodeBase62(text: string, byteLength: number): Uint8Array | null {
  let value = 0n
  for (const character of text) {
    const digit = DIGITS.get(character)
    if (digit === undefined) return null
    value = value * 62n + digit
  }
  const bytes = new Uint8Array(byteLength)
  for (let i = byteLength - 1; i >= 0; i--) {
    bytes[i] = Number(value & 0xffn)
    value >>= 8n
  }
  return value === 0n ? bytes : null
}
