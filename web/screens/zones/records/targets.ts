import { parse } from 'tldts'

/** Where the name of a host stands in the data of a type, counted in words. */
const TARGET_WORD: Record<string, number> = {
  CNAME: 0,
  NS: 0,
  PTR: 0,
  MX: 1,
  HTTPS: 1,
  SVCB: 1,
  SRV: 3,
  NAPTR: 5,
}

/** How a name with a dot and without a final one is meant: as a whole name, or below the zone. */
export type Meaning = 'absolute' | 'relative'

/** A typed target that has two readings: both in full, and the one that is taken unless it is said. */
export type TwoReadings = { absolute: string; relative: string; likely: Meaning | null }

export type Target = { presentation: string; readings: TwoReadings | null }

/** What is known of the zone that a value is typed for: its name, and the names in it as they are stored. */
export type Place = { zona: string; names: string[] }

/**
 * A value as people paste it, in the presentation form that the API takes. There a name without a final
 * dot is below the zone; people mean `shops.myshopify.com` as it stands. Null as meaning is not yet said.
 */
export function readTarget(
  place: Place,
  { type, value, said }: { type: string; value: string; said: Meaning | null },
): Target {
  const words = wordsOf(value.trim())
  const at = TARGET_WORD[type]
  const word = at === undefined ? undefined : words[at]
  if (at === undefined || word === undefined) return { presentation: value, readings: null }
  const { name, readings } = readName(place, word, said)
  return { presentation: words.with(at, name).join(' '), readings }
}

function readName({ zona, names }: Place, word: string, said: Meaning | null) {
  const plain = word.toLowerCase()
  if (!plain.includes('.') || plain.endsWith('.')) return { name: word, readings: null }
  if (plain === zona || plain.endsWith(`.${zona}`)) return { name: `${word}.`, readings: null }
  const likely: Meaning | null = isPublic(plain) && !isOfZone(plain, names) ? 'absolute' : null
  const readings = { absolute: `${plain}.`, relative: `${plain}.${zona}.`, likely }
  return { name: (said ?? likely) === 'relative' ? word : `${word}.`, readings }
}

/** Whether a name can be one of the public Internet's: its end is a suffix that names are registered under. */
function isPublic(name: string): boolean {
  const { isIcann, domain } = parse(name, { validateHostname: false, allowPrivateDomains: false })
  return isIcann === true && domain !== null
}

/** Whether the zone has this name, or one that it would be below: then it may be meant inside. */
const isOfZone = (name: string, names: string[]): boolean =>
  names.some((one) => one !== '@' && !one.startsWith('*') && (name === one || name.endsWith(`.${one}`)))

/** The owner of a record as the API takes it: one that ends in the zone's name is whole already. */
export function readOwner(zona: string, typed: string): string {
  const name = typed.trim()
  const plain = name.toLowerCase().replace(/\.$/, '')
  if (plain === '' || plain === '@' || plain === zona) return '@'
  return plain.endsWith(`.${zona}`) ? name.replace(/\.$/, '').slice(0, -zona.length - 1) : name
}

/** Words parted by blanks; what stands in quotes is one. */
export const wordsOf = (value: string): string[] => value.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []

/** A text as the API takes it: people paste it with or without quotes, and with those of a text processor. */
export function readText(value: string): string {
  const text = value.trim().replace(/^\(\s*(.*?)\s*\)$/s, '$1')
  if (text === '' || text.startsWith('"')) return text
  const [, inner] = /^[“”„«'‘’](.*)[“”»'‘’]$/s.exec(text) ?? []
  const plain = inner ?? text
  return /^[\w=.:/+@,-]+$/.test(plain) ? plain : `"${plain.replace(/["\\]/g, '\\$&')}"`
}

export type Line = { nombre: string | null; tipo: string; ttl: string | null; valor: string }

/** One line of a zone file, `www 3600 IN CNAME shops.example.`, or a part of one; null for anything else. */
export function readLine(types: string[], text: string): Line | null {
  const words = wordsOf(text.trim())
  const comment = words.findIndex((word) => word.startsWith(';'))
  const rest = (comment < 0 ? words : words.slice(0, comment)).filter((word) => !/^[()]$/.test(word))
  const isType = (word: string | undefined) => word !== undefined && types.includes(word)
  // A line that begins with a blank, or with its type, is of the name before it.
  const named = !/^\s/.test(text) && !isType(rest[0]) && !isClass(rest[0])
  const nombre = named ? (rest.shift() ?? null) : null
  let ttl: string | null = null
  while (rest.length > 0 && !isType(rest[0])) {
    const word = rest.shift() ?? ''
    if (ttl === null && /^(?:\d+|(?:\d+[smhdw])+)$/i.test(word)) ttl = word
    else if (!isClass(word)) return null
  }
  const tipo = rest.shift()
  return tipo === undefined || rest.length === 0 ? null : { nombre, tipo, ttl, valor: rest.join(' ') }
}

const isClass = (word: string | undefined): boolean => word?.toUpperCase() === 'IN'
