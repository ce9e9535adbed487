import { wordsOf } from './targets.ts'

/** One field of a record's data, as people fill it in. */
export type Part = {
  label: PartName
  kind: 'number' | 'name' | 'address' | 'text'
  example: string
  /** The highest number. */
  max?: number
  /** What a value means, where only some are in use; others are kept as they are. */
  options?: readonly (readonly [string, string])[]
  /** What it begins with in a new record. */
  first?: string
  /** Stands in quotes in the data; in the field it stands without. */
  quoted?: true
  /** Takes whatever follows, blanks too. */
  rest?: true
}

type PartName =
  | 'ipv4Address'
  | 'ipv6Address'
  | 'target'
  | 'nameServer'
  | 'mailServer'
  | 'priority'
  | 'weight'
  | 'port'
  | 'text'
  | 'flags'
  | 'tag'
  | 'issuer'
  | 'keyTag'
  | 'algorithm'
  | 'digestType'
  | 'digest'
  | 'usage'
  | 'selector'
  | 'matching'
  | 'data'
  | 'fingerprintType'
  | 'fingerprint'
  | 'parameters'
  | 'order'
  | 'preference'
  | 'service'
  | 'expression'
  | 'replacement'
  | 'address'

const u16 = (label: PartName, first = ''): Part => ({
  label,
  kind: 'number',
  example: first,
  max: 65_535,
  ...(first ? { first } : {}),
})
const u8 = (label: PartName, options: Part['options'], first: string): Part => ({
  label,
  kind: 'number',
  example: first,
  max: 255,
  first,
  ...(options ? { options } : {}),
})
const host = (label: PartName, example: string): Part => ({ label, kind: 'name', example })
const text = (label: PartName, example: string, more: Pick<Part, 'quoted' | 'rest'> = {}): Part => ({
  label,
  kind: 'text',
  example,
  ...more,
})

const ALGORITHMS = [
  ['8', '8 · RSA/SHA-256'],
  ['13', '13 · ECDSA P-256'],
  ['14', '14 · ECDSA P-384'],
  ['15', '15 · Ed25519'],
] as const
const DIGESTS = [
  ['1', '1 · SHA-1'],
  ['2', '2 · SHA-256'],
  ['4', '4 · SHA-384'],
] as const
const CAA_FLAGS = [
  ['0', '0'],
  ['128', '128 · critical'],
] as const
const CAA_TAGS = [
  ['issue', 'issue'],
  ['issuewild', 'issuewild'],
  ['iodef', 'iodef'],
] as const
const SVCB = [u16('priority', '1'), host('target', '.'), text('parameters', 'alpn=h2,h3', { rest: true })]

/** The fields of each type's data, in the order of the data. */
const PARTS: Record<string, readonly Part[]> = {
  A: [{ label: 'ipv4Address', kind: 'address', example: '192.0.2.10' }],
  AAAA: [{ label: 'ipv6Address', kind: 'address', example: '2001:db8::10' }],
  CNAME: [host('target', 'shops.example.net')],
  NS: [host('nameServer', 'ns1.example.net')],
  PTR: [host('target', 'host.example.net')],
  MX: [u16('priority', '10'), host('mailServer', 'mail.example.net')],
  TXT: [text('text', 'v=spf1 mx -all', { rest: true })],
  SRV: [
    u16('priority', '10'),
    u16('weight', '5'),
    { ...u16('port'), example: '443' },
    host('target', 'sip.example.net'),
  ],
  CAA: [
    u8('flags', CAA_FLAGS, '0'),
    { ...text('tag', 'issue'), options: CAA_TAGS, first: 'issue' },
    text('issuer', 'letsencrypt.org', { quoted: true, rest: true }),
  ],
  DS: [
    { ...u16('keyTag'), example: '12345' },
    u8('algorithm', ALGORITHMS, '13'),
    u8('digestType', DIGESTS, '2'),
    text('digest', '1F98…', { rest: true }),
  ],
  TLSA: [
    u8(
      'usage',
      [
        ['0', '0 · PKIX-TA'],
        ['1', '1 · PKIX-EE'],
        ['2', '2 · DANE-TA'],
        ['3', '3 · DANE-EE'],
      ],
      '3',
    ),
    u8(
      'selector',
      [
        ['0', '0 · Cert'],
        ['1', '1 · SPKI'],
      ],
      '1',
    ),
    u8(
      'matching',
      [
        ['0', '0 · Full'],
        ['1', '1 · SHA-256'],
        ['2', '2 · SHA-512'],
      ],
      '1',
    ),
    text('data', '0C72…', { rest: true }),
  ],
  SSHFP: [
    u8(
      'algorithm',
      [
        ['1', '1 · RSA'],
        ['3', '3 · ECDSA'],
        ['4', '4 · Ed25519'],
      ],
      '4',
    ),
    u8(
      'fingerprintType',
      [
        ['1', '1 · SHA-1'],
        ['2', '2 · SHA-256'],
      ],
      '2',
    ),
    text('fingerprint', '1234…', { rest: true }),
  ],
  HTTPS: SVCB,
  SVCB,
  NAPTR: [
    u16('order', '100'),
    u16('preference', '10'),
    text('flags', 'S', { quoted: true }),
    text('service', 'SIP+D2U', { quoted: true }),
    text('expression', '', { quoted: true }),
    host('replacement', '_sip._udp'),
  ],
  URI: [
    u16('priority', '10'),
    u16('weight', '1'),
    text('address', 'https://example.net/', { quoted: true, rest: true }),
  ],
}

