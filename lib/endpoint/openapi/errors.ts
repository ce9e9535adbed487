import {
  AppError,
  type DeclaredError,
  type ErrorCode,
  errorCatalogue,
  problemOf,
  statusOf,
} from '../errors.ts'
import type { Handler } from '../handler.ts'
import { errorHeaders, refs } from './headers.ts'
import type { Json } from './schemas.ts'

/** The codes that any operation of its kind may refuse with. */
function common(handler: Handler): DeclaredError[] {
  const { access, method } = handler
  const always: DeclaredError[] = ['datos_invalidos', 'espera', 'error_interno', 'no_disponible']
  return [
    ...always,
    ...ofAccess(handler),
    ...(method === 'GET' ? [] : ofChange(handler)),
    // Whoever asks for the client's own node may meet it on its way to another.
    ...(handler.errors?.includes('cliente_en_otro_nodo') ? (['en_mudanza'] as const) : []),
    ...(handler.ifMatch ? (['version_distinta'] as const) : []),
    ...(access.kind === 'cron' ? (['no_encontrado'] as const) : []),
  ]
}

function ofAccess({ access, method, whileSuspended }: Handler): DeclaredError[] {
  if (access.kind === 'open') return ['origen_ajeno']
  if (access.kind === 'cron') return ['credencial_invalida']
  return [
    'credencial_invalida',
    'token_caducado',
    'token_revocado',
    'sesion_caducada',
    'sesion_terminada',
    'prohibido',
    ...(access.token ? [] : (['no_con_token'] as const)),
    ...(access.client && !whileSuspended && method !== 'GET' ? (['cliente_suspendido'] as const) : []),
  ]
}

/** The codes for a bad body, which is read and refused even if none is expected. */
function ofChange({ consumes, secret }: Handler): DeclaredError[] {
  return [
    ...(consumes ? [] : (['json_invalido'] as const)),
    'clave_no_admitida',
    ...(secret ? [] : (['clave_de_idempotencia_en_uso', 'respuesta_olvidada'] as const)),
    'cuerpo_demasiado_grande',
    'tipo_no_admitido',
    'sin_espacio',
  ]
}

/** The codes that an operation may refuse with, by status. */
function codesOf(handler: Handler): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const declared of [...(handler.errors ?? []), ...common(handler)]) {
    const [codigo, status] = declared.split(':') as [ErrorCode, string?]
    const number = status ? Number(status) : statusOf(codigo)
    const codes = byStatus.get(number) ?? []
    if (!codes.includes(codigo)) byStatus.set(number, [...codes, codigo])
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}

/**
 * The error responses of an operation. Responses that are the same in several operations are components, named by
 * their codes.
 */
export function refusals(handler: Handler, components: Record<string, Json>): Record<string, Json> {
  const answers: Record<string, Json> = {}
  for (const [status, codes] of codesOf(handler)) {
    const headers = errorHeaders(handler, status)
    const name = [`Error${status}`, ...(headers.includes('RateLimit') ? [] : ['cron']), ...codes].join('_')
    components[name] ??= response(status, codes, refs(headers))
    answers[status] = { $ref: `#/components/responses/${name}` }
  }
  return answers
}

const TEXTS = new Map(
  errorCatalogue().map(({ codigo, text }) => [codigo, text.replace(/\{(\w+)\}/g, '`$1`')]),
)

function response(status: number, codes: ErrorCode[], headers: Json): Json {
  const [first] = codes
  const told = codes.map((codigo) => `- \`${codigo}\`: ${TEXTS.get(codigo)}`)
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      { type: 'object', properties: { codigo: { enum: codes } } },
    ],
  }
  const example = first ? exampleOf(first, status) : {}
  return {
    description: told.join('\n'),
    headers,
    content: { 'application/problem+json': { schema, example } },
  }
}

function exampleOf(codigo: ErrorCode, status: number): Json {
  const members = Object.entries(MEMBERS).filter(([, { description }]) => description.includes(codigo))
  const extra = Object.fromEntries(members.map(([name, { examples }]) => [name, examples[0]]))
  const about = { origin: 'https://panel.ejemplo.net:2087', language: 'en' as const, requestId: REQUEST_ID }
  return problemOf(new AppError(codigo, extra, { status }), about)
}

const REQUEST_ID = '01JD8Z3K9QX7V5N2M4B6C8D0EF'
const FIELD = { campo: 'domain', codigo: 'dominio_invalido', mensaje: 'This is not a valid domain name.' }

type Member = Json & { description: string; examples: unknown[] }
const texts = (description: string, example: string[]): Member => ({
  type: 'array',
  items: { type: 'string' },
  description,
  examples: [example],
})
const member = (type: string | string[], description: string, example: unknown): Member => ({
  type,
  description,
  examples: [example],
})

