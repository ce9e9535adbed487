import { nameWire } from '../names.ts'
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.ts'
import { characterString, concat, quoteText, u16, unescapeText } from './bytes.ts'
import { RdataError } from './error.ts'
import type { Fields, Rdata } from './fields.ts'

type Param = { key: number; presentation: string; value: Uint8Array }

/** RFC 9460 section 14.3.2. */
const KEYS = ['mandatory', 'alpn', 'no-default-alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint']
const MAX_KEY = 65534

/** SVCB and HTTPS (RFC 9460): priority, target, parameters in the order of their keys. */
export function svcb(fields: Fields): Rdata {
  const priority = fields.number(65535)
  const target = fields.name()
  const params = fields.more() ? fields.rest().map((token) => param(token.text, token.quoted)) : []
  params.sort((left, right) => left.key - right.key)
  checkTogether(priority, params)
  const shown = [String(priority), target, ...params.map((one) => one.presentation)]
  return {
    presentation: shown.join(' '),
    wire: concat([
      u16(priority),
      nameWire(target),
      ...params.flatMap((one) => [u16(one.key), u16(one.value.length), one.value]),
    ]),
  }
}

function param(text: string, quoted: boolean): Param {
  const match = /^([a-z0-9-]{1,63})(?:=(.*))?$/.exec(text)
  if (!match || quoted) throw bad('A parameter is key or key=value.', 'Un parámetro es clave o clave=valor.')
  const key = keyOf(match[1] ?? '')
  const inner = /^"(.*)"$/.exec(match[2] ?? '')
  const written = inner ? (inner[1] ?? '') : (match[2] ?? '')
  if (key !== 2 && key <= 6 && written === '') {
    throw bad(`${KEYS[key]} needs a value.`, `${KEYS[key]} necesita un valor.`)
  }
  return { key, ...(READERS[key] ?? opaque(key))(written) }
}

type Reader = (written: string) => { presentation: string; value: Uint8Array }

const READERS: Record<number, Reader> = {
  0: mandatory,
  1: alpn,
  2: noDefaultAlpn,
  3: port,
  4: ipv4hint,
  5: ech,
  6: ipv6hint,
}

function mandatory(written: string): ReturnType<Reader> {
  const keys = list(written, 'mandatory').map((octets) => keyOf(new TextDecoder().decode(octets)))
  keys.sort((left, right) => left - right)
  if (keys.includes(0) || new Set(keys).size !== keys.length) {
    throw bad(
      'mandatory names each key once, and not itself.',
      'mandatory nombra cada clave una vez, y no a sí misma.',
    )
  }
  return { presentation: `mandatory=${keys.map(keyName).join(',')}`, value: concat(keys.map(u16)) }
}

