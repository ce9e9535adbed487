import { nameWire } from '../names.ts'
import { characterString, concat, quoteText, u16, unescapeText } from './bytes.ts'
import { RdataError } from './error.ts'
import type { Fields, Rdata, Token } from './fields.ts'

/**
 * TXT (RFC 1035 section 3.3.14): one or more strings. One longer than 255 octets is split into strings
 * of 255, since readers of long texts (DKIM, SPF: RFC 7208 section 3.3) join the strings of a record.
 */
export function txt(fields: Fields): Rdata {
  const strings = fields.rest().flatMap((token) => pieces(octetsOf(token)))
  return { presentation: strings.map(quoteText).join(' '), wire: concat(strings.map(characterString)) }
}

/** CAA (RFC 8659 section 4): flags, tag, value; the tag is compared without case, so lower-case here. */
export function caa(fields: Fields): Rdata {
  const flags = fields.number(255)
  const tag = fields.next().text.toLowerCase()
  if (!/^[a-z0-9]{1,255}$/.test(tag)) {
    throw new RdataError(
      'parametro_invalido',
      'A CAA tag is made of letters and digits.',
      'La etiqueta de un CAA se compone de letras y cifras.',
    )
  }
  const value = octetsOf(fields.next())
  return {
    presentation: `${flags} ${tag} ${quoteText(value)}`,
    wire: concat([flags, characterString(new TextEncoder().encode(tag)), value]),
  }
}

/** URI (RFC 7553): priority, weight, target; the target is the rest of the data and is not empty. */
export function uri(fields: Fields): Rdata {
  const [priority, weight] = [fields.number(65535), fields.number(65535)]
  const target = octetsOf(fields.next())
  if (target.length === 0) {
    throw new RdataError('texto_invalido', 'The target is empty.', 'El destino está vacío.')
  }
  return {
    presentation: `${priority} ${weight} ${quoteText(target)}`,
    wire: concat([u16(priority), u16(weight), target]),
  }
}

/** NAPTR (RFC 3403 section 4): order, preference, flags, services, regular expression, replacement. */
export function naptr(fields: Fields): Rdata {
  const [order, preference] = [fields.number(65535), fields.number(65535)]
  const flags = octetsOf(fields.next())
  const service = octetsOf(fields.next())
  const regexp = octetsOf(fields.next())
  const replacement = fields.name()
  if (!/^[A-Za-z0-9]*$/.test(new TextDecoder().decode(flags))) {
    throw new RdataError(
      'parametro_invalido',
      'NAPTR flags are letters and digits.',
      'Los indicadores de un NAPTR son letras y cifras.',
    )
  }
  const texts = [flags, service, regexp]
  return {
    presentation: `${order} ${preference} ${texts.map(quoteText).join(' ')} ${replacement}`,
    wire: concat([u16(order), u16(preference), ...texts.map(characterString), nameWire(replacement)]),
  }
}

function octetsOf(token: Token): Uint8Array {
  return unescapeText(token.text)
}

function pieces(octets: Uint8Array): Uint8Array[] {
  if (octets.length <= 255) return [octets]
  const parts: Uint8Array[] = []
  for (let at = 0; at < octets.length; at += 255) parts.push(octets.subarray(at, at + 255))
  return parts
}
