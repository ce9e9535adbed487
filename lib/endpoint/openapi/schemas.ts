import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'

export type Json = Record<string, unknown>

const REF = '#/components/schemas/'

/**
 * Schemas as the document shows them. A titled schema (`named`) becomes a component that others refer to; two
 * different shapes of one name are a fault of ours.
 */
export class Schemas {
  readonly components: Record<string, Json> = {}

  /** Checks that JSON Schema has no words for (the canonical forms of names) are left to the descriptions. */
  of(schema: v.GenericSchema, typeMode: 'input' | 'output'): Json {
    const { $schema: _, ...whole } = toJsonSchema(schema, { errorMode: 'ignore', typeMode })
    return this.#hoisted(whole as Json)
  }

  /**
   * A real example, composed of the examples of its parts. An optional part is included only if it has an example of
   * its own.
   */
  example(schema: Json, name = ''): unknown {
    const one = this.#resolved(schema)
    if (Array.isArray(one.examples)) return one.examples[0]
    if ('const' in one) return one.const
    const [branch] = branchesOf(one) ?? []
    if (branch) return this.example(branch, name)
    if (typeof one.items === 'object') return [this.example(one.items as Json, `${name}[]`)]
    if (!one.properties) throw new Error(`told() gives no example of ${name}: ${JSON.stringify(one)}`)
    const { properties, required = [] } = one as { properties: Record<string, Json>; required?: string[] }
    const shown = Object.entries(properties).filter(
      ([field, property]) => required.includes(field) || 'examples' in this.#resolved(property),
    )
    return Object.fromEntries(
      shown.map(([field, property]) => [field, this.example(property, `${name}.${field}`)]),
    )
  }

  #resolved(schema: Json): Json {
    const name = typeof schema.$ref === 'string' ? schema.$ref.slice(REF.length) : null
    return name === null ? schema : (this.components[name] ?? {})
  }

  #hoisted(schema: Json): Json {
    const { title, ...rest } = mapped(nullableType(schema), (part) => this.#hoisted(part))
    if (typeof title !== 'string') return rest
    const known = this.components[title]
    if (known && JSON.stringify(known) !== JSON.stringify(rest))
      throw new Error(`two shapes are named ${title}`)
    this.components[title] = rest
    return { $ref: REF + title }
  }
}

const branchesOf = (schema: Json) => (schema.anyOf ?? schema.oneOf) as Json[] | undefined

/** The schema with each of its subschemas replaced. */
function mapped(schema: Json, part: (one: Json) => Json): Json {
  const result: Json = { ...schema }
  for (const key of ['items', 'additionalProperties'])
    if (typeof schema[key] === 'object') result[key] = part(schema[key] as Json)
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[key])) result[key] = (schema[key] as Json[]).map(part)
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  if (schema.properties)
    result.properties = Object.fromEntries(properties.map(([name, one]) => [name, part(one)]))
  if (schema.type === 'integer' && typeof schema.default === 'string') result.default = Number(schema.default)
  return result
}

/** `string | null` as one type: generators handle it better than a union of two. */
function nullableType(schema: Json): Json {
  const { anyOf, ...outer } = schema as Json & { anyOf?: Json[] }
  const [one, none] = anyOf ?? []
  if (anyOf?.length !== 2 || !one || none?.type !== 'null') return schema
  if (one.title !== undefined || typeof one.type !== 'string') return schema
  const { enum: words } = one as { enum?: unknown[] }
  return { ...one, ...outer, type: [one.type, 'null'], ...(words ? { enum: [...words, null] } : {}) }
}