function alpn(written: string): ReturnType<Reader> {
  const ids = list(written, 'alpn')
  // A comma or backslash inside an identifier is legal (appendix A.1) and registered by nobody.
  if (
    ids.some((id) => id.length === 0 || !/^[!#$%&'*+./0-9:A-Z^_`a-z|~-]+$/.test(new TextDecoder().decode(id)))
  ) {
    throw bad('alpn lists protocol identifiers.', 'alpn enumera identificadores de protocolo.')
  }
  const text = ids.map((id) => new TextDecoder().decode(id)).join(',')
  return { presentation: `alpn=${text}`, value: concat(ids.map(characterString)) }
}

function noDefaultAlpn(written: string): ReturnType<Reader> {
  if (written !== '') throw bad('no-default-alpn has no value.', 'no-default-alpn no lleva valor.')
  return { presentation: 'no-default-alpn', value: new Uint8Array() }
}

function port(written: string): ReturnType<Reader> {
  const value = Number(written)
  if (!/^\d{1,5}$/.test(written) || value > 65535) throw bad('port is a number.', 'port es un número.')
  return { presentation: `port=${value}`, value: u16(value) }
}

function ipv4hint(written: string): ReturnType<Reader> {
  const addresses = written
    .split(',')
    .map(parseIpv4)
    .filter((one) => one !== null)
  if (addresses.length !== written.split(',').length) {
    throw bad('ipv4hint lists IPv4 addresses.', 'ipv4hint enumera direcciones IPv4.')
  }
  return { presentation: `ipv4hint=${addresses.map(formatIpv4).join(',')}`, value: concat(addresses) }
}

function ipv6hint(written: string): ReturnType<Reader> {
  const addresses = written
    .split(',')
    .map(parseIpv6)
    .filter((one) => one !== null)
  // Addresses that only wrap an IPv4 one have two spellings, and no use as a hint.
  const wrapped = addresses.some((octets) => octets.subarray(0, 10).every((octet) => octet === 0))
  if (wrapped || addresses.length !== written.split(',').length) {
    throw bad('ipv6hint lists IPv6 addresses.', 'ipv6hint enumera direcciones IPv6.')
  }
  return { presentation: `ipv6hint=${addresses.map(formatIpv6).join(',')}`, value: concat(addresses) }
}

function ech(written: string): ReturnType<Reader> {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(written) || written.length % 4 !== 0) {
    throw bad('ech is base64.', 'ech es base64.')
  }
  const value = Uint8Array.from(atob(written), (character) => character.charCodeAt(0))
  return { presentation: `ech="${btoa(String.fromCharCode(...value))}"`, value }
}

/** A key without a name of its own here: its value is any octets. */
function opaque(key: number): Reader {
  return (written) => {
    const value = unescapeText(written)
    return { presentation: `key${key}=${quoteText(value)}`, value }
  }
}

/** A comma-separated list (RFC 9460 appendix A.1), without the escapes that no known value needs. */
function list(written: string, what: string): Uint8Array[] {
  if (/\\[,\\]/.test(written)) throw bad(`${what} holds no escapes.`, `${what} no lleva escapes.`)
  return written.split(',').map(unescapeText)
}

function keyOf(name: string): number {
  const known = KEYS.indexOf(name)
  if (known >= 0) return known
  const number = /^key(0|[1-9]\d{0,4})$/.exec(name)?.[1]
  if (number === undefined || Number(number) > MAX_KEY) {
    throw bad(
      `Unknown parameter ${name}; write it as keyNNNNN.`,
      `Parámetro ${name} desconocido; escríbalo como keyNNNNN.`,
    )
  }
  if (Number(number) < KEYS.length) {
    throw bad(
      `Write ${name} by its name ${KEYS[Number(number)]}.`,
      `Escriba ${name} por su nombre ${KEYS[Number(number)]}.`,
    )
  }
  return Number(number)
}

function keyName(key: number): string {
  return KEYS[key] ?? `key${key}`
}

/** What RFC 9460 asks of the parameters together (sections 2.2, 2.4.2, 7.1.1 and 8). */
function checkTogether(priority: number, params: Param[]): void {
  const keys = params.map((one) => one.key)
  if (new Set(keys).size !== keys.length)
    throw bad('A parameter stands twice.', 'Un parámetro está dos veces.')
  if (priority === 0 && keys.length > 0) {
    throw bad(
      'Priority 0 makes an alias, which has no parameters.',
      'La prioridad 0 es un alias, que no lleva parámetros.',
    )
  }
  if (keys.includes(2) && !keys.includes(1)) {
    throw bad('no-default-alpn needs alpn.', 'no-default-alpn necesita alpn.')
  }
  const required = params.find((one) => one.key === 0)?.value ?? new Uint8Array()
  for (let at = 0; at < required.length; at += 2) {
    const key = ((required[at] ?? 0) << 8) | (required[at + 1] ?? 0)
    if (!keys.includes(key)) throw bad('A mandatory parameter is missing.', 'Falta un parámetro obligatorio.')
  }
}

function bad(en: string, es: string): RdataError {
  return new RdataError('parametro_invalido', en, es)
}