/** Members that some codes carry besides their text; a number is null if the host does not know it. */
const MEMBERS: Record<string, Member> = {
  campos: {
    type: 'array',
    description: 'datos_invalidos: each refused field, by its path; the whole body is the empty path.',
    items: {
      type: 'object',
      required: ['campo', 'codigo', 'mensaje'],
      properties: {
        campo: { type: 'string', description: 'The path of the field.' },
        codigo: { type: 'string', description: 'Why, for programs.' },
        mensaje: { type: 'string', description: 'Why, for people.' },
      },
    },
    examples: [[FIELD]],
  },
  impide: texts(
    'mudanza_impedida: what is in its way; `simular=si` tells each with its objects. mudanza_ilegible, mudanza_incompleta: `archivos` or `bases`.',
    ['php'],
  ),
  objetos: texts('mudanza_ilegible, mudanza_incompleta: what would have stayed behind, at most twenty.', [
    'ejemplo.es/public/privado.txt',
  ]),
  nodo: member(
    'string',
    'cliente_en_otro_nodo: where the account lives; nodo_ausente: the node; mudanza_sin_confirmar: where it has moved.',
    'nodo2',
  ),
  plan: member('string', 'plan_no_existe, funcion_de_pago: the plan.', 'basico'),
  funcion: member('string', 'funcion_de_pago: what the plan does not include.', 'https'),
  recurso: member('string', 'limite_del_plan, sin_espacio: of what there is no more.', 'sitios'),
  usado: member(['integer', 'null'], 'limite_del_plan, sin_espacio: what is used.', 1),
  limite: member(['integer', 'null'], 'limite_del_plan, sin_espacio, cuota_de_zonas: the limit.', 1),
  usadas: member(['integer', 'null'], "cuota_de_zonas: the account's zones.", 50),
  domain: member('string', 'dominio_sin_probar: the name that is not proven.', 'tienda.ejemplo.es'),
  prueba: {
    type: 'object',
    description:
      'dominio_sin_probar: the record that proves it. Told with 503 too where the resolvers did not answer.',
    required: ['nombre', 'tipo', 'valor'],
    properties: {
      nombre: { type: 'string', description: 'Where it stands.' },
      tipo: { type: 'string', description: 'Its type.' },
      valor: { type: 'string', description: 'Its value.' },
    },
    examples: [
      {
        nombre: '_controlpanel.tienda.ejemplo.es',
        tipo: 'TXT',
        valor: 'controlpanel=7oDZ2lqkXK1nPzFh3T0bVYcS9aWmRj5uEiG8rNtL4Qe',
      },
    ],
  },
  tambien_en: member(
    'string',
    'dominio_sin_probar: where the same value does as well, for all names of that registration.',
    '_controlpanel.ejemplo.es',
  ),
  visto: texts('zona_no_resuelve_aqui, dominio_sin_probar: the addresses that resolvers tell.', [
    '198.51.100.9',
  ]),
  esperado: texts('zona_no_resuelve_aqui, dominio_sin_probar: the addresses of this server.', ['192.0.2.1']),
  existentes: {
    type: 'array',
    description:
      'ya_existe, of an operation on files: what is at its destinations, at most 100; a folder and a file do not replace each other.',
    items: {
      type: 'object',
      required: ['ruta', 'sustituible'],
      properties: {
        ruta: { type: 'string', description: 'Its path.' },
        sustituible: { type: 'boolean', description: 'Whether it can be replaced.' },
      },
    },
    examples: [[{ ruta: '/public/index.html', sustituible: true }]],
  },
  existentes_total: member('integer', 'ya_existe, of an operation on files: how many those are.', 1),
  posicion: member('integer', 'json_invalido: where a key is given twice, or a level too many opens.', 27),
  allow: texts('metodo_no_admitido: the methods that there are.', ['GET']),
}

/** The schema of every error but the empty 404 without a bearer (RFC 9457). */
export function problemSchema(): Json {
  const codes = errorCatalogue().map(({ codigo }) => codigo)
  const fixed = {
    type: {
      ...member(
        'string',
        'Where the code is explained.',
        'https://panel.ejemplo.net:2087/docs/errores#ya_existe',
      ),
      format: 'uri',
    },
    title: member('string', 'The status in words.', 'Conflict'),
    status: member('integer', 'The status.', 409),
    detail: member(
      'string',
      'What is wrong, for people, in the language of `Accept-Language`.',
      'It exists already.',
    ),
    codigo: {
      ...member('string', 'What is wrong, for programs. It does not change.', 'ya_existe'),
      enum: codes,
    },
    peticion: member('string', 'The request id, as in `X-Request-Id` and in the log.', REQUEST_ID),
  }
  return {
    type: 'object',
    description: 'An error (RFC 9457). Members beside the fixed ones belong to the codes that they name.',
    required: Object.keys(fixed),
    properties: { ...fixed, ...MEMBERS },
  }
}
