import { MESSAGES } from '../text/errors.ts'
import { MOTIVES, TERMS } from '../text/terms.ts'

/** One refused field of a request, as `campos` carries it (docs/api.md, "Errors"). */
export type FieldError = { campo: string; codigo: string; mensaje: string }

type Language = 'en' | 'es'

/** Every stable error code; `MESSAGES` has its text. */
export type ErrorCode = keyof typeof MESSAGES

/** Every stable error code and the status it is answered with (docs/api.md, "Errors"). */
const STATUS: Record<ErrorCode, number> = {
  json_invalido: 400,
  cursor_invalido: 400,
  clave_no_admitida: 400,
  credencial_invalida: 401,
  credenciales_incorrectas: 401,
  token_caducado: 401,
  token_revocado: 401,
  sesion_caducada: 401,
  sesion_terminada: 401,
  paso_invalido: 401,
  codigo_incorrecto: 401,
  llave_incorrecta: 401,
  funcion_de_pago: 402,
  no_con_token: 403,
  prohibido: 403,
  origen_ajeno: 403,
  solo_cuentas_de_token: 403,
  rol_no_permitido: 403,
  contrasena_incorrecta: 403,
  no_encontrado: 404,
  cliente_no_existe: 404,
  sitio_no_existe: 404,
  plan_no_existe: 404,
  zona_no_existe: 404,
  base_no_existe: 404,
  cuenta_no_existe: 404,
  registro_no_existe: 404,
  token_no_existe: 404,
  aviso_no_existe: 404,
  entrega_no_existe: 404,
  persona_no_existe: 404,
  tarea_no_existe: 404,
  programada_no_existe: 404,
  copia_no_existe: 404,
  entrada_no_existe: 404,
  destino_no_existe: 404,
  mudanza_no_existe: 404,
  aplicacion_no_existe: 404,
  protegida_no_existe: 404,
  nodo_no_existe: 404,
  sesion_no_existe: 404,
  acceso_no_existe: 404,
  proveedor_no_existe: 404,
  espejo_no_existe: 404,
  enlace_no_existe: 404,
  llave_no_existe: 404,
  archivo_no_existe: 404,
  subida_no_existe: 404,
  metodo_no_admitido: 405,
  ya_existe: 409,
  referencia_en_conflicto: 409,
  dominio_ocupado: 409,
  dominio_sin_probar: 409,
  cliente_en_otro_nodo: 409,
  nodo_ausente: 409,
  en_mudanza: 409,
  mudanza_impedida: 409,
  mudanza_fallida: 409,
  mudanza_ilegible: 409,
  mudanza_incompleta: 409,
  mudanza_sin_confirmar: 409,
  destino_no_comun: 409,
  nodo_presente: 409,
  acceso_ya_existe: 409,
  sin_acceso: 409,
  sin_correo: 409,
  correo_distinto: 409,
  plan_en_uso: 409,
  limite_del_plan: 409,
  copia_incompleta: 409,
  copia_danada: 409,
  destino_contrasena: 409,
  destino_ajeno: 409,
  cliente_suspendido: 409,
  cliente_eliminandose: 409,
  ultimo_administrador: 409,
  tarea_no_fallida: 409,
  tarea_no_cancelable: 409,
  ya_en_curso: 409,
  zona_no_resuelve_aqui: 409,
  zona_ya_en_proveedor: 409,
  sin_proveedor: 409,
  proveedor_en_uso: 409,
  cuota_de_zonas: 409,
  espejo_no_activo: 409,
  https_no_disponible: 409,
  php_no_disponible: 409,
  bases_no_disponible: 409,
  copias_no_disponibles: 409,
  adminer_no_disponible: 409,
  base_en_uso: 409,
  demasiadas_cuentas: 409,
  demasiados_avisos: 409,
  aviso_apagado: 409,
  demasiadas_llaves: 409,
  llaves_no_disponibles: 409,
  aplicacion_no_disponible: 409,
  sitio_no_vacio: 409,
  base_no_vacia: 409,
  aplicacion_al_dia: 409,
  no_es_clon: 409,
  tabla_no_admitida: 409,
  nada_que_deshacer: 409,
  aplicacion_no_responde: 409,
  aplicacion_no_lo_admite: 409,
  clave_de_idempotencia_en_uso: 409,
  respuesta_olvidada: 409,
  desplazamiento_distinto: 409,
  enlace_gastado: 410,
  enlace_caducado: 410,
  version_distinta: 412,
  cuerpo_demasiado_grande: 413,
  tipo_no_admitido: 415,
  rango_invalido: 416,
  datos_invalidos: 422,
  llave_invalida: 422,
  llave_debil: 422,
  ruta_invalida: 422,
  archivo_peligroso: 422,
  importacion_no_reconocida: 422,
  volcado_rechazado: 422,
  volcado_ajeno: 422,
  volcado_incompleto: 422,
  espera: 429,
  error_interno: 500,
  proveedor_fallo: 502,
  destino_fallo: 502,
  no_disponible: 503,
  clave_ausente: 503,
  sin_espacio: 507,
}

