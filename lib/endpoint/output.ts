import type * as v from 'valibot'

type Projection = (value: unknown) => unknown
type AnySchema = v.GenericSchema & {
  entries?: Record<string, AnySchema>
  item?: AnySchema
  wrapped?: AnySchema
}

const compiled = new WeakMap<v.GenericSchema, Projection>()

/**
 * The part of an answer that its schema names. Every other member is left out, so that spreading a row cannot leak
 * anything. Costs a tenth of a full validation, which the tests do for every answer instead.
 */
export function project(schema: v.GenericSchema, value: unknown): unknown {
  const known = compiled.get(schema) ?? compile(schema)
  compiled.set(schema, known)
  return known(value)
}

function compile(schema: AnySchema): Projection {
  switch (schema.type) {
    case 'object':
    case 'strict_object':
      return objectProjection(schema.entries ?? {})
    case 'array': {
      const item = compile(schema.item ?? schema)
      return (value) => (Array.isArray(value) ? value.map(item) : undefined)
    }
    case 'nullable':
    case 'optional':
    case 'nullish': {
      const wrapped = compile(schema.wrapped ?? schema)
      return (value) => (value === null || value === undefined ? value : wrapped(value))
    }
    case 'string':
    case 'number':
    case 'boolean':
    case 'literal':
    case 'picklist':
      return scalar
    default:
      return (value) => value
  }
}

function objectProjection(entries: Record<string, AnySchema>): Projection {
  const parts = Object.entries(entries).map(([name, schema]) => [name, compile(schema)] as const)
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined
    const source = value as Record<string, unknown> // Any object can be read by name.
    const result: Record<string, unknown> = {}
    for (const [name, part] of parts) {
      const found = source[name]
      if (found !== undefined) result[name] = part(found)
    }
    return result
  }
}

/** If the schema expects no object here, an object is left out as well. */
const scalar: Projection = (value) => (typeof value === 'object' && value !== null ? undefined : value)
