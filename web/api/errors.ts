import { type Language, language, t } from '../text/language.ts'

export type FieldProblem = { campo: string; codigo: string; mensaje: string }

/** A problem document (RFC 9457) as the interface shows it, or why none came. */
export class ApiError extends Error {
  readonly status: number
  readonly codigo: string
  readonly detail: string
  /** In which `detail` and the fields' messages are. */
  readonly language: Language
  readonly campos: FieldProblem[]
  readonly peticion: string | null
  readonly retryAfterSeconds: number | null
  /** Further members of the problem: `nodo`, `visto`, `limite` and the like. */
  readonly members: Record<string, unknown>

  constructor(problem: {
    status: number
    codigo: string
    detail: string
    language?: Language
    campos?: FieldProblem[]
    peticion?: string | null
    retryAfterSeconds?: number | null
    members?: Record<string, unknown>
  }) {
    super(problem.codigo)
    this.name = 'ApiError'
    this.status = problem.status
    this.codigo = problem.codigo
    this.detail = problem.detail
    this.language = problem.language ?? language.get()
    this.campos = (problem.campos ?? []).map((one) => ({ ...one, mensaje: quoted(one.mensaje) }))
    this.peticion = problem.peticion ?? null
    this.retryAfterSeconds = problem.retryAfterSeconds ?? null
    this.members = problem.members ?? {}
  }

  /** What is left of it once these fields were changed; null when they were all of it. */
  without(fields: string[]): ApiError | null {
    if (fields.length === 0) return this
    const campos = this.campos.filter(({ campo }) => !fields.includes(campo))
    if (campos.length === 0) return null
    return new ApiError({ ...this, campos })
  }

  /** Whether the screens were switched to another language since: its texts are then those of the one before. */
  get isInOtherLanguage(): boolean {
    return this.language !== language.get()
  }
}

/** The error of an answer that is not 2xx. */
export async function errorOf(response: Response): Promise<ApiError> {
  const peticion = response.headers.get('x-request-id')
  const retryAfter = Number(response.headers.get('retry-after'))
  const about = { status: response.status, peticion, retryAfterSeconds: retryAfter || null }
  const problem: unknown = await response.json().catch(() => null)
  if (!isProblem(problem)) {
    const detail = t(`The panel answered ${response.status}.`, `El panel respondió ${response.status}.`)
    return new ApiError({ ...about, codigo: `http_${response.status}`, detail })
  }
  const { type: _type, title: _title, status: _status, detail, codigo, campos, ...members } = problem
  return new ApiError({ ...about, codigo, detail, campos: campos ?? [], members })
}

/** The session was ended before; nothing is sent without one. */
export function sessionEnded(): ApiError {
  return new ApiError({
    status: 401,
    codigo: 'sesion_terminada',
    detail: t('Your session has ended.', 'Su sesión terminó.'),
  })
}

/** Whether it says that the session is over. */
export const isSessionEnd = ({ codigo }: ApiError): boolean =>
  ['sesion_terminada', 'sesion_caducada', 'credencial_invalida'].includes(codigo)

/** No answer came at all. */
export function unreachable(): ApiError {
  return new ApiError({
    status: 0,
    codigo: 'sin_conexion',
    detail: t(
      'The panel cannot be reached. Check the connection; nothing was confirmed.',
      'No se puede contactar con el panel. Revise la conexión; no hay confirmación de nada.',
    ),
  })
}

/** The answer broke off before its end. */
export function brokenOff(): ApiError {
  return new ApiError({
    status: 0,
    codigo: 'descarga_cortada',
    detail: t(
      'The download broke off before its end; no file was kept.',
      'La descarga se cortó antes de acabar; no se guardó ningún archivo.',
    ),
  })
}

/** Any thrown value as what a screen can show. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  return new ApiError({
    status: 0,
    codigo: 'error_de_interfaz',
    detail: t('The interface failed. Reload the page.', 'La interfaz falló. Recargue la página.'),
  })
}

type Problem = { codigo: string; detail: string; campos?: FieldProblem[] } & Record<string, unknown>

function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' &&
    value !== null &&
    'codigo' in value &&
    typeof value.codigo === 'string' &&
    'detail' in value &&
    typeof value.detail === 'string'
  )
}

/** What the API marks as code stands in quotation marks on a screen. */
const quoted = (words: string): string => words.replace(/`([^`]*)`/g, t('“$1”', '«$1»'))
