import { absoluteName, NameError } from '../names.ts'
import { RdataError } from './error.ts'

export type Rdata = { presentation: string; wire: Uint8Array }

/** One field of record data; `text` is as written, escapes and inner quotes included, outer quotes not. */
export type Token = { text: string; quoted: boolean }

/** Splits record data in presentation form (RFC 1035 section 5.1) into its fields. Throws RdataError. */
function tokenize(text: string): Token[] {
  refuseControls(text)
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const character = text[at]
    if (character === ' ' || character === '\t') {
      at++
    } else if (character === '"') {
      const end = closingQuote(text, at + 1)
      tokens.push({ text: text.slice(at + 1, end), quoted: true })
      at = end + 1
    } else {
      const end = wordEnd(text, at)
      tokens.push({ text: text.slice(at, end), quoted: false })
      at = end
    }
  }
  return tokens
}

/** A reader over the fields of one record's data, in order; every method throws RdataError. */
export class Fields {
  readonly origin: string
  readonly #tokens: Token[]
  #at = 0

  constructor(text: string, origin: string) {
    this.#tokens = tokenize(text)
    this.origin = origin
  }

  next(): Token {
    const token = this.#tokens[this.#at++]
    if (!token)
      throw new RdataError('faltan_campos', 'The value has too few fields.', 'Al valor le faltan campos.')
    return token
  }

  more(): boolean {
    return this.#at < this.#tokens.length
  }

  /** Whatever fields are left, at least one. */
  rest(): Token[] {
    const first = this.next()
    const others = this.#tokens.slice(this.#at)
    this.#at = this.#tokens.length
    return [first, ...others]
  }

  /** An unsigned decimal number of at most `max`. */
  number(max: number): number {
    const { text, quoted } = this.next()
    const value = Number(text)
    if (quoted || !/^\d{1,10}$/.test(text) || value > max) {
      throw new RdataError(
        'numero_invalido',
        `A number from 0 to ${max} was expected.`,
        `Se esperaba un número de 0 a ${max}.`,
      )
    }
    return value
  }

  /** A domain name, canonical and absolute. */
  name(): string {
    const { text, quoted } = this.next()
    if (quoted) throw badName('A name is not quoted.', 'Un nombre no va entre comillas.')
    try {
      return absoluteName(text, this.origin)
    } catch (error) {
      if (error instanceof NameError) throw badName(error.mensaje.en, error.mensaje.es)
      throw error
    }
  }

  /**
   * The name of a host (RFC 1123 section 2.1), or the root. An address in its place is refused: it would
   * be taken for a name, and the mistake would only show when mail is lost.
   */
  host(): string {
    const written = this.#tokens[this.#at]?.text ?? ''
    if (/^\d+\.\d+\.\d+\.\d+\.?$/.test(written) || written.includes(':')) {
      throw badName(
        'A host name is expected here, not an address.',
        'Aquí se espera un nombre, no una dirección.',
      )
    }
    const name = this.name()
    if (name !== '.' && !HOST.test(name)) {
      throw badName(
        'A host name has only letters, digits and inner hyphens.',
        'Un nombre de equipo solo lleva letras, cifras y guiones interiores.',
      )
    }
    return name
  }

  end(): void {
    if (this.more()) {
      throw new RdataError('sobran_campos', 'The value has too many fields.', 'Al valor le sobran campos.')
    }
  }
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+$/

function badName(en: string, es: string): RdataError {
  return new RdataError('nombre_invalido', en, es)
}

/** Raw line ends and other controls never reach a zone; `\010` writes one inside a text. */
function refuseControls(text: string): void {
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(text)) {
    throw new RdataError(
      'texto_invalido',
      'The value holds a raw control character; write it as \\DDD.',
      'El valor contiene un carácter de control; escríbalo como \\DDD.',
    )
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  throw new RdataError('texto_invalido', 'A quote is not closed.', 'Hay unas comillas sin cerrar.')
}

/** End of an unquoted word. `key="a b"` (RFC 9460 section 2.1) is one word. */
function wordEnd(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === ' ' || character === '\t') break
    else if (character === '"' && text[at - 1] === '=') at = closingQuote(text, at + 1)
    else if (character === '"' || character === ';' || character === '(' || character === ')') {
      throw new RdataError(
        'texto_invalido',
        'Quotes, semicolons and parentheses stand only inside a quoted text.',
        'Las comillas, los puntos y coma y los paréntesis solo van dentro de un texto entre comillas.',
      )
    }
  }
  return Math.min(at, text.length)
}
