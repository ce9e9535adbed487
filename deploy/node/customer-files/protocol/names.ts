/**
 * A file's name is bytes, and a customer's program may make one that is no UTF-8. Such bytes are told as characters
 * of the private use area (U+EF80 to U+EFFF, as MirBSD's OPTU does), and these alone lead back to them: every name
 * can be shown, sent back and deleted, and no two have the same text.
 */
const FIRST = 0xef00
const BYTES_OF_PRIVATE = (one: number, two: number) => one === 0xee && (two & 0xfe) === 0xbe

/** The text of a name. */
export function nameText(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!/[\uef80-\uefff]/.test(text)) return text
  } catch {
    // Told byte by byte below.
  }
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at)
    if (length === 0) text += String.fromCharCode(FIRST + (bytes[at] ?? 0))
    else text += new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at, at + length))
    at += length || 1
  }
  return text
}

/** The bytes of a name or path whose text this is. */
export function nameBytes(text: string): Uint8Array {
  if (!/[\uef80-\uefff]/.test(text)) return new TextEncoder().encode(text)
  const parts = [...text].flatMap((character) => {
    const code = character.charCodeAt(0)
    return code >= 0xef80 && code <= 0xefff ? [code - FIRST] : [...new TextEncoder().encode(character)]
  })
  return Uint8Array.from(parts)
}

/** Length of the well-formed sequence that begins here (RFC 3629); 0 for none, and for those that stand for bytes. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const [one = 0, two = 0] = bytes.subarray(at, at + 2)
  const length = one < 0x80 ? 1 : one < 0xc2 ? 0 : one < 0xe0 ? 2 : one < 0xf0 ? 3 : one < 0xf5 ? 4 : 0
  if (length === 3 && BYTES_OF_PRIVATE(one, two)) return 0
  if (length < 2) return length
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(at, at + length))
    return at + length <= bytes.length ? length : 0
  } catch {
    return 0
  }
}
