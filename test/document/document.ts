import { fullPath } from '../../deploy/http/docs.ts'
import { handlers } from '../../handlers/index.ts'
import { openApi } from '../../lib/endpoint/openapi/document.ts'

/** A part of the document; its form is OpenAPI's, which redocly and spectral check. */
// biome-ignore lint/suspicious/noExplicitAny: a document is read by name, and a wrong name fails its test
export type Json = any

/** The document of all handlers, as `/openapi.json` answers it. */
export const document = (): Json =>
  JSON.parse(
    JSON.stringify(
      openApi(handlers, { origin: 'https://panel.ejemplo.net:2087', version: '0.1.0', fullPath }),
    ),
  )

export type Operation = { id: string; path: string; method: string; operation: Json }

export const operationsOf = ({ paths }: Json): Operation[] =>
  Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      id: operation.operationId,
      path,
      method: method.toUpperCase(),
      operation,
    })),
  )

/** What a reference stands for, or the thing itself. */
export function resolved(whole: Json, one: Json): Json {
  if (typeof one?.$ref !== 'string') return one
  return one.$ref
    .slice(2)
    .split('/')
    .reduce((part: Json, name: string) => part?.[name], whole)
}
