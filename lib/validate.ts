import * as v from 'valibot'
import { AppError, type FieldError } from './errors.ts'
import { FIELD_MESSAGES } from './messages/fields.ts'

type Language = 'es' | 'en'
type Issue = v.BaseIssue<unknown>

/** The parsed value, or 422 `datos_invalidos` naming each refused field and never its value. */
export function validate<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  language: Language,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortPipeEarly: true })
  if (result.success) return result.output
  const campos = result.issues.flatMap((issue) => leaves(issue)).map((issue) => fieldError(issue, language))
  throw new AppError('datos_invalidos', { campos })
}

/** 422 `datos_invalidos` for one field, for rules that need more than the value itself. */
export function invalidField(campo: string, codigo: string, language: Language): AppError {
  return new AppError('datos_invalidos', { campos: [{ campo, codigo, mensaje: message(codigo, language) }] })
}

/** The text of a field code. */
export function message(codigo: string, language: Language): string {
  return (FIELD_MESSAGES[codigo] ?? FIELD_MESSAGES.valor_no_admitido)?.[language] ?? ''
}

/** A union reports one issue with the branches' issues inside: those name the fields. */
function leaves(issue: Issue): Issue[] {
  const inner = issue.type === 'union' || issue.type === 'variant' ? (issue.issues ?? []) : []
  return inner.length > 0 ? inner.flatMap((one) => leaves(one)) : [issue]
}

function fieldError(issue: Issue, language: Language): FieldError {
  const path = (issue.path ?? []).map((item) => String(item.key)).join('.')
  const codigo = codeOf(issue)
  return { campo: path.slice(0, 100), codigo, mensaje: message(codigo, language) }
}

function codeOf(issue: Issue): string {
  if (Object.hasOwn(FIELD_MESSAGES, issue.message)) return issue.message
  if (issue.type === 'strict_object' && issue.expected === 'never') return 'campo_desconocido'
  if (issue.received === 'undefined') return 'obligatorio'
  return issue.kind === 'schema' ? 'tipo_incorrecto' : 'valor_no_admitido'
}
