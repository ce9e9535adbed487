import Ajv, { type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'

type Content = Record<string, { schema: object }>
type Header = { required?: boolean; $ref?: string }
type Described = { content?: Content; headers?: Record<string, Header> }
type Operation = { responses: Record<string, (Described & { $ref?: string }) | undefined> }
/** The parts of an OpenAPI document that answers are checked against. */
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, object>
    headers: Record<string, Header>
    responses: Record<string, Described>
  }
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

/** How a schema of each document checks a value; components are read once, and each schema is compiled once. */
const checkers = new WeakMap<object, (schema: object) => ValidateFunction>()

export function checkerOf(document: Pick<OpenApi, 'components'>): (schema: object) => ValidateFunction {
  const known = checkers.get(document)
  if (known) return known
  const ajv = addFormats(new Ajv({ strict: false, validateFormats: true }))
  ajv.addSchema({ $id: 'document', components: { schemas: placed(document.components.schemas) } })
  const compiled = new WeakMap<object, ValidateFunction>()
  const checker = (schema: object) => {
    const validate = compiled.get(schema) ?? ajv.compile(placed(schema))
    compiled.set(schema, validate)
    return validate
  }
  checkers.set(document, checker)
  return checker
}

/** The schema with references into the document as it was added. */
const placed = <T extends object>(schema: T): T =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))

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
  const described = describedOf(document, operation.responses[response.status])
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  const schema = described?.content?.[type]?.schema
  const codigo = codeOf(body)
  // 204 and 304 have no content.
  if (described && !described.content && body === '') {
    checkHeaders(`${method} ${template} ${response.status}`, document, described, response.headers)
    return
  }
  const undeclared = codigo !== null && !codesOf(schema).includes(codigo)
  if (!described || !schema || undeclared) {
    const hint = codigo === null ? '' : ` (${codigo}: its handler names it in no \`errors\`)`
    throw new Error(
      `${method} ${template} answered ${response.status} ${type}, which the document does not tell${hint}`,
    )
  }
  const key = `${method} ${template} ${response.status} ${type}`
  checkHeaders(key, document, described, response.headers)
  const validate = checkerOf(document)(schema)
  if (!validate(body)) {
    const faults = validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join()
    throw new Error(`${key}: ${faults}: ${JSON.stringify(body)}`)
  }
}

const describedOf = (document: OpenApi, one: (Described & { $ref?: string }) | undefined) =>
  one?.$ref ? document.components.responses[one.$ref.split('/').at(-1) ?? ''] : one

/** The codes that the schema of a problem allows. */
function codesOf(schema: object | undefined): unknown[] {
  const { allOf } = (schema ?? {}) as { allOf?: { properties?: { codigo?: { enum?: unknown[] } } }[] }
  return allOf?.flatMap(({ properties }) => properties?.codigo?.enum ?? []) ?? []
}

function codeOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('peticion' in body)) return null
  return 'codigo' in body && typeof body.codigo === 'string' ? body.codigo : null
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
function operationOf(document: OpenApi, method: string, path: string) {
  const actual = path.split('/')
  const matches = Object.keys(document.paths).filter((template) => {
    const parts = template.split('/')
    return (
      parts.length === actual.length &&
      parts.every((part, i) => (part.startsWith('{') ? actual[i] !== '' : part === actual[i]))
    )
  })
  matches.sort((a, b) => a.split('{').length - b.split('{').length)
  const template = matches[0]
  const operation = template && document.paths[template]?.[method.toLowerCase()]
  return operation ? { template, operation } : null
}
