import Ajv, { type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'

type Content = Record<string, { schema: object }>
type Header = { required?: boolean; $ref?: string }
type Described = { content?: Content; headers?: Record<string, Header> }
type Operation = { responses: Record<string, Described | undefined> }
/** The parts of an OpenAPI document that answers are checked against. */
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; headers: Record<string, Header> }
}

/** Headers that a program acts on: an answer may carry them only where the document says so. */
const TOLD = [
  'allow',
  'etag',
  'idempotency-replayed',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'set-cookie',
  'www-authenticate',
  'x-request-id',
]

const ajv = addFormats(new Ajv({ strict: false, allErrors: false, validateFormats: true }))
const compiled = new Map<string, ValidateFunction>()

/**
 * Fails when an answer of a described operation is not as the document says, or has a status that it does
 * not name. Answers of the gate and of unknown paths have no operation and are the tests' own matter.
 */
export function checkAnswer(
  document: OpenApi,
  method: string,
  path: string,
  response: Response,
  body: unknown,
): void {
  const found = operationOf(document, method, path.split('?')[0] ?? '')
  if (!found || (response.status === 404 && response.headers.get('content-length') === '0')) return
  const { template, operation } = found
  const described = operation.responses[response.status] ?? operation.responses.default
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  const schema = described?.content?.[type]?.schema
  if (!schema)
    throw new Error(`${method} ${template} answered ${response.status} ${type}, which is not described`)
  const key = `${method} ${template} ${response.status} ${type}`
  checkHeaders(key, document, described, response.headers)
  const validate = compiled.get(key) ?? ajv.compile({ ...schema, components: document.components })
  compiled.set(key, validate)
  if (!validate(body)) throw new Error(`${key}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(body)}`)
}

/** Every header that matters is described, and every one that is described as certain is there. */
function checkHeaders(key: string, document: OpenApi, described: Described, headers: Headers): void {
  const known = Object.entries(described.headers ?? {}).map(([name, header]): [string, Header] => [
    name.toLowerCase(),
    document.components.headers[header.$ref?.split('/').at(-1) ?? ''] ?? header,
  ])
  const names = known.map(([name]) => name)
  const untold = TOLD.filter((name) => headers.has(name) && !names.includes(name))
  if (untold.length > 0) throw new Error(`${key}: ${untold.join()} is not described`)
  const missing = known.filter(([name, { required }]) => required && !headers.has(name))
  if (missing.length > 0) throw new Error(`${key}: ${missing.map(([name]) => name).join()} is missing`)
}

/** The operation that a path belongs to, literal segments before parameters. */
export function operationOf(document: OpenApi, method: string, path: string) {
  const actual = path.split('/')
  const matches = Object.keys(document.paths).filter((template) => {
    const parts = template.split('/')
    return (
      parts.length === actual.length && parts.every((part, i) => part.startsWith('{') || part === actual[i])
    )
  })
  matches.sort((a, b) => a.split('{').length - b.split('{').length)
  const template = matches[0]
  const operation = template && document.paths[template]?.[method.toLowerCase()]
  return operation ? { template, operation } : null
}
