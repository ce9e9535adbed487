const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The value of each ASCII character; 255 for one that is no digit. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = ALPHABET.indexOf(String.fromCharCode(code))
  return value < 0 ? 255 : value
})
/** Digits are combined in chunks of this many: a chunk times 16 bits is still an exact number. */
const CHUNK = 5

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

/**
 * The inverse; null for a character outside the alphabet or a value that does not fit `byteLength`, a multiple of 2.
 */
export function decodeBase62(text: string, byteLength: number): Uint8Array | null {
  // Little-endian, 16 bits each.
  const parts = new Uint16Array(byteLength / 2)
  for (let at = 0; at < text.length; at += CHUNK) {
    const end = Math.min(at + CHUNK, text.length)
    let carry = 0
    for (let i = at; i < end; i++) {
      const digit = DIGITS[text.charCodeAt(i)] ?? 255
      if (digit === 255) return null
      carry = carry * 62 + digit
    }
    const scale = 62 ** (end - at)
    for (let i = 0; i < parts.length; i++) {
      const sum = (parts[i] ?? 0) * scale + carry
      carry = Math.floor(sum / 65536)
      parts[i] = sum - carry * 65536
    }
    if (carry > 0) return null
  }
  const bytes = new Uint8Array(byteLength)
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? 0
    bytes[byteLength - 1 - 2 * i] = part & 255
    bytes[byteLength - 2 - 2 * i] = part >> 8
  }
  return bytes
}
