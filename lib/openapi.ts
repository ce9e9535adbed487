import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { errorCatalogue } from './errors.ts'
import type { Handler } from './handler.ts'
import { answerHeaders, HEADERS, refs, requestHeaders } from './openapi-headers.ts'

type Json = Record<string, unknown>

const CREDENTIAL: Record<string, string> = {
  token: 'an API token',
  admin: 'a signed-in admin',
  client: 'a signed-in customer, for its own client',
}

/** The OpenAPI 3.1 document of these handlers, from the very schemas that validate and answer. */
export function openApi(
  handlers: Handler[],
  about: { origin: string; version: string; fullPath(h: Handler): string },
): Json {
  const paths: Record<string, Json> = {}
  for (const handler of handlers) {
    const path = about.fullPath(handler).replace(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [handler.method.toLowerCase()]: operation(handler, about.fullPath(handler)),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control panel',
      version: about.version,
      description:
        'Every operation of the panel. Without `Authorization: Bearer` everything below /api is an empty 404.',
    },
    servers: [{ url: about.origin }],
    security: [{ bearer: [] }],
    paths: { ...paths, '/salud': health() },
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token (`cpt_…`) or a session (`cps_…`).',
        },
        cron: {
          type: 'http',
          scheme: 'bearer',
          description: 'The secret of `PANEL_CRON_SECRET`, for a scheduler whose cron is a request.',
        },
      },
      schemas: { Problem: problem() },
      headers: HEADERS,
    },
  }
}

/** Operations not named here take the document's own, a bearer. */
const SECURITY: Record<Handler['access']['kind'], Json> = {
  bearer: {},
  open: { security: [] },
  cron: { security: [{ cron: [] }] },
}

/** The name that generated clients call it by, made of method and path: `postClientesClientePlan`. */
export function operationId(method: string, path: string): string {
  const words = path.replace(/^\/api\//, '/').match(/[A-Za-z0-9]+/g) ?? []
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

function operation(handler: Handler, path: string): Json {
  const { access } = handler
  const tag = path.split('/')[access.kind === 'bearer' ? 2 : 1]
  return {
    operationId: operationId(handler.method, path),
    summary: handler.summary,
    description: [handler.description, audience(handler)].filter(Boolean).join('\n\n'),
    tags: [tag],
    ...SECURITY[access.kind],
    parameters: [
      ...parameters(handler, 'params', 'path'),
      ...parameters(handler, 'query', 'query'),
      ...requestHeaders(handler),
    ],
    ...requestBody(handler),
    responses: responses(handler),
  }
}

/** Who may call it, as a person reads it and as a program does (`x-acceso`). */
function audience({ access }: Handler): string {
  if (access.kind === 'open') return 'No bearer.'
  if (access.kind === 'cron') return 'The cron secret as bearer.'
  const who = (['token', 'admin', 'client'] as const).filter((name) => access[name])
  return `For ${who.map((name) => CREDENTIAL[name]).join(', ')}.`
}

function parameters(handler: Handler, key: 'params' | 'query', where: string): Json[] {
  const schema = handler[key]
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }))
}

function requestBody(handler: Handler): Json {
  if (handler.consumes) {
    return {
      requestBody: { required: true, content: { [handler.consumes]: { schema: { type: 'string' } } } },
    }
  }
  if (!handler.body) return {}
  const content = { 'application/json': { schema: jsonSchema(handler.body, 'input') } }
  return { requestBody: { required: !handler.bodyOptional, content } }
}

function responses(handler: Handler): Json {
  const type = handler.produces ?? 'application/json'
  const schema = handler.produces ? { type: 'string' } : jsonSchema(handler.output, 'output')
  const answers: Json = {}
  for (const status of handler.statuses ?? [200]) {
    const headers = answerHeaders(handler, status)
    answers[status] = { description: 'Success', headers, content: { [type]: { schema } } }
  }
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  const headers = answerHeaders(handler, 'default')
  answers.default = { description: 'An error, by its stable `codigo`', headers, content }
  return answers
}

/** What some codes tell beside their text; a number is null where the host does not know it. */
const MEMBERS: Json = {
  nodo: { type: 'string', description: 'cliente_en_otro_nodo: where the account lives.' },
  plan: { type: 'string', description: 'plan_no_existe, funcion_de_pago.' },
  funcion: { type: 'string', description: 'funcion_de_pago: what the plan does not include.' },
  recurso: { type: 'string', description: 'limite_del_plan, sin_espacio: of what there is no more.' },
  usado: { type: ['integer', 'null'] },
  limite: { type: ['integer', 'null'] },
  usadas: { type: ['integer', 'null'], description: "cuota_de_zonas: the account's zones." },
  visto: { type: 'array', items: { type: 'string' }, description: 'zona_no_resuelve_aqui: the addresses.' },
  esperado: { type: 'array', items: { type: 'string' } },
  posicion: {
    type: 'integer',
    description: 'json_invalido: where a key is given twice or a level too many opens.',
  },
  allow: { type: 'array', items: { type: 'string' }, description: 'metodo_no_admitido.' },
}

function problem(): Json {
  const codes = errorCatalogue()
  const field = {
    type: 'object',
    required: ['campo', 'codigo', 'mensaje'],
    properties: { campo: { type: 'string' }, codigo: { type: 'string' }, mensaje: { type: 'string' } },
  }
  return {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'codigo', 'peticion'],
    properties: {
      type: { type: 'string', format: 'uri' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      codigo: { type: 'string', enum: codes.map(({ codigo }) => codigo) },
      campos: { type: 'array', items: field },
      peticion: { type: 'string' },
      ...MEMBERS,
    },
  }
}

function health(): Json {
  const schema = {
    type: 'object',
    required: ['estado'],
    properties: {
      estado: { enum: ['ok', 'con_fallos'] },
      caidos: { type: 'array', items: { type: 'string' } },
    },
  }
  const headers = refs(['X-Request-Id'])
  const content = { 'application/json': { schema } }
  return {
    get: {
      operationId: operationId('GET', '/salud'),
      summary: 'Whether the panel works',
      security: [],
      tags: ['salud'],
      responses: {
        200: { description: 'It does', headers, content },
        503: { description: 'What is down, by name', headers, content },
      },
    },
  }
}

/** Checks that JSON Schema has no words for (the canonical forms of names) are left to the descriptions. */
function jsonSchema(schema: v.GenericSchema, typeMode: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: 'ignore', typeMode })
  return rest as Json
}
