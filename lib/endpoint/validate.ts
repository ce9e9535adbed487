import * as v from 'valibot'
import { FIELD_MESSAGES, OTHERWISE } from '../text/field-codes.ts'
import { AppError, type FieldError } from './errors.ts'

type Language = 'es' | 'en'
type Issue = v.BaseIssue<unknown>

/** The parsed value, or 422 `datos_invalidos` with the name of each refused field, but never its value. */
export function validate<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  language: Language,
): v.InferOutput<S> {
  const list = listForObject(schema, value)
  if (list !== null) throw invalidField(list.join('.'), 'tipo_incorrecto', language)
  const result = v.safeParse(schema, value, { abortPipeEarly: true })
  if (result.success) return result.output
  const campos = result.issues.flatMap((issue) => leaves(issue)).map((leaf) => fieldError(leaf, language))
  throw new AppError('datos_invalidos', { campos: onePerField(campos) })
}

type AnySchema = v.GenericSchema & {
  entries?: Record<string, AnySchema>
  wrapped?: AnySchema
  item?: AnySchema
}

/** The path of a list where an object is expected: valibot would accept the list as an object without fields. */
function listForObject(schema: AnySchema, value: unknown, path: string[] = []): string[] | null {
  if (typeof value !== 'object' || value === null) return null
  if (schema.wrapped) return listForObject(schema.wrapped, value, path)
  if (Array.isArray(value)) {
    if (schema.entries) return path
    const { item } = schema
    return item ? first(value.map((one, at) => () => listForObject(item, one, [...path, String(at)]))) : null
  }
  const fields = Object.entries(schema.entries ?? {}).filter(([name]) => Object.hasOwn(value, name))
  const given = value as Record<string, unknown> // Its own names are read alone.
  return first(
    fields.map(
      ([name, field]) =>
        () =>
          listForObject(field, given[name], [...path, name]),
    ),
  )
}

function first<T>(looks: (() => T | null)[]): T | null {
  for (const look of looks) {
    const found = look()
    if (found !== null) return found
  }
  return null
}

/** Several branches of a union may refuse the same field: only the first refusal is reported. */
function onePerField(campos: FieldError[]): FieldError[] {
  return campos.filter(({ campo }, at) => campos.findIndex((one) => one.campo === campo) === at)
}

/** 422 `datos_invalidos` for one field, for rules that need more than the value itself. */
export function invalidField(campo: string, codigo: string, language: Language): AppError {
  return new AppError('datos_invalidos', { campos: [fieldOf(campo, codigo, language)] })
}

/** A refused field, as an entry of `campos`. */
export const fieldOf = (campo: string, codigo: string, language: Language): FieldError => ({
  campo,
  codigo,
  mensaje: message(codigo, language),
})

/** The text of a field code. */
function message(codigo: string, language: Language): string {
  return (FIELD_MESSAGES[codigo] ?? OTHERWISE)[language]
}

type Leaf = { issue: Issue; path: string[] }

/** A union reports one issue that contains those of its branches; only these name the fields, relative to the union. */
function leaves(issue: Issue, above: string[] = []): Leaf[] {
  const path = [...above, ...(issue.path ?? []).map((item) => String(item.key))]
  const inner = issue.type === 'union' || issue.type === 'variant' ? (issue.issues ?? []) : []
  return inner.length > 0 ? inner.flatMap((one) => leaves(one, path)) : [{ issue, path }]
}

function fieldError({ issue, path }: Leaf, language: Language): FieldError {
  const codigo = codeOf(issue)
  return { campo: path.join('.').slice(0, 100), codigo, mensaje: message(codigo, language) }
}

function codeOf(issue: Issue): string {
  if (Object.hasOwn(FIELD_MESSAGES, issue.message)) return issue.message
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'campo_desconocido'
  if (issue.received === 'undefined') return 'obligatorio'
  const wrongWord = issue.type === 'picklist' && typeof issue.input === 'string'
  return issue.kind === 'schema' && !wrongWord ? 'tipo_incorrecto' : 'valor_no_admitido'
}
