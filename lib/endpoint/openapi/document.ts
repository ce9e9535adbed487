import { givesStream, type Handler, takesStream } from '../handler.ts'
import { ABOUT, tagsOf } from './about.ts'
import { problemSchema, refusals } from './errors.ts'
import { answerHeaders, HEADERS, refs, requestHeaders } from './headers.ts'
import { type Json, Schemas } from './schemas.ts'

const CREDENTIAL: Record<string, string> = {
  token: 'an API token',
  admin: 'a signed-in admin',
  client: 'a signed-in customer, for its own client',
}

/** Components that operations share, collected while the document is made. */
type Shared = { schemas: Schemas; responses: Record<string, Json> }

/** The OpenAPI 3.1 document of these handlers, made from the very schemas that validate requests and answers. */
export function openApi(
  handlers: Handler[],
  about: { origin: string; version: string; fullPath(h: Handler): string },
): Json {
  const shared: Shared = { schemas: new Schemas(), responses: {} }
  const paths: Record<string, Json> = {}
  const tags = new Set(['salud'])
  for (const handler of handlers) {
    const full = about.fullPath(handler)
    const path = full.replace(/:(\w+)/g, '{$1}')
    tags.add(tagOf(handler, full))
    paths[path] = { ...paths[path], [handler.method.toLowerCase()]: operation(handler, full, shared) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control panel',
      version: about.version,
      description: ABOUT,
      contact: { name: 'The operator of this panel', url: about.origin },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: about.origin, description: 'This panel' }],
    security: [{ bearer: [] }],
    tags: tagsOf([...tags]),
    paths: { ...paths, '/salud': health() },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { ...shared.schemas.components, Problem: problemSchema() },
      responses: shared.responses,
      headers: HEADERS,
    },
  }
}

const SECURITY_SCHEMES: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API token (`cpt_…`) or a session (`cps_…`). Without one the answer is an empty 404, whatever is asked for.',
  },
  cron: {
    type: 'http',
    scheme: 'bearer',
    description: 'The secret of `PANEL_CRON_SECRET`, for a scheduler whose cron is a request.',
  },
}

/** Operations of other kinds need a bearer, the document's default. */
const SECURITY: Record<Handler['access']['kind'], Json> = {
  bearer: {},
  open: { security: [] },
  cron: { security: [{ cron: [] }] },
}

/** The name of an operation in generated clients, made of method and path: `postClientesClientePlan`. */
function operationId(method: string, path: string): string {
  const words = path.replace(/^\/api\//, '/').match(/[A-Za-z0-9]+/g) ?? []
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

const tagOf = ({ access }: Handler, path: string) => path.split('/')[access.kind === 'bearer' ? 2 : 1] ?? ''

function operation(handler: Handler, path: string, shared: Shared): Json {
  return {
    operationId: operationId(handler.method, path),
    summary: handler.summary,
    description: [handler.description, audience(handler)].filter(Boolean).join('\n\n'),
    tags: [tagOf(handler, path)],
    ...SECURITY[handler.access.kind],
    parameters: [
      ...parameters(handler, 'params', shared),
      ...parameters(handler, 'query', shared),
      ...requestHeaders(handler),
    ],
    ...requestBody(handler, shared),
    responses: { ...successes(handler, shared), ...refusals(handler, shared.responses) },
  }
}

/** Who may call an operation, in words. */
function audience({ access }: Handler): string {
  if (access.kind === 'open') return 'No bearer.'
  if (access.kind === 'cron') return 'The cron secret as bearer.'
  const who = (['token', 'admin', 'client'] as const).filter((name) => access[name])
  return `For ${who.map((name) => CREDENTIAL[name]).join(', ')}.`
}

function parameters(handler: Handler, key: 'params' | 'query', { schemas }: Shared): Json[] {
  const schema = handler[key]
  if (!schema) return []
  const { properties = {}, required = [] } = schemas.of(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: key === 'params' ? 'path' : 'query',
    required: key === 'params' || required.includes(name),
    description,
    schema: property,
  }))
}

const ZONE_FILE = '$ORIGIN ejemplo.es.\n@ 3600 IN A 192.0.2.1\nwww 3600 IN A 192.0.2.1\n'
const zoneFile = (type: string): Json => ({
  [type]: { schema: { type: 'string', description: 'A zone file (RFC 1035).' }, example: ZONE_FILE },
})

const fileBytes = (type: string): Json => ({
  [type]: {
    schema: { type: 'string', format: 'binary', description: 'The bytes of a file.' },
    example: 'Hola\n',
  },
})

const EVENTS: Json = {
  'text/event-stream': {
    schema: { type: 'string', description: 'Server-sent events, for `Accept: text/event-stream`.' },
    example: 'id: 20261121.0.4711\nevent: fila\ndata: {}\n\n',
  },
}

function requestBody(handler: Handler, { schemas }: Shared): Json {
  if (handler.consumes) {
    const content = takesStream(handler) ? fileBytes('*/*') : zoneFile(handler.consumes)
    return { requestBody: { required: true, content } }
  }
  if (!handler.body) return {}
  const schema = schemas.of(handler.body, 'input')
  const content = { 'application/json': { schema, example: schemas.example(schema, handler.path) } }
  return { requestBody: { required: !handler.bodyOptional, content } }
}

const SUCCESS: Record<number, string> = {
  200: 'Done, or as it is.',
  201: 'Made.',
  202: 'Accepted: it goes on after the answer.',
  204: 'Done; there is nothing to tell.',
  206: 'The part that was asked for.',
  304: 'It is still what `If-None-Match` names.',
}

function successes(handler: Handler, { schemas }: Shared): Json {
  const answers: Json = {}
  const schema = handler.produces ? {} : schemas.of(handler.output, 'output')
  const content = handler.produces
    ? givesStream(handler)
      ? fileBytes(handler.produces)
      : zoneFile(handler.produces)
    : {
        'application/json': { schema, example: schemas.example(schema, handler.path) },
        ...(handler.follow ? EVENTS : {}),
      }
  for (const status of handler.statuses ?? [200]) {
    const told = { description: SUCCESS[status], headers: answerHeaders(handler, status) }
    answers[status] = status === 304 || status === 204 ? told : { ...told, content }
  }
  return answers
}

const CAN_BE_DOWN =
  'What is down, by name: `base_de_datos`, `disco`, or a service of the node (`nginx`, `php`, `pdns`, `mariadb`, `sftp`).'

function health(): Json {
  const schema = {
    type: 'object',
    required: ['estado'],
    properties: {
      estado: { enum: ['ok', 'con_fallos'], description: 'Whether it works.' },
      caidos: { type: 'array', items: { type: 'string' }, description: CAN_BE_DOWN },
    },
  }
  const answer = (description: string, example: Json): Json => ({
    description,
    headers: refs(['X-Request-Id']),
    content: { 'application/json': { schema, example } },
  })
  return {
    get: {
      operationId: operationId('GET', '/salud'),
      summary: 'Whether the panel works',
      description: 'For load balancers and monitors. No bearer.',
      security: [],
      tags: ['salud'],
      responses: {
        200: answer('It does.', { estado: 'ok' }),
        503: answer('Something is down.', { estado: 'con_fallos', caidos: ['base_de_datos'] }),
      },
    },
  }
}
