// biome-ignore lint/suspicious/noExplicitAny: a schema of the document is read by name
export type Schema = any

/** Numbers below one by one seed: the same seed gives the same requests (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pick = <T>(random: () => number, from: readonly T[]): T => {
  const one = from[Math.floor(random() * from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

/** Texts that have broken somebody's server; raw JSON, since some of them are no value of JavaScript. */
const HOSTILE = [
  '""',
  'null',
  '[]',
  '{}',
  '[[]]',
  'true',
  '-1',
  '0',
  '-0',
  '1.5',
  '1e999',
  '9007199254740993',
  '99999999999999999999999999',
  '"\\ud800"',
  '"\\u0000"',
  '"\\u202e\\u2028"',
  '"a\\r\\nX: y"',
  '"../../etc/passwd"',
  '"%2e%2e%2f"',
  '"\' or 1=1 --"',
  '"<script>alert(1)</script>"',
  '"__proto__"',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{}}}',
  `"${'x'.repeat(5000)}"`,
  `"${'ñ'.repeat(300)}.es"`,
  `${'['.repeat(19)}${']'.repeat(19)}`,
  `${'['.repeat(40)}${']'.repeat(40)}`,
]

/** A value of a schema as JSON text: mostly a good one, else one at its edge or a hostile one. */
export function jsonOf(schema: Schema, random: () => number, whole: Schema): string {
  const one = schema.$ref ? whole.components.schemas[schema.$ref.split('/').at(-1)] : schema
  const dice = random()
  if (dice < 0.12) return pick(random, HOSTILE)
  if (dice < 0.3) return edge(one, random)
  if (one.enum) return JSON.stringify(pick(random, one.enum))
  if (one.anyOf) return jsonOf(pick(random, one.anyOf), random, whole)
  if (one.properties) return objectOf(one, random, whole)
  if (one.examples) return JSON.stringify(one.examples[0])
  if (one.items) return `[${jsonOf(one.items, random, whole)}]`
  return edge(one, random)
}

function edge({ minimum, maximum, minLength, maxLength, items, type }: Schema, random: () => number): string {
  if (type === 'boolean') return pick(random, ['true', 'false'])
  if (items) return pick(random, ['[]', '[""]', '["a.es","a.es"]'])
  if (minimum !== undefined || maximum !== undefined) {
    const [low, high] = [minimum ?? 0, maximum ?? 2 ** 53]
    return String(pick(random, [low, low - 1, high, high + 1]))
  }
  const length = pick(random, [
    minLength ?? 0,
    (minLength ?? 1) - 1,
    maxLength ?? 300,
    (maxLength ?? 300) + 1,
  ])
  return JSON.stringify('a'.repeat(Math.max(0, length)))
}

/** Its fields, now and then without one, with one too many, or with one twice. */
export function objectOf({ properties }: Schema, random: () => number, whole: Schema): string {
  const fields = Object.entries<Schema>(properties)
    .filter(() => random() < 0.85)
    .map(([name, one]) => `${JSON.stringify(name)}:${jsonOf(one, random, whole)}`)
  if (random() < 0.05)
    fields.push(pick(random, ['"sobra":1', '"__proto__":{"x":1}', fields[0] ?? '"a":1,"a":2']))
  return `{${fields.join()}}`
}
