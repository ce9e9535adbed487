/** Why a domain name was refused; `codigo` is stable. */
export class NameError extends Error {
  readonly codigo: 'nombre_invalido' | 'nombre_demasiado_largo' | 'nombre_fuera_de_zona'
  readonly mensaje: { en: string; es: string }

  constructor(codigo: NameError['codigo'], en: string, es: string) {
    super(en)
    this.name = 'NameError'
    this.codigo = codigo
    this.mensaje = { en, es }
  }
}

/** RFC 1035 section 2.3.4: 255 octets on the wire, so 254 characters with the final dot. */
const MAX_TEXT = 254
const MAX_LABEL = 63

/**
 * The canonical form of a name in presentation form: absolute, lower-case, with its final dot. A name
 * without a final dot is relative to `origin` (with or without its own dot); `@` is the origin.
 * Labels hold letters, digits, `-` and `_`; `*` only as the whole first label (RFC 4592).
 * Throws NameError.
 */
export function absoluteName(text: string, origin: string): string {
  const plain = text.includes('\\') ? unescapeName(text) : text
  if (plain === '@') return withDot(origin)
  if (plain === '.') return '.'
  const name = plain.endsWith('.') ? plain.toLowerCase() : joined(plain, origin)
  checkName(name)
  return name
}

/** The wire form (RFC 1035 section 3.1) of a canonical absolute name. */
export function nameWire(name: string): Uint8Array {
  if (name === '.') return new Uint8Array(1)
  const wire = new Uint8Array(name.length + 1)
  let length = 0
  // Goes backwards, so that each label's length is known when its dot is reached.
  for (let index = name.length - 1; index >= 0; index--) {
    const code = name.charCodeAt(index)
    if (code === 46) {
      wire[index + 1] = length
      length = 0
    } else {
      wire[index + 1] = code
      length++
    }
  }
  wire[0] = length
  // The last dot was written as a zero length: the root label.
  return wire
}

/** A canonical absolute name as relative to `zone`: `@` for the apex. Throws NameError when outside. */
export function relativeName(name: string, zone: string): string {
  const apex = withDot(zone)
  if (name === apex) return '@'
  if (!isInside(name, apex)) throw outside(name, apex)
  return name.slice(0, -apex.length - 1)
}

/**
 * The owner name of a record in `zone`, relative and canonical (`@` for the apex), from a relative or
 * absolute one. Throws NameError when it is no name or lies outside the zone.
 */
export function ownerName(text: string, zone: string): string {
  // A shortcut for nearly every name of a large zone: such a name can break none of the rules below.
  if (SIMPLE_OWNER.test(text) && text.length + zone.length < MAX_TEXT - 1) return text
  return relativeName(absoluteName(text, zone), zone)
}

/** Whether a canonical absolute name is `zone` or below it. */
export function isInside(name: string, zone: string): boolean {
  const apex = withDot(zone)
  return apex === '.' || name === apex || (name.endsWith(apex) && name[name.length - apex.length - 1] === '.')
}

/** A name in lower case and with its final dot, as the functions here want it. */
export function withDot(name: string): string {
  const lower = name.toLowerCase()
  return lower.endsWith('.') ? lower : `${lower}.`
}

function joined(relative: string, origin: string): string {
  const apex = withDot(origin)
  return apex === '.' ? `${relative.toLowerCase()}.` : `${relative.toLowerCase()}.${apex}`
}

const SIMPLE_OWNER = /^[a-z0-9_-]{1,63}$/
const PLAIN = /^(?:\*\.)?(?:[a-z0-9_-]{1,63}\.)+$/

function checkName(name: string): void {
  if (name.length > MAX_TEXT) {
    throw new NameError(
      'nombre_demasiado_largo',
      'A name has at most 253 characters.',
      'Un nombre tiene como máximo 253 caracteres.',
    )
  }
  if (PLAIN.test(name) || name === '*.') return
  if (name.split('.').some((label) => label.length > MAX_LABEL)) {
    throw new NameError(
      'nombre_demasiado_largo',
      'A label has at most 63 characters.',
      'Una etiqueta tiene como máximo 63 caracteres.',
    )
  }
  throw invalid()
}

/** RFC 1035 section 5.1 escapes; one that stands for a character outside the plain set is refused. */
function unescapeName(text: string): string {
  const plain = text.replace(/\\(?:(\d{3})|([^\d]))|\\/g, (_, digits?: string, character?: string) => {
    const decoded = digits === undefined ? (character ?? '') : String.fromCharCode(Number(digits))
    if (!/^[A-Za-z0-9_-]$/.test(decoded)) throw invalid()
    return decoded
  })
  return plain
}

function invalid(): NameError {
  return new NameError(
    'nombre_invalido',
    'A name is made of labels of letters, digits, hyphens and underscores; * stands only as the first label.',
    'Un nombre se compone de etiquetas de letras, cifras, guiones y guiones bajos; * solo como primera etiqueta.',
  )
}

function outside(name: string, apex: string): NameError {
  const [shownName, shownApex] = [name.slice(0, -1), apex.slice(0, -1)]
  return new NameError(
    'nombre_fuera_de_zona',
    `${shownName} is not inside the zone ${shownApex}.`,
    `${shownName} no está dentro de la zona ${shownApex}.`,
  )
}