const ANY: readonly Part[] = [text('data', '', { rest: true })]

export const partsOf = (type: string): readonly Part[] => PARTS[type] ?? ANY

/** The fields of a new record. */
export const newLine = (type: string): string[] => partsOf(type).map(({ first = '' }) => first)

/** Whether nothing was filled in: each field is empty, or as it began. */
export const isBlank = (type: string, line: readonly string[]): boolean =>
  partsOf(type).every(({ first }, at) => {
    const typed = line[at]?.trim() ?? ''
    return typed === '' || typed === first
  })

/** The data of a record taken apart into its fields. */
export function splitValue(type: string, value: string): string[] {
  if (type === 'TXT') return [plainText(value)]
  const parts = partsOf(type)
  const words = inOrder(type, wordsOf(value.trim()))
  return parts.map(({ quoted, rest }, at) => {
    const found = rest ? words.slice(at).join(' ') : (words[at] ?? '')
    return quoted ? unquoted(found) : found
  })
}

/** The fields of a record put together, in the form that the API takes but for the readings of its names. */
export function joinValue(type: string, line: readonly string[]): string {
  if (type === 'TXT') return line[0] ?? ''
  return partsOf(type)
    .map(({ quoted }, at) => {
      const typed = line[at]?.trim() ?? ''
      return quoted ? inQuotes(typed) : typed
    })
    .join(' ')
    .trim()
}

/**
 * A line after text was put into one of its fields: whole data of the type (`10 mail.example.net`, also
 * with the priority behind the name, as some providers write it) goes into all of them.
 */
export function filled(
  type: string,
  line: readonly string[],
  { at, text }: { at: number; text: string },
): string[] {
  const parts = partsOf(type)
  return isWhole(type, text)
    ? splitValue(type, text)
    : parts.map((_, n) => (n === at ? text : (line[n] ?? '')))
}

function isWhole(type: string, text: string): boolean {
  const parts = partsOf(type)
  const words = inOrder(type, wordsOf(text.trim()))
  if (parts.length < 2 || words.length < 2) return false
  const enough = parts.at(-1)?.rest
    ? words.length >= parts.length - restMayMiss(type)
    : words.length === parts.length
  return enough && parts.every((part, at) => part.kind !== 'number' || isNumber(part, words[at] ?? ''))
}

const isNumber = ({ max = 0 }: Part, word: string): boolean => /^\d{1,5}$/.test(word) && Number(word) <= max

/** A service's parameters may be left out. */
const restMayMiss = (type: string): number => (type === 'HTTPS' || type === 'SVCB' ? 1 : 0)

/** `mail.example.net 10` is meant as `10 mail.example.net`. */
function inOrder(type: string, words: string[]): string[] {
  const [first = '', second = ''] = words
  const turned = type === 'MX' && words.length === 2 && !/^\d+$/.test(first) && /^\d+$/.test(second)
  return turned ? [second, first] : words
}

/** Which field of a line is at fault by itself: a missing one, or a number out of range. */
export function partFaults(type: string, line: readonly string[]): ('missing' | 'number' | null)[] {
  return partsOf(type).map((part, at) => {
    const typed = line[at]?.trim() ?? ''
    if (typed === '') return mayBeEmpty(type, part) ? null : 'missing'
    return part.kind === 'number' && !isNumber(part, typed) ? 'number' : null
  })
}

/** An empty issuer of a CAA forbids all of them (RFC 8659 section 4.2); a NAPTR has empty strings. */
const mayBeEmpty = (type: string, { quoted, rest }: Part): boolean =>
  (quoted === true && type !== 'URI') || (rest === true && restMayMiss(type) > 0)

/** A stored text without its quotes, where putting them back gives the same strings again. */
function plainText(value: string): string {
  const strings = wordsOf(value)
  if (!strings.every((one) => /^".*"$/s.test(one))) return value
  const whole = strings.slice(0, -1).every((one) => octets(unquoted(one)) === 255)
  const plain = strings.map(unquoted).join('')
  // What begins like a quoted text would be read as one.
  return !whole || plain !== plain.trim() || /["“”„«'‘’\\(]/.test(plain[0] ?? '"') || /\\\d{3}/.test(value)
    ? value
    : plain
}

const octets = (text: string): number => new TextEncoder().encode(text).length

const unquoted = (word: string): string =>
  /^".*"$/s.test(word) ? word.slice(1, -1).replace(/\\(["\\])/g, '$1') : word

const inQuotes = (plain: string): string =>
  /^".*"$/s.test(plain) ? plain : `"${plain.replace(/["\\]/g, '\\$&')}"`