/** A code as a handler declares it; `:409` where a body rather than the path names what is missing. */
export type DeclaredError = ErrorCode | `${ErrorCode}:409`

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

/** Public members that a problem may carry besides the fixed ones; they also fill `{name}` in its text. */
export type ErrorExtra = Record<string, unknown> & { campos?: FieldError[]; retryAfterSeconds?: number }

/**
 * The only error whose content reaches a caller. `extra` becomes members of the problem document, so it
 * must hold nothing secret; `options.status` is for a `…_no_existe` code that a body (409) rather than
 * the path (404) named; `cause` is logged and never answered.
 */
export class AppError extends Error {
  readonly codigo: ErrorCode
  readonly status: number
  readonly extra: ErrorExtra

  constructor(codigo: ErrorCode, extra: ErrorExtra = {}, options: { status?: number; cause?: unknown } = {}) {
    super(codigo, options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'AppError'
    this.codigo = codigo
    this.status = options.status ?? STATUS[codigo]
    this.extra = extra
  }
}

/** 507 for a client at or over its own limit. */
export const overLimit = (recurso: 'disco' | 'inodos', usado: number, limite: number) =>
  new AppError('sin_espacio', { recurso, usado, limite })

/** Whether an error says how much there may be. */
export const tellsLimit = ({ extra }: AppError): boolean => extra.limite != null

/** 507 for a node whose disk or inodes are used up. */
export const noSpace = (recurso: 'disco' | 'inodos') =>
  new AppError('sin_espacio', { recurso, usado: null, limite: null })

/** The code of a refusal, as the answer would tell it. */
export const codeOf = ({ codigo }: AppError): ErrorCode => codigo

/** Whether this is an `AppError` with one of these codes. */
export const isRefusal = (thrown: unknown, ...codes: ErrorCode[]): thrown is AppError =>
  thrown instanceof AppError && codes.includes(thrown.codigo)

/** Whether a text is one of the codes. */
export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(STATUS, text)

/** The default status of a code. */
export const statusOf = (codigo: ErrorCode): number => STATUS[codigo]

/** All codes with their status and English text, for the OpenAPI document and the error page. */
export function errorCatalogue(): { codigo: ErrorCode; status: number; text: string }[] {
  return (Object.keys(STATUS) as ErrorCode[]).map((codigo) => ({
    codigo,
    status: STATUS[codigo],
    text: MESSAGES[codigo].en,
  }))
}

/** The text of a code in the reader's language, with `{name}` filled from `extra`. */
export function errorText(codigo: ErrorCode, language: Language, extra: ErrorExtra = {}): string {
  const text = MOTIVES[`${codigo} ${extra.motivo}`] ?? MESSAGES[codigo]
  return text[language].replace(/\{(\w+)\}/g, (_, name: string) => {
    const told = extra[name] ?? ''
    const value = Array.isArray(told) ? told.join(', ') : String(told)
    // Only these two name terms; a plan or a node could happen to be called like one.
    const isTerm = name === 'recurso' || name === 'funcion'
    return (isTerm && TERMS[value]?.[language]) || value
  })
}

/** A refusal in English, for the log and for whoever typed a command. */
export const refusalText = ({ codigo, extra }: AppError): string => errorText(codigo, 'en', extra)

/** The RFC 9457 problem document of an error, without transport. */
export function problemOf(
  error: AppError,
  about: { origin: string; language: Language; requestId: string },
): Record<string, unknown> {
  const { campos, retryAfterSeconds: _, ...members } = error.extra
  return {
    type: `${about.origin}/docs/errores#${error.codigo}`,
    title: TITLES[error.status] ?? 'Error',
    status: error.status,
    detail: errorText(error.codigo, about.language, error.extra),
    codigo: error.codigo,
    ...(campos ? { campos } : {}),
    ...members,
    peticion: about.requestId,
  }
}
