import Ajv, { type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'

type Content = Record<string, { schema: object }>
type Operation = { responses: Record<string, { content?: Content } | undefined> }
/** The parts of an OpenAPI document that answers are checked against. */
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

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
  const validate = compiled.get(key) ?? ajv.compile({ ...schema, components: document.components })
  compiled.set(key, validate)
  if (!validate(body)) throw new Error(`${key}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(body)}`)
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
