import { RdataError } from './error.ts'

const encoder = new TextEncoder()

/** The octets of a text with RFC 1035 escapes (`\"`, `\DDD`); what is not ASCII is taken as UTF-8. */
export function unescapeText(text: string): Uint8Array {
  if (!text.includes('\\')) return encoder.encode(text)
  const parts: number[] = []
  const units = encoder.encode(text)
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0
    if (unit !== 92) {
      parts.push(unit)
      continue
    }
    const next = units[at + 1]
    if (next === undefined) throw badEscape()
    if (isDigit(next)) {
      parts.push(decimal(units, at + 1))
      at += 3
    } else {
      parts.push(next)
      at += 1
    }
  }
  return Uint8Array.from(parts)
}

/** A quoted text, with `"` and `\` escaped and every octet outside printable ASCII as `\DDD`. */
export function quoteText(octets: Uint8Array): string {
  let text = '"'
  for (const octet of octets) text += ESCAPED[octet]
  return `${text}"`
}

/** Octets as lower-case hexadecimal. */
export function toHex(octets: Uint8Array): string {
  let text = ''
  for (const octet of octets) text += HEX[octet]
  return text
}

/** Octets of hexadecimal digits. Throws RdataError. */
export function fromHex(text: string): Uint8Array {
  if (text.length === 0 || text.length % 2 !== 0 || !/^[0-9a-fA-F]+$/.test(text)) {
    throw new RdataError(
      'hexadecimal_invalido',
      'Pairs of hexadecimal digits were expected.',
      'Se esperaban pares de cifras hexadecimales.',
    )
  }
  const octets = new Uint8Array(text.length / 2)
  for (let at = 0; at < octets.length; at++) octets[at] = Number.parseInt(text.slice(at * 2, at * 2 + 2), 16)
  return octets
}

/** One array of all the parts; a number stands for one octet. */
export function concat(parts: (Uint8Array | number)[]): Uint8Array {
  let length = 0
  for (const part of parts) length += typeof part === 'number' ? 1 : part.length
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    if (typeof part === 'number') all[at++] = part
    else {
      all.set(part, at)
      at += part.length
    }
  }
  return all
}

/** A number as two octets, most significant first. */
export function u16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 255)
}

/** A character-string of RFC 1035 section 3.3: a length octet and at most 255 more. Throws RdataError. */
export function characterString(octets: Uint8Array): Uint8Array {
  if (octets.length > 255) throw tooLong()
  return concat([octets.length, octets])
}

export function tooLong(): RdataError {
  return new RdataError(
    'valor_demasiado_largo',
    'The value is longer than DNS can carry.',
    'El valor es más largo de lo que admite el DNS.',
  )
}

const HEX = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'))

const ESCAPED = Array.from({ length: 256 }, (_, octet) => {
  const character = String.fromCharCode(octet)
  if (character === '"' || character === '\\') return `\\${character}`
  return octet >= 32 && octet < 127 ? character : `\\${String(octet).padStart(3, '0')}`
})

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}

function decimal(units: Uint8Array, at: number): number {
  const digits = units.slice(at, at + 3)
  if (digits.length < 3 || !digits.every(isDigit)) throw badEscape()
  const value = Number(String.fromCharCode(...digits))
  if (value > 255) throw badEscape()
  return value
}

function badEscape(): RdataError {
  return new RdataError(
    'texto_invalido',
    'An escape is \\X or \\DDD with three digits up to 255.',
    'Un escape es \\X o \\DDD con tres cifras hasta 255.',
  )
}
